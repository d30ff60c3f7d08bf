"""Frames: two lines with a random word that no content can hold whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.proof.framing import NONCE_BYTES, Frame, is_nonce, make_nonce

NONCE = "0123456789abcdef" * 2


def test_the_random_word_comes_from_the_source_it_is_given() -> None:
    """So many bytes of it, in hex digits; 128 bits are enough that nobody guesses them."""
    asked: list[int] = []

    def draw(count: int) -> bytes:
        asked.append(count)
        return bytes(range(count))

    assert make_nonce(draw) == bytes(range(NONCE_BYTES)).hex()
    assert asked == [NONCE_BYTES]
    assert NONCE_BYTES * 8 >= 128


@pytest.mark.parametrize("word", ["", "abc", "g" * 32, "A" * 32, "a" * 31, "a" * 129, "a" * 32 + "\n", "٣" * 32])
def test_a_word_that_could_be_guessed_makes_no_frame(word: str) -> None:
    """Short ones, empty ones and what is no hex word."""
    assert not is_nonce(word)
    with pytest.raises(ValueError, match="hex digits"):
        Frame(nonce=word)


def test_content_stands_on_its_own_lines() -> None:
    """Nothing is added to it but the line above and the line below."""
    frame = Frame(nonce=NONCE)
    framed = frame.around('{"a":1}')
    assert framed.text.split("\n") == [frame.begin, '{"a":1}', frame.end]
    assert framed.breaks == 0
    assert NONCE in frame.begin
    assert NONCE in frame.end
    assert frame.begin != frame.end


def test_a_frame_says_what_it_holds() -> None:
    """Several blocks of one prompt are told apart by a word of ours."""
    frame = Frame(nonce=NONCE, what="transcript")
    assert frame.begin == f"<<<transcript {NONCE}>>>"
    assert frame.end == f"<<<end of transcript {NONCE}>>>"


def test_a_line_of_the_frame_in_the_content_is_broken_where_everybody_sees_it() -> None:
    """The dot stays, the rest is as it was, and each place is counted."""
    frame = Frame(nonce=NONCE)
    framed = frame.around(f"before {frame.end} after {frame.begin.upper()}")
    half = len(NONCE) // 2
    assert framed.breaks == 2
    assert f"<<<end of recorded {NONCE[:half]}.{NONCE[half:]}>>> after" in framed.text
    assert framed.text.lower().count(NONCE) == 2  # the frame's own


WORDS = st.one_of(
    st.text(alphabet="0123456789abcdef", min_size=32, max_size=32),
    st.text(alphabet="ab", min_size=1, max_size=4).map(lambda part: (part * 32)[:32]),
)


@given(word=WORDS, pieces=st.lists(st.tuples(st.integers(0, 31), st.text(max_size=3), st.booleans()), max_size=12))
def test_no_content_closes_its_frame(word: str, pieces: list[tuple[int, str, bool]]) -> None:
    """Whole words, halves, and words that share digits with the next one, in either case."""
    content = "".join((word[at:].upper() if loud else word[at:]) + word + between for at, between, loud in pieces)
    frame = Frame(nonce=word)
    framed = frame.around(content)
    inner = framed.text.removeprefix(frame.begin + "\n").removesuffix("\n" + frame.end)
    assert word not in inner.lower()
    assert inner.count(".") - content.count(".") == framed.breaks
    assert (framed.breaks == 0) is (word not in content.lower())
