"""A person's words, short: the sentence that matters, or the line of a paste that failed."""

from slowwave.mining import speech

PASTE = "[lint] checker has version 2\n[lint] run.go:4:2: error returned is unwrapped (wrapcheck)\n[lint] 1 issues:\n"


def test_the_sentence_with_the_cue_is_quoted() -> None:
    """Of a long turn the sentence that corrects, not the first."""
    text = "Thanks for the quick work on the files of the parser and its tests. Please don't touch `gen.py` by hand."
    assert speech.said(text) == "“Please don't touch `gen.py` by hand”"


def test_of_a_paste_the_failing_line_is_quoted() -> None:
    """Output is no sentence of anybody; its message is what the person showed."""
    assert speech.is_paste(PASTE)
    assert "unwrapped" in speech.said(PASTE)


def test_quoted_lines_are_not_the_persons() -> None:
    """What stands behind ``>`` was said by somebody else."""
    assert speech.said("> all tests pass\nhow so?") == "“how so?”"


def test_long_digits_are_left_out() -> None:
    """A container's id tells nobody anything."""
    assert "ebe681303772419569e0586265ad" not in speech.said("rm ebe681303772419569e0586265ad failed")


def test_words_that_need_what_went_before() -> None:
    """``yes`` and ``do it`` mean nothing by themselves."""
    assert speech.is_empty("yes, do it")
    assert not speech.is_empty("keep the changelog entries short")
