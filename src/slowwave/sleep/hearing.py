"""Hearing an answer: handed to the contract, what is refused left out, at most four times; every loss counted."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from slowwave.facts.answer import Answer, Candidate, Proved
from slowwave.facts.limits import FEWEST_QUOTES, MOST_SUBMISSIONS
from slowwave.facts.refusal import Refusal
from slowwave.proof.contract import Batch, check
from slowwave.records.secrets import Secrets

_DISPENSABLE = frozenset({"quote_trivial", "same_evidence"})
"""Codes that say a quote adds nothing, not that anything is false: the others may carry the claim without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of an answer: what is proved, what was refused on the way, and where each proposal went."""

    proved: Proved
    refusals: tuple[Refusal, ...]
    counts: Mapping[str, int]


def prove(answer: Answer, batch: Batch, secrets: Secrets) -> Verdict:
    """Hand an answer in, dropping what is refused, at most four times; only the quote, where that will do.

    A model is told what to fix; a deterministic engine cannot be, so what it cannot prove is left out and counted.
    An answer that stays refused proves nothing, not even that a session was read.
    """
    left = answer
    everything: list[Refusal] = []
    for _ in range(MOST_SUBMISSIONS):
        verdict = check(left, batch, log=None, secrets=secrets)
        if isinstance(verdict, Proved):
            counts = _ends(answer, left, is_proved=True)
            return Verdict(proved=verdict, refusals=tuple(everything), counts=counts)
        everything.extend(verdict)
        left = _without(left, verdict)
    nothing = Proved(candidates=(), commitments=(), read_session_ids=())
    return Verdict(proved=nothing, refusals=tuple(everything), counts=_ends(answer, left, is_proved=False))


def _ends(answer: Answer, left: Answer, *, is_proved: bool) -> dict[str, int]:
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
