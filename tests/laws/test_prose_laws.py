"""Laws of telling: sentences are slices, told text is no copy, and nothing depends on how long a text is."""

from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.facts.text import fold
from slowwave.mining import phrasing, rewording
from slowwave.mining.sentences import split
from slowwave.mining.wording import content_words, identifiers

PIECES = st.lists(
    st.sampled_from(
        [
            "the pool",
            "`open_pool()`",
            "because it",
            "never",
            ", so ",
            ", but ",
            " — ",
            "; ",
            ". ",
            "\n",
            "- ",
            "**bold**",
            "x" * 130,
            "(aside)",
            "“said”",
            "你好。",
            ": ",
        ]
    ),
    max_size=60,
).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(st.one_of(PIECES, st.text(max_size=600)))
def test_every_sentence_is_a_slice(text: str) -> None:
    """Whatever the message, a sentence's raw form stands in it where it says, and in order."""
    at = 0
    for sentence in split(text):
        assert text[sentence.start : sentence.start + len(sentence.raw)] == sentence.raw
        assert sentence.start >= at
        at = sentence.start + len(sentence.raw)


@settings(max_examples=150, deadline=None)
@given(PIECES, st.integers(min_value=60, max_value=400))
def test_told_text_fits(text: str, most: int) -> None:
    """A telling is never longer than its room and never fails."""
    assert len(rewording.unrun(phrasing.telling(fold(text)), most)) <= most


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=2_000))
def test_reading_words_never_fails(text: str) -> None:
    """Names and content words of any text are found, and are non-empty."""
    assert all(identifiers(text))
    assert all(content_words(text))
