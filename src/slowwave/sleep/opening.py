"""Opening a batch that was planned: its sessions as they lay there then, whole, read into entries."""

from collections.abc import Mapping

from slowwave.facts.ids import SessionId
from slowwave.proof.contract import Batch
from slowwave.records.recording import Recording, load
from slowwave.records.session import Session
from slowwave.sleep.batch_plan import BatchPlan, as_planned


def open_batch(plan: BatchPlan, by_id: Mapping[SessionId, Session]) -> tuple[Batch, tuple[Recording, ...]]:
    """The batch of a plan and its recordings, new sessions first.

    Args:
        plan: As it was decided.
        by_id: The sessions that are there now. One that is gone, excluded or shorter than it was is left out.
    """
    there = [by_id[session] for session in (*plan.new, *plan.context) if session in by_id]
    sessions = [whole for session in there if (whole := as_planned(plan, session)) is not None]
    batch = Batch(
        sessions={session.id: session for session in sessions},
        new_from={session.id: plan.new_from[session.id] for session in sessions},
        ends={session.id: plan.ends[session.id] for session in sessions},
    )
    return batch, tuple(load(session, ends=plan.ends[session.id]) for session in sessions)
