"""Sentences in slightly other words: no run taken over, still a sentence, cut only where a clause ends."""

import pytest

from slowwave.mining import compose, rewording

LONG = (
    "The pool hands out a connection that the server has closed meanwhile, so the first query after a quiet "
    "night fails, but the second one works because the driver reconnects without saying anything to anybody"
)


def test_a_long_sentence_is_told_without_a_copied_run() -> None:
    """A wording is exchanged for one that fits the same place; nothing is left out."""
    told = rewording.unrun(LONG, 300)
    assert compose.copies(LONG, [LONG])
    assert not compose.copies(told, [LONG])
    assert told.startswith("The pool hands out a connection")
    assert told.endswith("without saying anything to anybody")
    assert "; but" not in told
    assert "; so" not in told


def test_code_is_never_reworded() -> None:
    """What stands in backticks is a name, whatever words it is made of."""
    source = LONG.replace("that the server has closed meanwhile, so", "by `pick because, but so that` , so")
    assert "`pick because, but so that`" in rewording.unrun(source, 300)


def test_a_sentence_too_long_ends_at_a_clause_or_is_not_told() -> None:
    """No sentence breaks off in the middle."""
    told = rewording.head(LONG, 110)
    assert told == "The pool hands out a connection that the server has closed meanwhile"
    assert rewording.unrun("word " * 80, 100) == ""


@pytest.mark.parametrize("word", ["unless", "if", "because", "not", "except"])
def test_a_condition_is_not_cut_off(word: str) -> None:
    """What binds a statement stays with it, or the statement is left out too."""
    source = f"The second writer blocks the first one for good, {word} `busy_timeout` is set before the table is opened"
    assert rewording.head(source, 80) == ""
