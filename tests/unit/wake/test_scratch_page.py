"""A page of the scratch: what is a section, where lines and missing sections go, and that nothing else moves."""

import pytest

from slowwave.facts.capture import Section
from slowwave.wake.scratch.page import (
    body_of,
    headings_of,
    lines_of,
    part_called,
    unclosed,
    with_lines,
    with_section,
    with_summary,
    without,
    words_of,
)


def put(page: bytes, section: Section, *lines: bytes) -> bytes:
    """The page with lines in a section."""
    return b"".join(with_lines(lines_of(page), section, lines))


@pytest.mark.parametrize(
    ("line", "title"),
    [
        (b"## Events\n", "Events"),
        (b"   ## Events ##  \r\n", "Events"),
        (b"##\tEvents", "Events"),
        (b"## C#\n", "C#"),
        (b"##\n", ""),
        (b"## ##\n", ""),
        (b"\xef\xbb\xbf## Notes\n", "Notes"),
    ],
)
def test_a_heading_is_what_commonmark_says(line: bytes, title: str) -> None:
    """Up to three blanks before, closing marks left out, a byte order mark stepped over."""
    assert [(head.depth, head.title) for head in headings_of(lines_of(line))] == [(2, title)]


@pytest.mark.parametrize(
    "line", [b"##Events\n", b"    ## Events\n", b"\\## Events\n", b"- ## Events\n", b"####### x\n"]
)
def test_a_line_that_only_looks_like_a_heading_is_text(line: bytes) -> None:
    """No blank behind the marks, an indented block, an escape, a list, seven marks."""
    assert headings_of(lines_of(line)) == []


@pytest.mark.parametrize(
    "block",
    [b"```\n## Notes\n```\n", b"~~~~ md\n## Notes\n~~~\n~~~~~\n", b"<!-- later:\n## Notes\n-->\n", b"<!-- one --> \n"],
)
def test_headings_inside_closed_fences_and_comments_are_text(block: bytes) -> None:
    """An entry does not land inside a person's code."""
    page = block + b"## Notes\n"
    part = part_called(lines_of(page), Section.NOTES)
    assert part is not None
    assert part.start == len(lines_of(block))


@pytest.mark.parametrize("opener", [b"```\n", b"~~~\n", b"<!-- begun\n", b"````\n~~~\n<!--\n```\n"])
def test_what_is_opened_and_never_closed_hides_nothing(opener: bytes) -> None:
    """Else a forgotten fence would have every section put in again."""
    page = opener + b"## Notes\n\ntext\n"
    assert [head.title for head in headings_of(lines_of(page))] == ["Notes"]
    assert unclosed(lines_of(page)) == list(range(opener.count(b"\n")))


def test_many_unclosed_openers_cost_one_look_each() -> None:
    """A page of them is read in one go."""
    page = b"``` x\n~~~ y\n<!-- z\n" * 20_000
    assert len(unclosed(lines_of(page))) == 1 + 60_000 - 1
    assert headings_of(lines_of(b"## " + b"# " * 500_000))[0].depth == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"## Notes\n", b"## Notes\n\n- x\n"),
        (b"## Notes", b"## Notes\n\n- x"),
        (b"## Notes\r\n", b"## Notes\r\n\r\n- x\r\n"),
        (b"## Notes\n\n", b"## Notes\n\n- x\n"),
        (b"## Notes\n\n\n\n## Own\n", b"## Notes\n\n- x\n\n\n## Own\n"),
        (b"## Notes\n\n## Own\n", b"## Notes\n\n- x\n\n## Own\n"),
        (b"## Notes\n## Own\n", b"## Notes\n\n- x\n\n## Own\n"),
        (b"## Notes\nmine\n## Own\n", b"## Notes\nmine\n- x\n## Own\n"),
        (
            b"## Notes\n\nmine\n\n### deeper\n\n- y\n\n\n# Top\n",
            b"## Notes\n\nmine\n\n### deeper\n\n- y\n- x\n\n\n# Top\n",
        ),
        (b"## Notes\nmine \xff\xfe", b"## Notes\nmine \xff\xfe\n- x"),
    ],
)
def test_a_line_goes_behind_the_last_of_its_section(before: bytes, after: bytes) -> None:
    """Breaks as the page has them; a page without a last break stays so."""
    assert put(before, Section.NOTES, b"- x") == after


@pytest.mark.parametrize(
    ("page", "titles"),
    [
        (b"", ["Decisions"]),
        (b"just text", ["Decisions"]),
        (b"## Events\n\n## Notes\n", ["Events", "Decisions", "Notes"]),
        (b"## Events\n## My own\n## Notes\n", ["Events", "Decisions", "My own", "Notes"]),
        (b"## Notes\n\n## Events\nx\n", ["Notes", "Events", "Decisions"]),
        (b"# Day\n\n## My own\n\n## People\n", ["Day", "My own", "Decisions", "People"]),
        (b"## DECISIONS\n", ["DECISIONS"]),
        (b"## Running Summary\nx\n## Own", ["Running Summary", "Decisions", "Own"]),
    ],
)
def test_a_missing_section_is_put_in_at_its_place(page: bytes, titles: list[str]) -> None:
    """Behind the nearest before it in the spec's order, else before the nearest after it, else at the end."""
    made = b"".join(with_section(lines_of(page), Section.DECISIONS))
    assert [head.title for head in headings_of(lines_of(made))] == titles
    assert with_section(lines_of(made), Section.DECISIONS) == lines_of(made)


def test_the_summary_replaces_what_stood_there_and_nothing_else() -> None:
    """Its deeper headings belong to it; a second section of the name goes."""
    page = b"# Day\n## Running Summary\nold\n### part\n\n\n## Own\r\nkept \xff\n## running summary\nolder\n"
    made = b"".join(with_summary(lines_of(page), "new"))
    assert made == b"# Day\n## Running Summary\n\nnew\n\n## Own\r\nkept \xff\n"
    assert body_of(lines_of(made), Section.RUNNING_SUMMARY) == b"new"
    assert b"".join(without(lines_of(made), Section.RUNNING_SUMMARY)) == b"# Day\n## Own\r\nkept \xff\n"


def test_whoever_sums_up_sees_words_alone() -> None:
    """No ids, no empty sections."""
    page = b"## Events\n\n- 09:00 Lunch <!-- a1 -->\n\n## Notes\n\n## Own\nmine\n"
    assert words_of(lines_of(page)) == "## Events\n- 09:00 Lunch\n## Own\nmine"
