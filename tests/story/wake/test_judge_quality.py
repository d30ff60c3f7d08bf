"""How well the built-in judge does on sentences that were written and labelled without its rules in sight."""

import sys

import pytest

from wake_quality import FILES, TASKS, figures, load_sentences, macro_f1, main

FLOORS = {"file-this": 0.95, "follow-up": 0.82, "observation": 0.88}
"""Recorded: 0.973, 0.844 and 0.905 in English; below what issue 4 asks, 0.75, nothing may fall in any language."""
ASKED = 0.75


def test_unseen_sentences_are_judged_as_well_as_recorded() -> None:
    """English by its recorded floor; German and Spanish, of which there are few, by what is asked of English."""
    found = figures(load_sentences(FILES["test"]))
    for task in TASKS:
        assert found[task]["en"] >= FLOORS[task] >= ASKED, task
        assert min(found[task].values()) >= ASKED, task


def test_the_two_files_share_no_sentence() -> None:
    """What rules were made on measures nothing."""
    dev, test = ({one.text.casefold().strip(" .") for one in load_sentences(FILES[name])} for name in ("dev", "test"))
    assert len(dev) >= 150
    assert len(test) >= 150
    assert dev & test == set()


def test_macro_f1_counts_each_label_alike() -> None:
    """By hand: a label of one weighs as much as a label of three."""
    pairs = [("a", "a"), ("a", "a"), ("a", "b"), ("b", "b")]
    assert macro_f1(pairs) == pytest.approx((0.8 + 2 / 3) / 2)
    assert macro_f1([("a", "b")]) == 0.0


def test_the_test_sentences_are_never_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """Who looks at them tunes on them."""
    assert main(["test", "--misses"]) == 2
    assert "not shown" in capsys.readouterr().out
    assert sys.modules["wake_quality"].main(["/nowhere.jsonl"]) == 3
