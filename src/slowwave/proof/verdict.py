"""What judging one candidate or commitment needs and gives, and the checks that both share."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from slowwave.facts.evidence import Quote
from slowwave.facts.refusal import Refusal
from slowwave.proof.batch import Batch
from slowwave.proof.places import Place
from slowwave.proof.quotes import Found
from slowwave.proof.secret_finder import SecretFinder
from slowwave.proof.triviality import is_trivial

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(Generic[T]):
    """Either what was proved, or everything that speaks against it."""

    proved: T | None
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Court:
    """What every judgement looks at: the sessions offered, where the quotes stand, what a secret is."""

    batch: Batch
    secrets: SecretFinder
    found: Found

    def places(self, quote: Quote) -> tuple[Place, ...]:
        """Where a quote stands, best first."""
        return self.found.places.get(quote, ())

    def quote_refusals(self, quote: Quote, path: str) -> Iterator[Refusal]:
        """What is wrong with one quote by itself: its session, a secret, its size, or that it stands nowhere."""
        if quote.session_id not in self.batch.sessions:
            yield Refusal(
                code="unknown_session",
                path=f"{path}.sessionId",
                message="This session is not in the batch; cite only sessions that list_sessions gave.",
            )
            return
        where = f"{path}.quote"
        if is_trivial(quote.quote):
            yield Refusal(
                code="quote_trivial", path=where, message="This quote is too small to prove anything; quote more words."
            )
        places = self.places(quote)
        if self.secrets.holds_secret_or_mask(quote.quote) or any(place.is_secret for place in places):
            yield _secret(where)
        elif not places:
            yield Refusal(code="quote_not_found", path=where, message=self._why_not_found(quote))

    def text_refusals(self, text: str, path: str) -> Iterator[Refusal]:
        """Whether a text in the answer's own words holds a secret or a mask."""
        if self.secrets.holds_secret_or_mask(text):
            yield _secret(path)

    def _why_not_found(self, quote: Quote) -> str:
        if quote.session_id in self.found.unreadable:
            return "The session's file cannot be read at present; leave the session out."
        return (
            "These words do not stand in one text of the cited session; copy them verbatim from one message or field."
        )


def _secret(path: str) -> Refusal:
    return Refusal(
        code="masked_secret", path=path, message="This holds a secret, a part or a mask of one; say it without."
    )
