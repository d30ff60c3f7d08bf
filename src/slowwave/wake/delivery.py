"""Delivery: reminders that are due leave over every channel, at least once each.

That a message leaves is written down before it does, and that it has left behind it. A crash in between sends it again
with the same key, by which whoever receives it can tell. Each channel has a state of its own: one that fails is tried
again, with growing pauses, and those that took it are left alone.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from slowwave.facts.limits import (
    FIRST_RETRY_SECONDS,
    LATE_SECONDS,
    MOST_RETRY_SECONDS,
    NOTICE_CHARACTERS,
    REMINDERS_A_RUN,
)
from slowwave.facts.moment import parse, stamp
from slowwave.facts.text import cut
from slowwave.wake.book import Book
from slowwave.wake.notices import Notice, Notifier, NotSent, Sent
from slowwave.wake.quiet import QuietHours
from slowwave.wake.reminders import Queued, Status, queued

_DUE = """
SELECT * FROM reminders
WHERE due <= :now AND (
    status = 'sending' OR (status = 'waiting' AND (next_try <= :now OR next_try > :beyond))
)
ORDER BY tries > 0, due, id LIMIT :most
"""
"""What was never tried comes first, so that reminders which wait for a channel that is away hold up no other."""
_BEGIN = """
INSERT INTO deliveries (reminder_id, channel, status, tries, next_try) VALUES (?, ?, 'sending', 1, ?)
ON CONFLICT (reminder_id, channel) DO UPDATE SET status = 'sending', tries = tries + 1
"""


def deliver_due(book: Book, notifier: Notifier, now: datetime, quiet: QuietHours) -> Mapping[str, int]:
    """Send what is due; what cannot be sent stays in the queue.

    Args:
        book: The waking loop's book. Nobody else delivers from it meanwhile: the loop holds its lock.
        notifier: Sends.
        now: The present, aware.
        quiet: When nothing is sent.

    Returns:
        ``sent``, reminders that every channel has; ``failed``, tries that a channel did not take; ``held`` for quiet
        hours; ``unaddressed``, due while no channel is configured. Each is left out where it is 0.
    """
    counts: Counter[str] = Counter()
    # A clock that was set back left pauses that end in days: no pause of ours is longer than the longest.
    beyond = stamp(now + timedelta(seconds=2 * MOST_RETRY_SECONDS))
    asked = {"now": stamp(now), "beyond": beyond, "most": REMINDERS_A_RUN}
    due = [queued(row) for row in book.connection.execute(_DUE, asked)]
    if not due:
        return counts
    if quiet.cover(now) or not notifier.channels:
        counts["held" if quiet.cover(now) else "unaddressed"] = len(due)
        return counts
    failing: set[str] = set()
    for reminder in due:
        notice = notice_of(reminder, now=now, quiet=quiet)
        for channel in _open_channels(book, reminder.id, notifier, now):
            # A channel that is away is asked once a run, or a queue of reminders would hold the loop for minutes.
            if channel not in failing and not _send(book, notifier, channel, notice, now):
                failing.add(channel)
                counts["failed"] += 1
        counts["sent"] += _settle(book, reminder.id, notifier, now)
    return +counts


def notice_of(reminder: Queued, *, now: datetime, quiet: QuietHours) -> Notice:
    """What is said about a reminder: its text, when it was due, whether that is over, and its key."""
    due = parse(reminder.due) or now
    is_late = reminder.is_late or (now - due).total_seconds() >= LATE_SECONDS
    when = f"due {due.astimezone(quiet.zone):%Y-%m-%d %H:%M %Z}".rstrip()
    said = f"late: this was {when}" if is_late else when
    return Notice(
        key=reminder.id,
        title="Reminder (late)" if is_late else "Reminder",
        text=f"{cut(reminder.text, NOTICE_CHARACTERS)}\n({said}; {reminder.id})",
    )


def pause_after(tries: int, asked_for: float | None = None) -> float:
    """Seconds before the next try: doubling from ``FIRST_RETRY_SECONDS``, at most ``MOST_RETRY_SECONDS``.

    Args:
        tries: Tries so far, at least one.
        asked_for: Seconds that the channel asked for; never less than these, within the bound.
    """
    doubled = FIRST_RETRY_SECONDS * 2.0 ** min(tries - 1, 30)
    told = asked_for if asked_for is not None and asked_for > 0 else 0.0
    return min(MOST_RETRY_SECONDS, max(doubled, told))


def _open_channels(book: Book, reminder_id: str, notifier: Notifier, now: datetime) -> list[str]:
    """Channels that do not have a reminder yet and may be tried now."""
    states = {
        row["channel"]: row
        for row in book.connection.execute("SELECT * FROM deliveries WHERE reminder_id = ?", (reminder_id,))
    }
    beyond = stamp(now + timedelta(seconds=2 * MOST_RETRY_SECONDS))
    closed = {
        name
        for name, row in states.items()
        if row["status"] == Status.SENT or (row["status"] == Status.WAITING and stamp(now) < row["next_try"] <= beyond)
    }
    return [channel for channel in notifier.channels if channel not in closed]


def _send(book: Book, notifier: Notifier, channel: str, notice: Notice, now: datetime) -> bool:
    """Send over one channel, written down before and behind; True also where it was cancelled meanwhile."""
    with book.step() as sql:
        is_wanted = sql.execute(
            "UPDATE reminders SET status = 'sending' WHERE id = ? AND status IN ('waiting', 'sending')", (notice.key,)
        ).rowcount
        if not is_wanted:
            return True
        sql.execute(_BEGIN, (notice.key, channel, stamp(now)))
    outcome = notifier.send(channel, notice)
    with book.step() as sql:
        key = (notice.key, channel)
        if isinstance(outcome, Sent):
            sql.execute(
                "UPDATE deliveries SET status = 'sent', error = '', sent = ? WHERE reminder_id = ? AND channel = ?",
                (stamp(now), *key),
            )
            return True
        tries = sql.execute("SELECT tries FROM deliveries WHERE reminder_id = ? AND channel = ?", key).fetchone()[0]
        sql.execute(
            "UPDATE deliveries SET status = 'waiting', error = ?, next_try = ? WHERE reminder_id = ? AND channel = ?",
            (outcome.reason, _after(now, tries, outcome), *key),
        )
    return False


def _after(now: datetime, tries: int, outcome: NotSent) -> str:
    return stamp(now.astimezone(UTC) + timedelta(seconds=pause_after(tries, outcome.seconds)))


def _settle(book: Book, reminder_id: str, notifier: Notifier, now: datetime) -> bool:
    """Bring a reminder's own row up to what its channels say; whether it is sent, which it becomes once."""
    with book.step() as sql:
        rows = {
            row["channel"]: row
            for row in sql.execute("SELECT * FROM deliveries WHERE reminder_id = ?", (reminder_id,))
            if row["channel"] in notifier.channels
        }
        left = [name for name in notifier.channels if name not in rows or rows[name]["status"] != Status.SENT]
        errors = "; ".join(f"{name}: {row['error']}" for name, row in rows.items() if row["error"])
        tries = max((row["tries"] for row in rows.values()), default=0)
        waits = [rows[name]["next_try"] if name in rows else stamp(now) for name in left]
        status = Status.WAITING if left else Status.SENT
        done = sql.execute(
            "UPDATE reminders SET status = ?, tries = ?, next_try = ?, sent = ?, error = ? "
            "WHERE id = ? AND status IN ('waiting', 'sending')",
            (status, tries, min(waits, default=stamp(now)), "" if left else stamp(now), errors, reminder_id),
        )
        return done.rowcount > 0 and not left
