"""Words that lean on punctuation are set free, and the places of what is found in them are those of the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.records.free_words import free_words

WORD = b"a1b2c3d4e5f6a7b8c9"


@pytest.mark.parametrize("form", [b"see %b.", b"(%b)", b"%b: no", b"a/%b/b", b"\\n%b\\n", b"x*%b*", b"<%b>"])
def test_a_word_that_leans_on_punctuation_is_set_free(form: bytes) -> None:
    """It stands on a line of its own, and each of its characters is found where it stood."""
    raw = form % WORD
    free = free_words(raw)
    assert WORD in free.text.split(b"\n")
    at = free.text.index(WORD)
    assert raw[slice(*free.span(at, at + len(WORD)))] == WORD
    assert raw[slice(*free.span(at, at + 1_000))] == WORD


@pytest.mark.parametrize("form", [b"see %b now", b'"%b"', b"`%b`", b"x='%b'", b"%b;", b"%b"])
def test_a_word_that_stands_free_is_left(form: bytes) -> None:
    """Where a detector sees the word as it is, it is not looked at twice."""
    assert free_words(form % WORD).text == b""


def test_what_is_no_token_is_left() -> None:
    """Words without a digit and short ones are no tokens."""
    assert free_words(b"(abcdefghijklmnopqrstuvwxyz), (a1b2c3), /usr/share/documentation.").text == b""


@given(st.binary(max_size=300))
def test_every_line_stands_where_it_says(raw: bytes) -> None:
    """Whatever the text, a line's characters are those at its place."""
    free = free_words(raw)
    for line, place in zip(free.lines, free.places, strict=True):
        word = free.text[line : free.text.index(b"\n", line)]
        assert raw[place : place + len(word)] == word
