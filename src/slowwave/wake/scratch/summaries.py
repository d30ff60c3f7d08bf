"""Every running summary there was, a line each, written before the page shows it; any of them can be brought back."""

import json
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from slowwave.disk.durable import read_whole
from slowwave.disk.jsonl import append_lines
from slowwave.disk.places import Places

PERSON = "person"
"""``decided_by`` of a summary that somebody wrote on the page by hand."""
_MODEL = "model "


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One running summary.

    Attributes:
        number: Its place among all, from 1, the oldest first; 0 before it is written.
        ts: When it was written.
        day: Day of the page it stood on.
        text: What it says, on one line.
        decided_by: ``rules``, the model, or ``person``.
        reason: Why so, as its writer said.
        source: Hash of the page it was made from, without any summary.
        restored: The number of the summary that it brought back; 0 for a new one.
    """

    number: int = 0
    ts: str
    day: str
    text: str
    decided_by: str
    reason: str = ""
    source: str = ""
    restored: int = 0

    @property
    def model(self) -> str:
        """The model that wrote it; empty where none did."""
        return self.decided_by.removeprefix(_MODEL) if self.decided_by.startswith(_MODEL) else ""


def append_summary(places: Places, summary: Summary) -> None:
    """Keep a summary, durably; call it while holding the day."""
    row = {
        "ts": summary.ts,
        "day": summary.day,
        "text": summary.text,
        "decided_by": summary.decided_by,
        "model": summary.model,
        "reason": summary.reason,
        "input": summary.source,
        "restored": summary.restored,
    }
    line = json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")
    append_lines(places.summaries / f"{summary.day}.jsonl", [line])


def read_summaries(places: Places) -> tuple[Summary, ...]:
    """All summaries, the oldest first; lines that are none are stepped over."""
    if not places.summaries.is_dir():
        return ()
    found: list[Summary] = []
    for path in sorted(places.summaries.glob("*.jsonl")):
        if not _is_date(path.stem):
            continue
        for line in (read_whole(path) or b"").split(b"\n"):
            summary = _parse(line, path.stem)
            if summary is not None:
                found.append(replace(summary, number=len(found) + 1))
    return tuple(found)


def _parse(line: bytes, day: str) -> Summary | None:
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        return None
    restored = row.get("restored")
    return Summary(
        ts=_word(row, "ts"),
        day=day,
        text=row["text"],
        decided_by=_word(row, "decided_by"),
        reason=_word(row, "reason"),
        source=_word(row, "input"),
        restored=restored if isinstance(restored, int) else 0,
    )


def _word(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""


def _is_date(name: str) -> bool:
    try:
        return date.fromisoformat(name).isoformat() == name
    except ValueError:
        return False
