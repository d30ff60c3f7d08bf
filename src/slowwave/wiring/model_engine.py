"""The model engine: one conversation a batch, recorded before it is believed, heard again from its record."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from time import monotonic, sleep

from slowwave.disk.config import ConfigError, ModelSettings
from slowwave.facts import limits
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import ExtraMissingError, NewerFormatError
from slowwave.models.ask import Talk, converse
from slowwave.models.budget import Budget, BudgetUnreadableError, Purse
from slowwave.models.keys import KeyUnavailableError, read_key
from slowwave.models.prices import Price, price_of
from slowwave.models.providers import check, destination_of
from slowwave.records.secrets import Secrets
from slowwave.sleep import consolidator
from slowwave.sleep.engine import NOTHING_PROVED, Engine, Estimate, Failure, Reading, Verdict, is_all_small
from slowwave.sleep.instructions import instructions, instructions_digest, message_of
from slowwave.sleep.leads import leads_of
from slowwave.sleep.replaying import replay
from slowwave.sleep.turn import Turn
from slowwave.sleep.turns import ANSWERED, TurnBook, TurnRecord
from slowwave.wiring.consolidating import draw_nonce
from slowwave.wiring.foreseen import usual_usage
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import open_budget

_UNASKABLE = (BudgetUnreadableError, NewerFormatError, KeyUnavailableError, ConfigError, ExtraMissingError)
"""Trouble before a first request: a closed ledger, a missing key, settings or packages."""
_ENDS = {
    "gave_up": Failure(code="model_gave_up", message="", blames_batch=True),
    "circling": Failure(code="model_circling", message="", blames_batch=True),
    "limit": Failure(code="model_limit", message="", blames_batch=True),
    "declined": Failure(code="model_declined", message="", blames_batch=True),
    "slow": Failure(code="model_slow", message="", blames_batch=True),
    "cut": Failure(code="model_cut", message="", blames_batch=True),
    "bad_request": Failure(code="model_bad_request", message="", blames_batch=True),
    "budget": Failure(code="model_budget", message="", ends_asking=True),
    "unavailable": Failure(code="model_unavailable", message="", ends_asking=True),
}
"""Ends of a conversation without an accepted answer: what the batch itself may have caused brings it back in halves."""


def model_engine(house: Premises, mined: Engine, *, leads: bool, keep_turns: bool) -> Engine:
    """The engine that asks the configured model.

    Raises:
        ConfigError: No model is configured, or its settings cannot be used.
    """
    settings = house.config.models
    check(settings)
    return ModelEngine(
        settings=settings,
        mined=mined,
        secrets=house.secrets,
        book=TurnBook(house.home.runs),
        budget=lambda: open_budget(house),
        key=lambda: read_key(settings, house.environment),
        clock=house.clock,
        has_leads=leads,
        keep_turns=keep_turns,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEngine:
    """Asks a model about each batch of sessions that are large enough; the rules read the small ones.

    Attributes:
        settings: Which model, where.
        mined: Who reads small sessions, and finds the leads.
        secrets: What tells a secret.
        book: Where turns are recorded.
        budget: Opens what calls are reserved in.
        key: Finds the provider's key.
        clock: The present.
        has_leads: Whether mined findings are shown as places to look.
        keep_turns: Whether records outlive the decision.
    """

    settings: ModelSettings
    mined: Engine
    secrets: Secrets
    book: TurnBook
    budget: Callable[[], Budget]
    key: Callable[[], str]
    clock: Clock
    has_leads: bool
    keep_turns: bool
    name: str = "model"
    least_bytes: int = limits.SMALL_SESSION_BYTES

    @property
    def profile(self) -> str:
        """Another model is another reader. The number goes up by hand where the policy changes what is found."""
        return f"model/1 {self.settings.provider}:{self.settings.model}"

    @property
    def destination(self) -> str:
        """The provider at its host."""
        return destination_of(self.settings)

    def estimate(self, sizes: Sequence[int]) -> Estimate | None:
        """What reading large sessions may use, at the calls and tokens that are usual; None where all are small."""
        used = usual_usage(sizes, least_bytes=self.least_bytes)
        if used is None:
            return None
        price = self._price()
        return Estimate(
            calls=used.calls,
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            micro_usd=price.cost(used) if price else None,
        )

    def _price(self) -> Price | None:
        return price_of(self.settings.provider, self.settings.model, on=self.clock().date(), settings=self.settings)

    def hear(self, reading: Reading) -> Verdict:
        """Ask about a batch, unless this night has asked before; what was recorded is what is believed."""
        if is_all_small(reading, self.least_bytes):
            return replace(self.mined.hear(reading), profile=self.mined.profile)
        kept = self.book.read(reading.batch_id, self.profile) if reading.run_id else None
        if kept is not None and kept.run_id == reading.run_id and kept.status == ANSWERED:
            return replay(kept, reading, self.secrets)
        try:
            return self._ask(reading)
        except _UNASKABLE as error:  # nobody can be asked tonight; all else goes on
            failure = Failure(code=error.code, message=error.message, ends_asking=True)
            return Verdict(proved=NOTHING_PROVED, refusals=(), counts={}, failure=failure)

    def _ask(self, reading: Reading) -> Verdict:
        nonce = draw_nonce()
        leads = leads_of(self.mined.hear(reading), reading) if self.has_leads else {}
        turn = Turn(reading, secrets=self.secrets, nonce=nonce, leads=leads)
        with closing(self.budget()) as budget:
            talk = converse(
                self.settings,
                turn,
                instructions=instructions(),
                message=message_of(reading, nonce=nonce, has_leads=bool(leads)),
                purse=_purse(budget, reading),
                price=self._price(),
                key=self.key(),
                sleeper=sleep,
                stopwatch=monotonic,
                say=reading.say,
            )
        self._record(reading, turn, talk, nonce)
        verdict = replace(turn.verdict(), usage=talk.usage)
        return verdict if verdict.failure is None else replace(verdict, failure=_failure(talk, verdict.failure))

    def _record(self, reading: Reading, turn: Turn, talk: Talk, nonce: str) -> None:
        record = TurnRecord(
            batch_id=reading.batch_id,
            profile=self.profile,
            run_id=reading.run_id,
            moment=self.clock(),
            nonce=nonce,
            policy=instructions_digest(),
            asked=f"{self.settings.provider}:{self.settings.model}",
            calls=turn.calls,
            status=talk.status,
            message=talk.message,
            usage=talk.usage,
            keep=self.keep_turns,
        )
        if reading.run_id:
            self.book.write(record)


def _purse(budget: Budget, reading: Reading) -> Purse:
    """What a batch is paid from, with the reason that ``slowwave cost`` shows; outside a night it is the verb's."""
    if not reading.batch_id:
        return budget.purse("night", run_id="", reason="sessions of a folder", phase="consolidate")
    return budget.purse("night", run_id=reading.run_id, reason=f"batch {reading.batch_id}", phase=consolidator.PHASE)


def _failure(talk: Talk, otherwise: Failure) -> Failure:
    """Why a turn without an accepted answer ended: the contract's own reason where it was refused to the end."""
    known = _ENDS.get(talk.status)
    if known is None:
        return otherwise
    is_cut_short = talk.status == "budget" and talk.requests > 0
    return replace(known, message=talk.message, blames_first=is_cut_short)
