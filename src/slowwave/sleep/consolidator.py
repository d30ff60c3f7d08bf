"""Phase 12, trace consolidation: batches of transcripts in, proved memories out, one commit each on ``pending``.

For each batch, in this order: write down what is worked on; read; propose; prove; plan; commit; record. Killed between
any two steps, the next start does the rest and nothing twice. The watermarks move in the phase after.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from slowwave.disk.git import RefMovedError
from slowwave.facts.answer import Proved, ProvedCommitment
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import ASSUMED_BYTES_A_SECOND, COMMITMENT_FLOOR, RATE_SAMPLE_BYTES
from slowwave.facts.refusal import Refusal
from slowwave.proof.contract import Batch
from slowwave.records.recording import Recording
from slowwave.records.session import Session
from slowwave.sleep.asking import Asking
from slowwave.sleep.attempts import forget_attempts, forgive_alone, note_failure, read_attempts, why_aside
from slowwave.sleep.batch_plan import BatchPlan
from slowwave.sleep.commits import commit_actions, item_of
from slowwave.sleep.consent import is_consented
from slowwave.sleep.engine import NOTHING_PROVED, Failure, Reading, Verdict
from slowwave.sleep.items import put_items
from slowwave.sleep.losses import lost_in
from slowwave.sleep.offered import offer_sessions, offered_by, plan_batches, read_offered
from slowwave.sleep.opening import open_batch
from slowwave.sleep.plan import ForeseenBatch, Night, PhaseResult, PhaseStatus
from slowwave.sleep.promises import Promise, known_keys, promise_of, put_promises
from slowwave.sleep.proposals import propose_memories
from slowwave.sleep.steps import Outcome, Step, begin_step, ending, outcome_of
from slowwave.sleep.surroundings import linked_memories, memory_surroundings

PHASE = "trace_consolidation"
_ALWAYS_TOLD = (
    "batches",
    "bytes",
    "sessions_consolidated",
    "sessions_unread",
    "sessions_gone",
    "candidates",
    "commitments",
)
_TRIES = 3  # a person may decide something while a batch is planned; then it is planned again on what stands


def consolidate(night: Night) -> PhaseResult:
    """Work through the night's batches, newest first, until they or the time run out."""
    outcome = outcome_of(night, PHASE, 0) or _consolidate(night)
    return PhaseResult(
        status=PhaseStatus.DEGRADED if outcome.failure else PhaseStatus.DONE,
        counts=outcome.counts,
        refusals=outcome.refusals,
        reason=outcome.failure,
    )


def _consolidate(night: Night) -> Outcome:
    found = offer_sessions(night)
    whole = begin_step(night, PHASE, 0, offered_by(found, len(night.sessions)).written())
    offered = read_offered(whole.plan)
    plans = plan_batches(night, PHASE, found, offered)
    asking, waiting = _walk(night, plans)
    outcomes = tuple(asking.outcomes)
    counts: Counter[str] = Counter({**dict.fromkeys(_ALWAYS_TOLD, 0), **offered.counts})
    for one in outcomes:
        counts.update(one.counts)
    counts["sessions_waiting"] = sum(len(plan.new) for plan in waiting)
    counts["sessions_gone"] += len(offered.sessions) - sum(len(plan.new) for plan in plans)
    outcome = Outcome(
        counts=dict(counts),
        refusals=(*(refusal for one in outcomes for refusal in one.refusals), *_aside(night, found.aside)),
        failure="; ".join(dict.fromkeys(one.failure for one in outcomes if one.failure)),
    )
    if not night.options.dry_run:
        with ending(night, whole, outcome) as sql:
            forgive_alone(sql, asking.forgiven(), profile=night.record.profile)
    return outcome


def _aside(night: Night, sessions: Sequence[Session]) -> tuple[Refusal, ...]:
    attempts = read_attempts(night.state, night.record.profile) if sessions else {}
    return tuple(why_aside(session, attempts) for session in sessions)


def _walk(night: Night, plans: Sequence[BatchPlan]) -> tuple[Asking, list[BatchPlan]]:
    """Work batch by batch: what each came to, and those that wait for another night.

    Where nobody can be asked any more, rules still read what is too small to be asked about.
    """
    by_id = {session.id: session for session in night.sessions}
    asking, waiting = Asking(), list[BatchPlan]()
    total, done, began = sum(plan.bytes for plan in plans), 0, night.seconds()
    is_late = False
    for plan in plans:
        rate = _rate(done, night.seconds() - began)
        is_late = is_late or (done > 0 and _is_out_of_time(night, plan.bytes, rate=rate))
        is_asked = _is_asked_about(night, plan)
        if is_late or (asking.is_over and is_asked):
            waiting.append(plan)
            continue
        night.progress.step(f"{plan.project or 'no project'}: {len(plan.new)} new", done, total)
        outcome = outcome_of(night, PHASE, plan.number) or _work(night, plan, by_id, is_first=asking.is_first)
        asking.take(plan, outcome, was_asked=is_asked)
        done += plan.bytes
    return asking, waiting


def _sizes(plan: BatchPlan) -> list[int]:
    """Bytes of each new session of a batch."""
    return [sum(plan.ends[session]) for session in plan.new]


def _is_asked_about(night: Night, plan: BatchPlan) -> bool:
    """Whether a batch is for the night's own engine, and not so small that rules read it instead."""
    return not night.engine.least_bytes or night.engine.estimate(_sizes(plan)) is not None


def _rate(done: int, spent: float) -> float:
    """Bytes a second: as measured in this night, or as assumed as long as too little was read to tell."""
    return done / spent if done >= RATE_SAMPLE_BYTES and spent > 0 else ASSUMED_BYTES_A_SECOND


def _is_out_of_time(night: Night, next_bytes: int, *, rate: float) -> bool:
    """Whether the next batch would end after the night's time; the first one is always taken."""
    if not night.options.seconds:
        return False
    return night.seconds() - night.began + next_bytes / rate > night.options.seconds


def _work(night: Night, plan: BatchPlan, by_id: Mapping[SessionId, Session], *, is_first: bool) -> Outcome:
    step = begin_step(night, PHASE, plan.number, plan.written())
    if night.options.dry_run:
        foreseen = _foreseen(night, plan)
        night.batches.append(foreseen)
        if foreseen.estimate is not None:  # whoever is asked costs; a dry run asks nobody
            return Outcome(counts={"batches": 1, "bytes": plan.bytes, "sessions_foreseen": len(plan.new)})
    batch, recordings = open_batch(plan, by_id)
    verdict = _hear(night, plan, batch, recordings, is_first=is_first)
    for _ in range(_TRIES - 1):
        try:
            return _apply(night, step, plan, recordings, verdict)
        except RefMovedError:
            step = begin_step(night, PHASE, plan.number, plan.written())
    return _apply(night, step, plan, recordings, verdict)


def _hear(night: Night, plan: BatchPlan, batch: Batch, recordings: tuple[Recording, ...], *, is_first: bool) -> Verdict:
    """What the engine finds, as long as its person lets transcripts go to where it sends them."""
    destination = night.engine.destination
    if _is_asked_about(night, plan) and not is_consented(night.state, destination):
        message = f"the consent that transcripts may go to {destination} was taken back"
        failure = Failure(code="consent_needed", message=message, ends_asking=True)
        return Verdict(proved=NOTHING_PROVED, refusals=(), counts={}, failure=failure)
    verdict = night.engine.hear(_reading(night, plan, batch, recordings))
    if is_first and verdict.failure is not None and verdict.failure.blames_first:
        return replace(verdict, failure=replace(verdict.failure, blames_batch=True))
    return verdict


def _foreseen(night: Night, plan: BatchPlan) -> ForeseenBatch:
    sizes = _sizes(plan)
    return ForeseenBatch(
        id=plan.id, project=plan.project, sessions=len(sizes), bytes=sum(sizes), estimate=night.engine.estimate(sizes)
    )


def _reading(night: Night, plan: BatchPlan, batch: Batch, recordings: tuple[Recording, ...]) -> Reading:
    return Reading(
        batch_id=plan.id,
        run_id=night.record.run_id,
        batch=batch,
        recordings=recordings,
        # Rules look into no index, so that a night without a model need not look up who is linked to what.
        linked=linked_memories(night, tuple(batch.sessions)) if night.engine.destination else {},
        say=lambda text: night.progress.step(f"{plan.project or 'no project'}: {text}", 0, 0),
    )


def _apply(night: Night, step: Step, plan: BatchPlan, recordings: Sequence[Recording], verdict: Verdict) -> Outcome:
    proved, failure = verdict.proved, verdict.failure
    around = memory_surroundings(night, step.base, plan.project, recordings)
    proposals = propose_memories(proved.candidates, replace(around, engine=verdict.profile or around.engine))
    promises, fates = _promises(night, proved.commitments, plan.project)
    read = _read(plan, recordings, proved)
    lost = lost_in(recordings, plan.new_from)
    counts = {**verdict.counts, **proposals.counts, **fates, **_session_counts(plan, recordings, read), **lost.counts}
    outcome = Outcome(
        counts={**counts, **_asked(verdict), "batches_failed": int(failure is not None)},
        refusals=(*verdict.refusals, *_failed(plan, verdict), *proposals.refusals, *lost.refusals),
        read=read,
        failure=failure.message if failure else "",
        ends_asking=failure.ends_asking if failure else False,
    )
    if night.options.dry_run:
        night.foreseen.extend(proposals.actions)
        night.promised.extend(promises)
        return outcome
    commit_actions(night, step, proposals.actions)
    with ending(night, step, outcome) as sql:
        put_items(sql, (item_of(action, night) for action in proposals.actions))
        put_promises(sql, promises)
        forget_attempts(sql, read, profile=night.record.profile)
        if failure is not None:
            note_failure(sql, plan, failure, profile=night.record.profile)
    return outcome


def _failed(plan: BatchPlan, verdict: Verdict) -> tuple[Refusal, ...]:
    failure = verdict.failure
    return (Refusal(code=failure.code, path=plan.id, message=failure.message),) if failure else ()


def _asked(verdict: Verdict) -> dict[str, int]:
    """What asking used, in numbers that add up over a night; nothing where nobody was asked."""
    used = verdict.usage
    if not used.calls:
        return {}
    return {
        "model_calls": used.calls,
        "model_input_tokens": used.input_tokens,
        "model_output_tokens": used.output_tokens,
        "model_micro_usd": used.micro_usd,
    }


def _read(plan: BatchPlan, recordings: Sequence[Recording], proved: Proved) -> tuple[SessionId, ...]:
    """The new sessions that were there and that the answer says were read; only these are marked."""
    there = {recording.session.id for recording in recordings}
    claimed = set(proved.read_session_ids)
    return tuple(session for session in plan.new if session in there and session in claimed)


def _session_counts(plan: BatchPlan, recordings: Sequence[Recording], read: Sequence[SessionId]) -> dict[str, int]:
    there = {recording.session.id for recording in recordings}
    gone = sum(session not in there for session in plan.new)
    return {
        "batches": 1,
        "bytes": plan.bytes,
        "sessions_consolidated": len(read),
        "sessions_gone": gone,
        "sessions_unread": len(plan.new) - gone - len(read),
    }


def _promises(
    night: Night, commitments: Sequence[ProvedCommitment], project: str
) -> tuple[list[Promise], dict[str, int]]:
    """Commitments worth keeping, each once, and where the others went."""
    known = known_keys(night.state) | {promise.source_key for promise in night.promised}
    kept: dict[str, Promise] = {}
    fates: Counter[str] = Counter()
    for proved in commitments:
        promise = promise_of(proved, run_id=night.record.run_id, project=project)
        if proved.commitment.actor == "other":
            fates["commitments_of_others"] += 1
        elif proved.commitment.confidence < COMMITMENT_FLOOR:
            fates["commitments_unsure"] += 1
        elif promise.source_key in known or promise.source_key in kept:
            fates["commitments_known"] += 1
        else:
            fates["commitments_kept"] += 1
            kept[promise.source_key] = promise
    return list(kept.values()), dict(fates)
