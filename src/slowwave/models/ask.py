"""Ask: one turn with a model of any provider, request by request, each reserved before it is made.

The loop is ours and not the client library's (docs/adr/0009): each request is counted on disk before it leaves, each
call goes through the toolbox in the order it was asked for, and nothing but the toolbox is ever offered.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from slowwave.disk.config import ModelSettings
from slowwave.facts import limits
from slowwave.facts.refusal import Refusal
from slowwave.facts.usage import NOTHING_USED, Usage
from slowwave.models.budget import Purse, Reservation
from slowwave.models.channel import Channel, Counted, Kind, Message, ModelAnswer, Prompt, Replies, ToolCall, Trouble
from slowwave.models.circling import Circling, Round
from slowwave.models.patience import wait_before
from slowwave.models.prices import Price
from slowwave.models.sizing import Sizing
from slowwave.models.toolbox import Toolbox, ToolReply

REMINDER = (
    "Nothing that you write beside the tools is read. Go on with the tools; your answer is given with one of them."
)
CUT_REMINDER = (
    "What you wrote ended at the bound of {tokens:,} tokens and is not whole. Go on with a tool, and say less at once."
)
CUT_CALL = "This call ended at the bound of {tokens:,} tokens, so its arguments are not whole. Make it again, shorter."
TOLD = "You have made this very call {times} times; it says the same again. Look elsewhere, or give your answer."
TOO_MANY = "More than {most} calls in one answer; this one was not made. Make it again if you still need it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One answer for the record: its prose, cut to ``SAID_CHARACTERS``, and the names of the tools it called."""

    text: str
    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What became of a turn.

    Attributes:
        status: ``answered`` or ``refused`` by the toolbox; ``gave_up`` (no tool was called), ``circling``, ``limit``
            (a bound of the turn), ``budget``, ``unavailable`` (nothing can be asked), ``slow`` and ``cut`` (no whole
            answer came, which a smaller batch may change), ``declined`` (it will not answer), ``bad_request``
            (this batch cannot be asked about).
        message: One sentence on it; empty where it was answered.
        usage: All requests together, those without an answer included.
        requests: How many were made, tries again included.
        turns: What the model said, in order.
    """

    status: str
    message: str
    usage: Usage
    requests: int
    turns: tuple[Said, ...]


_ENDS = {
    Kind.BUSY: "unavailable",
    Kind.CUT: "cut",
    Kind.SLOW: "slow",
    Kind.AWAY: "unavailable",
    Kind.REJECTED: "bad_request",
    Kind.DECLINED: "declined",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    status: str
    message: str


def converse(
    settings: ModelSettings,
    toolbox: Toolbox,
    *,
    instructions: str,
    message: str,
    purse: Purse,
    price: Price | None,
    key: str,
    sleeper: Callable[[float], None],
    stopwatch: Callable[[], float],
    say: Callable[[str], None] = lambda _: None,
    channel: Channel | None = None,
) -> Talk:
    """Lead a model through one turn.

    Args:
        settings: Which model; held to ``providers.check`` already.
        toolbox: What it may do; exactly its specs are offered.
        instructions: What it is told before everything.
        message: What this turn is about.
        purse: What each request is reserved in before it is made.
        price: What the model's tokens cost; None where nobody knows, which the purse refuses.
        key: The provider's key; empty where it needs none.
        sleeper: Waits so many seconds.
        stopwatch: Seconds that only go on.
        say: Tells whoever watches.
        channel: Somebody else than the configured provider to ask: a scripted model.

    Expected trouble is the talk's status.

    Raises:
        BudgetUnreadableError: The ledger cannot be used; nothing was asked after that.
    """
    if channel is None:
        # Not above: the client library takes a second to load, and who scripts a model needs none.
        clients = importlib.import_module("slowwave.models.clients")
        made: Channel = clients.ProviderChannel(settings, key, instructions=instructions, specs=toolbox.specs)
        channel = made
    turn = _Turn(
        settings=settings,
        toolbox=toolbox,
        purse=purse,
        price=price,
        sleeper=sleeper,
        stopwatch=stopwatch,
        say=say,
        channel=channel,
        sizing=Sizing(instructions, toolbox.specs),
        said=[Prompt(text=message)],
    )
    end = turn.run()
    return Talk(
        status=end.status, message=end.message, usage=turn.usage, requests=turn.requests, turns=tuple(turn.spoken)
    )


@dataclass(slots=True, kw_only=True)
class _Turn:
    """A turn while it goes on."""

    settings: ModelSettings
    toolbox: Toolbox
    purse: Purse
    price: Price | None
    sleeper: Callable[[float], None]
    stopwatch: Callable[[], float]
    say: Callable[[str], None]
    channel: Channel
    sizing: Sizing
    said: list[Message]
    usage: Usage = NOTHING_USED
    requests: int = 0
    calls: int = 0
    idle: int = 0
    spoken: list[Said] = field(default_factory=list)
    circling: Circling = field(default_factory=Circling)

    def run(self) -> _End:
        """Ask and answer until somebody ends it."""
        while True:
            heard = self._hear()
            if isinstance(heard, _End):
                return heard
            names = tuple(call.name for call in heard.calls[: limits.MOST_PROVIDER_CALLS])
            self.spoken.append(Said(text=heard.text[: limits.SAID_CHARACTERS], calls=names))
            self.said.append(heard)
            end = self._carry_out(heard) if heard.calls else self._remind(heard)
            if end is not None:
                return end

    def _hear(self) -> ModelAnswer | _End:
        """One answer, asked for as often as patience allows."""
        failed = 0
        while True:
            heard = self._request(failed)
            if not isinstance(heard, Trouble):
                return heard
            failed += 1
            wait = wait_before(failed, heard.retry_after) if heard.kind in (Kind.BUSY, Kind.CUT) else None
            if wait is None:
                is_away = heard.kind is Kind.CUT and not heard.is_counted  # nobody was reached at all
                return _End(status="unavailable" if is_away else _ENDS[heard.kind], message=heard.message)
            self.say(f"{heard.message}; asking again in {wait:.0f} s")
            self.sleeper(wait)

    def _request(self, failed: int) -> ModelAnswer | Trouble | _End:
        """One request: within the turn's bounds, reserved, made, reconciled."""
        bound = self.sizing.bound(self.said)
        foreseen = self.usage.tokens + bound + self.settings.output_tokens
        if self.requests >= limits.MOST_TURN_REQUESTS or foreseen > limits.MOST_TURN_TOKENS:
            what = "requests" if self.requests >= limits.MOST_TURN_REQUESTS else "tokens"
            return _End(status="limit", message=f"the turn used the {what} that one turn may, without an answer")
        reason = f"request {self.requests + 1}" + (f", try {failed + 1}" if failed else "")
        reserved = self.purse.reserve(
            model=self.settings.model,
            input_tokens=bound,
            output_tokens=self.settings.output_tokens,
            price=self.price,
            reason=reason,
        )
        if isinstance(reserved, Refusal):
            return _End(status="budget", message=reserved.message)
        started = self.stopwatch()
        heard = self.channel.ask(tuple(self.said))
        self._reconcile(reserved, heard, bound, self.stopwatch() - started)
        return heard

    def _reconcile(self, reserved: Reservation, heard: ModelAnswer | Trouble, bound: int, seconds: float) -> None:
        """Put the provider's figures in place of the reservation; without any it stands in full."""
        is_free = isinstance(heard, Trouble) and not heard.is_counted
        whole = Counted(input=bound, output=self.settings.output_tokens)
        counted = Counted(input=0, output=0) if is_free else heard.counted or whole
        used = Usage(
            calls=1,
            input_tokens=counted.input,
            output_tokens=counted.output,
            cache_read_tokens=counted.cache_read,
            cache_write_tokens=counted.cache_write,
            seconds=max(0.0, seconds),
        )
        status = heard.kind.value if isinstance(heard, Trouble) else "answered"
        self.requests += 1
        money = self.purse.reconcile(reserved, used, status=status)
        self.usage += replace(used, micro_usd=money)
        if isinstance(heard, ModelAnswer):
            self.sizing.take(heard, len(self.said))

    def _remind(self, heard: ModelAnswer) -> _End | None:
        self.idle += 1
        if self.idle > limits.MOST_IDLE_REQUESTS:
            return _End(status="gave_up", message=f"the model answered {self.idle} times without using a tool")
        cut = CUT_REMINDER.format(tokens=self.settings.output_tokens)
        self.said.append(Prompt(text=cut if heard.was_cut else REMINDER))
        return None

    def _carry_out(self, heard: ModelAnswer) -> _End | None:
        """Make the calls of one answer in order; each gets its reply."""
        replies: list[tuple[ToolCall, ToolReply]] = []
        for at, call in enumerate(heard.calls):
            if at >= limits.MOST_PROVIDER_CALLS:
                reply = _refused(TOO_MANY.format(most=limits.MOST_PROVIDER_CALLS))
            elif heard.was_cut and at == len(heard.calls) - 1:
                reply = _refused(CUT_CALL.format(tokens=self.settings.output_tokens))
            else:
                met = self._call(call)
                if isinstance(met, _End):
                    return met
                reply = met
            replies.append((call, reply))
        self.said.append(Replies(each=tuple(replies)))
        return None

    def _call(self, call: ToolCall) -> ToolReply | _End:
        is_limited = any(spec.name == call.name and spec.is_limited for spec in self.toolbox.specs)
        met = Round.NEW if is_limited else self.circling.take(call.name, call.arguments)
        if met is Round.CIRCLING:
            return _End(status="circling", message="the model made the very same call again and again")
        if met is Round.TOLD:
            return _refused(TOLD.format(times=limits.MOST_SAME_CALLS))
        # The toolbox itself refuses looks past its bound, and says to hand in; a few more are heard before it ends.
        if not is_limited and self.calls >= limits.MOST_TURN_CALLS + limits.MOST_PROVIDER_CALLS:
            message = f"the turn made more than the {limits.MOST_TURN_CALLS} calls that one turn may, without an answer"
            return _End(status="limit", message=message)
        self.calls += 1
        reply = self.toolbox.call(call.name, call.arguments)
        if reply.ends_turn or self.toolbox.is_over:
            is_taken = reply.ends_turn and not reply.is_error
            return _End(status="answered", message="") if is_taken else _End(status="refused", message=_REFUSED)
        return reply


_REFUSED = "every answer that the model gave was refused"


def _refused(text: str) -> ToolReply:
    return ToolReply(text=text, is_error=True)
