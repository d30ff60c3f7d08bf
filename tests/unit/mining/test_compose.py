"""Claims made of sentences, and copies found."""

import pytest

from slowwave.facts.limits import CLAIM_CHARACTERS, TRANSCRIPT_SPAN_CHARACTERS
from slowwave.mining import compose


def test_a_claim_fits_and_ends() -> None:
    """One sentence within the bound, one stop."""
    text = compose.claim(["word " * 200])
    assert len(text) <= CLAIM_CHARACTERS
    assert text.endswith(("…", "."))
    assert compose.claim(["It holds."]) == "It holds."


def test_copies_are_runs_of_the_bound() -> None:
    """One character less than the bound is no copy."""
    source = "".join(chr(97 + i % 26) for i in range(400))
    assert compose.copies(source[:TRANSCRIPT_SPAN_CHARACTERS], [source])
    assert not compose.copies(source[: TRANSCRIPT_SPAN_CHARACTERS - 1], [source])


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("The cache is cold", "the cache is cold", "The cache is cold"),
        ("GitLab words it", "GitLab words it", "GitLab words it"),
        ("src/pay.go is", "src/pay.go is", "src/pay.go is"),
        ("it is", "it is", "It is"),
    ],
)
def test_names_keep_their_letters(text: str, low: str, high: str) -> None:
    """Only words of a language change their first letter."""
    assert compose.lowered(text) == low
    assert compose.raised(text) == high
