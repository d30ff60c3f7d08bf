"""A line of the scratch: no words break out of it, and its id comes back as it went in."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from slowwave.facts.capture import Section
from slowwave.wake.scratch.entry import Entry, ids_in, inert, line_of, read_id, written_id

MOMENT = datetime(2026, 2, 24, 23, 30, tzinfo=UTC)


def line(text: str, *, name: str = "a1", zone: str = "UTC", day: date = date(2026, 2, 24)) -> str:
    """One entry's line."""
    entry = Entry(id=name, section=Section.NOTES, moment=MOMENT, text=text)
    return line_of(
        entry, day=day, zone=ZoneInfo(zone), mask=lambda words: words.replace("hunter2", "[secret:x]")
    ).decode()


def test_an_entry_is_hour_words_and_id() -> None:
    """As the spec has it."""
    assert line("Lunch with Ann") == "- 23:30 Lunch with Ann <!-- a1 -->"


@pytest.mark.parametrize(
    ("zone", "head"),
    [
        ("Europe/Berlin", "- 00:30 (2026-02-25) "),
        ("America/Los_Angeles", "- 15:30 "),
        ("Asia/Kathmandu", "- 05:15 (2026-02-25) "),
        ("Pacific/Kiritimati", "- 13:30 (2026-02-25) "),
        ("America/St_Johns", "- 20:00 "),
    ],
)
def test_the_hour_is_in_the_zone_and_another_day_is_named(zone: str, head: str) -> None:
    """What was said on another day than the page's says so."""
    assert line("x", zone=zone).startswith(f"{head}x ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("one\ntwo", "one two"),
        ("one \r\n\r\n\t two\u2028three\x85four\x0bfive", "one two three four five"),
        ("## a heading", "\\## a heading"),
        ("\n # x", "\\# x"),
        ("a --> b <!-- c --><!-- d", "a --&gt; b &lt;!-- c --&gt;&lt;!-- d"),
        ("<!--->", "&lt;!---&gt;"),
        ("```", "\\```"),
        ("inner  blanks\tkept", "inner  blanks\tkept"),
        ("esc \x1b[31m nul \x00 del \x7f", "esc \u241b[31m nul \u2400 del \ufffd"),
        ("half \ud800", "half \ufffd"),
        ("\u202eright to left", "\ufffdright to left"),
        ("👩‍💻 می‌خواهم", "👩‍💻 می‌خواهم"),
        ("the key is hunter2", "the key is [secret:x]"),
    ],
)
def test_words_are_made_harmless_and_otherwise_kept(text: str, words: str) -> None:
    """Breaks folded, comments and headings inert, controls pictured, secrets masked."""
    assert line(text) == f"- 23:30 {words} <!-- a1 -->"
    assert inert(inert("x <!-- y -->")) == inert("x <!-- y -->")


def test_a_capture_cannot_say_that_another_one_stands_there() -> None:
    """An id in its words is none."""
    assert ids_in(line("done <!-- b2 -->\n- 10:00 more <!-- c3 -->").encode()) == {"a1"}


@pytest.mark.parametrize(
    "name",
    [
        "a1",
        "tg:12/7",
        "größe-1",
        "with blank",
        "a--b",
        "-->",
        "<!--",
        "100%",
        "%20",
        "",
        "line\nbreak",
        "\ud800",
        "\u200b",
    ],
)
def test_an_id_comes_back_as_it_went_in(name: str) -> None:
    """Whatever a producer calls a capture."""
    found = ids_in(line("x", name=name).encode())
    assert {read_id(written) for written in found} == {name}


def test_ids_are_written_apart_and_long_ones_short() -> None:
    """Two that look alike once written would lose one of two captures."""
    names = ["a b", "a%20b", "a\u00a0b", "a", "A", "", "%", "x" * 500, "x" * 501]
    assert len({written_id(name) for name in names}) == len(names)
    assert len(written_id("x" * 500)) < 100


def test_a_very_long_text_is_cut() -> None:
    """A line stays one that a person can read."""
    assert len(line("word " * 200_000)) < 4_100
