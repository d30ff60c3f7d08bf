"""The log of what runs for long: lines on standard error, each with its moment; nothing in them can forge another."""

import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime

from slowwave.facts.text import showable

QUIET = ("uvicorn", "asyncio", "httpx2", "apprise")
"""Libraries of which only warnings are heard."""


class _Line(logging.Formatter):
    """Moment, level, who speaks, and what; secrets masked, control characters shown as pictures."""

    def __init__(self, mask: Callable[[str], str]) -> None:
        super().__init__()
        self._mask = mask

    def format(self, record: logging.LogRecord) -> str:
        """One record; a traceback follows it, indented, so that each line that is not is one of ours."""
        moment = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        said = self._mask(record.getMessage())
        line = f"{moment} {record.levelname.lower()} {record.name}: {showable(' '.join(said.splitlines()))}"
        if record.exc_info:
            trace = self._mask(self.formatException(record.exc_info)).splitlines()
            line = "\n".join([line, *(f"    {showable(one)}" for one in trace)])
        return line


def log_to_stderr(mask: Callable[[str], str]) -> None:
    """Have everything that is logged in this process appear on standard error."""
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(_Line(mask))
    root = logging.getLogger()
    root.handlers[:] = [lines]
    root.setLevel(logging.INFO)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
