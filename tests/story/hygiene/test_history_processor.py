"""The history processor in real agents of pydantic-ai: long tool loops, a scripted model that keeps each request."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from small_contexts import lines

pytest.importorskip("pydantic_ai")
from pydantic_ai import Agent, ModelRetry, RunContext
from pydantic_ai.capabilities import AbstractCapability, Hooks, ProcessHistory
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.models.function import AgentInfo, FunctionModel

from slowwave.facts.markers import STUB_BEGIN
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.history import CleanHistory

ROOT = Path(__file__).resolve().parents[3]
WORK: Sequence[tuple[str, dict[str, Any]]] = (
    ("read_file", {"path": "/shop/cart.py"}),
    ("write_file", {"path": "/shop/cart.py", "text": "x"}),
    ("bash", {"command": "pytest -q"}),
)


@pytest.fixture(autouse=True)
def loop() -> Iterator[None]:
    """An event loop for ``run_sync``, closed again: one that is left open is told of in some later test."""
    made = asyncio.new_event_loop()
    asyncio.set_event_loop(made)
    yield
    asyncio.set_event_loop(None)
    made.close()


def present() -> datetime:
    """The very present: replies carry its times."""
    return datetime.now(UTC)


@dataclass
class Scripted:
    """A model that works through steps, and keeps every request."""

    rounds: int = 8
    thinks: bool = False
    requests: list[list[ModelMessage]] = field(default_factory=list)

    def __call__(self, messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        """The next step, or the end of a turn."""
        self.requests.append(list(messages))
        since = 0
        for message in reversed(messages):
            if any(isinstance(part, UserPromptPart) for part in message.parts):
                break
            since += isinstance(message, ModelResponse)
        if since >= self.rounds * len(WORK):
            return ModelResponse(parts=[TextPart("The cart adds up.")])
        name, args = WORK[since % len(WORK)]
        thought = [ThinkingPart("Hm.", signature="c2ln", provider_name="function")] if self.thinks else []
        return ModelResponse(parts=[*thought, TextPart(f"Step {since}."), ToolCallPart(name, args)])


def working(model: Scripted, capability: AbstractCapability[None]) -> Agent[None, str]:
    """An agent with the tools that the script calls."""
    agent: Agent[None, str] = Agent(FunctionModel(model), capabilities=[capability], system_prompt="Be careful.")
    readings = 0

    @agent.tool_plain
    def read_file(path: str) -> str:
        nonlocal readings
        readings += 1
        return lines(300, "cart", start=readings)

    @agent.tool_plain
    def write_file(path: str, text: str) -> str:
        return f"{path} has {len(text)} characters now"

    @agent.tool_plain
    def bash(command: str) -> str:
        return lines(200, "test")

    return agent


def results(messages: Sequence[ModelMessage]) -> list[ToolReturnPart]:
    """Every result, in order."""
    return [part for each in messages for part in each.parts if isinstance(part, ToolReturnPart)]


def stubs(messages: Sequence[ModelMessage]) -> dict[str, str]:
    """What was stubbed, by the ids of the calls."""
    return {
        part.tool_call_id: str(part.content) for part in results(messages) if str(part.content).startswith(STUB_BEGIN)
    }


def are_paired(messages: Sequence[ModelMessage]) -> bool:
    """Whether every reply's calls are answered in the request behind it, and nothing else is."""
    for reply, answer in pairwise(messages):
        if isinstance(reply, ModelResponse):
            calls = [part.tool_call_id for part in reply.parts if isinstance(part, ToolCallPart)]
            if calls != [part.tool_call_id for part in results([answer])]:
                return False
    return True


def request_only(clean: CleanHistory) -> Hooks[None]:
    """A hook that cleans what is sent and leaves the history of the run whole."""

    def before(_: RunContext[None], context: ModelRequestContext) -> ModelRequestContext:
        context.messages = clean(list(context.messages))
        return context

    return Hooks(before_model_request=before)


WAYS: dict[str, Callable[[CleanHistory], AbstractCapability[None]]] = {
    "processor": ProcessHistory,
    "hook": request_only,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_long_loop_is_shown_stubs_that_stay_and_pairs_that_are_whole(way: str) -> None:
    """Old readings and runs go once that pays; what went is the same at every later request."""
    model = Scripted()
    result = working(model, WAYS[way](CleanHistory(clock=present))).run_sync("Make the cart add up, please.")
    assert result.output == "The cart adds up."
    assert len(model.requests) == 25
    known: dict[str, str] = {}
    for messages in model.requests:
        now = stubs(messages)
        assert known.items() <= now.items()
        known = now
        assert are_paired(messages)
        assert not stubs(messages[-10:])
    assert len(known) >= 8
    last = model.requests[-1]
    sent = sum(len(str(part.content)) for part in results(last))
    whole = 8 * (len(lines(300, "cart", start=1)) + len(lines(200, "test")))
    assert sent < whole / 3
    first = last[0].parts
    assert [part.part_kind for part in first] == ["system-prompt", "user-prompt"]
    assert [getattr(part, "content", "") for part in first] == ["Be careful.", "Make the cart add up, please."]


def test_the_run_s_own_history_is_as_pydantic_ai_has_it() -> None:
    """It keeps what a processor gives it, and all of it where a hook cleans the request alone."""
    for way, capability in WAYS.items():
        model = Scripted()
        result = working(model, capability(CleanHistory(clock=present))).run_sync("Go.")
        kept = result.all_messages()
        assert are_paired(kept)
        assert kept[:-1] == model.requests[-1] if way == "processor" else not stubs(kept)
        again = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(kept))
        assert [part.content for part in results(again)] == [part.content for part in results(kept)]


@pytest.mark.parametrize("way", WAYS)
def test_a_second_turn_goes_on_with_the_same_stubs(way: str) -> None:
    """Also when it makes everything recent; later ones make the first ones old; and a run of its own begins anew."""
    model, clean = Scripted(), CleanHistory(clock=present)
    agent = working(model, WAYS[way](clean))
    first = agent.run_sync("Make the cart add up.")
    known = stubs(model.requests[-1])
    second = agent.run_sync("Once more.", message_history=first.all_messages())
    assert all(stubs(messages) == known for messages in model.requests[25:])
    third = agent.run_sync("And again.", message_history=second.all_messages())
    agent.run_sync("And still again.", message_history=third.all_messages())
    assert all(known.items() <= stubs(messages).items() for messages in model.requests[50:])
    assert len(stubs(model.requests[-1])) > len(known)
    count = len(model.requests)
    agent.run_sync("Something else.")
    assert not stubs(model.requests[count + 4])


def test_a_pause_in_which_the_cache_goes_cold_is_used() -> None:
    """What did not pay while it was warm is done when it costs nothing."""
    now = present()
    clean = CleanHistory(clock=lambda: now, terms=Terms(turns=1))
    agent = working(Scripted(rounds=3), request_only(clean))
    history: list[ModelMessage] = []
    for words in ("Make the cart add up.", "Once more.", "And again."):
        history = agent.run_sync(words, message_history=history).all_messages()
    warm = len(stubs(clean(history)))
    now += timedelta(minutes=20)
    assert len(stubs(clean(history))) > warm


def test_signed_thoughts_of_an_unknown_model_keep_all_before_them() -> None:
    """They may be bound to it; nothing is changed at all."""
    model = Scripted(thinks=True)
    working(model, ProcessHistory(CleanHistory(clock=present))).run_sync("Go.")
    assert not any(map(stubs, model.requests))


def test_an_agent_can_recall_what_a_stub_stands_for() -> None:
    """With the processor's own method as its tool."""
    clean = CleanHistory(clock=present)
    recalled: list[str] = []

    def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        known = stubs(messages)
        last = results(messages)[-1:]
        if last and last[0].tool_name == "recall":
            recalled.append(str(last[0].content))
            return ModelResponse(parts=[TextPart("Seen.")])
        if known:
            digest = next(iter(known.values())).split("recall ")[1][:16]
            return ModelResponse(parts=[ToolCallPart("recall", {"digest": digest})])
        done = sum(isinstance(each, ModelResponse) for each in messages)
        name, args = WORK[done % len(WORK)]
        return ModelResponse(parts=[ToolCallPart(name, args)])

    agent = working(Scripted(), ProcessHistory(clean))
    agent.tool_plain(clean.recall)
    result = agent.run_sync("Go.", model=FunctionModel(model))
    assert result.output == "Seen."
    assert recalled[0] in (lines(300, "cart", start=1), lines(200, "test"))


def test_parts_of_every_kind_go_through_unharmed() -> None:
    """Pictures of a person and of a tool, failures, calls made again, instructions: the run ends as without."""
    clean = CleanHistory(clock=present)
    picture = BinaryContent(b"\x89PNG", media_type="image/png")
    tries = 0

    def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        done = sum(isinstance(each, ModelResponse) for each in messages)
        if done >= 24:
            return ModelResponse(parts=[TextPart("Done.")])
        both = [ToolCallPart("shoot", {}), ToolCallPart("stumble", {"at": done})]
        return ModelResponse(parts=[*both, ToolCallPart("bash", {"command": "pytest -q"})])

    agent = working(Scripted(), ProcessHistory(clean))

    @agent.instructions
    def instructions() -> str:
        return "Work."

    @agent.tool_plain
    def shoot() -> list[Any]:
        return ["how it looks now", picture]

    @agent.tool_plain(retries=30)
    def stumble(at: int) -> dict[str, int]:
        nonlocal tries
        tries += 1
        if tries % 3 == 0:
            raise ModelRetry("try that again, please")
        return {"at": at}

    result = agent.run_sync(["Look at this.", picture], model=FunctionModel(model))
    assert result.output == "Done."
    kept = result.all_messages()
    assert are_paired(kept)
    assert {part.tool_name for part in results(kept) if part.tool_call_id in stubs(kept)} >= {"shoot", "bash"}
    assert not any(part.tool_call_id in stubs(kept) for part in results(kept) if part.outcome == "retried")
    first = kept[0]
    assert isinstance(first, ModelRequest)
    assert first.parts[-1] == result.all_messages()[0].parts[-1]


def test_the_example_runs() -> None:
    """As its first lines say, offline."""
    example = ROOT / "examples" / "clean_history.py"
    ran = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=True)
    told = ran.stdout.splitlines()
    assert told[-1] == "The cart adds up."
    counts = [int(found.group(1)) for line in told[:-1] if (found := re.search(r" (\d+) of them stubs$", line))]
    assert counts == sorted(counts)
    assert counts[-1] >= 10
