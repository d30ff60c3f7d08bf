"""The contract: an answer is believed whole or refused whole, whoever proposed it.

``parse_answer`` reads its closed form, ``check`` holds every quote against the record. Each refusal carries a code of
spec 03, the path of the offender and a sentence that says what to change; all of them come back together, those about
the log first, then in the order of the answer.
"""

from slowwave.facts.answer import Answer, Proved
from slowwave.facts.evidence import Quote
from slowwave.facts.limits import MOST_QUOTES
from slowwave.facts.refusal import Refusal
from slowwave.proof.answer_schema import parse_answer
from slowwave.proof.batch import Batch, whole_batch
from slowwave.proof.candidates import judge_candidate
from slowwave.proof.commitments import judge_commitment
from slowwave.proof.quotes import find_quotes
from slowwave.proof.receipt import Call, ReadLog, check_receipt, claimed, parse_log
from slowwave.proof.secret_finder import SecretFinder
from slowwave.proof.verdict import Court

__all__ = ["Batch", "Call", "ReadLog", "check", "parse_answer", "parse_log", "whole_batch"]


def check(answer: Answer, batch: Batch, *, log: ReadLog | None, secrets: SecretFinder) -> Proved | tuple[Refusal, ...]:
    """Hold an answer against the sessions it was made from.

    Args:
        answer: The parsed answer.
        batch: The sessions that were offered.
        log: The tool calls of the turn; None where whole files were read, so that every session counts as read.
        secrets: What tells a secret from other text.

    Returns:
        The answer with the computed provenance of each quote, or everything that is wrong with it.
    """
    refusals = list(check_receipt(answer, batch, log))
    court = Court(batch=batch, secrets=secrets, found=find_quotes(_quotes(answer), batch, secrets=secrets))
    candidates = [judge_candidate(c, f"candidates[{at}]", court) for at, c in enumerate(answer.candidates)]
    commitments = [judge_commitment(c, f"commitments[{at}]", court) for at, c in enumerate(answer.commitments)]
    refusals.extend(refusal for candidate in candidates for refusal in candidate.refusals)
    refusals.extend(refusal for commitment in commitments for refusal in commitment.refusals)
    refusals.extend(
        Refusal(
            code="unknown_session",
            path=f"readSessionIds[{at}]",
            message="This session is not in the batch; name only sessions that list_sessions gave.",
        )
        for at, session_id in claimed(answer)
        if session_id not in batch.sessions
    )
    if refusals:
        return tuple(refusals)
    return Proved(
        candidates=tuple(verdict.proved for verdict in candidates if verdict.proved is not None),
        commitments=tuple(verdict.proved for verdict in commitments if verdict.proved is not None),
        read_session_ids=tuple(session_id for _, session_id in claimed(answer)),
    )


def _quotes(answer: Answer) -> list[Quote]:
    """The quotes worth looking for: of a candidate with too many only as many as it may have."""
    quotes = [quote for candidate in answer.candidates for quote in candidate.evidence[:MOST_QUOTES]]
    return [*quotes, *(commitment.evidence for commitment in answer.commitments)]
