"""A scratch made for tests: its own folder, a clock that is set by hand, a judge that says what it is told to."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from slowwave.disk.places import Places
from slowwave.facts.capture import Section
from slowwave.records.secrets import Secrets
from slowwave.wake.judging import Judged, Waits
from slowwave.wake.scratch.entry import Entry
from slowwave.wake.scratch.pad import Scratch

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 2, 24, 12, tzinfo=UTC)
"""A Tuesday, 13:00 in Berlin."""


@dataclass
class SayingJudge:
    """Sums up in the words it is given, remembers what it was shown, and lets a test act while it works."""

    words: str = "A quiet day."
    waits: bool = False
    meanwhile: Callable[[], None] = lambda: None
    asked: list[str] = field(default_factory=list)

    def summarise(self, text: str) -> Judged[str] | Waits:
        """The given words."""
        self.asked.append(text)
        self.meanwhile()
        if self.waits:
            return Waits(code="budget_spent", message="no call is left today")
        return Judged(value=self.words, decided_by="model ollama:small", reason="as told")


class Desk:
    """A scratch in a folder, and the hands of its person."""

    def __init__(self, folder: Path, *, now: datetime = NOON, zone: tzinfo = BERLIN, roll_up: str = "00:05") -> None:
        self.places = Places(folder / "data")
        self.now = now
        self.scratch = Scratch(
            self.places,
            lambda _: nullcontext(),
            lambda: self.now,
            zone,
            roll_up=roll_up,
            secrets=Secrets(deep=False),
        )

    @property
    def page(self) -> bytes:
        """The page's bytes."""
        return self.scratch.page()

    @property
    def text(self) -> str:
        """The page's text."""
        return self.page.decode()

    def write(self, content: bytes) -> None:
        """A person saves the page."""
        self.places.daily.parent.mkdir(parents=True, exist_ok=True)
        self.places.daily.write_bytes(content)

    def entry(
        self, name: str, text: str = "", *, section: Section = Section.NOTES, at: datetime | None = None
    ) -> Entry:
        """An entry of this moment."""
        return Entry(id=name, section=section, moment=at or self.now, text=text or f"words of {name}")
