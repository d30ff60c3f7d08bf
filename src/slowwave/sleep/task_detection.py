"""Phase 13's shell: plans tasks from waiting promises, commits them, and only then moves the watermarks."""

from collections.abc import Sequence

from slowwave.facts.ids import SessionId
from slowwave.sleep.batch_plan import BatchPlan, as_planned, read_plan
from slowwave.sleep.commits import commit_actions, item_of
from slowwave.sleep.consolidator import PHASE as CONSOLIDATION
from slowwave.sleep.items import put_items
from slowwave.sleep.marks import Mark, NewMark, file_key, prefix_digest, put_marks
from slowwave.sleep.plan import Night, PhaseResult
from slowwave.sleep.promises import settle, waiting_promises
from slowwave.sleep.steps import Outcome, begin_step, ending, outcome_of, read_outcome
from slowwave.sleep.surroundings import task_surroundings
from slowwave.sleep.tasks import plan_tasks

PHASE = "task_detection"


def detect_tasks(night: Night) -> PhaseResult:
    """Turn accepted promises into proposed tasks and closures, then move the marks of the night's batches."""
    before = outcome_of(night, PHASE, 1)
    if before is not None:
        return PhaseResult(counts=before.counts, refusals=before.refusals)
    step = begin_step(night, PHASE, 1, "")
    promises = (*waiting_promises(night.state), *night.promised)
    plan = plan_tasks(promises, task_surroundings(night, step.base))
    outcome = Outcome(counts={"promises": len(promises), **plan.counts}, refusals=plan.refusals)
    if night.options.dry_run:
        night.foreseen.extend(plan.actions)
    else:
        commit_actions(night, step, plan.actions)
        marks = [mark for batch, read in _finished_batches(night) for mark in _marks(night, batch, read)]
        with ending(night, step, outcome) as sql:
            put_items(sql, (item_of(action, night) for action in plan.actions))
            settle(sql, plan.settled)
            put_marks(sql, marks, profile=night.record.profile, run_id=night.record.run_id)
    return PhaseResult(counts=outcome.counts, refusals=outcome.refusals)


def _finished_batches(night: Night) -> tuple[tuple[BatchPlan, tuple[SessionId, ...]], ...]:
    """The night's batches, each with the sessions that were read in it."""
    rows = night.state.connection.execute(
        "SELECT plan, outcome FROM steps WHERE run_id = ? AND name = ? AND number > 0 AND outcome != ''"
        " ORDER BY number",
        (night.record.run_id, CONSOLIDATION),
    )
    return tuple((read_plan(str(row[0])), read_outcome(str(row[1])).read) for row in rows)


def _marks(night: Night, batch: BatchPlan, read: Sequence[SessionId]) -> list[NewMark]:
    by_id = {session.id: session for session in night.sessions}
    marks: list[NewMark] = []
    for session_id in read:
        session = as_planned(batch, by_id[session_id]) if session_id in by_id else None
        if session is None:
            continue
        ends = zip(batch.ends[session_id], batch.lines[session_id], strict=True)
        for file, (byte, line) in enumerate(ends):
            prefix = prefix_digest(session.root, session.files[file].path, byte)
            marks.append(
                NewMark(
                    session_id=session_id,
                    file=file_key(session, file),
                    mark=Mark(byte=byte, line=line, prefix=prefix),
                )
            )
    return marks
