"""Phase 16, report: what the night did, in numbers that add up; one page in the corpus, one JSON for the person.

The page holds only what a resumed night would say again: no seconds, no locks found. It names paths and counts, never a
quote.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from slowwave.facts.action import AppendNote
from slowwave.facts.ids import ItemId, MemoryPath, item_id
from slowwave.facts.moment import stamp
from slowwave.facts.usage import MICRO
from slowwave.sleep.commits import commit_actions, item_of
from slowwave.sleep.items import Item, put_items, read_items
from slowwave.sleep.nights import finish
from slowwave.sleep.pending import pending_commits
from slowwave.sleep.plan import PENDING, ForeseenBatch, Night, PhaseResult, PhaseRun, PhaseStatus
from slowwave.sleep.steps import Outcome, begin_step, ending

PHASE = "report"
_ON_THE_PAGE = ("trace_consolidation", "task_detection")
_CANDIDATE_ENDS = (
    "written",
    "reinforced",
    "known",
    "already_proposed",
    "rejected_before",
    "self_reinforcement",
    "refused_by_gate",
    "candidates_refused",
    "candidates_unproved",
)
_COMMITMENT_ENDS = (
    "commitments_kept",
    "commitments_known",
    "commitments_of_others",
    "commitments_unsure",
    "commitments_refused",
    "commitments_unproved",
)
_SESSION_ENDS = (
    "sessions_eligible",
    "sessions_known",
    "sessions_unsettled",
    "sessions_copies",
    "sessions_empty",
    "sessions_set_aside",
)
_ELIGIBLE_ENDS = (
    "sessions_consolidated",
    "sessions_unread",
    "sessions_gone",
    "sessions_waiting",
    "sessions_foreseen",
)
_SUMS = (
    ("sessions_found", "sessions were found", _SESSION_ENDS),
    ("sessions_eligible", "sessions were eligible", _ELIGIBLE_ENDS),
    ("candidates", "candidates were proposed", _CANDIDATE_ENDS),
    ("commitments", "commitments were proposed", _COMMITMENT_ENDS),
)


def report(night: Night) -> PhaseResult:
    """Check that the counts add up, and commit the night's page where the night wrote anything."""
    faults = imbalances(night.walked)
    items = items_of(night)
    if items and not night.options.dry_run:
        step = begin_step(night, PHASE, 1, "")
        page = MemoryPath(f"reports/{night.moment.date().isoformat()}-{night.record.run_id}.md")
        note = AppendNote(item=item_id("report", night.record.run_id), path=page, text=_page(night, items))
        commit_actions(night, step, (note,))
        with ending(night, step, Outcome(counts={"pages": 1})) as sql:
            put_items(sql, (item_of(note, night),))
    return PhaseResult(
        status=PhaseStatus.DEGRADED if faults else PhaseStatus.DONE,
        counts={"items": len(items)},
        reason="; ".join(faults),
    )


def imbalances(walked: Sequence[PhaseRun]) -> tuple[str, ...]:
    """Sums of the night that do not come out; empty when every session and proposal is accounted for."""
    counts = next((run.result.counts for run in walked if run.name == "trace_consolidation"), {})
    faults: list[str] = []
    for name, what, ends in _SUMS:
        total, ended = counts.get(name, 0), sum(counts.get(end, 0) for end in ends)
        if total != ended:
            faults.append(f"{total} {what}, {ended} are accounted for")
    return tuple(faults)


def items_of(night: Night) -> tuple[Item, ...]:
    """What this night proposed, or would have; pages left out."""
    if night.options.dry_run:
        return tuple(item_of(action, night) for action in night.foreseen)
    return tuple(i for i in read_items(night.state) if i.run_id == night.record.run_id and i.type != "report")


def describe(night: Night) -> Mapping[str, Any]:
    """The whole night as data (spec 09): run, branch, phases, memories, tasks."""
    commits = {commit.item: commit.commit for commit in pending_commits(night.door)}
    items = items_of(night)
    return {
        "run": night.record.run_id,
        "moment": stamp(night.moment),
        "engine": night.record.profile,
        "branch": PENDING,
        "dryRun": night.options.dry_run,
        "batches": [_batch(batch) for batch in night.batches],
        "phases": [_phase(run) for run in night.walked],
        "memories": [_memory(i, commits) for i in items if i.type in ("memory", "reinforce")],
        "tasks": [_memory(i, commits) for i in items if i.type in ("task", "close")],
    }


def close_night(night: Night) -> Mapping[str, Any]:
    """Finish the night on disk with its report, and return that."""
    described = describe(night)
    if not night.options.dry_run:
        finish(night.state, night.record.run_id, json.dumps(described))
    return described


def _batch(batch: ForeseenBatch) -> Mapping[str, Any]:
    estimate = batch.estimate
    return {
        "id": batch.id,
        "project": batch.project,
        "sessions": batch.sessions,
        "bytes": batch.bytes,
        "estimate": {
            "calls": estimate.calls,
            "inputTokens": estimate.input_tokens,
            "outputTokens": estimate.output_tokens,
            "usd": None if estimate.micro_usd is None else estimate.micro_usd / MICRO,
        }
        if estimate
        else None,
    }


def _phase(run: PhaseRun) -> Mapping[str, Any]:
    return {
        "name": run.name,
        "status": run.result.status,
        "counts": dict(run.result.counts),
        "refusals": [{"code": r.code, "path": r.path, "message": r.message} for r in run.result.refusals],
        "reason": run.result.reason,
        "seconds": round(run.seconds, 3),
    }


def _memory(item: Item, commits: Mapping[ItemId, str]) -> Mapping[str, Any]:
    return {
        "item": item.id,
        "type": item.type,
        "path": item.path,
        "kind": item.kind,
        "claim": item.claim,
        "commit": commits.get(item.id, ""),
    }


def _page(night: Night, items: Sequence[Item]) -> str:
    lines = [
        f"# Night of {night.moment.date().isoformat()}",
        "",
        f"Run `{night.record.run_id}`, engine `{night.record.profile}`.",
    ]
    for run in night.walked:
        if run.name not in _ON_THE_PAGE:
            continue
        lines += ["", f"## {run.name.replace('_', ' ').capitalize()}", ""]
        # What asking used is not said again by a replay, which asks nobody; `slowwave cost` tells it.
        told = {name: count for name, count in run.result.counts.items() if not name.startswith("model_")}
        lines += [f"- {name.replace('_', ' ')}: {count:,}" for name, count in sorted(told.items())]
        lines += [f"- refused `{r.path}`: {r.code}" for r in run.result.refusals]
    lines += ["", "## Written", "", *(f"- {item.type}: `{item.path}`" for item in items)]
    return "\n".join(lines) + "\n"
