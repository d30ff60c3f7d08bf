"""Every provider leads a whole turn on the loopback; every trouble ends it as it should: bounded, counted, quiet."""

import json
from collections.abc import Sequence
from typing import Any, cast

import pytest
from made_boxes import TOOLS, MadeBox, MadePurse, stopwatch
from made_providers import (
    KEY,
    PROVIDERS,
    Drip,
    Flood,
    Half,
    MadeProvider,
    Raw,
    Script,
    Short,
    Status,
    Step,
    in_order,
    say,
    tool_calls,
)

from slowwave.facts.limits import MOST_PROVIDER_BYTES, MOST_PROVIDER_TRIES, MOST_WAIT_SECONDS
from slowwave.models.ask import Talk, converse
from slowwave.models.budget import Purse
from slowwave.models.prices import FREE

WIRES = [(provider, stream) for provider in PROVIDERS for stream in (True, False)]
GOOD = tool_calls(("submit_answer", {"q": "good"}))
SECRET = "the-transcript-says-this"


class Told:
    """One turn as it went."""

    def __init__(self, script: Script, provider: str, *, stream: bool, key: str = KEY, **more: Any) -> None:
        self.box, self.purse = MadeBox(), MadePurse()
        self.waits: list[float] = []
        self.said: list[str] = []
        with MadeProvider(script) as made:
            self.made = made
            self.talk: Talk = converse(
                made.settings(provider, stream=stream, **more),
                self.box,
                instructions="You look after memories.",
                message=SECRET,
                purse=cast("Purse", self.purse),
                price=FREE,
                key=key,
                sleeper=self.waits.append,
                stopwatch=stopwatch(),
                say=self.said.append,
            )
        assert made.strays == []

    @property
    def whole(self) -> str:
        """Everything that a person may get to see of it."""
        return " ".join([self.talk.message, *self.said])


def ends(told: Told, status: str, statuses: Sequence[str]) -> None:
    """Hold a turn to how it ended and how each of its requests was counted."""
    assert (told.talk.status, told.purse.statuses) == (status, list(statuses)), told.talk.message
    assert len(told.made.questions) <= len(statuses)
    assert told.talk.requests == len(statuses)
    assert KEY not in told.whole
    assert SECRET not in told.whole


@pytest.mark.parametrize(("provider", "stream"), WIRES)
def test_a_whole_turn(provider: str, stream: bool) -> None:
    """Calls, parallel calls, an unknown tool, prose, the answer: each protocol, streamed and not."""
    script = in_order(
        tool_calls(("list_sessions", {})),
        tool_calls(("search_transcript", {"q": "größe 語"}), ("shell", {"q": "ls"}), text="I look."),
        say("I think."),
        GOOD,
    )
    told = Told(script, provider, stream=stream)
    ends(told, "answered", ["answered"] * 4)
    assert [name for name, _ in told.box.calls] == ["list_sessions", "search_transcript", "shell", "submit_answer"]
    assert json.loads(told.box.calls[1][1]) == {"q": "größe 語"}
    assert [one.calls for one in told.talk.turns] == [
        ("list_sessions",),
        ("search_transcript", "shell"),
        (),
        ("submit_answer",),
    ]
    assert told.talk.usage.calls == 4
    assert told.talk.usage.input_tokens == 4_000
    for question in told.made.questions:
        assert question.tools == TOOLS
        assert question.streams is stream
        assert [line.text for line in question.lines][:2] == ["You look after memories.", SECRET]
    replies = [line.text for line in told.made.questions[-1].lines if line.who == "tool"]
    assert replies == ["<list_sessions 1>", "<search_transcript 2>", "there is no tool shell"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_leaves_is_the_question_and_one_key(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No header about the machine, no second secret, nothing that variables of the libraries say."""
    for name in ("ANTHROPIC_AUTH_TOKEN", "OPENAI_ORG_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID"):
        monkeypatch.setenv(name, "made-other-secret")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-spy: made-other-secret\nauthorization: made-other-secret")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "AWS_ENDPOINT_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    told = Told(in_order(GOOD), provider, stream=True)
    ends(told, "answered", ["answered"])
    (question,) = told.made.questions
    known = {"host", "accept", "content-type", "content-length", "user-agent", "accept-encoding", "anthropic-version"}
    carriers = {name: value for name, value in question.headers.items() if name not in known}
    assert len(carriers) == 1
    assert set(carriers) <= {"authorization", "x-api-key", "x-goog-api-key"}
    assert next(iter(carriers.values())).removeprefix("Bearer ") == KEY
    assert "made-other-secret" not in json.dumps([dict(question.headers), dict(question.body)])
    assert KEY not in json.dumps(dict(question.body)) + question.path
    assert question.headers["user-agent"].startswith("slowwave/")


@pytest.mark.parametrize("provider", ["openai-compatible", "ollama", "llamacpp"])
def test_without_a_key_none_leaves(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A local server gets no authorization, whatever the environment holds."""
    monkeypatch.setenv("OPENAI_API_KEY", "made-other-secret")
    monkeypatch.setenv("OLLAMA_API_KEY", "made-other-secret")
    told = Told(in_order(GOOD), provider, stream=False, key="")
    ends(told, "answered", ["answered"])
    assert not {"authorization", "x-api-key"} & set(told.made.questions[0].headers)


def test_answers_are_not_kept_where_the_provider_can_be_asked_that() -> None:
    """The one protocol that keeps answers by default is told not to."""
    assert Told(in_order(GOOD), "openai-responses", stream=True).made.questions[0].body["store"] is False


def test_prompts_are_cached_where_that_is_asked_for() -> None:
    """Instructions and tools are marked, since every request of a turn repeats them."""
    assert "cache_control" in json.dumps(Told(in_order(GOOD), "anthropic", stream=True).made.questions[0].body)


@pytest.mark.slow
@pytest.mark.parametrize(("provider", "stream"), WIRES)
@pytest.mark.parametrize("code", [429, 500, 503, 529])
def test_one_that_is_busy_is_asked_again(provider: str, stream: bool, code: int) -> None:
    """Once refused, then answered: the first is not paid for."""
    told = Told(in_order(Status(code=code, headers={"retry-after": "7"}), GOOD), provider, stream=stream)
    ends(told, "answered", ["busy", "answered"])
    assert told.waits == [7.0]
    assert told.purse.reconciled[0][1].tokens == 0


@pytest.mark.parametrize(("provider", "stream"), WIRES)
def test_one_that_stays_busy_is_given_up(provider: str, stream: bool) -> None:
    """As many tries as are bounded, each reserved, and no wait above the bound."""
    told = Told(in_order(Status(code=429, headers={"retry-after": "86400"})), provider, stream=stream)
    ends(told, "unavailable", ["busy"] * MOST_PROVIDER_TRIES)
    assert told.waits == [MOST_WAIT_SECONDS] * (MOST_PROVIDER_TRIES - 1)
    assert len(told.made.questions) == MOST_PROVIDER_TRIES


@pytest.mark.slow
@pytest.mark.parametrize(("provider", "stream"), WIRES)
@pytest.mark.parametrize(
    ("code", "status", "counted"),
    [
        (400, "bad_request", "rejected"),
        (413, "bad_request", "rejected"),
        (401, "unavailable", "away"),
        (403, "unavailable", "away"),
        (404, "unavailable", "away"),
    ],
)
def test_a_refused_request_is_not_repeated(provider: str, stream: bool, code: int, status: str, counted: str) -> None:
    """Once is enough, nothing is paid, and the provider's own words are not passed on."""
    told = Told(in_order(Status(code=code, error=f"no: {SECRET} {KEY}")), provider, stream=stream)
    ends(told, status, [counted])
    assert told.waits == []
    assert told.talk.usage.tokens == 0


@pytest.mark.parametrize(("provider", "stream"), WIRES)
def test_a_model_that_declines(provider: str, stream: bool) -> None:
    """A refusal or a filter blames the batch, and is paid for."""
    told = Told(in_order(say("I can not.", end="declined")), provider, stream=stream)
    ends(told, "declined", ["declined"])


@pytest.mark.parametrize(("provider", "stream"), WIRES)
@pytest.mark.parametrize("broken", [Half, Short])
def test_half_an_answer_is_none(provider: str, stream: bool, broken: type[Half | Short]) -> None:
    """Cut off, or ended before its end: no call of it is made, and what it may have cost stands."""
    told = Told(in_order(broken(spoken=GOOD)), provider, stream=stream)
    assert told.talk.status in ("cut", "unavailable"), told.talk.message
    assert told.box.calls == []
    assert len(told.purse.statuses) <= MOST_PROVIDER_TRIES
    for asked, (_, used) in zip(told.purse.reserved, told.purse.reconciled, strict=True):
        assert used.tokens == asked["input_tokens"] + asked["output_tokens"]
    assert KEY not in told.whole
    assert SECRET not in told.whole


NONSENSE: list[Step] = [
    Raw(content=b"<html>sign in</html>", content_type="text/html"),
    Raw(content=b'{"choices": 3, "content": {}, "candidates": "no", "output": 1}'),
    Raw(content=b"[]"),
    Raw(content=b"{nonsense"),
    Raw(content=b"data: {nonsense\n\n", content_type="text/event-stream"),
    Raw(content=b"", code=302, headers={"location": "http://127.0.0.1:9/v1/elsewhere"}),
    Raw(content=b"", code=307, headers={"location": "/v1/messages"}),
    Raw(content=b"\x1f\x8b", headers={"content-encoding": "gzip"}),
    Raw(content=b"\x00\x00\x00\x10rubbish" * 4, content_type="application/vnd.amazon.eventstream"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("provider", "stream"), WIRES)
@pytest.mark.parametrize("nonsense", NONSENSE)
def test_what_is_no_answer_ends_the_turn(provider: str, stream: bool, nonsense: Step) -> None:
    """Another page, another shape, another place, packed bytes: never a call, never a hang, never a second host."""
    told = Told(in_order(nonsense), provider, stream=stream)
    assert told.talk.status in ("cut", "unavailable"), told.talk.message
    assert told.box.calls == []
    assert 1 <= told.talk.requests <= MOST_PROVIDER_TRIES
    assert KEY not in told.whole
    assert SECRET not in told.whole


@pytest.mark.slow
@pytest.mark.parametrize(("provider", "stream"), WIRES)
def test_an_answer_without_end_is_cut(provider: str, stream: bool) -> None:
    """The bound is on bytes as they come, so that no answer fills the memory."""
    told = Told(in_order(Flood(most=4 * MOST_PROVIDER_BYTES)), provider, stream=stream)
    ends(told, "unavailable", ["away"])
    assert "MiB" in told.talk.message


@pytest.mark.parametrize(("provider", "stream"), WIRES)
def test_a_slow_drip_ends_with_its_time(provider: str, stream: bool) -> None:
    """Bytes that keep coming do not keep a request alive; it is not asked again, and stands in full."""
    told = Told(in_order(Drip(spoken=GOOD, seconds=0.02)), provider, stream=stream, seconds=0.6)
    ends(told, "slow", ["slow"])
    assert told.box.calls == []
    assert told.purse.reconciled[0][1].output_tokens == told.purse.reserved[0]["output_tokens"]


@pytest.mark.parametrize(("provider", "stream"), WIRES)
def test_without_figures_the_reservation_stands(provider: str, stream: bool) -> None:
    """A provider that counts nothing is taken to have used all that was reserved."""
    told = Told(in_order(tool_calls(("list_sessions", {}), has_usage=False), GOOD), provider, stream=stream)
    ends(told, "answered", ["answered", "answered"])
    used, asked = told.purse.reconciled[0][1], told.purse.reserved[0]
    assert (used.input_tokens, used.output_tokens) == (asked["input_tokens"], asked["output_tokens"])


@pytest.mark.parametrize(("provider", "stream"), WIRES)
def test_arguments_that_are_cut_are_not_carried_out(provider: str, stream: bool) -> None:
    """The last call of an answer that ended at the bound is told so; the one before it is made."""
    cut = tool_calls(("list_sessions", {}), ("submit_answer", {"q": "good"}), end="length")
    told = Told(in_order(cut, GOOD), provider, stream=stream)
    ends(told, "answered", ["answered", "answered"])
    assert [name for name, _ in told.box.calls] == ["list_sessions", "submit_answer"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_nobody_there(provider: str) -> None:
    """A closed port is tried as often as is bounded, and nothing is paid."""
    with MadeProvider(in_order(GOOD)) as made:
        settings = made.settings(provider)
    purse, box, waits = MadePurse(), MadeBox(), list[float]()
    talk = converse(
        settings,
        box,
        instructions="i",
        message="m",
        purse=cast("Purse", purse),
        price=FREE,
        key=KEY,
        sleeper=waits.append,
        stopwatch=stopwatch(),
    )
    assert (talk.status, purse.statuses) == ("unavailable", ["cut"] * MOST_PROVIDER_TRIES), talk.message
    assert waits == [2.0, 4.0, 8.0]
    assert talk.usage.tokens == 0
