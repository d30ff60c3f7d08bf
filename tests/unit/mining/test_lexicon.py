"""The word tables of talk: they load, match at word bounds, and take openers off."""

import pytest

from slowwave.mining.lexicon import load

TABLES = ("answers", "narration", "promises", "rulings", "turns")


@pytest.mark.parametrize("table", TABLES)
def test_every_table_loads_and_matches_nothing_in_nothing(table: str) -> None:
    """Each pattern compiles, and none matches an empty text."""
    lexicon = load(table)
    assert lexicon.cues
    assert lexicon.matches("") == ()


@pytest.mark.parametrize(
    ("table", "cue", "text"),
    [
        ("turns", "surprise", "how did this not fail the tests?"),
        ("turns", "surprise", "为什么测试没有失败"),
        ("turns", "denial", "did you make that up?"),
        ("turns", "redirection", "bitte nicht so"),
        ("answers", "cause", "it fails because the socket is closed"),
        ("answers", "admission", "I made that up, sorry"),
        ("narration", "narration", "Let me look at the parser"),
        ("rulings", "rule", "never push here"),
        ("promises", "person", "i\u2019ll rotate the key tomorrow"),
    ],
)
def test_a_cue_is_found_in_its_wording(table: str, cue: str, text: str) -> None:
    """English first, other languages where it is simple, either apostrophe."""
    assert load(table).has(text, cue)


@pytest.mark.parametrize(
    ("table", "cue", "text"),
    [
        ("turns", "redirection", "the instruction set is fine"),
        ("answers", "cause", "the becauses of history"),
        ("turns", "repeat", "against the wall"),
        ("promises", "person", "he said i'll-advised plans fail"),
    ],
)
def test_a_part_of_a_word_is_no_cue(table: str, cue: str, text: str) -> None:
    """Wordings match whole words only."""
    assert not load(table).has(text, cue)


def test_openers_are_taken_off_a_few_times() -> None:
    """Several openers one behind the other go, the sentence stays."""
    narration = load("narration")
    assert narration.strip("Right, so the issue is that it hangs", "opener") == "it hangs"
    assert narration.strip("The pool hangs", "opener") == "The pool hangs"
