"""Which place each quote is judged by."""

from dataclasses import replace
from typing import Any

from slowwave.facts.evidence import Speaker
from slowwave.facts.ids import SessionId
from slowwave.proof.assignment import assign, first_repeat, unmet
from slowwave.proof.copies import are_one, share_words
from slowwave.proof.places import Place
from slowwave.records.entries import EntryKind


def place(origin: str, at: int = 0, words: str = "the same words", **changes: Any) -> Place:
    """One place; unless said otherwise in the agent's text, new, in a string of its own."""
    standing = Place(
        session_id=SessionId("s"),
        file=0,
        line=1,
        part=0,
        field="text",
        string=ord(origin[-1]),
        start=at,
        end=at + len(words),
        words=words,
        before="",
        after="",
        speaker=Speaker.AGENT,
        kind=EntryKind.TEXT,
        is_tainted=False,
        is_sidechain=False,
        origin=origin,
        is_new=True,
    )
    return replace(standing, **changes)


def is_new(one: Place) -> bool:
    """A want."""
    return one.is_new


def is_spoken(one: Place) -> bool:
    """Another want."""
    return one.is_spoken


def test_equal_quotes_take_different_places() -> None:
    """Each quote gets an observation of its own where there are enough."""
    one, two = place("a"), place("b")
    assert assign([[one, two], [one, two]]) == (one, two)
    assert assign([[one, two], [one, two], [one, two]]) is None
    assert first_repeat([[one, two], [one, two], [one, two]]) == 2


def test_a_quote_gives_way_to_one_that_has_no_other_place() -> None:
    """The best place of the first is the only one of the second."""
    one, two = place("a"), place("b")
    assert assign([[one, two], [one]]) == (two, one)


def test_wants_are_met_by_a_worse_place_where_that_helps() -> None:
    """A new tool output is taken when nothing else is new."""
    said, output = place("a", is_new=False), place("b", speaker=Speaker.TOOL)
    other = place("c", is_new=False)
    assert assign([[said, output], [other]], [is_new, is_spoken]) == (output, other)
    assert unmet([[said], [other]], [is_new, is_spoken]) == (0,)


def test_wants_that_cannot_be_met_together_are_told_in_order() -> None:
    """One quote that is either spoken or new meets the first want and misses the second."""
    said, output = place("a", is_new=False), place("b", speaker=Speaker.TOOL)
    old = place("c", speaker=Speaker.TOOL, is_new=False)
    assert unmet([[said, output], [old]], [is_spoken, is_new]) == (1,)


def test_crafted_repetition_is_given_up_on_the_safe_side() -> None:
    """Eight quotes over seven observations of many places each end in a refusal, soon."""
    crowd = [place(f"o{number % 7}", string=number) for number in range(112)]
    assert assign([crowd] * 8) is None


def test_spans_of_one_string_are_one_where_they_overlap() -> None:
    """Touching ends do not overlap."""
    assert are_one(place("a", 0, "four"), place("a", 3, "more"))
    assert not are_one(place("a", 0, "four"), place("a", 4, "more"))


def test_copies_are_one_where_they_share_words() -> None:
    """The same observation in another string is one for equal words and two for other sentences."""
    first = place("a", words="the build is green again")
    assert are_one(first, place("a", string=7, words="the build is green again"))
    assert are_one(first, place("a", string=7, words="is green again since noon"))
    assert not are_one(first, place("a", string=7, words="nobody touched the cache"))
    assert not are_one(first, place("b", words="the build is green again"))


def test_bookkeeping_counts_for_nothing_beside_the_words_it_repeats() -> None:
    """A title or last prompt is no second observation."""
    said = place("a")
    assert are_one(said, place("b", kind=None, speaker=Speaker.SYSTEM))
    assert are_one(said, place("b", kind=EntryKind.META, speaker=Speaker.SYSTEM))
    assert not are_one(said, place("b", kind=EntryKind.META, speaker=Speaker.SYSTEM, words="something else entirely"))


def test_words_handed_to_or_from_a_sub_agent_are_one() -> None:
    """Only where the surroundings agree."""
    inner = place("a", is_sidechain=True, before="Report: ")
    outer = place("b", kind=EntryKind.TOOL_RESULT, speaker=Speaker.TOOL, before="done. Report: ")
    assert are_one(inner, outer)
    assert are_one(outer, inner)
    assert not are_one(inner, place("b", kind=EntryKind.TOOL_RESULT, speaker=Speaker.TOOL, before="grep: "))
    assert not are_one(inner, place("b"))


def test_sharing_words_needs_two_of_them_at_the_border() -> None:
    """One common word where two texts meet is chance."""
    assert share_words("we run the tests", "the tests passed")
    assert not share_words("we run the tests", "tests passed")
    assert share_words("the tests", "run the tests now")
