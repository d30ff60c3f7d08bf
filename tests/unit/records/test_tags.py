"""The tag extractor: every clause of spec 05, and texts made to slow it down."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.facts.capture import Tag
from slowwave.facts.limits import TAG_DEPTH
from slowwave.records.tags import extract

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "made" / "tag_cases.jsonl").read_text("utf-8").splitlines()
]
ONE_MIB = 1_048_576
MARKS = [
    "<file-this",
    "<note-to-self a='",
    '"',
    "'",
    ">",
    "/>",
    "</file-this>",
    "`",
    "```",
    "\n",
    "\n\n",
    "> ",
    "- ",
    " ",
]


def found(text: str) -> list[tuple[str, str]]:
    """Tag and words of each capture."""
    return [(one.tag.value, one.text) for one in extract(text).captures]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_cases_written_from_the_spec_alone(case: Mapping[str, Any]) -> None:
    """By somebody who had not seen the extractor."""
    read = extract(case["text"])
    assert [{"tag": one.tag.value, "text": one.text} for one in read.captures] == case["captures"]
    assert read.unclosed == case["unclosed"]


@pytest.mark.parametrize("tag", list(Tag))
def test_every_tag_in_any_case(tag: Tag) -> None:
    """Stored lower, words as they are."""
    assert found(f"a <{tag.value.upper()}>Buy Milk</{tag.value.title()}> b") == [(tag.value, "Buy Milk")]


@pytest.mark.parametrize(
    ("opening", "attributes"),
    [
        ("<file-this>", {}),
        ("<file-this \t\n\f>", {}),
        ("<file-this due=friday>", {"due": "friday"}),
        ("<file-this due=friday/>", {"due": "friday/"}),
        ('<file-this a="x > y" b=\'1 " 2\'>', {"a": "x > y", "b": '1 " 2'}),
        ("<file-this A=1 a=2 Checked>", {"a": "1", "checked": ""}),
        ('<file-this a = "1"b="2">', {"a": "1", "b": "2"}),
        ('<file-this a="" / b>', {"a": "", "b": ""}),
        ("<file-this a=b=c x=it's>", {"a": "b=c", "x": "it's"}),
        ('<file-this a="&lt;b&gt;">', {"a": "&lt;b&gt;"}),
        ('<file-this a="line\nbreak">', {"a": "line\nbreak"}),
        ('<file-this class="health" tag="observation">', {"class": "health", "tag": "observation"}),
    ],
)
def test_attributes_are_kept_and_change_nothing(opening: str, attributes: Mapping[str, str]) -> None:
    """By HTML's grammar: quoted, bare, empty, the first of one name; nothing in them is decoded."""
    read = extract(f"{opening}words</file-this>").captures
    assert [(one.tag, one.attributes) for one in read[:1]] == [(Tag.FILE_THIS, attributes)]
    assert read[0].text == "words"


@pytest.mark.parametrize(
    "text",
    [
        "< file-this>x</file-this>",
        "<file_this>x</file_this>",
        "<file-thisx>x</file-thisx>",
        "<file-this.x>x</file-this>",
        "<file-this <b>x</file-this>",
        '<file-this a="never closed>x</file-this>',
        "</file-this>x</file-this>",
        "<file-this/>x</file-this>",
        "<file-this a='1'/>x</file-this>",
        "<file-this></file-this>",
        "<file-this> \n\t\u00a0\u3000 </file-this>",
        "<file-this>\u200b\u200d\u2060\ufeff\u00ad</file-this>",
        "<file-this>\u3164\u2800\U000e0041</file-this>",
        "&lt;file-this&gt;x&lt;/file-this&gt;",
        '<b title="<file-this>x</file-this>">y</b>',
    ],
)
def test_what_is_nothing_at_all(text: str) -> None:
    """Neither a capture nor a loss."""
    assert (extract(text).captures, extract(text).unclosed) == ((), 0)


def test_words_are_kept_as_they_stand() -> None:
    """Ends trimmed, inner breaks as LF, entities and other markup untouched."""
    assert found("<file-this>\r\n a\r\n\rb &amp; <b>c</b>\u2028d \r\n</file-this>") == [
        ("file-this", "a\n\nb &amp; <b>c</b>\u2028d")
    ]


def test_each_of_equal_captures_is_reported_with_its_line() -> None:
    """In the order in which they open."""
    read = extract("<follow-up>x</follow-up>\r\n\r\n a <follow-up\n>x</follow-up>").captures
    assert [(one.text, one.line) for one in read] == [("x", 1), ("x", 3)]
    assert [one.line for one in extract("\n<file-this>a\n<observation>b</observation>\n</file-this>").captures] == [
        2,
        3,
    ]


@pytest.mark.parametrize(
    ("text", "captures", "unclosed"),
    [
        ("<file-this>a <observation>b</observation> c</file-this>", ["a b c", "b"], 0),
        ("<file-this>a <observation>b</file-this> c</observation>", ["a b"], 1),
        ("<file-this>a <observation>b <follow-up>c</file-this>", ["a b c"], 2),
        ("<file-this>a </observation>b</file-this>", ["a b"], 0),
        ("<file-this>a <observation/>b</file-this>", ["a b"], 0),
        ("<file-this>a <observation></observation>b</file-this>", ["a b"], 0),
        ("<file-this>a <file-this>b</file-this>", ["b"], 1),
        ("<file-this>a\n\n<observation>b</observation>", ["b"], 1),
        ("a <file-this> b", [], 1),
    ],
)
def test_nested_crossed_and_unclosed(text: str, captures: list[str], unclosed: int) -> None:
    """The outer keeps the words and loses the markup; what is never closed swallows nothing."""
    read = extract(text)
    assert ([one.text for one in read.captures], read.unclosed) == (captures, unclosed)


def test_deeper_than_anybody_nests_the_outermost_is_lost() -> None:
    """And counted."""
    read = extract("<file-this>" * (TAG_DEPTH + 2) + "x" + "</file-this>" * (TAG_DEPTH + 2))
    assert (len(read.captures), read.unclosed) == (TAG_DEPTH, 2)


HIDDEN = [
    "`T`",
    "``T``",
    "`` ` T ``",
    "a `b\nT` c",
    "\\`` T `",
    "```\nT\n```",
    "```html x\nT\n```",
    "````\n```\nT\n```\n````",
    "~~~ a`b\nT\n~~~~",
    "   ```\nT\n   ```",
    "para\n```\nT\n```",
    "```\nT",
    "```\n\nT\n``",
    "```\nT\n    ```",
    "```\nT\n``` x",
    "- a\n\n  ```\n  T\n  ```",
    "1. ```\n   T\n   ```",
    "- - ```\n    T",
    "* ~~~\n\n  T",
    "> T",
    "   >T",
    "> a\n>\n> > T",
    "- > T",
    "a\n> T",
    '<a href="`">`T`',
    "a `\n= =\nT `",
    "- a `\n===\nT `",
]
SEEN = [
    "T",
    "    T",
    "a\n\n\tT",
    "    `T`",
    "a\n\n        ```\n        T",
    "-     ```\n\n      T",
    "` T",
    "`` T `",
    "\\`T\\`",
    "\\`T`",
    "a `\n\n T `",
    "a `\n# T `",
    "a `\n- T `",
    "- a `\n- T `",
    "a `\n***\nT `",
    "a `\n===\nT `",
    "a `\n-\nT `",
    "a `\n- \nT `",
    "- \n\n    ~~~T",
    "- - \n\n        ~~~T",
    "# a `\nT `",
    "``` a`b\nT\n```",
    "```\na\n```\nT",
    "~~~\n```\n~~~\nT",
    "    ```\nT",
    "- ```\n  a\n\nT",
    "> ```\nT",
    "> `\nT `",
    "> a\nT",
    "2. a\n\n   T",
    "    > T",
    "a > T",
    '"T"',
    "<!-- T -->",
    "<pre>T</pre>",
    "<https://a.test/`> T `",
    '<a href="`"> T `',
    "[a](`T)",
]


@pytest.mark.parametrize("text", HIDDEN)
def test_hidden_by_code_or_quotation(text: str) -> None:
    """Fences, code spans and quoted lines, also in list items."""
    read = extract(text.replace("T", "<file-this>x</file-this>"))
    assert (read.captures, read.unclosed) == ((), 0)


@pytest.mark.parametrize("text", SEEN)
def test_not_hidden(text: str) -> None:
    """What looks like code or a quotation and is none; an indented block hides nothing."""
    assert found(text.replace("T", "<file-this>x</file-this>")) == [("file-this", "x")]


@pytest.mark.parametrize(
    "inner",
    [
        "say `</file-this>` aloud",
        "a\n```\n</file-this>\n<observation>\n```\nb",
        "he said:\n> </file-this>\nso",
        "`<observation>no</observation>`",
    ],
)
def test_code_and_quotations_inside_a_capture_are_kept(inner: str) -> None:
    """And a tag in them neither ends it nor begins another."""
    read = extract(f"<file-this>{inner}</file-this>")
    assert ([one.text for one in read.captures], read.unclosed) == ([inner], 0)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "unit",
    [
        "<file-this ",
        "<file-this>",
        "</file-this>",
        "<file-this a=\"<file-this b='\" c=' ",
        "<t x='<t y=\"",
        "<a ",
        "<a:",
        "<",
        "<file-this>`\n\n",
        "\\`",
        "- ",
        "1. ",
        "* - ",
        "-\t",
        "> ",
        "\n",
        "-     ",
        "<file-this/",
    ],
)
def test_a_mebibyte_of_one_unit_is_read_in_linear_time(unit: str) -> None:
    """Each would take hours where every beginning is followed to the end."""
    text = (unit * (ONE_MIB // len(unit)))[: ONE_MIB - 40] + "\n\n<observation>x</observation>"
    assert extract(text).captures[-1:] == () or extract(text[-40:]).captures[-1].text == "x"


@pytest.mark.timeout(60)
def test_a_mebibyte_of_backticks_of_every_length() -> None:
    """No two runs match, so each would look for its end through all of them."""
    text = "".join("`" * length + " " for length in range(1, 1_400)) + "<file-this>x</file-this>"
    assert found(text) == [("file-this", "x")]
    assert found("- " * 260_000 + "a\n" + "b\n" * 250_000 + "<file-this>x</file-this>") == [("file-this", "x")]


@given(st.lists(st.sampled_from([*MARKS, "a", "<observation>", "</observation>"]), max_size=60).map("".join))
def test_any_text_at_all(text: str) -> None:
    """No capture is empty, none holds an opening of ours that was read, and reading twice says the same."""
    read = extract(text)
    assert read == extract(text)
    assert all(one.text == one.text.strip() and one.text for one in read.captures)
    assert [one.start for one in read.captures] == sorted(one.start for one in read.captures)
    openings = text.lower().count("<file-this") + text.count("<note-to-self") + text.count("<observation>")
    assert len(read.captures) + read.unclosed <= openings
