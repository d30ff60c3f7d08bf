"""Formats: how each agent writes its sessions, told apart by content and read into the same drafts and entries.

Adding an agent means one module here with a ``Format``, its line in ``FORMATS``, and a test folder.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from slowwave.records.formats.claude_code import ClaudeCode
from slowwave.records.formats.codex import Codex
from slowwave.records.formats.codex_legacy import CodexLegacy
from slowwave.records.formats.format import Format

FORMATS: Mapping[str, Format] = {made.name: made for made in (ClaudeCode(), Codex(), CodexLegacy())}
"""Every format, by name, in the order in which they are asked."""


def detect_format(path: Path, head: Sequence[Mapping[str, Any]]) -> Format | None:
    """The format of a file whose first records are ``head``, or None for a file that is no transcript we read."""
    return next((each for each in FORMATS.values() if each.detect(path, head)), None)
