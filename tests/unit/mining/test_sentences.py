"""Messages as sentences: where they stand, and what Markdown around them is left out."""

import pytest

from slowwave.mining.sentences import clean_text, split


def texts(message: str) -> list[str]:
    """The sentences of a message, cleaned."""
    return [sentence.text for sentence in split(message)]


def test_a_sentence_is_a_slice_of_its_message() -> None:
    """What is kept as raw stands in the message at the place that is kept beside it."""
    message = "**Cause:** the hook runs `go vet` twice.  Then it stops.\n\n- One *more* thing is wrong here."
    for sentence in split(message):
        assert message[sentence.start : sentence.start + len(sentence.raw)] == sentence.raw


def test_code_tables_headings_and_quotations_are_left_out() -> None:
    """Only running text is somebody's sentence."""
    message = (
        "# Cause\n\nThe cache was cold.\n```sh\nrm -rf build\n```\n| a | b |\n> they said so before\n\nIt is warm now."
    )
    assert texts(message) == ["The cache was cold.", "It is warm now."]


def test_a_stop_inside_code_or_an_abbreviation_ends_nothing() -> None:
    """``e.g.`` and dots in backticks are no ends of sentences."""
    message = "Some hosts, e.g. old ones, read `a. B` as one. The rest do not."
    assert texts(message) == ["Some hosts, e.g. old ones, read `a. B` as one.", "The rest do not."]


def test_a_sentence_may_begin_in_small_letters() -> None:
    """People type without capitals."""
    assert texts("no snapshots please. people just press enter") == ["no snapshots please.", "people just press enter"]


def test_lines_of_one_paragraph_flow_on() -> None:
    """A sentence broken over lines is one; a list has one an item."""
    message = (
        "The queue is drained only after the last worker has\nleft the pool.\n- first item here\n- second item here"
    )
    assert texts(message) == [
        "The queue is drained only after the last worker has left the pool.",
        "first item here",
        "second item here",
    ]


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("**Auto** works because [this](http://x.example/a) holds", "Auto works because this holds"),
        ("- `a*b*c` stays *as* it is", "`a*b*c` stays as it is"),
        ("2. the ✅ second", "the second"),
    ],
)
def test_markdown_is_taken_off_but_not_inside_code(raw: str, clean: str) -> None:
    """Emphasis, links, bullets and pictures go; code stays."""
    assert clean_text(raw).replace("  ", " ") == clean


def test_a_dump_is_read_to_its_bound() -> None:
    """Thousands of lines give no more sentences than a message may have."""
    assert len(split("This is a line of it.\n\n" * 3_000)) == 400
