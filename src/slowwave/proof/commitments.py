"""Judging a commitment: its quote stands in the own words of the one who committed himself, with the date if any."""

from datetime import date

from slowwave.facts.answer import Commitment, ProvedCommitment
from slowwave.facts.evidence import Speaker
from slowwave.facts.refusal import Refusal
from slowwave.proof.dates import names_date
from slowwave.proof.places import Place
from slowwave.proof.verdict import Court, Verdict


def judge_commitment(commitment: Commitment, path: str, court: Court) -> Verdict[ProvedCommitment]:
    """Prove a commitment, or say everything that speaks against it."""
    where = f"{path}.evidence"
    refusals = [
        *court.text_refusals(commitment.statement, f"{path}.statement"),
        *court.quote_refusals(commitment.evidence, where),
    ]
    places = court.places(commitment.evidence)
    own = tuple(place for place in places if _may_commit(place, commitment.actor))
    if places and not own:
        refusals.append(
            Refusal(
                code="speaker_mismatch",
                path=f"{where}.quote",
                message=f"These are not the {commitment.actor}'s own words; quote those, or name another actor.",
            )
        )
    if commitment.due_hint is not None and not names_date(
        commitment.evidence.quote, date.fromisoformat(commitment.due_hint)
    ):
        refusals.append(
            Refusal(
                code="due_not_in_quote",
                path=f"{path}.dueHint",
                message="The quote does not write this date; leave dueHint out, or quote the words that name it.",
            )
        )
    if refusals or not own:
        return Verdict(proved=None, refusals=tuple(refusals))
    proved = ProvedCommitment(commitment=commitment, evidence=own[0].evidence(commitment.evidence))
    return Verdict(proved=proved, refusals=())


def _may_commit(place: Place, actor: str) -> bool:
    """Whether a promise of this actor can be quoted here; what somebody else owes may stand anywhere."""
    return actor == "other" or place.is_promise_of is Speaker(actor)
