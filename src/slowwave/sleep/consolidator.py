"""Phase 12, trace consolidation: batches of transcripts in, proved memories out, one commit each on ``pending``.

For each batch, in this order: write down what is worked on; read; propose; prove; plan; commit; record. Killed between
any two steps, the next start does the rest and nothing twice. The watermarks move in the phase after.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from slowwave.facts.answer import Answer, Proved
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import MOST_SUBMISSIONS
from slowwave.facts.refusal import Refusal
from slowwave.proof.contract import Batch, check
from slowwave.records.recording import Recording, load
from slowwave.records.secrets import Secrets
from slowwave.records.session import Session
from slowwave.sleep.batches import BatchPlan, Offer, group, offer, read_plan
from slowwave.sleep.commits import commit_actions, item_of
from slowwave.sleep.items import put_items
from slowwave.sleep.marks import first_new_lines, read_marks
from slowwave.sleep.plan import Night, PhaseResult, PhaseStatus
from slowwave.sleep.promises import promise_of, put_promises
from slowwave.sleep.proposals import propose_memories
from slowwave.sleep.steps import Outcome, Step, begin_step, ending, outcome_of
from slowwave.sleep.surroundings import memory_surroundings

PHASE = "trace_consolidation"


def consolidate(night: Night) -> PhaseResult:
    """Work through the night's batches, newest first, until they or the time run out."""
    outcome = outcome_of(night, PHASE, 0) or _consolidate(night)
    is_broken = bool(outcome.counts.get("candidates_unproved"))
    return PhaseResult(
        status=PhaseStatus.DEGRADED if is_broken else PhaseStatus.DONE,
        counts=outcome.counts,
        refusals=outcome.refusals,
        reason="an answer stayed refused after four tries" if is_broken else "",
    )


def _consolidate(night: Night) -> Outcome:
    whole = begin_step(night, PHASE, 0, "")
    offered = offer_sessions(night)
    counts: Counter[str] = Counter(_offer_counts(night, offered))
    refusals: list[Refusal] = []
    by_id = {session.id: session for session in night.sessions}
    plans = _plans(night, offered)
    total = sum(plan.bytes for plan in plans)
    done = 0
    for plan in plans:
        if _is_out_of_time(night, done, plan.bytes):
            break
        night.progress.step(f"{plan.project or 'no project'}: {len(plan.new)} new", done, total)
        outcome = outcome_of(night, PHASE, plan.number) or _work(night, plan, by_id)
        counts.update(outcome.counts)
        refusals.extend(outcome.refusals)
        done += plan.bytes
    counts["sessions_waiting"] = counts["sessions_eligible"] - counts["sessions_consolidated"] - counts["sessions_gone"]
    outcome = Outcome(counts=dict(counts), refusals=tuple(refusals))
    if not night.options.dry_run:
        with ending(night, whole, outcome):
            pass
    return outcome


def offer_sessions(night: Night) -> Offer:
    """The sessions this night may work on."""
    marks = read_marks(night.state, night.record.profile)
    return offer(night.sessions, lambda s: first_new_lines(s, marks), night.moment, again=night.options.again)


def _offer_counts(night: Night, offered: Offer) -> dict[str, int]:
    return {
        "sessions_found": len(night.sessions),
        "sessions_eligible": len(offered.sessions),
        "sessions_known": len(offered.known),
        "sessions_unsettled": offered.unsettled,
        "sessions_copies": offered.copies,
        "sessions_empty": offered.empty,
        "sessions_small": offered.small,
    }


def _plans(night: Night, offered: Offer) -> tuple[BatchPlan, ...]:
    """The batches this night wrote down before it was killed, then those that are left."""
    rows = night.state.connection.execute(
        "SELECT plan FROM steps WHERE run_id = ? AND name = ? AND number > 0 ORDER BY number",
        (night.record.run_id, PHASE),
    )
    begun = tuple(read_plan(str(row[0])) for row in rows)
    taken = {session for plan in begun for session in plan.new}
    rest = replace(offered, sessions=tuple(pair for pair in offered.sessions if pair[0].id not in taken))
    fresh = tuple(replace(plan, number=len(begun) + plan.number) for plan in group(rest))
    return (*begun, *fresh)


def _is_out_of_time(night: Night, done: int, next_bytes: int) -> bool:
    if not night.options.seconds or not done:
        return False
    spent = night.seconds() - night.began
    return spent + next_bytes * spent / done > night.options.seconds


def _work(night: Night, plan: BatchPlan, by_id: Mapping[SessionId, Session]) -> Outcome:
    step = begin_step(night, PHASE, plan.number, plan.written())
    sessions = [by_id[s] for s in (*plan.new, *plan.context) if s in by_id]
    recordings = tuple(load(session, ends=plan.ends[session.id]) for session in sessions)
    batch = Batch(
        sessions={session.id: session for session in sessions},
        new_from={session.id: plan.new_from[session.id] for session in sessions},
        ends={session.id: plan.ends[session.id] for session in sessions},
    )
    answer, _ = night.engine.propose(recordings, batch.new_from)
    return _apply(night, step, plan, recordings, prove(answer, batch, night.secrets))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of an answer: what is proved, what was refused on the way, and how much stayed unproved."""

    proved: Proved
    refusals: tuple[Refusal, ...]
    unproved: int = 0


def prove(answer: Answer, batch: Batch, secrets: Secrets) -> Verdict:
    """Hand an answer in, dropping what is refused, at most four times.

    A model is told what to fix; a deterministic engine cannot be, so what it cannot prove is left out and counted.
    """
    everything: list[Refusal] = []
    for _ in range(MOST_SUBMISSIONS):
        verdict = check(answer, batch, log=None, secrets=secrets)
        if isinstance(verdict, Proved):
            return Verdict(proved=verdict, refusals=tuple(everything))
        everything.extend(verdict)
        answer = _without(answer, verdict)
    empty = Proved(candidates=(), commitments=(), read_session_ids=answer.read_session_ids)
    unproved = len(answer.candidates) + len(answer.commitments)
    return Verdict(proved=empty, refusals=tuple(everything), unproved=unproved)


def _without(answer: Answer, refusals: Sequence[Refusal]) -> Answer:
    paths = {refusal.path.split(".")[0] for refusal in refusals}
    return Answer(
        candidates=tuple(c for n, c in enumerate(answer.candidates) if f"candidates[{n}]" not in paths),
        commitments=tuple(c for n, c in enumerate(answer.commitments) if f"commitments[{n}]" not in paths),
        read_session_ids=answer.read_session_ids,
    )


def _apply(
    night: Night,
    step: Step,
    plan: BatchPlan,
    recordings: Sequence[Recording],
    verdict: Verdict,
) -> Outcome:
    proved, refusals, unproved = verdict.proved, verdict.refusals, verdict.unproved
    proposals = propose_memories(proved.candidates, memory_surroundings(night, step.base, plan.project, recordings))
    promises = [promise_of(c, run_id=night.record.run_id, project=plan.project) for c in proved.commitments]
    refused = {r.path.split(".")[0] for r in refusals}
    counts = Counter(proposals.counts)
    counts.update(
        batches=1,
        sessions_consolidated=sum(r.session.id in plan.new for r in recordings),
        sessions_gone=len(plan.new) - sum(r.session.id in plan.new for r in recordings),
        bytes=plan.bytes,
        candidates=len(proved.candidates) + sum(p.startswith("candidates") for p in refused) + unproved,
        candidates_refused=sum(p.startswith("candidates") for p in refused),
        candidates_unproved=unproved,
        commitments=len(proved.commitments) + sum(p.startswith("commitments") for p in refused),
        commitments_refused=sum(p.startswith("commitments") for p in refused),
    )
    outcome = Outcome(counts=dict(counts), refusals=(*refusals, *proposals.refusals))
    if night.options.dry_run:
        return outcome
    commit_actions(night, step, proposals.actions)
    with ending(night, step, outcome) as sql:
        put_items(sql, (item_of(action, night) for action in proposals.actions))
        put_promises(sql, promises)
    return outcome
