"""Days made for tests: a home whose captures come from producers of ours, a loop over it, and what became of each."""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from slowwave.disk.config import Config, parse_config, write_config
from slowwave.disk.home import Home
from slowwave.facts.capture import Tag
from slowwave.wiring.wakefulness import WakeLoop

NOON = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)
TEXTS: Mapping[Tag, tuple[str, ...]] = {
    Tag.FILE_THIS: (
        "We decided to keep the old parser",
        "Dentist on Friday at 10",
        "Anna moved to the billing team",
        "The import is green again since the retry",
    ),
    Tag.OBSERVATION: ("I work best before noon", "I prefer short meetings"),
    Tag.FOLLOW_UP: ("Remind me in two hours to call the bank", "I promised Bob the report by Friday", "look at logs"),
    Tag.NOTE_TO_SELF: ("the lamp flickers", "nice idea about colours"),
    Tag.ASK_NEXT_SESSION: ("does the cache expire?",),
}
"""What is said under each tag."""
_ID = re.compile(r"<!-- (\S+) -->$", re.MULTILINE)


def capture(name: str, tag: Tag = Tag.NOTE_TO_SELF, text: str = "", *, ts: datetime = NOON, **more: Any) -> bytes:
    """A line of a capture file."""
    row = {"id": name, "ts": ts.isoformat(), "tag": tag.value, "text": text or TEXTS[tag][0], "source": "cli", **more}
    return json.dumps(row).encode() + b"\n"


def mixed(number: int, *, ts: datetime = NOON) -> bytes:
    """A capture of each tag in turn; every text is one of its own."""
    tag = list(Tag)[number % len(Tag)]
    texts = TEXTS[tag]
    return capture(f"m-{number}", tag, f"{texts[number // len(Tag) % len(texts)]} (case {number})", ts=ts)


@dataclass(slots=True)
class Day:
    """A home with a clock that a test sets."""

    home: Home
    now: datetime = NOON

    @classmethod
    def at(
        cls, folder: Path, *, zone: str = "UTC", now: datetime = NOON, settings: Mapping[str, Any] | None = None
    ) -> "Day":
        """A new home in a folder, without transcripts."""
        home = Home(folder / "home")
        (folder / "none").mkdir(exist_ok=True)
        home.prepare()
        tree: dict[str, Any] = {"sources": {"transcripts": [str(folder / "none")]}, "wake": {"timezone": zone}}
        config: Config = parse_config({**tree, **(settings or {})}, "test")
        write_config(home.root, config)
        return cls(home, now)

    def clock(self) -> datetime:
        """The present."""
        return self.now

    def loop(self, **more: Any) -> WakeLoop:
        """A loop over this home."""
        return WakeLoop(self.home, clock=self.clock, environment={"HOME": str(self.home.root)}, **more)

    def tick(self, *, force: bool = False, **more: Any) -> Mapping[str, Any]:
        """One tick of a loop of its own."""
        loop = self.loop(**more)
        try:
            return loop.tick_now(force=force)
        finally:
            loop.close()

    def put(self, lines: bytes | Iterable[bytes], *, day: str = "") -> None:
        """Append to the capture file of a day."""
        folder = self.home.day.captures
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{day or self.now.date().isoformat()}.jsonl").open("ab") as stream:
            stream.write(lines if isinstance(lines, bytes) else b"".join(lines))

    def state(self) -> dict[str, Any]:
        """The loop's state as it stands on disk."""
        read: dict[str, Any] = json.loads(self.home.day.loop_state.read_bytes())
        return read

    def landed(self) -> Counter[str]:
        """How often each capture stands at any destination."""
        places = self.home.day
        found: Counter[str] = Counter()
        for page in (places.daily, *places.scratch_archive.glob("*.md")):
            found.update(_ID.findall(page.read_text("utf-8")) if page.exists() else [])
        for path in (places.observations, places.refused_observations):
            rows = path.read_text("utf-8").splitlines() if path.exists() else []
            found.update(json.loads(row)["capture_id"] for row in rows)
        if places.commitments.exists():
            found.update(row["capture_id"] for row in json.loads(places.commitments.read_bytes()))
        found.update(self.reminders())
        return found

    def reminders(self) -> list[str]:
        """Captures that became reminders."""
        return self._column("SELECT capture_id FROM reminders")

    def known(self) -> dict[str, str]:
        """Every capture that was decided about, with its status."""
        rows = self._column("SELECT id || ' ' || status FROM captures")
        return {name: status for name, _, status in (row.rpartition(" ") for row in rows)}

    def _column(self, query: str) -> list[str]:
        with closing(sqlite3.connect(self.home.wake_db)) as book:
            return [str(row[0]) for row in book.execute(query)]
