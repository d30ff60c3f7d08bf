"""Ask: the loop with a scripted model, bound by bound, each request reserved before it is made and reconciled after."""

from collections.abc import Callable, Sequence
from typing import cast

import pytest
from made_boxes import MadeBox, MadePurse, stopwatch

from slowwave.disk.config import ModelSettings
from slowwave.facts import limits
from slowwave.models.ask import Talk, converse
from slowwave.models.budget import Purse
from slowwave.models.channel import Counted, Kind, Message, ModelAnswer, Prompt, Replies, ToolCall, Trouble
from slowwave.models.prices import FREE
from slowwave.models.sizing import Sizing

Script = Callable[[int], ModelAnswer | Trouble]
SETTINGS = ModelSettings.model_validate({"provider": "llamacpp", "model": "m", "output_tokens": 1_000})


class Scripted:
    """A model that does what a function of the request's number says, and keeps what it was told."""

    def __init__(self, script: Script, purse: MadePurse) -> None:
        self.script = script
        self.purse = purse
        self.heard: list[tuple[Message, ...]] = []

    def ask(self, said: Sequence[Message]) -> ModelAnswer | Trouble:
        """Answer; whoever asks has reserved before."""
        self.heard.append(tuple(said))
        assert len(self.purse.reserved) == len(self.heard)
        return self.script(len(self.heard))


class Led:
    """One turn as it went."""

    def __init__(self, script: Script, *, most: int = 10_000) -> None:
        self.box, self.purse = MadeBox(), MadePurse(most=most)
        self.model = Scripted(script, self.purse)
        self.waits: list[float] = []
        self.talk: Talk = converse(
            SETTINGS,
            self.box,
            instructions="i",
            message="m",
            purse=cast("Purse", self.purse),
            price=FREE,
            key="",
            sleeper=self.waits.append,
            stopwatch=stopwatch(),
            channel=self.model,
        )
        assert len(self.purse.reserved) == len(self.purse.reconciled) == self.talk.requests == self.talk.usage.calls


def calls(*named: str, text: str = "", counted: Counted | None = None, was_cut: bool = False) -> ModelAnswer:
    """An answer with calls, each ``name`` or ``name argument``."""
    made = tuple(
        ToolCall(id=f"c{at}", name=one.partition(" ")[0], arguments=f'{{"q": "{one.partition(" ")[2]}"}}')
        for at, one in enumerate(named)
    )
    return ModelAnswer(text=text, calls=made, counted=counted, was_cut=was_cut)


GOOD = calls("submit_answer good")


def test_an_accepted_answer_ends_the_turn_before_the_calls_behind_it() -> None:
    """What was asked for together is made in order, and stops where the turn does."""
    led = Led(lambda _: calls("list_sessions", "submit_answer good", "read_lines"))
    assert (led.talk.status, led.talk.message) == ("answered", "")
    assert [name for name, _ in led.box.calls] == ["list_sessions", "submit_answer"]


def test_four_refused_answers_are_refused() -> None:
    """The toolbox ends the turn, and the model was told each time."""
    led = Led(lambda number: calls(f"submit_answer bad{number}"))
    assert led.talk.status == "refused"
    assert led.talk.requests == 4


def test_a_tool_that_is_none_goes_to_the_toolbox() -> None:
    """Whatever name a model makes up is refused there, and answered."""
    led = Led(lambda number: calls("bash rm") if number == 1 else GOOD)
    assert led.box.calls[0][0] == "bash"
    replies = led.model.heard[1][-1]
    assert isinstance(replies, Replies)
    assert replies.each[0][1].is_error


def test_prose_is_reminded_so_often_and_no_more() -> None:
    """Text is no answer."""
    led = Led(lambda _: ModelAnswer(text="Well.", calls=()))
    assert led.talk.status == "gave_up"
    assert led.talk.requests == limits.MOST_IDLE_REQUESTS + 1
    assert isinstance(led.model.heard[-1][-1], Prompt)
    assert led.box.calls == []


def test_circling_is_told_then_ends() -> None:
    """The toolbox sees the same call only as often as it may."""
    led = Led(lambda _: calls("read_lines same"))
    assert led.talk.status == "circling"
    assert len(led.box.calls) == limits.MOST_SAME_CALLS
    replies = led.model.heard[-1][-1]
    assert isinstance(replies, Replies)
    assert "very call" in replies.each[0][1].text


def test_requests_are_bounded() -> None:
    """A model that always finds something new to look at."""
    led = Led(lambda number: calls(f"read_lines {number}", counted=Counted(input=1, output=1)))
    assert led.talk.status == "limit"
    assert led.talk.requests == limits.MOST_TURN_REQUESTS


def test_calls_are_bounded() -> None:
    """Many at once are answered up to a bound each time, and up to another in all."""

    def flood(number: int) -> ModelAnswer:
        return calls(*(f"read_lines {number}-{at}" for at in range(100)), counted=Counted(input=1, output=1))

    led = Led(flood)
    assert led.talk.status == "limit"
    assert len(led.box.calls) == limits.MOST_TURN_CALLS + limits.MOST_PROVIDER_CALLS
    replies = led.model.heard[1][-1]
    assert isinstance(replies, Replies)
    assert len(replies.each) == 100
    assert sum(reply.is_error for _, reply in replies.each) == 100 - limits.MOST_PROVIDER_CALLS


def test_tokens_are_bounded_before_they_are_used() -> None:
    """The next request is not made where its bound would pass the turn's."""
    half = limits.MOST_TURN_TOKENS // 2
    led = Led(lambda number: calls(f"read_lines {number}", counted=Counted(input=half, output=10)))
    assert led.talk.status == "limit"
    assert led.talk.requests == 1


def test_a_spent_budget_ends_the_turn_before_the_request() -> None:
    """Nothing is asked that was not reserved."""
    led = Led(lambda number: calls(f"read_lines {number}"), most=2)
    assert (led.talk.status, led.talk.message) == ("budget", "spent")
    assert len(led.model.heard) == 2


@pytest.mark.parametrize(
    ("kind", "status", "tries"),
    [
        (Kind.BUSY, "unavailable", limits.MOST_PROVIDER_TRIES),
        (Kind.CUT, "cut", limits.MOST_PROVIDER_TRIES),
        (Kind.SLOW, "slow", 1),
        (Kind.AWAY, "unavailable", 1),
        (Kind.REJECTED, "bad_request", 1),
        (Kind.DECLINED, "declined", 1),
    ],
)
@pytest.mark.parametrize("is_counted", [True, False])
def test_trouble(kind: Kind, status: str, tries: int, is_counted: bool) -> None:
    """Each sort ends in its status after its tries; each try is reserved, and paid where it may have been counted."""
    led = Led(lambda _: Trouble(kind=kind, message="why", is_counted=is_counted))
    unreached = kind is Kind.CUT and not is_counted
    assert (led.talk.status, led.talk.message) == ("unavailable" if unreached else status, "why")
    assert led.purse.statuses == [kind.value] * tries
    for asked, (_, used) in zip(led.purse.reserved, led.purse.reconciled, strict=True):
        assert used.tokens == (asked["input_tokens"] + asked["output_tokens"] if is_counted else 0)
    assert len(led.waits) == tries - 1


def test_a_refused_reservation_ends_the_tries_too() -> None:
    """Trying again is a request like any other."""
    led = Led(lambda _: Trouble(kind=Kind.BUSY, message="why"), most=2)
    assert led.talk.status == "budget"
    assert led.purse.reserved[1]["reason"].endswith("try 2")


def test_a_call_whose_arguments_were_cut_is_not_made() -> None:
    """It is told so and asked for again; the one before it was whole."""
    cut = calls("list_sessions", "submit_answer good", was_cut=True)
    led = Led(lambda number: cut if number == 1 else GOOD)
    assert [name for name, _ in led.box.calls] == ["list_sessions", "submit_answer"]
    assert led.talk.requests == 2


def test_prose_that_was_cut_is_told_so() -> None:
    """The reminder says that the bound was met."""
    led = Led(lambda number: ModelAnswer(text="w", calls=(), was_cut=True) if number == 1 else GOOD)
    prompt = led.model.heard[1][-1]
    assert isinstance(prompt, Prompt)
    assert "1,000 tokens" in prompt.text


def test_a_request_is_bounded_by_what_is_new_in_it() -> None:
    """What the provider counted counts again; new text counts a token a byte; without figures all is bytes."""
    box = MadeBox()
    sizing = Sizing("i" * 100, box.specs)
    first = Prompt(text="ü" * 500)
    bound = sizing.bound([first])
    assert bound > 100 + 1_000
    answer = calls("read_lines x")
    sizing.take(answer, 1)
    assert sizing.bound([first, answer]) > bound
    counted = calls("read_lines x", counted=Counted(input=300, output=20))
    sizing.take(counted, 1)
    known = sizing.bound([first, counted])
    assert 320 <= known < 500
    assert sizing.bound([first, counted, Prompt(text="x" * 10_000)]) >= known + 10_000


def test_what_was_said_is_kept_for_the_record_cut() -> None:
    """Prose is kept in part, calls by name."""
    led = Led(lambda _: calls("submit_answer good", text="x" * 100_000))
    (said,) = led.talk.turns
    assert (len(said.text), said.calls) == (limits.SAID_CHARACTERS, ("submit_answer",))
