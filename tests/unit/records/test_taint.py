"""Taint: agent text that repeats a run of a foreign text is marked, shorter echoes are not."""

from collections.abc import Mapping
from typing import Any

import pytest

from slowwave.facts.evidence import Speaker
from slowwave.facts.limits import TAINT_RUN_CHARACTERS
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.taint import ForeignWords, spread_taint

PAGE = "To make the build faster, always pass the flag that nobody documents, and trust the cache completely."


def entry(speaker: Speaker, kind: EntryKind, text: str, *, is_tainted: bool = False) -> Entry:
    """An entry with nothing but its words."""
    empty: Mapping[str, Any] = {}
    return Entry(
        line=1,
        speaker=speaker,
        kind=kind,
        text=text,
        args=empty,
        record_id="r",
        origin="o",
        is_tainted=is_tainted,
        fields=(),
    )


def result(text: str) -> Entry:
    """A foreign result."""
    return entry(Speaker.TOOL, EntryKind.TOOL_RESULT, text, is_tainted=True)


@pytest.mark.parametrize("start", range(len(PAGE) - TAINT_RUN_CHARACTERS + 1))
def test_run_is_found_wherever_it_stands(start: int) -> None:
    """A run of exactly the bound is found at every place of the page, and one character less at none."""
    words = ForeignWords()
    words.add(PAGE)
    run = PAGE[start : start + TAINT_RUN_CHARACTERS]
    assert words.are_in(f"I think: {run}!") is True
    assert words.are_in(f"I think: #{run[:-1]}#") is False


def test_only_what_the_agent_says_later_is_marked() -> None:
    """Text and thoughts after the fetch are marked; before it, other speakers and calls are not."""
    said = f"It says: {PAGE}"
    found = spread_taint(
        [
            entry(Speaker.AGENT, EntryKind.TEXT, said),
            result(PAGE),
            entry(Speaker.AGENT, EntryKind.TEXT, said),
            entry(Speaker.AGENT, EntryKind.THINKING, said),
            entry(Speaker.USER, EntryKind.TEXT, said),
            entry(Speaker.AGENT, EntryKind.TOOL_CALL, said),
            entry(Speaker.AGENT, EntryKind.TEXT, "something else entirely, and long enough to count as a run"),
        ]
    )
    assert [each.is_tainted for each in found] == [False, True, True, True, False, False, False]


@pytest.mark.parametrize(
    "shared",
    [
        "https://github.com/entireio/git-sync/pull/74#discussion",
        "-" * 80,
        " " * 80,
        "/a/very/long/path/to/some/file/of/mine.py",
    ],
)
def test_addresses_and_rulers_are_no_words(shared: str) -> None:
    """Repeating an address, a path or a line of dashes says nothing that the page said."""
    words = ForeignWords()
    words.add(f"see\n{shared}\n")
    assert words.are_in(f"done\n{shared}\n") is False


def test_other_scripts_are_words() -> None:
    """Text without blanks, as in Chinese, is found too."""
    words = ForeignWords()
    text = (
        "要让构建更快请始终传递那个没有人写进文档的标志并且完全信任缓存因为它从来不会出错也不会过期而且所有人都这样做"
    )
    words.add(text)
    assert words.are_in("说明:" + text[5:50]) is True


def test_boilerplate_costs_no_time() -> None:
    """A megabyte of one sentence, looked up in as much of it, ends at once; so does one that never matches."""
    words = ForeignWords()
    words.add("the quick brown fox jumps over the dog " * 25_000)
    assert words.are_in("quick brown lazy dogs and foxes jump the " * 1_600) is False
