"""Hearing an answer: handed to the contract, what is refused left out, at most four times; every loss counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from slowwave.facts.answer import Answer, Proved
from slowwave.facts.limits import MOST_SUBMISSIONS
from slowwave.facts.refusal import Refusal
from slowwave.proof.contract import Batch, check
from slowwave.records.secrets import Secrets


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of an answer: what is proved, what was refused on the way, and where each proposal went."""

    proved: Proved
    refusals: tuple[Refusal, ...]
    counts: Mapping[str, int]


def prove(answer: Answer, batch: Batch, secrets: Secrets) -> Verdict:
    """Hand an answer in, dropping what is refused, at most four times.

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
    paths = {refusal.path.split(".")[0] for refusal in refusals}
    return Answer(
        candidates=tuple(c for n, c in enumerate(answer.candidates) if f"candidates[{n}]" not in paths),
        commitments=tuple(c for n, c in enumerate(answer.commitments) if f"commitments[{n}]" not in paths),
        read_session_ids=answer.read_session_ids,
    )
