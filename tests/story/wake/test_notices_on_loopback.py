"""Notices over real channels: mail, a webhook, Telegram; each on the loopback."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from made_notices import DUE, NEVER_QUIET, reminder
from made_servers import PEER, TOKEN, Webhook, mail_server, mailbox, serving, telegram

from slowwave.disk.config import Config, NotifySettings, TelegramSettings
from slowwave.wake.book import Book
from slowwave.wake.channels import Channels
from slowwave.wake.delivery import deliver_due
from slowwave.wake.notices import Notice, NotSent, Sent
from slowwave.wake.reminders import enqueue_message

NOTICE = Notice(key="r-1", title="Reminder", text="call Ann: <b>now</b> & *then* 🌊\n(due now; r-1)")


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent to the loopback takes no way round."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


def channels(*urls: str, environment: Mapping[str, str] | None = None, **telegram_settings: Any) -> Channels:
    """Channels over these addresses."""
    return Channels(
        Config(notify=NotifySettings(urls=urls), telegram=TelegramSettings(**telegram_settings)),
        environment=environment or {},
        clock=lambda: datetime(2026, 2, 1, 9, 0, tzinfo=UTC),
        stopwatch=monotonic,
        folder=Path("/"),
    )


def send(sending: Channels, number: int = 0) -> Sent | NotSent:
    """One notice over one of them."""
    return sending.send(sending.channels[number], NOTICE)


def test_a_mail() -> None:
    """Plain text as it was written, the key as a header."""
    with mail_server() as (port, taken):
        url = mailbox(port)
        assert send(channels(url)) == Sent()
    (mail,) = taken
    assert mail["Idempotency-Key"] == "r-1"
    assert mail["Subject"] == "Reminder"
    part = next(one for one in mail.walk() if one.get_content_type().startswith("text/"))
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    text = content.decode("utf-8")
    assert "call Ann" in text
    assert "r-1" in text


def test_a_webhook() -> None:
    """The key as a header and a field; what was written, uninterpreted."""
    with serving(Webhook()) as hook:
        assert send(channels(f"json://127.0.0.1:{hook.port}/in")) == Sent()
    (asked,) = hook.asked
    assert asked.path == "/in"
    assert asked.headers["idempotency-key"] == "r-1"
    assert asked.tree["key"] == "r-1"
    assert asked.tree["title"] == "Reminder"
    assert asked.tree["message"] == NOTICE.text


@pytest.mark.parametrize("status", [302, 404, 500])
def test_a_webhook_that_refuses(status: int) -> None:
    """It was not sent, and is not sent elsewhere."""
    with serving(Webhook()) as elsewhere, serving(Webhook(answer=lambda _: (status, {}))) as hook:
        assert isinstance(send(channels(f"json://127.0.0.1:{hook.port}/in")), NotSent)
    assert len(hook.asked) == 1
    assert elsewhere.asked == []


def test_telegram_by_the_configured_bot_and_by_an_address_of_the_library() -> None:
    """Both go where ``telegram.base_url`` says, as plain text."""
    with telegram() as api:
        settings = {"base_url": api.web.url, "token": "env:TOKEN"}
        sending = channels(
            f"telegram:{PEER}", f"tgram://{TOKEN}/{PEER}/@ann/?silent=yes", environment={"TOKEN": TOKEN}, **settings
        )
        assert send(sending) == Sent()
        assert send(sending, 1) == Sent()
        assert [one["chat_id"] for one in api.sent] == [PEER, PEER, "@ann"]
        assert all(one["text"] == f"{NOTICE.title}\n{NOTICE.text}" for one in api.sent)
        assert all("parse_mode" not in one for one in api.sent)
        api.errors.append((429, {"retry_after": 77}))
        outcome = send(sending)
        assert isinstance(outcome, NotSent)
        assert outcome.seconds == 77
        assert TOKEN not in outcome.reason
        assert TOKEN.partition(":")[2] not in outcome.reason
    assert send(sending) == NotSent(reason="Telegram cannot be reached (ConnectError)")


def test_a_reminder_over_all_of_them_with_one_away(tmp_path: Path) -> None:
    """Those that took it get it once; the one that was away gets it with the same key when it is back."""
    book = Book(tmp_path / "wake.db")
    enqueued = reminder()
    assert enqueue_message(book, enqueued)
    answers: list[tuple[int, object]] = [(503, {}), (200, {})]
    with (
        mail_server() as (port, mails),
        serving(Webhook(answer=lambda _: answers.pop(0))) as hook,
        telegram() as api,
    ):
        sending = channels(
            f"json://127.0.0.1:{hook.port}/in",
            mailbox(port),
            f"telegram:{PEER}",
            (tmp_path / "got.jsonl").as_uri(),
            environment={"TOKEN": TOKEN},
            base_url=api.web.url,
            token="env:TOKEN",
        )
        assert deliver_due(book, sending, DUE, NEVER_QUIET) == {"failed": 1}
        assert deliver_due(book, sending, DUE.replace(minute=1), NEVER_QUIET) == {"sent": 1}
        assert deliver_due(book, sending, DUE.replace(minute=2), NEVER_QUIET) == {}
    book.close()
    assert [asked.headers["idempotency-key"] for asked in hook.asked] == [enqueued.id] * 2
    assert len(mails) == len(api.sent) == len((tmp_path / "got.jsonl").read_text("utf-8").splitlines()) == 1
