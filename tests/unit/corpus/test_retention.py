"""Retiring and bringing back."""

from dataclasses import replace

import pytest
from made_memories import MOMENT, memory

from slowwave.corpus.paths import Taken
from slowwave.corpus.retention import plan_archive, plan_correction, plan_restore
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Status
from slowwave.facts.refusal import UsageError

PATH = MemoryPath("projects/payments/a.md")
NEW = MemoryPath("projects/payments/b.md")


def test_an_archived_memory_moves_and_says_so() -> None:
    """Its path, status and time of change differ, its content does not."""
    plan = plan_archive(PATH, memory(), moment=MOMENT, taken=Taken())
    assert (plan.path, plan.destination) == (PATH, "archive/2026/projects/payments/a.md")
    assert plan.memory == replace(memory(), status=Status.ARCHIVED, updated=MOMENT)


def test_bringing_back_is_the_inverse() -> None:
    """The memory stands again where it stood, active; the two items have two names."""
    away = plan_archive(PATH, memory(), moment=MOMENT, taken=Taken())
    back = plan_restore(away.destination, away.memory, moment=MOMENT, taken=Taken())
    assert back.destination == PATH
    assert back.memory == replace(memory(), updated=MOMENT)
    assert back.item != away.item


def test_what_does_not_apply_is_refused() -> None:
    """An archived memory is not archived again, an active one not brought back."""
    away = plan_archive(PATH, memory(), moment=MOMENT, taken=Taken())
    with pytest.raises(UsageError):
        plan_archive(away.destination, away.memory, moment=MOMENT, taken=Taken())
    with pytest.raises(UsageError):
        plan_restore(PATH, memory(), moment=MOMENT, taken=Taken())


def test_a_correction_links_both_ways() -> None:
    """The new memory names where the old one is kept, the old one names the new and is superseded."""
    correction = plan_correction(
        (PATH, memory()), (NEW, memory("Run the tests through nox.")), evidence=(), moment=MOMENT, taken=Taken([PATH])
    )
    assert correction.put.path == NEW
    assert correction.put.memory.supersedes == (correction.retire.destination,)
    assert correction.retire.memory.superseded_by == NEW
    assert correction.retire.memory.status is Status.SUPERSEDED
    back = plan_restore(correction.retire.destination, correction.retire.memory, moment=MOMENT, taken=Taken())
    assert back.memory.superseded_by == ""
