"""The queue of reminders: each capture once, whatever happens."""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from made_notices import DUE, NEVER_QUIET, MadeNotifier, reminder

from slowwave.facts.refusal import UsageError
from slowwave.wake.book import Book
from slowwave.wake.delivery import deliver_due
from slowwave.wake.reminders import Status, cancel_reminder, enqueue_message, find_reminder, list_reminders


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    """A book of this test's own."""
    made = Book(tmp_path / "wake.db")
    yield made
    made.close()


def test_a_capture_is_queued_once(book: Book, tmp_path: Path) -> None:
    """Queueing it again changes nothing, also in other words, also after it is over and in another process."""
    assert enqueue_message(book, reminder())
    assert not enqueue_message(book, reminder(text="other words"))
    other = Book(tmp_path / "wake.db")
    assert not enqueue_message(other, reminder())
    other.close()
    deliver_due(book, MadeNotifier(), DUE, NEVER_QUIET)
    assert not enqueue_message(book, reminder())
    assert [one.text for one in list_reminders(book, everything=True)] == ["call Ann"]
    assert list_reminders(book) == ()


def test_a_due_time_of_any_offset_is_one_instant(book: Book) -> None:
    """It is kept in UTC, the next first."""
    west = timezone(timedelta(hours=-8))
    enqueue_message(book, reminder("later", due=datetime(2026, 2, 1, 2, 0, tzinfo=west)))
    enqueue_message(book, reminder("sooner", due=DUE))
    assert [(one.capture_id, one.due) for one in list_reminders(book)] == [
        ("sooner", "2026-02-01T09:00:00Z"),
        ("later", "2026-02-01T10:00:00Z"),
    ]


def test_it_is_found_by_how_its_id_begins(book: Book) -> None:
    """One that is clear; several, and none, are refused."""
    for name in ("a", "b"):
        enqueue_message(book, reminder(name))
    wanted = reminder("a").id
    assert find_reminder(book, wanted[:8]).capture_id == "a"
    for name in ("r-", "x", ""):
        with pytest.raises(UsageError):
            find_reminder(book, name)


def test_a_cancelled_one_never_leaves(book: Book) -> None:
    """Cancelled twice is cancelled; queued again it stays so."""
    enqueue_message(book, reminder())
    name = reminder().id
    assert cancel_reminder(book, name).status is Status.CANCELLED
    assert cancel_reminder(book, name).status is Status.CANCELLED
    assert not enqueue_message(book, reminder())
    notifier = MadeNotifier()
    assert deliver_due(book, notifier, DUE + timedelta(days=1), NEVER_QUIET) == {}
    assert notifier.tried == []


def test_what_was_sent_cannot_be_cancelled(book: Book) -> None:
    """It is said when it was sent."""
    enqueue_message(book, reminder())
    deliver_due(book, MadeNotifier(), DUE, NEVER_QUIET)
    with pytest.raises(UsageError, match="2026-02-01T09:00:00Z"):
        cancel_reminder(book, reminder().id)


def test_half_a_character_is_written(book: Book) -> None:
    """As U+FFFD, instead of stopping the queue."""
    enqueue_message(book, reminder("c\ud800", text="call \ud800"))
    assert "\ud800" not in list_reminders(book)[0].text
