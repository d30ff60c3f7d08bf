"""Hearing an answer: handed to the contract, what is refused left out, at most four times; every loss counted."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from slowwave.facts.answer import Answer, Candidate, Proved
from slowwave.facts.limits import FEWEST_QUOTES, MOST_SUBMISSIONS
from slowwave.facts.refusal import Refusal
from slowwave.proof.contract import Batch, check
from slowwave.records.secrets import Secrets
from slowwave.sleep.engine import NOTHING_PROVED, Failure, Verdict

_DISPENSABLE = frozenset({"quote_trivial", "same_evidence"})
"""Codes that say a quote adds nothing, not that anything is false: the others may carry the claim without it."""


STAYED_REFUSED = Failure(
    code="answer_refused", message=f"an answer stayed refused after {MOST_SUBMISSIONS} tries", blames_batch=True
)


def prove(answer: Answer, batch: Batch, secrets: Secrets, findings: Mapping[str, Any] | None = None) -> Verdict:
    """Hand an answer in, dropping what is refused, at most four times; only the quote, where that will do.

    A model is told what to fix; a deterministic engine cannot be, so what it cannot prove is left out and counted.
    An answer that stays refused proves nothing, not even that a session was read.
    """
    left = answer
    everything: list[Refusal] = []
    for _ in range(MOST_SUBMISSIONS):
        verdict = check(left, batch, log=None, secrets=secrets)
        if isinstance(verdict, Proved):
            counts = ends_of(answer, left, is_proved=True)
            return Verdict(proved=verdict, refusals=tuple(everything), counts=counts, findings=findings or {})
        everything.extend(verdict)
        left = _without(left, verdict)
    return Verdict(
        proved=NOTHING_PROVED,
        refusals=tuple(everything),
        counts=ends_of(answer, left, is_proved=False),
        failure=STAYED_REFUSED,
        findings=findings or {},
    )


def ends_of(answer: Answer, left: Answer, *, is_proved: bool) -> dict[str, int]:
    """Where the proposals of an answer went, given what was left of it in the end."""
    return {
        "candidates": len(answer.candidates),
        "candidates_refused": len(answer.candidates) - len(left.candidates),
        "candidates_unproved": 0 if is_proved else len(left.candidates),
        "commitments": len(answer.commitments),
        "commitments_refused": len(answer.commitments) - len(left.commitments),
        "commitments_unproved": 0 if is_proved else len(left.commitments),
        "answers_unproved": int(not is_proved),
    }


def _without(answer: Answer, refusals: Sequence[Refusal]) -> Answer:
    faults: dict[str, set[str]] = {}
    for refusal in refusals:
        proposal, _, place = refusal.path.partition(".")
        is_one_quote = refusal.code in _DISPENSABLE and place.startswith("evidence[")
        faults.setdefault(proposal, set()).add(place if is_one_quote else "")
    candidates = (_without_quotes(c, faults.get(f"candidates[{n}]", set())) for n, c in enumerate(answer.candidates))
    return Answer(
        candidates=tuple(candidate for candidate in candidates if candidate is not None),
        commitments=tuple(c for n, c in enumerate(answer.commitments) if f"commitments[{n}]" not in faults),
        read_session_ids=answer.read_session_ids,
    )


def _without_quotes(candidate: Candidate, faults: Container[str]) -> Candidate | None:
    """The candidate without quotes that add nothing, where enough are left to carry it; else None."""
    if "" in faults:
        return None
    kept = tuple(q for n, q in enumerate(candidate.evidence) if f"evidence[{n}].quote" not in faults)
    return replace(candidate, evidence=kept) if len(kept) >= FEWEST_QUOTES else None
