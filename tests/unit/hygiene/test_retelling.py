"""Retelling: what is left of a payload; no name is lost by the way in which a long line is cut."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_contexts import outputs
from small_contexts import Beat, bash, call, claude_code, lines, say, user

from slowwave.hygiene import retelling, stubs
from slowwave.hygiene.document import read_document
from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.items import Kind
from slowwave.hygiene.names import Names, names_of
from slowwave.hygiene.retelling import LONG_LINE, Retold, pieces_of, retell
from slowwave.hygiene.scene import read_scene


def _retold(
    text: Any, *beats: Beat, names: Names | None = None, is_error: bool = False, detector: Detector = Detector.BULK_OLD,
    **hit: Any,
) -> Retold:  # fmt: skip
    scene = read_scene(read_document(claude_code([user("x"), call("T", text, is_error=is_error), *beats])))
    item = next(item for item in scene.context.items if item.kind is Kind.RESULT)
    return retell(scene, item, Hit(item=item.number, detector=detector, evidence={}, **hit), names)


def _numbers(retold: Retold) -> list[int]:
    return [number for number, _ in retold.lines]


def test_nothing_is_left_where_nothing_was_asked_for() -> None:
    """Neither head nor tail, and nobody came back to it."""
    assert _retold(lines(30)) == Retold(lines=(), total=30, referenced=0)


def test_head_tail_and_lines_with_a_word_stay() -> None:
    """Word for word, by their numbers; more than there are is all of them."""
    assert _numbers(_retold(lines(30), head=2, tail=1)) == [0, 1, 29]
    assert _numbers(_retold(lines(30), words=frozenset({" ac ", " ad "}))) == [2, 3]
    assert _numbers(_retold(lines(3), head=9, tail=9)) == [0, 1, 2]
    assert _retold(lines(30), head=1).lines == ((0, lines(1)),)


def test_lines_that_somebody_came_back_to_stay() -> None:
    """By a token of twelve characters or more that is used for the first time behind the output."""
    text = lines(30) + "\nrelease-candidate-4471\nabcdefghijklm\n" + lines(9, start=30)
    later = _retold(text, say("now release-candidate-4471"))
    assert (_numbers(later), later.referenced) == ([30], 1)
    assert _numbers(_retold(text, bash("deploy abcdefghijklm", "x"))) == [31]
    assert not _retold(text, say("release-candidate-44")).lines


def test_what_was_said_before_the_output_is_no_coming_back() -> None:
    """The output answers it."""
    beats = [user("x"), say("release-candidate-4471"), bash("ls", lines(30) + "\nrelease-candidate-4471"), say("done")]
    scene = read_scene(read_document(claude_code(beats)))
    item = next(item for item in scene.context.items if item.kind is Kind.RESULT)
    hit = Hit(item=item.number, detector=Detector.BULK_OLD, evidence={})
    assert not retell(scene, item, hit, None).lines


def test_of_a_failure_the_last_error_stays() -> None:
    """With what leads to it and a short trace; unless somebody asked for all of it to go."""
    text = lines(20) + "\nError: first\n" + lines(20, start=20) + "\nTraceback\n" + lines(30, start=40)
    assert _numbers(_retold(text, is_error=True)) == list(range(39, 53))
    assert not _retold(text, is_error=True, detector=Detector.ASKED).lines
    assert not _retold(text).lines


def test_names_that_stand_nowhere_else_stay() -> None:
    """Those that remain elsewhere do not keep their line."""
    text = lines(9) + "\nthe bucket is marmot-larch\n" + lines(9, start=9)
    rest = Names()
    rest.add([lines(18)])
    assert _numbers(_retold(text, names=rest)) == [9]
    rest.add(["bucket marmot-larch"])
    assert not _retold(text, names=rest).lines


def test_noise_goes_and_everything_else_stays() -> None:
    """Repeats, progress and blanks."""
    text = "a\n" + "the same line again, of some length\n" * 5 + "b"
    kept = _retold(text, only_noise=True, detector=Detector.NOISE)
    assert _numbers(kept) == [0, 1, 6]
    assert _numbers(_retold(text, only_noise=True, detector=Detector.MEDIA_OLD)) == list(range(7))


def test_a_gap_is_made_only_where_it_is_shorter() -> None:
    """What would say that lines are missing is not longer than they are."""
    short = "\n".join(["first line that stays", "", "", "last line that stays", *["x" * 40] * 3])
    assert _numbers(_retold(short, words=frozenset({"stays"}))) == [0, 1, 2, 3]
    assert len(stubs.gap(2)) > len("\n\n")


def test_long_lines_are_looked_at_in_pieces() -> None:
    """Cut where a word ends; a word without end is one piece."""
    pieces = pieces_of("word " * 100 + "\nshort\n" + "x" * 900)
    assert all(len(piece) <= LONG_LINE for piece in pieces[:-1])
    assert pieces[-2:] == ["short", "x" * 900]
    assert "".join(pieces[:-2]) == "word " * 100
    assert pieces_of("") == [""]


@pytest.mark.parametrize("sign", ["→", "\t", ":", "|", "  "])
def test_no_piece_begins_like_a_numbered_line(sign: str) -> None:
    """The number would count as none of the words, and be lost."""
    for width in range(12):
        line = "a" * width + " " + "ab " * 26 + f"xy 90210{sign} zip" + " cd" * 60
        pieces = pieces_of(line)
        assert "".join(pieces) == line
        assert set().union(*map(names_of, pieces)) == names_of(line)


@given(outputs(), st.integers(0, 3))
def test_the_pieces_of_a_text_hold_its_names(text: str, times: int) -> None:
    """All of them, and none that it does not hold."""
    whole = " ".join([text.replace("\n", " ")] * times) + text
    pieces = pieces_of(whole)
    assert names_of("\n".join(pieces)) == names_of(whole)
    assert "".join(pieces) == whole.replace("\n", "")


_LINE = st.text("ab ", max_size=3) | st.sampled_from(["größe", "x" * 30])


@given(st.lists(_LINE, min_size=1, max_size=140), st.data())
def test_a_text_in_which_more_stays_is_never_shorter(held: list[str], data: st.DataObject) -> None:
    """So that a second look, which keeps as much or more, never finds more to gain."""
    places = st.integers(0, len(held) - 1)
    kept = data.draw(st.sets(places, min_size=1, max_size=6))

    def told(numbers: set[int]) -> int:
        stay = sorted(numbers | retelling._short_gaps(held, numbers))
        return len(stubs.trimmed("", [(number, held[number]) for number in stay], len(held)).encode())

    assert told(kept) <= told(kept | data.draw(st.sets(places, max_size=2)))
