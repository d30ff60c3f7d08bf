"""Reminders: what wants a signal at a time, kept in ``wake.db`` until it was sent over every channel.

A reminder is known by the capture it comes from, so that queueing it again changes nothing. ``delivery`` sends them.
"""

import hashlib
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from slowwave.facts.moment import stamp
from slowwave.facts.refusal import UsageError
from slowwave.wake.book import Book


class Status(StrEnum):
    """Where a reminder, or its way over one channel, stands."""

    WAITING = "waiting"
    SENDING = "sending"
    """Written before it leaves: after a crash it may have left or not, and leaves again with the same key."""
    SENT = "sent"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """What is to be sent.

    Attributes:
        capture_id: The capture it comes from.
        text: What it says.
        due: When: aware.
        is_late: Whether it was already due when it was understood.
        created: When it was queued: aware.
    """

    capture_id: str
    text: str
    due: datetime
    created: datetime
    is_late: bool = False

    @property
    def id(self) -> str:
        """Its name, which is also the key of every message about it."""
        return f"r-{hashlib.sha256(self.capture_id.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    """A reminder as it stands in the queue; moments as the book has them: UTC, seconds.

    Attributes:
        id: Its name and key.
        tries: How often sending it was begun, on the channel where it was most.
        next_try: Not before this.
        sent: When all channels had it; empty before.
        error: Why the last try failed, a row of the channels it failed on; empty where none did.
    """

    id: str
    capture_id: str
    text: str
    due: str
    is_late: bool
    status: Status
    tries: int
    next_try: str
    sent: str
    error: str
    created: str


def enqueue_message(book: Book, reminder: Reminder) -> bool:
    """Queue a reminder durably; False where the queue, or what was sent or cancelled, has it already."""
    due = stamp(reminder.due)
    row = (reminder.id, _storable(reminder.capture_id), _storable(reminder.text), due, int(reminder.is_late))
    with book.step() as sql:
        done = sql.execute(
            "INSERT OR IGNORE INTO reminders (id, capture_id, text, due, is_late, status, next_try, created) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, Status.WAITING, due, stamp(reminder.created)),
        )
        return done.rowcount > 0


def list_reminders(book: Book, *, everything: bool = False) -> tuple[Queued, ...]:
    """Reminders that are still to be sent, the next first; with ``everything`` also those that are over."""
    rows = book.connection.execute(
        "SELECT * FROM reminders WHERE ? OR status IN (?, ?) ORDER BY due, id",
        (everything, Status.WAITING, Status.SENDING),
    )
    return tuple(queued(row) for row in rows)


def find_reminder(book: Book, name: str) -> Queued:
    """The reminder with an id, or the only one whose id begins so.

    Raises:
        UsageError: None has that id, or several begin so.
    """
    rows = [one for one in list_reminders(book, everything=True) if name and one.id.startswith(name)]
    exact = [one for one in rows if one.id == name] or rows
    if len(exact) != 1:
        which = "several reminders begin with" if exact else "no reminder is called"
        raise UsageError(f"{which} {name}", hint="`slowwave reminders list --all` shows their ids")
    return exact[0]


def cancel_reminder(book: Book, name: str) -> Queued:
    """Cancel a reminder for good; cancelling it again changes nothing.

    Raises:
        UsageError: None has that id, or it was sent already.
    """
    with book.step() as sql:
        found = find_reminder(book, name)
        if found.status is Status.SENT:
            raise UsageError(f"{found.id} was sent already, at {found.sent}", hint="nothing of it is left to cancel")
        sql.execute("UPDATE reminders SET status = ? WHERE id = ?", (Status.CANCELLED, found.id))
    return find_reminder(book, found.id)


def queued(row: sqlite3.Row) -> Queued:
    """A row of the book as a value."""
    return Queued(
        id=row["id"],
        capture_id=row["capture_id"],
        text=row["text"],
        due=row["due"],
        is_late=bool(row["is_late"]),
        status=Status(row["status"]),
        tries=row["tries"],
        next_try=row["next_try"],
        sent=row["sent"],
        error=row["error"],
        created=row["created"],
    )


def _storable(text: str) -> str:
    """A text that can be written as UTF-8: half a character becomes U+FFFD."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
