"""How far a night is: a bar on a terminal, lines in a log, nothing where output is for a script."""

from time import monotonic

from rich.console import Console

from slowwave.sleep.plan import Progress

_LINE_SECONDS = 1.0  # a log gets at most one line of progress a second


class Quiet:
    """Says nothing."""

    def phase(self, name: str, number: int, total: int) -> None:
        """A phase begins."""

    def step(self, text: str, done: float, total: float) -> None:
        """Work inside a phase went on."""


class Spoken:
    """Says on standard error which phase runs, how far it is, at what rate, and how long it will take."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._began = monotonic()
        self._last = 0.0
        self._name = ""

    def phase(self, name: str, number: int, total: int) -> None:
        """A phase begins."""
        self._name, self._began, self._last = name, monotonic(), 0.0
        self._console.print(f"[{number}/{total}] {name.replace('_', ' ')}", markup=False, style="dim")

    def step(self, text: str, done: float, total: float) -> None:
        """Work inside a phase went on."""
        now = monotonic()
        if now - self._last < _LINE_SECONDS and self._last:
            return
        self._last = now
        self._console.print(f"      {text} {_how_far(done, total, now - self._began)}", markup=False, style="dim")


def _how_far(done: float, total: float, spent: float) -> str:
    if not done or not total or spent <= 0:
        return ""
    rate = done / spent
    return f"({done / total:.0%}, {rate / 1e6:.1f} MB/s, about {(total - done) / rate:.0f} s left)"


def progress_for(console: Console, *, quiet: bool) -> Progress:
    """The right kind of progress for where the output goes."""
    return Quiet() if quiet else Spoken(console)
