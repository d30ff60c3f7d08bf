"""Verbs of reminders and channels: what waits to be sent, and sending it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from datetime import datetime
from time import monotonic
from typing import Any

from slowwave.disk.config import ConfigError
from slowwave.facts.moment import stamp
from slowwave.facts.refusal import NothingToDoError, UsageError
from slowwave.wake.book import Book
from slowwave.wake.channels import Channels
from slowwave.wake.delivery import deliver_due
from slowwave.wake.notices import Notice, NotSent
from slowwave.wake.quiet import QuietHours
from slowwave.wake.reminders import Queued, cancel_reminder, list_reminders
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import zone_of


def notifier_of(house: Premises) -> Channels:
    """The channels of a home."""
    return Channels(
        house.config,
        environment=house.environment,
        clock=house.clock,
        stopwatch=monotonic,
        folder=house.home.root,
    )


def quiet_hours_of(house: Premises) -> QuietHours:
    """When nothing is sent.

    Raises:
        ConfigError: One end is missing, or the zone is none.
    """
    notify = house.config.notify
    if bool(notify.quiet_start) != bool(notify.quiet_end):
        raise ConfigError(
            "quiet hours have two ends, and one is missing", hint="set notify.quiet_start and notify.quiet_end"
        )
    return QuietHours(start=notify.quiet_start, end=notify.quiet_end, zone=zone_of(house))


def deliver_reminders(house: Premises, now: datetime, book: Book | None = None) -> Mapping[str, int] | None:
    """Send the reminders that are due; None where none was. The loop's job: it holds the loop's lock.

    Args:
        house: An open home.
        now: The present, aware.
        book: The home's book where the caller has it open, which spares a tick without reminders the opening.
    """
    with nullcontext(book) if book else open_book(house) as opened:
        return deliver_due(opened, notifier_of(house), now, quiet_hours_of(house)) or None


def send_now(house: Premises, *, key: str, title: str, text: str, channel: str = "") -> list[dict[str, Any]]:
    """Send a notice over every channel, or one, at once and once each; what became of it, channel by channel.

    Raises:
        NothingToDoError: No channel is configured.
        UsageError: No channel is called so.
    """
    notifier = notifier_of(house)
    if not notifier.channels:
        raise NothingToDoError("no channel is configured", hint="set notify.urls; docs/reminders.md has examples")
    if channel and channel not in notifier.channels:
        raise UsageError(f"no channel is called {channel}", hint=f"channels are: {', '.join(notifier.channels)}")
    notice = Notice(key=key, title=title, text=text)
    rows = []
    for name in (channel,) if channel else notifier.channels:
        outcome = notifier.send(name, notice)
        reason = outcome.reason if isinstance(outcome, NotSent) else ""
        rows.append({"channel": name, "sent": not reason, "reason": reason})
    return rows


def try_channels(house: Premises, channel: str) -> dict[str, Any]:
    """Send a test over every channel, or one, whatever the hour.

    Raises:
        NothingToDoError: No channel is configured.
        UsageError: No channel is called so.
    """
    key = f"test-{stamp(house.clock())}"
    rows = send_now(house, key=key, title="slowwave", text=f"This is a test.\n({key})", channel=channel)
    return {"channels": rows, "failed": sum(not row["sent"] for row in rows)}


def show_reminders(house: Premises, *, everything: bool) -> dict[str, Any]:
    """Reminders that are still to be sent, or all, with what holds them.

    Raises:
        ConfigError: Quiet hours have one end, or the zone is none.
    """
    now, quiet = house.clock(), quiet_hours_of(house)
    with open_book(house, only_reads=True) as book:
        rows = [described(one) for one in list_reminders(book, everything=everything)]
    return {
        "reminders": rows,
        "channels": list(notifier_of(house).channels),
        "zone": str(quiet.zone),
        "quietUntil": quiet.end_after(now).isoformat() if quiet.cover(now) else "",
    }


def cancel(house: Premises, name: str) -> dict[str, Any]:
    """Cancel a reminder.

    Raises:
        UsageError: None has that id, or it was sent already.
    """
    with house.hold_day("reminders cancel"), open_book(house) as book:
        return described(cancel_reminder(book, name))


def described(reminder: Queued) -> dict[str, Any]:
    """A reminder as its envelope holds it."""
    row = asdict(reminder)
    return {
        "id": row["id"],
        "captureId": row["capture_id"],
        "text": row["text"],
        "due": row["due"],
        "isLate": row["is_late"],
        "status": row["status"],
        "tries": row["tries"],
        "nextTry": row["next_try"],
        "sent": row["sent"],
        "error": row["error"],
        "created": row["created"],
    }


@contextmanager
def open_book(house: Premises, *, only_reads: bool = False) -> Iterator[Book]:
    """The waking loop's book, open for a while."""
    book = Book(house.home.wake_db, is_read_only=only_reads or house.is_read_only)
    try:
        yield book
    finally:
        book.close()
