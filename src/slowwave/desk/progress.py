"""How far a night is: lines a person reads on a terminal, JSON lines on standard error everywhere else."""

import json
import sys
from time import monotonic

from rich.console import Console

from slowwave.sleep.plan import Progress

_LINE_SECONDS = 1.0  # at most one line of progress a second, and one for each batch that takes longer


class Spoken:
    """Says to a person which phase runs, how far it is, at what rate, and how long it will take."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._began = monotonic()
        self._last = 0.0

    def phase(self, name: str, number: int, total: int) -> None:
        """A phase begins."""
        self._began, self._last = monotonic(), 0.0
        self._console.print(f"[{number}/{total}] {name.replace('_', ' ')}", markup=False, style="dim")

    def step(self, text: str, done: float, total: float) -> None:
        """Work inside a phase goes on."""
        now = monotonic()
        if self._last and now - self._last < _LINE_SECONDS:
            return
        self._last = now
        self._console.print(f"      {text}{_how_far(done, total, now - self._began)}", markup=False, style="dim")


class Logged:
    """The same as one JSON object a line, for logs and scripts."""

    def phase(self, name: str, number: int, total: int) -> None:
        """A phase begins."""
        _log({"phase": name, "number": number, "of": total})

    def step(self, text: str, done: float, total: float) -> None:
        """Work inside a phase goes on."""
        _log({"step": text, "bytes": int(done), "of": int(total)})


def _log(event: dict[str, object]) -> None:
    sys.stderr.write(json.dumps(event) + "\n")


def _how_far(done: float, total: float, spent: float) -> str:
    if not done or not total or spent <= 0:
        return ""
    rate = done / spent
    return f" ({done / total:.0%} done, {rate / 1e6:.1f} MB/s, about {(total - done) / rate:.0f} s left)"


def progress_for(console: Console) -> Progress:
    """The right kind of progress for where standard error goes."""
    return Spoken(console) if console.is_terminal else Logged()
