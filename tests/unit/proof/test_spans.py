"""Where folded words stand in a decoded string."""

import pytest

from slowwave.facts.text import fold
from slowwave.proof.spans import DecodedText, Words


def spots(text: str, words: str) -> list[str]:
    """What stands in the text at each spot found."""
    return [text[spot.start : spot.end] for spot in DecodedText(text).spots(Words(folded=fold(words)))]


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("one two three", "two", ["two"]),
        ("  one \n\n two\tthree ", "one two three", ["one \n\n two\tthree"]),
        ("\n\n\nlead", "lead", ["lead"]),
        ("a  b  a  b", "a b", ["a  b", "a  b"]),
        ("aa aa aa", "aa aa", ["aa aa", "aa aa"]),
        ("one two", "one  two three", []),
        ("onetwo", "one two", []),
        ("one\u200btwo", "one two", []),
        ("one\u00a0\u3000two", "one two", ["one\u00a0\u3000two"]),
        ("one\x1ctwo", "one two", []),
        ("x \U0001f419  y", "\U0001f419 y", ["\U0001f419  y"]),
        ("", "a", []),
        ("abc", "", []),
    ],
)
def test_spots_are_ranges_of_the_text_itself(text: str, words: str, found: list[str]) -> None:
    """White-space runs are equal, and offsets point into the unfolded text."""
    assert spots(text, words) == found


def test_surroundings_tell_a_copy_from_the_same_words_elsewhere() -> None:
    """Up to eighty folded characters on either side are kept."""
    spot = DecodedText("before   it, the words, and  after").spots(Words(folded="the words"))[0]
    assert (spot.before, spot.after) == ("before it, ", ", and after")


def test_a_crowd_of_spots_is_capped() -> None:
    """Thirty-two spots in one string are more than any assignment needs."""
    assert len(spots("ab " * 10_000, "ab")) == 32


def test_long_periodic_texts_take_linear_time() -> None:
    """Two megabytes of one letter against six hundred of it end quickly."""
    assert spots("a" * 2_000_000, "a" * 599 + "b") == []
    assert len(spots("a " * 500_000, "a " * 299 + "a")) == 32
