"""Phase 13, task detection: accepted promises become proposed tasks, fulfilled ones proposals to close a task.

A task a person dismissed is not proposed again; a task a person wrote is never closed by us; at most ten new tasks a
night, the rest is counted and waits. Pure planning here, the shell is ``task_detection``.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from slowwave.corpus.duplicates import same_promise
from slowwave.corpus.format import file_of, render
from slowwave.corpus.paths import Taken, place
from slowwave.facts.action import PutTask
from slowwave.facts.ids import MemoryPath, item_id
from slowwave.facts.limits import MOST_TASKS_A_NIGHT
from slowwave.facts.memory import Kind, Memory, TaskFields, TaskStatus
from slowwave.facts.refusal import Refusal
from slowwave.sleep.promises import Promise, Settled

OWN_AUTHOR = "sleep"
"""Author of what the night writes; a task by anybody else is a person's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPlan:
    """What becomes of the waiting promises: actions, and for each settled promise the reason.

    Promises that are in neither list wait for another night (``counts["cut"]``).
    """

    actions: tuple[PutTask, ...]
    settled: tuple[Settled, ...]
    refusals: tuple[Refusal, ...]
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSurroundings:
    """What tasks are planned against: the corpus, dismissed promises, items proposed before, and the gate."""

    moment: datetime
    engine: str
    memories: Mapping[MemoryPath, Memory]
    content: Callable[[MemoryPath], bytes | None]
    taken: Taken
    dismissed: Sequence[str]
    items: frozenset[str]
    gate: Callable[[MemoryPath, bytes, Sequence[str]], tuple[Refusal, ...]]


def plan_tasks(promises: Sequence[Promise], around: TaskSurroundings) -> TaskPlan:
    """Plan tasks and closures for promises in their order."""
    actions: list[PutTask] = []
    settled: list[Settled] = []
    refusals: list[Refusal] = []
    counts: Counter[str] = Counter()
    tasks = {path: memory for path, memory in around.memories.items() if memory.kind is Kind.TASK}
    for promise in promises:
        outcome = _close(promise, tasks, around) if promise.resolved else _open(promise, tasks, around)
        if isinstance(outcome, PutTask) and not promise.resolved and counts["proposed"] >= MOST_TASKS_A_NIGHT:
            counts["cut"] += 1
            continue
        if isinstance(outcome, PutTask):
            reason = "close_proposed" if promise.resolved else "proposed"
            actions.append(outcome)
            tasks[outcome.path] = outcome.memory
            around.taken.add(outcome.path)
        elif isinstance(outcome, tuple):
            reason = "refused_by_gate"
            refusals.extend(outcome)
        else:
            reason = outcome
        counts[reason] += 1
        item = outcome.item if isinstance(outcome, PutTask) else ""
        settled.append(Settled(source_key=promise.source_key, reason=reason, item=item))
    return TaskPlan(actions=tuple(actions), settled=tuple(settled), refusals=tuple(refusals), counts=dict(counts))


def _open(
    promise: Promise, tasks: Mapping[MemoryPath, Memory], around: TaskSurroundings
) -> PutTask | str | tuple[Refusal, ...]:
    if any(same_promise(promise.statement, said) for said in around.dismissed):
        return "dismissed_before"
    match = _match(promise, tasks)
    if match is not None:
        task = tasks[match].task
        return "dismissed_before" if task and task.task_status is TaskStatus.DISMISSED else "known"
    item = item_id("task", promise.source_key)
    if item in around.items:
        return "already_proposed"
    memory = Memory(
        kind=Kind.TASK,
        claim=promise.statement,
        body="",
        created=around.moment,
        updated=around.moment,
        author=OWN_AUTHOR,
        engine=around.engine,
        project=promise.project,
        sessions=(str(promise.evidence.session_id),),
        last_seen=around.moment,
        task=TaskFields(
            task_status=TaskStatus.PROPOSED, due=promise.due, actor=promise.actor, source_key=promise.source_key[:16]
        ),
    )
    path = place(memory, around.taken)
    refusals = around.gate(path, render(memory), memory.sessions)
    if refusals:
        return refusals
    return PutTask(item=item, path=path, memory=memory, evidence=(promise.evidence,))


def _close(
    promise: Promise, tasks: Mapping[MemoryPath, Memory], around: TaskSurroundings
) -> PutTask | str | tuple[Refusal, ...]:
    match = _match(promise, tasks)
    if match is None:
        return "done_within_its_session"
    memory = tasks[match]
    if memory.task is None or memory.task.task_status not in (TaskStatus.PROPOSED, TaskStatus.OPEN):
        return "known"
    if memory.author != OWN_AUTHOR:
        return "written_by_a_person"
    item = item_id("close", match, promise.source_key)
    if item in around.items:
        return "already_proposed"
    closed = replace(memory, task=replace(memory.task, task_status=TaskStatus.DONE), last_seen=around.moment)
    refusals = around.gate(match, file_of(match, closed, around.content(match)), memory.sessions)
    return refusals or PutTask(item=item, path=match, memory=closed, evidence=(promise.evidence,))


def _match(promise: Promise, tasks: Mapping[MemoryPath, Memory]) -> MemoryPath | None:
    exact = [p for p, m in tasks.items() if m.task and m.task.source_key == promise.source_key[:16]]
    if exact:
        return min(exact)
    return min((p for p, m in tasks.items() if same_promise(promise.statement, m.claim)), default=None)
