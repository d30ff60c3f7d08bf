"""What was left for the next session: ``ask-next-session`` captures, each shown until it was."""

from collections.abc import Sequence
from datetime import datetime, tzinfo

from slowwave.disk.places import Places
from slowwave.facts.capture import Capture, Tag
from slowwave.facts.moment import stamp
from slowwave.wake.book import Book
from slowwave.wake.standing import standing_captures

_WORD = Tag.ASK_NEXT_SESSION.value.encode("ascii")


def waiting_questions(places: Places, book: Book, *, zone: tzinfo, everything: bool = False) -> tuple[Capture, ...]:
    """Captures for the next session in the order in which they were said, each id once.

    Args:
        places: The files of the day.
        book: Where it is kept which were shown.
        zone: The loop's.
        everything: Also those that were shown.
    """
    shown = set() if everything else {str(row[0]) for row in book.connection.execute("SELECT id FROM shown")}
    found: dict[str, Capture] = {}
    for capture in standing_captures(places, zone=zone, word=_WORD):
        if capture.tag is Tag.ASK_NEXT_SESSION and capture.id not in shown:
            found.setdefault(capture.id, capture)
    return tuple(sorted(found.values(), key=lambda capture: capture.ts))


def mark_shown(book: Book, captures: Sequence[Capture], now: datetime) -> None:
    """Keep that captures were shown."""
    with book.step() as sql:
        sql.executemany("INSERT OR IGNORE INTO shown VALUES (?, ?)", [(one.id, stamp(now)) for one in captures])
