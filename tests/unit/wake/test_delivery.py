"""Delivery: at least once over each channel, by the same key, in time or said to be late."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from made_notices import DUE, NEVER_QUIET, KilledError, MadeNotifier, reminder

from slowwave.facts.limits import FIRST_RETRY_SECONDS, LATE_SECONDS, MOST_RETRY_SECONDS, REMINDERS_A_RUN
from slowwave.wake.book import Book
from slowwave.wake.delivery import deliver_due, pause_after
from slowwave.wake.notices import Notice, NotSent, Sent
from slowwave.wake.quiet import QuietHours
from slowwave.wake.reminders import Status, cancel_reminder, enqueue_message, find_reminder, list_reminders

AWAY = NotSent(reason="away")


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    """A book with one reminder."""
    made = Book(tmp_path / "wake.db")
    enqueue_message(made, reminder())
    yield made
    made.close()


def run(book: Book, notifier: MadeNotifier, after: float = 0, quiet: QuietHours = NEVER_QUIET) -> dict[str, int]:
    """Deliver what is due so many seconds after the reminder's time."""
    return dict(deliver_due(book, notifier, DUE + timedelta(seconds=after), quiet))


def test_it_leaves_at_its_time_once(book: Book) -> None:
    """Not before, then over every channel, then never again."""
    notifier = MadeNotifier()
    assert run(book, notifier, -1) == {}
    assert run(book, notifier) == {"sent": 1}
    assert run(book, notifier, 60) == {}
    assert [len(notifier.taken[name]) for name in notifier.channels] == [1, 1]
    notice = notifier.taken["mail"][0]
    assert notice.key == reminder().id
    assert notice.title == "Reminder"
    assert notice.text == f"call Ann\n(due 2026-02-01 09:00 UTC; {notice.key})"


def test_one_that_fails_does_not_repeat_the_others(book: Book) -> None:
    """It alone is tried again, with the same key; then the reminder is sent."""
    notifier = MadeNotifier(broken={"mail": AWAY})
    assert run(book, notifier) == {"failed": 1}
    shown = list_reminders(book)[0]
    assert (shown.status, shown.tries, shown.error) == (Status.WAITING, 1, "mail: away")
    assert shown.next_try == "2026-02-01T09:01:00Z"
    notifier.broken.clear()
    assert run(book, notifier, 59) == {}
    assert run(book, notifier, 60) == {"sent": 1}
    assert notifier.tried == ["mail", "file", "mail"]
    assert {notice.key for taken in notifier.taken.values() for notice in taken} == {reminder().id}
    assert find_reminder(book, reminder().id).error == ""


def test_pauses_double_and_are_bounded(book: Book) -> None:
    """Never given up, never tried in between."""
    notifier = MadeNotifier(channels=("mail",), broken={"mail": AWAY})
    tries = [second for second in range(0, 30_000, 60) if run(book, notifier, second)]
    assert tries[:4] == [0, 60, 180, 420]
    pauses = [later - sooner for sooner, later in pairwise(tries)]
    assert max(pauses) == MOST_RETRY_SECONDS
    assert pauses == sorted(pauses)
    assert pause_after(10_000) == MOST_RETRY_SECONDS


@pytest.mark.parametrize(
    ("asked", "pause"), [(None, FIRST_RETRY_SECONDS), (300.0, 300.0), (1.0, FIRST_RETRY_SECONDS), (1e9, 3_600.0)]
)
def test_a_channel_may_ask_for_longer(asked: float | None, pause: float) -> None:
    """Within the bound."""
    assert pause_after(1, asked) == pause


@pytest.mark.parametrize("channel", ["mail", "file"])
def test_a_crash_between_sends_it_again_with_the_same_key(book: Book, tmp_path: Path, channel: str) -> None:
    """Over the channel it happened on; not over one that was marked before."""
    notifier = MadeNotifier(deadly={channel})
    with pytest.raises(KilledError):
        run(book, notifier)
    book.close()
    notifier.deadly.clear()
    again = Book(tmp_path / "wake.db")
    assert find_reminder(again, reminder().id).status is Status.SENDING
    assert run(again, notifier) == {"sent": 1}
    assert [notice.key for notice in notifier.taken[channel]] == [reminder().id] * 2
    assert len(notifier.taken["file" if channel == "mail" else "mail"]) == 1
    assert run(again, notifier, 60) == {}
    again.close()


@pytest.mark.parametrize(
    ("is_late", "after", "title"),
    [(False, LATE_SECONDS - 1, "Reminder"), (False, LATE_SECONDS, "Reminder (late)"), (True, 0, "Reminder (late)")],
)
def test_a_late_one_says_so(tmp_path: Path, is_late: bool, after: float, title: str) -> None:
    """Whether it was understood late or could not leave before."""
    book = Book(tmp_path / "late.db")
    enqueue_message(book, reminder(is_late=is_late))
    notifier = MadeNotifier(channels=("file",))
    run(book, notifier, after)
    book.close()
    notice = notifier.taken["file"][0]
    assert notice.title == title
    assert ("late: this was due 2026-02-01 09:00 UTC" in notice.text) is (title != "Reminder")


def test_quiet_hours_hold_and_lose_nothing(book: Book) -> None:
    """What is due in them leaves when they are over, by the clock of the zone, and says that it is late."""
    quiet = QuietHours(start="22:00", end="12:00", zone=ZoneInfo("Europe/Berlin"))
    notifier = MadeNotifier()
    assert run(book, notifier, 0, quiet) == {"held": 1}
    assert run(book, notifier, 3_599, quiet) == {"held": 1}
    assert notifier.tried == []
    assert list_reminders(book)[0].tries == 0
    assert run(book, notifier, 7_200, quiet) == {"sent": 1}
    assert "late: this was due 2026-02-01 10:00 CET" in notifier.taken["mail"][0].text


def test_without_a_channel_it_waits(book: Book) -> None:
    """And leaves once one is configured; a channel that came later gets nothing of what is over."""
    assert run(book, MadeNotifier(channels=())) == {"unaddressed": 1}
    assert run(book, MadeNotifier(channels=("file",)), 60) == {"sent": 1}
    assert run(book, MadeNotifier(channels=("file", "mail")), 120) == {}


def test_a_channel_that_is_no_more_holds_nothing_up(book: Book) -> None:
    """Taken out of the settings while it failed, the rest counts."""
    assert run(book, MadeNotifier(broken={"mail": AWAY})) == {"failed": 1}
    assert run(book, MadeNotifier(channels=("file",)), 60) == {"sent": 1}


def test_one_cancelled_while_it_leaves_is_sent_no_further(book: Book) -> None:
    """The second channel does not get it, and it stays cancelled."""

    class Cancelling(MadeNotifier):
        def send(self, channel: str, notice: Notice) -> Sent | NotSent:
            cancel_reminder(book, notice.key)
            return MadeNotifier.send(self, channel, notice)

    notifier = Cancelling()
    assert run(book, notifier) == {}
    assert notifier.tried == ["mail"]
    assert find_reminder(book, reminder().id).status is Status.CANCELLED


def test_a_channel_that_is_away_is_asked_once_a_run(book: Book) -> None:
    """However many are due: the loop is not held up, and the other channel has them all."""
    for number in range(2, 6):
        enqueue_message(book, reminder(f"c-{number}"))
    notifier = MadeNotifier(broken={"mail": AWAY})
    assert run(book, notifier) == {"failed": 1}
    assert notifier.tried.count("mail") == 1
    assert len(notifier.taken["file"]) == 5


def test_a_queue_before_a_dead_channel_does_not_starve_the_next(book: Book) -> None:
    """A new reminder leaves over the channel that works, whatever waits for the one that does not."""
    for number in range(3 * REMINDERS_A_RUN):
        enqueue_message(book, reminder(f"old-{number}"))
    notifier = MadeNotifier(broken={"mail": AWAY})
    for minute in range(5):
        run(book, notifier, 60 * minute)
    enqueue_message(book, reminder("new", text="the new one", due=DUE + timedelta(minutes=5)))
    run(book, notifier, 300)
    assert any("the new one" in notice.text for notice in notifier.taken["file"])


def test_a_run_has_a_bound(book: Book) -> None:
    """The rest leaves at the next."""
    for number in range(REMINDERS_A_RUN + 5):
        enqueue_message(book, reminder(f"more-{number}"))
    notifier = MadeNotifier(channels=("file",))
    assert run(book, notifier) == {"sent": REMINDERS_A_RUN}
    assert run(book, notifier, 60) == {"sent": 6}


def test_a_clock_that_was_set_back_stops_nothing(book: Book) -> None:
    """A pause that ends in days was written by a wrong clock."""
    notifier = MadeNotifier(channels=("mail",), broken={"mail": AWAY})
    assert deliver_due(book, notifier, datetime(2027, 2, 1, tzinfo=UTC), NEVER_QUIET) == {"failed": 1}
    notifier.broken.clear()
    assert run(book, notifier, 60) == {"sent": 1}


def test_a_long_text_is_cut(tmp_path: Path) -> None:
    """So that every channel takes it, with its key."""
    book = Book(tmp_path / "long.db")
    enqueue_message(book, reminder(text="word " * 10_000))
    notifier = MadeNotifier(channels=("file",))
    run(book, notifier)
    book.close()
    text = notifier.taken["file"][0].text
    assert len(text) < 2_200
    assert text.endswith(f"{reminder().id})")
