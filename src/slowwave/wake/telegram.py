"""Telegram: messages of allowed chats become captures, taken in by long polling.

The place in the bot's stream moves only when the messages before it are stored. A crash in between asks for them again,
and their ids, made of the chat's and the message's own, keep them from being stored twice.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta, tzinfo
from typing import Any, ClassVar, Protocol

from slowwave.disk.programs import deferred_signals
from slowwave.facts.capture import Capture
from slowwave.facts.limits import (
    FIRST_TELEGRAM_PAUSE_SECONDS,
    MOST_NAMED_CHATS,
    MOST_TELEGRAM_PAUSE_SECONDS,
    TELEGRAM_GRACE_SECONDS,
    TELEGRAM_OFFSET_DAYS,
    TELEGRAM_POLL_SECONDS,
    TELEGRAM_UPDATES,
)
from slowwave.facts.moment import Clock, parse, stamp
from slowwave.facts.refusal import SlowwaveError
from slowwave.wake.book import Book
from slowwave.wake.telegram_api import TelegramApi, Trouble
from slowwave.wake.telegram_words import Extract, understand


class TelegramError(SlowwaveError):
    """Telegram cannot be asked, and asking again is of no use or was not wanted."""

    code: ClassVar[str] = "telegram"


class Stored(Protocol):
    """What became of a capture."""

    @property
    def is_new(self) -> bool:
        """False where it was stored before."""
        ...


Put = Callable[[Sequence[Capture]], Sequence[Stored]]
"""Stores captures durably, but for those that cannot be stored at all; a row for each that is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """What a listener needs of the house.

    Attributes:
        book: Where its place in the stream is kept.
        put: Stores captures.
        extract: Finds tags in a text.
        chats: Ids of the chats that are heard.
        zone: In which messages are dated.
        clock: The present.
    """

    book: Book
    put: Put
    extract: Extract
    chats: frozenset[int]
    zone: tzinfo
    clock: Clock


class Listener:
    """Takes in what is said to a bot.

    Args:
        api: The bot.
        door: What it needs of the house.

    Attributes:
        counts: Since it began: ``updates``, ``stored``, ``known`` (stored before), ``refused`` (too
            long, or without words that can be seen), ``dropped`` (of chats that are not
            allowed, or of programs), ``without_text``, ``commands``, ``unclosed`` tags, ``other`` updates, ``errors``.
        strangers: Ids of chats that are not allowed, the first few.
    """

    def __init__(self, api: TelegramApi, door: Door) -> None:
        self._api = api
        self._door = door
        self.counts: Counter[str] = Counter()
        self.strangers: list[int] = []

    def round(self, *, seconds: float = TELEGRAM_POLL_SECONDS) -> int | Trouble:
        """Ask once, waiting up to ``seconds`` for messages, and store what came; how many updates that were."""
        # Only whole seconds are understood.
        given: dict[str, Any] = {"timeout": int(seconds), "limit": TELEGRAM_UPDATES, "allowed_updates": ["message"]}
        if (offset := self._offset()) is not None:
            given["offset"] = offset
        answer = self._api.call("getUpdates", given, seconds=seconds + TELEGRAM_GRACE_SECONDS)
        if isinstance(answer, Trouble):
            self.counts["errors"] += 1
            return answer
        if not isinstance(answer.result, list):
            self.counts["errors"] += 1
            return Trouble(status=0, message="what answers there is no Telegram: it gives no list of updates")
        updates = [one for one in answer.result if _number(one, "update_id") is not None]
        if updates:
            # Told to end meanwhile, we end behind it: with what came stored, and the place moved.
            with deferred_signals():
                self._take(updates)
        return len(updates)

    def _take(self, updates: Sequence[Mapping[str, Any]]) -> None:
        captures: list[Capture] = []
        for update in updates:
            captures += self._captures(update)
        stored = self._door.put(captures) if captures else ()
        self.counts["updates"] += len(updates)
        self.counts["stored"] += sum(one.is_new for one in stored)
        self.counts["refused"] += len(captures) - len(stored)
        self.counts["known"] += sum(not one.is_new for one in stored)
        last = max(update["update_id"] for update in updates)
        self._door.book.set_setting(self._setting, f"{last + 1} {stamp(self._door.clock())}")

    def _captures(self, update: Mapping[str, Any]) -> tuple[Capture, ...]:
        message = update.get("message")
        peer = _number(message.get("chat"), "id") if isinstance(message, dict) else None
        if not isinstance(message, dict) or peer is None or _number(message, "message_id") is None:
            self.counts["other"] += 1
            return ()
        sender = message.get("from")
        if peer not in self._door.chats or (isinstance(sender, dict) and sender.get("is_bot") is True):
            self._drop(peer)
            return ()
        door = self._door
        understood = understand(message, peer, extract=door.extract, zone=door.zone, now=door.clock())
        self.counts["unclosed"] += understood.unclosed
        if understood.reason:
            self.counts["commands" if understood.reason == "command" else understood.reason] += 1
        return understood.captures

    def _drop(self, peer: int) -> None:
        self.counts["dropped"] += 1
        is_stranger = peer not in self._door.chats and peer not in self.strangers
        if is_stranger and len(self.strangers) < MOST_NAMED_CHATS:
            self.strangers.append(peer)

    @property
    def _setting(self) -> str:
        return f"telegram_offset:{self._api.name}"

    def _offset(self) -> int | None:
        """From where to ask; None where nothing is known, or what is known is so old that numbers began anew."""
        number, _, moment = self._door.book.setting(self._setting).partition(" ")
        kept = parse(moment)
        is_fresh = kept is not None and self._door.clock() - kept < timedelta(days=TELEGRAM_OFFSET_DAYS)
        return int(number) if number.isdecimal() and is_fresh else None


def listen_once(listener: Listener) -> None:
    """Take in what waits, and do not wait for more.

    Raises:
        TelegramError: Telegram cannot be asked.
    """
    while True:
        heard = listener.round(seconds=0)
        if isinstance(heard, Trouble):
            raise _refused(heard)
        if heard < TELEGRAM_UPDATES:
            return


def listen(listener: Listener, *, sleep: Callable[[float], object], warn: Callable[[str], object]) -> None:
    """Take in what comes until an exception ends it, such as the one a signal is turned into.

    Args:
        listener: Takes in.
        sleep: Waits so many seconds.
        warn: Told a sentence when Telegram begins to fail, and when it is back.

    Raises:
        TelegramError: The token is none.
    """
    failed = 0
    while True:
        heard = listener.round()
        if isinstance(heard, int):
            if failed:
                warn("Telegram answers again")
            failed = 0
            continue
        if heard.is_final:
            raise _refused(heard)
        failed += 1
        pause = pause_after(failed, heard.seconds)
        if failed == 1:
            warn(f"{heard.message}; trying again, first in {pause:g} seconds")
        sleep(pause)


def pause_after(failed: int, asked_for: float | None = None) -> float:
    """Seconds to wait after so many failures in a row, at least one: doubling, bounded, not less than asked for."""
    doubled = FIRST_TELEGRAM_PAUSE_SECONDS * 2.0 ** min(failed - 1, 30)
    told = asked_for if asked_for is not None and asked_for > 0 else 0.0
    return min(MOST_TELEGRAM_PAUSE_SECONDS, max(doubled, told))


def _refused(trouble: Trouble) -> TelegramError:
    hints = {
        401: "the token is not known there: is telegram.token the one that was given for this bot?",
        404: "the token is not known there: are telegram.token and telegram.base_url right?",
        409: "somebody else asks for this bot's messages; one program at a time can, and no webhook may be set",
    }
    return TelegramError(
        f"Telegram did not answer: {trouble.message}",
        hint=hints.get(trouble.status, "is telegram.base_url right, and is there a network? run it again later"),
    )


def _number(tree: object, key: str) -> int | None:
    value = tree.get(key) if isinstance(tree, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
