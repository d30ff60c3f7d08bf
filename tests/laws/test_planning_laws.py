"""Laws of planning: over the corpus that a plan produced nothing new is planned; retiring and bringing back undo."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from made_sleep import NOW, lenient, made_evidence, proved_candidate, proved_commitment

from slowwave.corpus.duplicates import Known
from slowwave.corpus.format import render
from slowwave.corpus.paths import Taken, is_archived, place
from slowwave.corpus.retention import plan_archive, plan_correction, plan_restore
from slowwave.facts.answer import ProvedCandidate
from slowwave.facts.ids import MemoryPath, RunId
from slowwave.facts.memory import Kind, Memory, Status, TaskStatus
from slowwave.sleep.promises import Promise, promise_of
from slowwave.sleep.proposals import Surroundings, propose_memories
from slowwave.sleep.tasks import TaskSurroundings, plan_tasks

LAW = settings(max_examples=80, deadline=None)
SUBJECTS = st.sampled_from(["the importer", "`make test`", "port 8099", "the cart", "release 0.16"])
NEEDS = st.sampled_from(["needs the fixture server", "fails without `-tags fts5`", "is never pushed", "waits for Oda"])
CLAIMS = st.builds(lambda subject, need: f"{subject} {need}.".capitalize(), SUBJECTS, NEEDS)
WITNESSES = st.lists(
    st.builds(made_evidence, st.sampled_from(["s-1", "s-2", "s-3"]), st.sampled_from(["r1", "r2", "r3", "r4"])),
    min_size=2,
    max_size=4,
    unique_by=lambda evidence: (evidence.session_id, evidence.record),
)
CANDIDATES = st.lists(st.builds(lambda claim, found: proved_candidate(claim, *found), CLAIMS, WITNESSES), max_size=6)
PROMISES = st.lists(
    st.builds(
        lambda statement: promise_of(proved_commitment(f"Write {statement}"), run_id=RunId("n"), project="shop"), CLAIMS
    ),
    max_size=6,
)
MOMENTS = st.integers(946_684_800, 4_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
PROJECTS = st.sampled_from(["", "shop", "ferryman"])


def around(held: Mapping[MemoryPath, Memory], items: frozenset[str] = frozenset()) -> Surroundings:
    """A corpus in which nothing was decided."""
    return Surroundings(
        moment=NOW,
        engine="mined/1",
        project="shop",
        memories=held,
        content=lambda path: render(held[path]) if path in held else None,
        known=Known(held),
        taken=Taken(held),
        items=items,
        rejected={},
        recalled=lambda _session, _claim: False,
        gate=lenient,
    )


def after(proved: list[ProvedCandidate], held: Mapping[MemoryPath, Memory]) -> dict[MemoryPath, Memory]:
    """The corpus once a plan was applied."""
    return {**held, **{action.path: action.memory for action in propose_memories(proved, around(held)).actions}}


@LAW
@given(CANDIDATES)
def test_nothing_new_is_planned_over_what_was_planned(proved: list[ProvedCandidate]) -> None:
    """The same answer over the corpus it produced plans no action, whether its items are remembered or not."""
    held = after(proved, {})
    assert propose_memories(proved, around(held)).actions == ()
    items = frozenset(action.item for action in propose_memories(proved, around({})).actions)
    assert propose_memories(proved, around(held, items)).actions == ()


@LAW
@given(CANDIDATES, CANDIDATES)
def test_every_candidate_is_in_one_count(one: list[ProvedCandidate], other: list[ProvedCandidate]) -> None:
    """Whatever stands in the corpus, the counts of a plan add up to its candidates."""
    plan = propose_memories(other, around(after(one, {})))
    assert sum(plan.counts.values()) == len(other)
    assert len(plan.actions) == plan.counts.get("written", 0) + plan.counts.get("reinforced", 0)
    assert len({action.item for action in plan.actions}) == len(plan.actions)


@LAW
@given(PROMISES)
def test_no_task_is_planned_twice(promises: list[Promise]) -> None:
    """Promises that became tasks become none again, also once a person opened or closed them."""

    def plan(tasks: Mapping[MemoryPath, Memory]) -> list[tuple[MemoryPath, Memory]]:
        surroundings = TaskSurroundings(
            moment=NOW,
            engine="mined/1",
            memories=tasks,
            content=lambda path: render(tasks[path]) if path in tasks else None,
            taken=Taken(tasks),
            dismissed=(),
            items=frozenset(),
            gate=lenient,
        )
        return [(action.path, action.memory) for action in plan_tasks(promises, surroundings).actions]

    tasks = dict(plan({}))
    assert plan(tasks) == []
    for status in TaskStatus:
        decided = {p: replace(m, task=replace(m.task, task_status=status)) for p, m in tasks.items() if m.task}
        assert plan(decided) == []


@LAW
@given(CLAIMS, PROJECTS, MOMENTS, st.integers(0, 3))
def test_archiving_and_restoring_are_inverses(claim: str, project: str, moment: datetime, times: int) -> None:
    """However often a memory went and came back, it stands where it stood and says what it said."""
    memory = Memory(kind=Kind.SEMANTIC, claim=claim, body="", created=NOW, updated=NOW, project=project)
    path = first = place(memory, Taken())
    for _ in range(times):
        away = plan_archive(path, memory, moment=moment, taken=Taken())
        assert is_archived(away.destination)
        assert away.memory.status is Status.ARCHIVED
        back = plan_restore(away.destination, away.memory, moment=moment, taken=Taken())
        path, memory = back.destination, back.memory
        assert replace(memory, updated=NOW) == replace(away.memory, status=Status.ACTIVE, updated=NOW)
    assert path == first
    assert (memory.claim, memory.status, memory.project) == (claim, Status.ACTIVE, project)


@LAW
@given(CLAIMS, CLAIMS, MOMENTS)
def test_a_correction_loses_nothing_and_can_be_taken_back(old: str, new: str, moment: datetime) -> None:
    """The old memory and its successor name each other, and restoring brings the old one back as it was."""
    before = Memory(kind=Kind.SEMANTIC, claim=old, body="", created=NOW, updated=NOW, project="shop")
    path = place(before, Taken())
    corrected = replace(before, claim=new, updated=moment)
    where = place(corrected, Taken([path]))
    plan = plan_correction((path, before), (where, corrected), evidence=(), moment=moment, taken=Taken([path]))
    assert plan.put.memory.supersedes == (plan.retire.destination,)
    assert plan.retire.memory.superseded_by == plan.put.path == where
    back = plan_restore(plan.retire.destination, plan.retire.memory, moment=moment, taken=Taken())
    assert (back.destination, replace(back.memory, updated=NOW)) == (path, before)
