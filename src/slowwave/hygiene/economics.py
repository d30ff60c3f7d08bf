"""Economics: whether a rewrite is worth what it costs at the provider's cache.

A provider keeps the beginning of a conversation for a while and takes little for what it finds there again. A change in
the middle makes all behind it new. So three figures decide: ``B`` tokens in the window before, ``S`` of them saved, and
``T`` standing behind the first change; with the prices ``r`` of a token read from the cache and ``w`` of one written to
it, and ``n`` requests still to come::

    warm, left alone:   n·B·r
    warm, rewritten:    (B - T)·r + (T - S)·w + (n - 1)·(B - S)·r
    gain:               n·S·r - (T - S)·(w - r)
    break-even:         n = (T - S)·(w - r) / (S·r)

In a cold cache all is written anew either way, so that every saved token is a gain from the first request on. At a
compaction it is cold for what it left. A context over its window cannot be sent at all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from slowwave.disk.config import ModelSettings
from slowwave.hygiene import pace as recording
from slowwave.hygiene.caches import cache_of, window_of
from slowwave.hygiene.context import Context
from slowwave.hygiene.thinking import model_name
from slowwave.models.prices import Price, price_of

MIN_SAVED_TOKENS = 2_000  # of a whole answer (spec 06): below it, reading the report costs more than it saves
MIN_SAVED_SHARE = Decimal("0.05")  # of the window (spec 06); whichever of the two is reached first counts
EXPECTED_TURNS = 10  # requests still to come where the recording gives no pace (spec 06)
LIFETIME_SECONDS = 300.0  # of a cache that nobody describes (spec 06)
MOST_TURNS = 10_000  # requests that a break-even is told for; past it, it is never reached
BELOW_MIN_SAVING, CACHE_LOSS = "BELOW_MIN_SAVING", "CACHE_LOSS"
_PROVIDERS = {"anthropic": "anthropic", "openai-chat": "openai", "openai-responses": "openai"}
_LOCAL = Decimal(1)  # of every token where nothing is paid: room in the window is all that counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a rewrite is worth it, and by how much.

    Attributes:
        is_applied: It is.
        code: ``BELOW_MIN_SAVING`` or ``CACHE_LOSS`` where it is not; empty otherwise.
        reason: One sentence.
        saved: Tokens of the window.
        net_tokens: Gain over the expected requests, in tokens that no cache holds; negative for a loss.
        net_money: The same in millionths of a US dollar; None where no price is known.
        break_even_turns: Requests after which a rewrite has paid for itself, 0 for at once; None for never.
        turns: Requests that were expected.
    """

    is_applied: bool
    code: str
    reason: str
    saved: int
    net_tokens: int
    net_money: int | None
    break_even_turns: int | None
    turns: int

    def as_json(self) -> Mapping[str, object]:
        """The figures as commands print them."""
        return {
            "is_applied": self.is_applied,
            "code": self.code,
            "reason": self.reason,
            "saved": self.saved,
            "net_tokens": self.net_tokens,
            "net_money_micros": self.net_money,
            "break_even_turns": self.break_even_turns,
            "expected_turns": self.turns,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Economics:
    """What sending a conversation costs, and how it is going on.

    Attributes:
        input: Price of a token that no cache holds, in any unit.
        cache_read: Of one that the cache holds.
        cache_write: Of one put into it.
        is_money: The prices are millionths of a US dollar; shares of ``input`` otherwise.
        long_from: From how many tokens on a request is dearer; 0 where none is.
        long_factor: By how much.
        lifetime: Seconds that the cache lives after its last use.
        idle: Seconds since then; None where the recording has no times, which counts as cold.
        turns: Requests still to come.
        window: Tokens that fit; 0 where that is not known.
        min_saving: Tokens that have to be saved; None for the two figures of the spec.
    """

    input: Decimal
    cache_read: Decimal
    cache_write: Decimal
    is_money: bool = True
    long_from: int = 0
    long_factor: Decimal = Decimal(1)
    lifetime: float = LIFETIME_SECONDS
    idle: float | None = None
    turns: int = EXPECTED_TURNS
    window: int = 0
    min_saving: int | None = None

    @property
    def is_cold(self) -> bool:
        """Whether the cache has forgotten the conversation."""
        return self.idle is None or self.idle >= self.lifetime

    def weigh(
        self, tokens_before: int, tokens_after: int, tokens_behind_first_edit: int, *, is_at_boundary: bool = False
    ) -> Verdict:
        """Whether a rewrite is worth it.

        Args:
            tokens_before: In the window now.
            tokens_after: In the window then.
            tokens_behind_first_edit: Of the first, those from the first change on.
            is_at_boundary: A compaction was just made, and nothing was sent since.
        """
        saved = max(0, tokens_before - tokens_after)
        behind = min(max(saved, tokens_behind_first_edit), tokens_before)
        is_cold = self.is_cold or is_at_boundary
        once, each = self._once(tokens_before, saved, behind, is_cold=is_cold), self._each(tokens_before, saved)
        break_even = _break_even(once, each)
        code, reason = self._decided(tokens_before, saved, break_even, is_at_boundary=is_at_boundary)
        net = each * (self.turns - 1) - once
        return Verdict(
            is_applied=not code,
            code=code,
            reason=reason,
            saved=saved,
            net_tokens=_down(net / (self.input or _LOCAL)),
            net_money=_down(net if self.input else Decimal(0)) if self.is_money else None,
            break_even_turns=break_even,
            turns=self.turns,
        )

    def _decided(self, before: int, saved: int, break_even: int | None, *, is_at_boundary: bool) -> tuple[str, str]:
        """The code of a refusal, or none, and why."""
        if not self._is_enough(saved, before):
            return BELOW_MIN_SAVING, f"{saved:,} tokens would be saved, which is less than {self._least()}"
        if self.window and before > self.window:
            return "", "the context is larger than its window"
        if is_at_boundary:
            return "", "a compaction has just made the cache worthless"
        if self.is_cold:
            return "", "no cache holds the conversation any more"
        if break_even is not None and break_even <= self.turns:
            return "", f"it has paid for itself after {break_even} of {self.turns} expected requests"
        when = "never" if break_even is None else f"only after {break_even:,} requests"
        return CACHE_LOSS, f"it would pay for itself {when}; {self.turns} are expected while the cache is warm"

    def _is_enough(self, saved: int, before: int) -> bool:
        if self.min_saving is not None:
            return saved >= max(1, self.min_saving)
        return saved > 0 and (saved >= MIN_SAVED_TOKENS or saved >= MIN_SAVED_SHARE * before)

    def _least(self) -> str:
        if self.min_saving is not None:
            return f"{max(1, self.min_saving):,}"
        return f"{MIN_SAVED_TOKENS:,} and less than {MIN_SAVED_SHARE:.0%} of the window"

    def _once(self, before: int, saved: int, behind: int, *, is_cold: bool) -> Decimal:
        """What the first request after a rewrite costs more than without; negative where it costs less."""
        if is_cold:
            return self._sent(0, before - saved) - self._sent(0, before)
        return self._sent(before - behind, behind - saved) - self._sent(before, 0)

    def _each(self, before: int, saved: int) -> Decimal:
        """What every further request costs less."""
        return self._sent(before, 0) - self._sent(before - saved, 0)

    def _sent(self, read: int, written: int) -> Decimal:
        """What a request costs of whose tokens the cache holds some."""
        if not self.input:
            return _LOCAL * (read + written)
        factor = self.long_factor if self.long_from and read + written > self.long_from else Decimal(1)
        # Writing is never cheaper than reading: a table that says so would make a change a gain by itself.
        return (self.cache_read * read + max(self.cache_write, self.cache_read) * written) * factor


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a rewrite is weighed by; what is not said is found in the recording and in the tables.

    Attributes:
        now: The present; None counts as a cold cache.
        min_saving: Tokens that an answer has to save.
        turns: Requests still to come.
        window: Tokens that fit.
        lifetime: Seconds that the cache lives after its last use.
        price: Of the model.
        provider: As the table of prices spells it.
        model: The one that goes on.
    """

    now: datetime | None = None
    min_saving: int | None = None
    turns: int | None = None
    window: int | None = None
    lifetime: float | None = None
    price: Price | None = None
    provider: str = ""
    model: str = ""


def weigh(context: Context, terms: Terms, *, before: int, after: int, first: int) -> tuple[str, str] | None:
    """Why a rewrite of a context is not worth it, as code and sentence; None when it is.

    Args:
        context: The context.
        terms: What it is weighed by.
        before: Tokens in the window now.
        after: Tokens in the window then.
        first: Index of the first change.
    """
    verdict = verdict_of(context, terms, before=before, after=after, first=first)
    return None if verdict.is_applied else (verdict.code, verdict.reason)


def verdict_of(context: Context, terms: Terms, *, before: int, after: int, first: int) -> Verdict:
    """The same with all its figures."""
    behind = sum(item.tokens for item in context.window() if item.index >= first)
    return economics_of(context, terms).weigh(before, after, behind, is_at_boundary=recording.is_at_boundary(context))


def economics_of(context: Context, terms: Terms) -> Economics:
    """How sending a context goes on, by its own times and the tables of prices and caches."""
    model = model_name(terms.model or recording.model_of(context))
    provider = terms.provider or _PROVIDERS.get(context.document.wire.provider, "")
    cache = cache_of(provider, model)
    is_long = bool(cache.long_seconds) and recording.is_kept_long(context)
    known = cache.long_seconds if is_long else cache.seconds
    lifetime = known if terms.lifetime is None else terms.lifetime
    on = terms.now.date() if terms.now else date.max
    price = terms.price or price_of(provider, model, on=on, settings=ModelSettings())
    sent = price.input if price else Decimal(1)
    write = cache.long_write * sent if is_long else price.cache_write if price else cache.write
    is_dearer = price is not None and price.long_from > 0 and price.input > 0
    return Economics(
        input=sent,
        cache_read=price.cache_read if price else cache.read,
        cache_write=write,
        is_money=price is not None,
        long_from=price.long_from if price and is_dearer else 0,
        long_factor=max(Decimal(1), price.long_input / price.input) if price and is_dearer else Decimal(1),
        lifetime=lifetime,
        idle=recording.idle_seconds(context, terms.now),
        turns=max(1, terms.turns or recording.pace(context, lifetime) or EXPECTED_TURNS),
        window=window_of(model) if terms.window is None else terms.window,
        min_saving=terms.min_saving,
    )


def _break_even(once: Decimal, each: Decimal) -> int | None:
    """The first number of requests after which nothing is lost any more."""
    if once <= 0:
        return 0
    if each <= 0 or once > MOST_TURNS * each:
        return None
    return 1 + int((once / each).to_integral_value(rounding=ROUND_CEILING))


def _down(amount: Decimal) -> int:
    return int(amount.to_integral_value(rounding=ROUND_FLOOR))
