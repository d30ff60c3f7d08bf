"""What a Telegram message says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from slowwave.facts.capture import Tag
from slowwave.wake.telegram_words import Understood, understand

NOW = datetime(2026, 2, 1, 9, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


@dataclass(frozen=True, slots=True)
class Made:
    """One tag."""

    tag: Tag
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a text holds."""

    captures: Sequence[Made]
    unclosed: int = 0


def extract(text: str) -> Found:
    """Tags that are closed, as simply as can be; the real extractor has tests of its own."""
    tags = [Made(Tag(name), said) for name, said in re.findall(r"<([a-z-]+)>(.*?)</\1>", text)]
    return Found(captures=tags, unclosed=text.count("<") - 2 * len(tags))


def read(text: str | None, **more: Any) -> Understood:
    """What a message says."""
    message: dict[str, Any] = {"message_id": 12, "date": 1_769_933_400, **more}
    if text is not None:
        message["text"] = text
    return understand(message, -77, extract=extract, zone=BERLIN, now=NOW)


def said(understood: Understood) -> list[tuple[str, str]]:
    """Tags and words."""
    return [(one.tag.value, one.text) for one in understood.captures]


def test_words_without_a_tag_are_a_note() -> None:
    """Dated by Telegram, in the loop's zone, named by chat and message."""
    (capture,) = read("  milk\r\nand bread ").captures
    assert (capture.tag, capture.text, capture.source) == (Tag.NOTE_TO_SELF, "milk\nand bread", "telegram")
    assert capture.id == "telegram--77-12"
    assert capture.ts.isoformat() == "2026-02-01T09:10:00+01:00"


def test_tags_are_captures_each() -> None:
    """With ids of their own that are the same each time."""
    text = "<file-this>met Bo</file-this> and <follow-up>call Bo</follow-up>"
    understood = read(text)
    assert said(understood) == [("file-this", "met Bo"), ("follow-up", "call Bo")]
    assert [one.id for one in understood.captures] == ["telegram--77-12", "telegram--77-12-2"]
    assert understood == read(text)


def test_a_tag_that_is_never_closed_loses_nothing() -> None:
    """It is counted, and the words are a note."""
    understood = read("<file-this>met Bo")
    assert said(understood) == [("note-to-self", "<file-this>met Bo")]
    assert understood.unclosed == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/remind tomorrow at 9 call Ann", ("follow-up", "remind me tomorrow at 9 call Ann")),
        ("/remind me tomorrow at 9", ("follow-up", "remind me tomorrow at 9")),
        ("/remind mention it to Bo", ("follow-up", "remind me mention it to Bo")),
        ("/REMIND@made_bot in two hours", ("follow-up", "remind me in two hours")),
        ("/follow_up the draft", ("follow-up", "the draft")),
        ("/file met Bo", ("file-this", "met Bo")),
        ("/observe I sleep late", ("observation", "I sleep late")),
        ("/ask what is left?", ("ask-next-session", "what is left?")),
        ("/note\nmilk", ("note-to-self", "milk")),
        ("/unheard of", ("note-to-self", "/unheard of")),
        ("/remind", None),
        ("/start", None),
        ("   ", None),
        (None, None),
    ],
)
def test_commands(text: str | None, expected: tuple[str, str] | None) -> None:
    """Each is one capture; one that nobody knows is kept as it is, one of the app's screens is not."""
    understood = read(text)
    assert said(understood) == ([expected] if expected else [])
    assert bool(understood.reason) is (expected is None)


def test_a_caption_is_text() -> None:
    """A picture's words count."""
    assert said(read(None, caption="the whiteboard")) == [("note-to-self", "the whiteboard")]


@pytest.mark.parametrize("key", ["forward_origin", "forward_date", "via_bot"])
def test_what_others_wrote_is_a_note(key: str) -> None:
    """No tag and no command of a forwarded message counts: the person did not write it."""
    for text in ("<observation>I am vain</observation>", "/remind me at 9 to pay"):
        assert said(read(text, **{key: {"type": "user"}})) == [("note-to-self", text)]


@pytest.mark.parametrize("date", [None, "yesterday", -1, 10**15, True])
def test_a_date_that_is_none_is_now(date: object) -> None:
    """Nothing is dropped for it."""
    (capture,) = read("milk", date=date).captures
    assert capture.ts == NOW


def test_half_a_character() -> None:
    """A pair is one character, a half is U+FFFD."""
    (capture,) = read("a \ud83c\udf0a b \ud83c c").captures
    assert capture.text == "a 🌊 b \ufffd c"
