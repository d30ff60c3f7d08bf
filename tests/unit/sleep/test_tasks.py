"""Tasks: what becomes of waiting promises."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

import pytest
from made_sleep import NOW, lenient, made_task, proved_commitment, strict

from slowwave.corpus.format import render
from slowwave.corpus.paths import Taken
from slowwave.facts.ids import MemoryPath, RunId, item_id
from slowwave.facts.limits import MOST_TASKS_A_NIGHT
from slowwave.facts.memory import Memory, TaskStatus
from slowwave.sleep.promises import Promise, promise_of
from slowwave.sleep.tasks import TaskPlan, TaskSurroundings, plan_tasks

STATEMENT = "Write the migration note for the new gateway."
PATH = MemoryPath("projects/shop/tasks/note.md")


def promise(statement: str = STATEMENT, *, resolved: bool = False, due: str | None = None) -> Promise:
    """A waiting promise."""
    return promise_of(proved_commitment(statement, resolved=resolved, due=due), run_id=RunId("n"), project="shop")


def around(tasks: Mapping[MemoryPath, Memory] | None = None, dismissed: Sequence[str] = ()) -> TaskSurroundings:
    """Surroundings with some tasks."""
    held = dict(tasks or {})
    return TaskSurroundings(
        moment=NOW,
        engine="mined/1",
        memories=held,
        content=lambda path: render(held[path]) if path in held else None,
        taken=Taken(held),
        dismissed=dismissed,
        items=frozenset(),
        gate=lenient,
    )


def reasons(plan: TaskPlan) -> list[str]:
    """What became of each settled promise."""
    return [one.reason for one in plan.settled]


def test_a_promise_becomes_a_proposed_task() -> None:
    """It stands below its project, proposed, with its due day and whose it is."""
    plan = plan_tasks([promise(due="2026-04-01")], around())
    (action,) = plan.actions
    assert action.memory.task is not None
    assert action.memory.task.task_status is TaskStatus.PROPOSED
    assert action.memory.task.due == date(2026, 4, 1)
    assert action.memory.task.actor == "agent"
    assert action.path.startswith("projects/shop/tasks/")
    assert reasons(plan) == ["proposed"]
    assert plan.settled[0].item == action.item == item_id("task", promise().source_key)


def test_a_promise_that_is_a_task_already_is_known() -> None:
    """An open task with the same words in other clothes is recognised."""
    plan = plan_tasks(
        [promise("I'll write the migration note for the new gateway")], around({PATH: made_task(STATEMENT)})
    )
    assert (plan.actions, reasons(plan)) == ((), ["known"])


@pytest.mark.parametrize("tasks", [{}, {PATH: made_task(STATEMENT, status=TaskStatus.DISMISSED)}])
def test_a_dismissed_promise_stays_away(tasks: Mapping[MemoryPath, Memory]) -> None:
    """Dismissed as an item or as a landed task: it is not proposed again."""
    plan = plan_tasks([promise()], around(tasks, dismissed=() if tasks else (STATEMENT,)))
    assert (plan.actions, reasons(plan)) == ((), ["dismissed_before"])


def test_at_most_ten_new_tasks_a_night() -> None:
    """The eleventh promise is neither written nor settled: it waits, and is counted."""
    promises = [promise(f"{verb} the gateway report.") for verb in _VERBS]
    plan = plan_tasks(promises, around())
    assert len(plan.actions) == MOST_TASKS_A_NIGHT
    assert plan.counts == {"proposed": MOST_TASKS_A_NIGHT, "cut": len(promises) - MOST_TASKS_A_NIGHT}
    assert len(plan.settled) == MOST_TASKS_A_NIGHT


def test_closures_are_not_cut() -> None:
    """The bound is for new tasks; a closure behind ten of them is proposed all the same."""
    promises = [*(promise(f"{verb} the gateway report.") for verb in _VERBS), promise(resolved=True)]
    plan = plan_tasks(promises, around({PATH: made_task(STATEMENT)}))
    assert plan.counts["close_proposed"] == 1


@pytest.mark.parametrize("status", [TaskStatus.OPEN, TaskStatus.PROPOSED])
def test_a_kept_promise_proposes_to_close_its_task(status: TaskStatus) -> None:
    """The task's own file is proposed as done, with the quote that shows it."""
    (action,) = plan_tasks([promise(resolved=True)], around({PATH: made_task(STATEMENT, status=status)})).actions
    assert action.path == PATH
    assert action.memory.task is not None
    assert action.memory.task.task_status is TaskStatus.DONE
    assert action.evidence


def test_a_task_of_a_person_is_never_closed_by_us() -> None:
    """What a human wrote a human closes."""
    plan = plan_tasks([promise(resolved=True)], around({PATH: made_task(STATEMENT, author="human")}))
    assert (plan.actions, reasons(plan)) == ((), ["written_by_a_person"])


def test_a_promise_kept_within_its_session_leaves_no_task() -> None:
    """Without an open task there is nothing to close."""
    plan = plan_tasks([promise(resolved=True)], around())
    assert (plan.actions, reasons(plan)) == ((), ["done_within_its_session"])


def test_a_task_that_is_done_is_known() -> None:
    """A closed task is not closed again."""
    plan = plan_tasks([promise(resolved=True)], around({PATH: made_task(STATEMENT, status=TaskStatus.DONE)}))
    assert reasons(plan) == ["known"]


def test_what_was_proposed_before_is_not_proposed_again() -> None:
    """The item's id recognises a task and a closure that wait or were decided."""
    items = frozenset({item_id("task", promise().source_key)})
    assert reasons(plan_tasks([promise()], replace(around(), items=items))) == ["already_proposed"]
    items = frozenset({item_id("close", PATH, promise(resolved=True).source_key)})
    held = replace(around({PATH: made_task(STATEMENT)}), items=items)
    assert reasons(plan_tasks([promise(resolved=True)], held)) == ["already_proposed"]


def test_two_promises_of_one_night_are_one_task() -> None:
    """A rewording of a promise of the same night is recognised."""
    plan = plan_tasks([promise(), promise("I will write the migration note for the new gateway")], around())
    assert reasons(plan) == ["proposed", "known"]


def test_a_promise_the_gate_refuses_is_settled_with_its_reason() -> None:
    """A task the gate refuses is left out and counted."""
    plan = plan_tasks([promise()], replace(around(), gate=strict))
    assert (plan.actions, reasons(plan), len(plan.refusals)) == ((), ["refused_by_gate"], 1)


def test_the_counts_add_up_to_the_promises() -> None:
    """Every promise is in exactly one count."""
    promises = [promise(), promise(resolved=True), promise("Rename the cart module."), promise(STATEMENT)]
    plan = plan_tasks(promises, around())
    assert sum(plan.counts.values()) == len(promises)


_VERBS = [
    "Write",
    "Check",
    "Measure",
    "Rename",
    "Delete",
    "Translate",
    "Archive",
    "Publish",
    "Sort",
    "Compress",
    "Sign",
    "Print",
]
