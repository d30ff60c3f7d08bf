"""The verb that takes Telegram's messages in."""

from collections.abc import Callable, Sequence
from time import monotonic, sleep
from typing import Any

from slowwave.disk.lock import WriterLock
from slowwave.facts.capture import Capture
from slowwave.facts.refusal import NothingToDoError
from slowwave.models.keys import TELEGRAM, read_at
from slowwave.records.tags import extract
from slowwave.wake.book import Book
from slowwave.wake.intake import CaptureEmptyError, CaptureTooLongError, Intake, Stored
from slowwave.wake.telegram import Door, Listener, listen, listen_once
from slowwave.wake.telegram_api import TelegramApi
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import zone_of
from slowwave.wiring.verbs_notify import open_book


def take_telegram(
    house: Premises,
    *,
    once: bool,
    warn: Callable[[str], object],
    on_end: Callable[[dict[str, Any]], object],
) -> None:
    """Take in what is said to the bot, until an exception ends it; or with ``once`` what waits.

    Args:
        house: An open home.
        once: Do not wait for more.
        warn: Told when Telegram begins to fail, and when it is back.
        on_end: Told what was taken in, however it ends.

    Raises:
        NothingToDoError: No token or no chat is configured.
        TelegramError: Telegram does not know the token, or with ``once`` does not answer.
        LockedError: Somebody else takes messages in for this home.
    """
    settings = house.config.telegram
    if not settings.token:
        raise NothingToDoError("no bot is configured", hint="set telegram.token; docs/reminders.md says how")
    if not settings.chats and not once:
        raise NothingToDoError(
            "no chat is allowed, so every message would be dropped",
            hint="write to your bot, see its chat with `slowwave telegram --once`, then set telegram.chats",
        )
    token = read_at(settings.token, house.environment, setting="telegram.token", entry=TELEGRAM)
    api = TelegramApi(settings.base_url, token, stopwatch=monotonic)
    lock = WriterLock(house.home.locks / "telegram", command="slowwave telegram", clock=house.clock, seconds=0)
    with lock, open_book(house) as book:
        listener = Listener(api, _door(house, book))
        try:
            if once:
                listen_once(listener)
            else:
                listen(listener, sleep=sleep, warn=warn)
        finally:
            on_end({"counts": dict(+listener.counts), "notAllowed": list(listener.strangers)})


def _door(house: Premises, book: Book) -> Door:
    zone = zone_of(house)
    intake = Intake(house.home.day, house.hold_day, house.clock, zone, house.secrets)

    def put(captures: Sequence[Capture]) -> tuple[Stored, ...]:
        # What cannot be stored at all must not stand in the way of what was said behind it.
        return intake.put([capture for capture in captures if _is_storable(intake, capture)])

    return Door(
        book=book,
        put=put,
        extract=extract,
        chats=frozenset(house.config.telegram.chats),
        zone=zone,
        clock=house.clock,
    )


def _is_storable(intake: Intake, capture: Capture) -> bool:
    try:
        intake.ready(capture)
    except (CaptureEmptyError, CaptureTooLongError):
        return False
    return True
