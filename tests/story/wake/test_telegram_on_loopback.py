"""Messages come in from a Bot API on the loopback: each once, in order, of allowed chats alone."""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic

import pytest
from made_notices import KilledError
from made_servers import PEER, TOKEN, Telegram, Webhook, serving, telegram

from slowwave.disk.config import ConfigError
from slowwave.facts.capture import Capture, Tag
from slowwave.facts.limits import MOST_NAMED_CHATS, MOST_TELEGRAM_BYTES, MOST_TELEGRAM_PAUSE_SECONDS
from slowwave.wake.book import Book
from slowwave.wake.telegram import Door, Listener, TelegramError, listen, listen_once, pause_after
from slowwave.wake.telegram_api import Answered, TelegramApi, Trouble

NOW = datetime(2026, 2, 1, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a capture."""

    is_new: bool


@dataclass(frozen=True, slots=True)
class Nothing:
    """No tag."""

    captures: tuple[()] = ()
    unclosed: int = 0


@dataclass(slots=True)
class Store:
    """Keeps captures by id; may end the process behind it."""

    kept: dict[str, Capture] = field(default_factory=dict)
    is_deadly: bool = False

    def put(self, captures: Sequence[Capture]) -> list[Kept]:
        """Keep them."""
        rows = [Kept(one.id not in self.kept) for one in captures]
        self.kept.update({one.id: one for one in captures})
        if self.is_deadly:
            raise KilledError
        return rows

    @property
    def texts(self) -> list[str]:
        """What was said, in order."""
        return [one.text for one in self.kept.values()]


@pytest.fixture
def api() -> Iterator[Telegram]:
    """A Bot API of this test's own."""
    with telegram() as made:
        yield made


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    """A book and a store."""
    book = Book(tmp_path / "wake.db")
    yield Door(
        book=book,
        put=Store().put,
        extract=lambda _: Nothing(),
        chats=frozenset({PEER}),
        zone=UTC,
        clock=lambda: NOW,
    )
    book.close()


def listener(api: Telegram, door: Door, store: Store | None = None, token: str = TOKEN) -> Listener:
    """A listener to it."""
    kept = replace(door, put=store.put) if store else door
    return Listener(TelegramApi(api.web.url, token, stopwatch=monotonic), kept)


def test_each_message_is_stored_once(api: Telegram, door: Door) -> None:
    """In order; the next run asks from behind the last."""
    store = Store()
    for number in range(250):
        api.say(f"note {number}")
    first = listener(api, door, store)
    listen_once(first)
    assert store.texts == [f"note {number}" for number in range(250)]
    assert +first.counts == {"updates": 250, "stored": 250}
    assert api.offsets == [None, 1_100, 1_200]
    api.say("one more")
    second = listener(api, door, store)
    listen_once(second)
    assert +second.counts == {"updates": 1, "stored": 1}
    assert api.offsets[-1] == 1_250


def test_a_crash_behind_storing_stores_nothing_twice(api: Telegram, door: Door) -> None:
    """The place had not moved: the messages come again, and are known."""
    store = Store(is_deadly=True)
    api.say("milk")
    with pytest.raises(KilledError):
        listen_once(listener(api, door, store))
    store.is_deadly = False
    again = listener(api, door, store)
    listen_once(again)
    assert store.texts == ["milk"]
    assert +again.counts == {"updates": 1, "known": 1}
    assert api.offsets == [None, None]


def test_only_allowed_chats_are_heard(api: Telegram, door: Door) -> None:
    """Others are counted and dropped, their ids shown so that one can be allowed; no program is heard."""
    store = Store()
    for number in range(MOST_NAMED_CHATS + 5):
        api.say("let me in", peer=100 + number)
    api.say("<observation>vain</observation>", sender={"id": 1, "is_bot": True})
    api.say("milk")
    heard = listener(api, door, store)
    listen_once(heard)
    assert store.texts == ["milk"]
    assert heard.counts["dropped"] == MOST_NAMED_CHATS + 6
    assert heard.strangers == [100 + number for number in range(MOST_NAMED_CHATS)]


def test_what_is_no_message_is_passed(api: Telegram, door: Door) -> None:
    """Whatever its form; the place moves past it."""
    store = Store()
    odd: list[object] = [
        None,
        [],
        {},
        {"chat": None},
        {"chat": {"id": "x"}},
        {"chat": {"id": PEER}, "message_id": True},
    ]
    for number, message in enumerate(odd):
        api.updates.append({"update_id": number + 1, "message": message})
    api.updates.append({"update_id": 50, "edited_message": {"text": "edited"}})
    api.say(None, photo=[])
    api.say("/start")
    api.say("milk")
    heard = listener(api, door, store)
    listen_once(heard)
    assert store.texts == ["milk"]
    assert +heard.counts == {"updates": 10, "other": 7, "without_text": 1, "commands": 1, "stored": 1}


def test_a_place_that_is_a_week_old_is_not_asked_from(api: Telegram, door: Door) -> None:
    """Telegram numbers anew then, perhaps lower."""
    store = Store()
    api.say("old")
    listen_once(listener(api, door, store))
    api.updates[:] = []
    api.updates.append({"update_id": 7, "message": {"message_id": 2_000, "chat": {"id": PEER}, "text": "new"}})
    listen_once(listener(api, replace(door, clock=lambda: NOW + timedelta(days=8)), store))
    assert store.texts == ["old", "new"]


def test_errors_are_waited_out(api: Telegram, door: Door) -> None:
    """Twice as long each time, not less than was asked for; said once, and once when it is over."""
    store = Store()
    api.say("milk")
    api.errors += [(409, {}), (429, {"retry_after": 30}), (502, {}), (500, {})]
    pauses: list[float] = []
    said: list[str] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)

    def warn(text: str) -> None:
        said.append(text)
        if len(said) == 2:
            raise KeyboardInterrupt

    heard = listener(api, door, store)
    with pytest.raises(KeyboardInterrupt):
        listen(heard, sleep=sleep, warn=warn)
    assert pauses == [1.0, 30.0, 4.0, 8.0]
    assert store.texts == ["milk"]
    assert heard.counts["errors"] == 4
    assert len(said) == 2
    assert all(TOKEN not in text and TOKEN.partition(":")[2] not in text for text in said)


def test_a_token_that_is_unknown_ends_it(api: Telegram, door: Door) -> None:
    """Asking again would be of no use."""
    with pytest.raises(TelegramError, match="Unauthorized"):
        listen(listener(api, door, token=TOKEN + "x"), sleep=lambda _: None, warn=lambda _: None)


def test_once_does_not_wait(api: Telegram, door: Door) -> None:
    """It says what is wrong, and what to do."""
    api.errors.append((409, {}))
    with pytest.raises(TelegramError) as raised:
        listen_once(listener(api, door))
    assert "somebody else asks" in raised.value.hint
    assert TOKEN not in raised.value.message


@pytest.mark.parametrize("failed", [1, 5, 100_000])
def test_pauses_are_bounded(failed: int) -> None:
    """Whatever is asked for."""
    assert 0 < pause_after(failed, 10.0**6) == MOST_TELEGRAM_PAUSE_SECONDS
    assert pause_after(failed, float("nan")) <= MOST_TELEGRAM_PAUSE_SECONDS


@pytest.mark.parametrize(
    "said",
    [
        b"<html>",
        b"[]",
        b"[" * 100_000,
        b"null",
        b'{"ok": true, "result": {}}',
        b'{"ok": 1}',
        b"x" * (MOST_TELEGRAM_BYTES + 1),
        json.dumps({"ok": False, "error_code": "x", "parameters": [], "description": [TOKEN]}).encode(),
    ],
)
def test_what_is_no_telegram_is_trouble(door: Door, said: bytes) -> None:
    """Within bounds, without the token, and nothing moves."""
    with serving(Webhook(answer=lambda _: (200, said))) as web:
        heard = Listener(TelegramApi(web.url, TOKEN, stopwatch=monotonic), door).round(seconds=0)
    assert isinstance(heard, Trouble)
    assert TOKEN not in heard.message
    assert door.book.setting("telegram_offset:123456") == ""


@pytest.mark.parametrize(
    "make",
    [
        lambda: TelegramApi("https://api.telegram.org", "no token", stopwatch=monotonic),
        lambda: TelegramApi("https://api.telegram.org", f"{TOKEN}/../x", stopwatch=monotonic),
        lambda: TelegramApi("api.telegram.org", TOKEN, stopwatch=monotonic),
        lambda: TelegramApi("file:///etc", TOKEN, stopwatch=monotonic),
    ],
)
def test_settings_that_cannot_be_used(make: Callable[[], object]) -> None:
    """Are refused before anything is sent, without the token."""
    with pytest.raises(ConfigError) as raised:
        make()
    assert TOKEN not in raised.value.message + raised.value.hint


def test_the_token_is_in_no_log(api: Telegram, door: Door, caplog: pytest.LogCaptureFixture) -> None:
    """However much is logged."""
    caplog.set_level(logging.NOTSET)
    api.say("milk")
    one = listener(api, door)
    listen_once(one)
    assert isinstance(TelegramApi("http://127.0.0.1:9", TOKEN, stopwatch=monotonic).call("x", {}, seconds=1), Trouble)
    assert TOKEN not in caplog.text
    assert TOKEN.partition(":")[2] not in caplog.text
    assert TOKEN not in repr(one) + repr(TelegramApi(api.web.url, TOKEN, stopwatch=monotonic))


def test_a_redirect_is_not_followed() -> None:
    """The token would go with it."""
    with serving(Webhook(answer=lambda _: (302, {"ok": True}))) as web:
        answer = TelegramApi(web.url, TOKEN, stopwatch=monotonic).call("getMe", {}, seconds=5)
    assert not isinstance(answer, Answered)
    assert len(web.asked) == 1


def test_a_note_is_what_it_becomes(api: Telegram, door: Door) -> None:
    """Dated and named by Telegram."""
    store = Store()
    api.say("milk")
    listen_once(listener(api, door, store))
    (capture,) = store.kept.values()
    assert (capture.id, capture.tag, capture.source) == (f"telegram-{PEER}-1000", Tag.NOTE_TO_SELF, "telegram")
