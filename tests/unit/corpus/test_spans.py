"""Copied runs of text."""

import random
import time

from slowwave.corpus.spans import CopyFinder


def test_a_run_is_found_wherever_it_stands() -> None:
    """Every offset of the run in the source, and every place in the text, is seen."""
    run = "".join(random.Random(1).choices("abcdefgh ", k=120)).replace("  ", " ab")[:120].strip().ljust(120, "z")
    finder = CopyFinder([f"some words {run}"])
    for before in range(130):
        assert finder.copies("q" * before + run + "!"), before
    assert not any(finder.copies("q" * before + run[:-1] + "!") for before in range(130))


def test_cost_is_linear_also_for_one_letter() -> None:
    """A megabyte of one letter against a long text of the same takes no time to speak of."""
    finder = CopyFinder(["a" * 119 + "b" + "a" * 119])
    start = time.perf_counter()
    assert not finder.copies(("a" * 60 + "c") * 16_000)
    assert time.perf_counter() - start < 2
