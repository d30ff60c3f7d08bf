"""Decisions: what each capture is to become, in the book before it is carried out, marked there behind it.

The row of a capture that landed keeps where it went and who said so, not its words; those stand at the destination.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from slowwave.facts.capture import Capture, Section
from slowwave.facts.moment import stamp
from slowwave.records.captures import Rejected, capture_line, parse_line
from slowwave.wake.book import Book
from slowwave.wake.classifying import (
    COMMITMENTS,
    DAILY,
    NOBODY,
    OBSERVATIONS,
    REFUSED,
    Classified,
)

QUEUE = "reminders"
LEFT = "left"
"""Destinations besides the files that ``classifying`` names: the queue of reminders, and nowhere at all."""
DESTINATIONS = (DAILY, OBSERVATIONS, REFUSED, COMMITMENTS, QUEUE, LEFT)
_STATS = "stats"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a capture is to become.

    Attributes:
        capture: What was said.
        file: The file of captures it stands in.
        destination: One of ``DESTINATIONS``.
        section: On the day's page.
        due: When, of a reminder or commitment.
        decided_by: Who said so.
        reason: Why.
    """

    capture: Capture
    file: str
    destination: str
    section: Section | None = None
    due: datetime | None = None
    decided_by: str = NOBODY
    reason: str = ""


def decision_of(capture: Capture, file: str, found: Classified) -> Decision:
    """The decision that a classification comes to."""
    place = found.destination
    named = LEFT if place is None else QUEUE if place.is_queue else place.file
    return Decision(
        capture=capture,
        file=file,
        destination=named,
        section=place.section if place else None,
        due=found.due,
        decided_by=found.judged.decided_by if found.judged else NOBODY,
        reason=found.reason,
    )


def put_decisions(book: Book, decisions: Sequence[Decision], moment: datetime) -> None:
    """Write decisions durably, in one transaction; a capture that was decided about keeps its first decision."""
    if not decisions:
        return
    rows = [(one.capture.id, one.file, _json(one), "decided", stamp(moment)) for one in decisions]
    with book.step() as sql:
        sql.executemany("INSERT OR IGNORE INTO captures VALUES (?, ?, ?, ?, ?)", rows)
        sql.executemany("DELETE FROM deferred WHERE id = ?", [(one.capture.id,) for one in decisions])


def open_decisions(book: Book) -> tuple[Decision, ...]:
    """Decisions that were not carried out, in the order in which they were made."""
    rows = book.connection.execute(
        "SELECT id, file, decision FROM captures WHERE status = 'decided' ORDER BY rowid"
    ).fetchall()
    return tuple(_decision(str(row["file"]), json.loads(row["decision"])) for row in rows)


def mark_landed(book: Book, decisions: Sequence[Decision], counts: Mapping[str, int]) -> None:
    """Say that decisions were carried out, and count them, in one transaction."""
    if not decisions:
        return
    with book.step() as sql:
        sql.executemany(
            "UPDATE captures SET status = 'landed', decision = ? WHERE id = ?",
            [(json.dumps(_kept(one)), one.capture.id) for one in decisions],
        )
        stats = _stats(book)
        summed = {name: stats.get(name, 0) + counts.get(name, 0) for name in {*stats, *counts}}
        sql.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (_STATS, json.dumps(summed)))


def known_ids(book: Book, ids: Iterable[str]) -> frozenset[str]:
    """Those of some ids that were decided about, or wait."""
    wanted = list(dict.fromkeys(ids))
    found: set[str] = set()
    for start in range(0, len(wanted), 500):
        part = wanted[start : start + 500]
        marks = ",".join("?" * len(part))
        for table in ("captures", "deferred"):
            rows = book.connection.execute(_IN[table].format(marks=marks), part)
            found.update(str(row[0]) for row in rows)
    return frozenset(found)


_IN = {
    "captures": "SELECT id FROM captures WHERE id IN ({marks})",
    "deferred": "SELECT id FROM deferred WHERE id IN ({marks})",
}


def defer(book: Book, captures: Sequence[tuple[Capture, str]], moment: datetime) -> None:
    """Keep captures that nobody may be asked about now, in their order, each with its file."""
    if not captures:
        return
    rows = [(one.id, file, capture_line(one).decode("utf-8"), stamp(moment)) for one, file in captures]
    with book.step() as sql:
        sql.executemany("INSERT OR IGNORE INTO deferred VALUES (?, ?, ?, ?)", rows)


def deferred(book: Book, most: int) -> tuple[tuple[Capture, str], ...]:
    """The first captures that wait, each with its file."""
    rows = book.connection.execute("SELECT file, capture FROM deferred ORDER BY rowid LIMIT ?", (most,)).fetchall()
    read = ((parse_line(str(row["capture"]).encode("utf-8"), zone=UTC), str(row["file"])) for row in rows)
    return tuple((capture, file) for capture, file in read if isinstance(capture, Capture))


def count_deferred(book: Book) -> int:
    """How many captures wait."""
    return int(book.connection.execute("SELECT count(*) FROM deferred").fetchone()[0])


def read_stats(book: Book, otherwise: Mapping[str, int]) -> Mapping[str, int]:
    """What was counted so far; a new book goes on from what the loop's state says."""
    if not book.setting(_STATS):
        book.set_setting(_STATS, json.dumps(dict(otherwise)))
    return _stats(book)


def adopt(book: Book, ids: Iterable[str], moment: datetime) -> None:
    """Let a new book know captures that destinations hold already, as after it was lost."""
    rows = [(one, "", json.dumps({"destination": "known before"}), "landed", stamp(moment)) for one in ids]
    with book.step() as sql:
        sql.executemany("INSERT OR IGNORE INTO captures VALUES (?, ?, ?, ?, ?)", rows)
        sql.execute("INSERT OR REPLACE INTO settings VALUES ('adopted', ?)", (stamp(moment),))


def _stats(book: Book) -> dict[str, int]:
    read = json.loads(book.setting(_STATS) or "{}")
    return {str(name): int(count) for name, count in read.items()}


def _kept(one: Decision) -> dict[str, Any]:
    return {
        "destination": one.destination,
        "section": str(one.section or ""),
        "decided_by": one.decided_by,
        "reason": one.reason,
    }


def _json(one: Decision) -> str:
    due = one.due.isoformat() if one.due else ""
    capture = json.loads(capture_line(one.capture))
    return json.dumps({**_kept(one), "due": due, "capture": capture}, ensure_ascii=False)


def _decision(file: str, row: Mapping[str, Any]) -> Decision:
    capture = parse_line(json.dumps(row["capture"]).encode("utf-8"), zone=UTC)
    assert not isinstance(capture, Rejected)
    return Decision(
        capture=capture,
        file=file,
        destination=str(row["destination"]),
        section=Section(row["section"]) if row["section"] else None,
        due=datetime.fromisoformat(row["due"]) if row["due"] else None,
        decided_by=str(row["decided_by"]),
        reason=str(row["reason"]),
    )
