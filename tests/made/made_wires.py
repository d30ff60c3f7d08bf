"""Made-up message lists that keep each provider's rules, and the providers' own client libraries as judges of them."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from anthropic.types import MessageParam
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import ResponseInputParam
from pydantic import TypeAdapter
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), min_size=1, max_size=20).filter(
    lambda text: bool(text.strip())
)
PIXEL = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
Messages = list[dict[str, Any]]


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    kinds: dict[str, Any] = {
        "anthropic-messages": list[MessageParam],
        "openai-chat": list[ChatCompletionMessageParam],
        "openai-responses": ResponseInputParam,
    }
    return TypeAdapter(kinds[name])


def parsed(name: str, messages: object) -> object:
    """A list as the provider's library reads it.

    Raises:
        ValidationError: It is none to that library. Its lists are read lazily, so each is walked to its end.
    """
    return _walked(_adapter(name).validate_python(messages))


def _walked(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _walked(held) for key, held in value.items()}
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        return value
    return [_walked(each) for each in value]


def user(*content: Any) -> dict[str, Any]:
    """A turn of the user in the form of the Messages API; one text stands alone."""
    return {"role": "user", "content": content[0] if content and isinstance(content[0], str) else list(content)}


def agent(*content: Any) -> dict[str, Any]:
    """A turn of the agent."""
    return {**user(*content), "role": "assistant"}


def text(words: str, **more: Any) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": words, **more}


def call(name: str, **more: Any) -> dict[str, Any]:
    """A call of the Messages API."""
    return {"type": "tool_use", "id": name, "name": "run", "input": {"command": "ls"}, **more}


def result(name: str, content: Any = "done", **more: Any) -> dict[str, Any]:
    """What came back."""
    return {"type": "tool_result", "tool_use_id": name, "content": content, **more}


def server_pair(name: str) -> list[dict[str, Any]]:
    """A tool that the provider ran itself."""
    return [
        {"type": "server_tool_use", "id": name, "name": "web_search", "input": {"query": "tides"}},
        {"type": "web_search_tool_result", "tool_use_id": name, "content": []},
    ]


@st.composite
def message_lists(draw: st.DrawFn) -> Messages:
    """A list for the Messages API, every call answered."""
    made: Messages = []
    numbers = iter(range(1_000))
    for _ in range(draw(st.integers(1, 4))):
        made.append(user(draw(WORDS)) if draw(st.booleans()) else user(text(draw(WORDS)), PIXEL))
        for _ in range(draw(st.integers(0, 3))):
            made += _step(draw, numbers)
        made.append(agent(draw(WORDS)))
    return made


def _step(draw: st.DrawFn, numbers: Iterator[int]) -> Messages:
    names = [f"toolu_{next(numbers)}" for _ in range(draw(st.integers(1, 3)))]
    said: list[Any] = []
    if draw(st.booleans()):
        said.append({"type": "thinking", "thinking": draw(WORDS), "signature": "c2ln"})
    if draw(st.booleans()):
        said += server_pair(f"srvtoolu_{next(numbers)}")
    said += [text(draw(WORDS)), *map(call, names)]
    results: list[Any] = [result(name, draw(payloads())) for name in draw(st.permutations(names))]
    if draw(st.booleans()):
        results.append(text(draw(WORDS)))
    return [agent(*said), user(*results)]


def payloads() -> st.SearchStrategy[Any]:
    """What a result of the Messages API may hold."""
    block = WORDS.map(text) | st.just(PIXEL)
    return st.text(max_size=20) | st.lists(block, min_size=1, max_size=3)


def chat_call(name: str) -> dict[str, Any]:
    """A call of Chat Completions."""
    return {"id": name, "type": "function", "function": {"name": "run", "arguments": "{}"}}


def chat_result(name: str, content: Any = "done") -> dict[str, Any]:
    """What came back."""
    return {"role": "tool", "tool_call_id": name, "content": content}


@st.composite
def chat_lists(draw: st.DrawFn) -> Messages:
    """A list for Chat Completions, every call answered; ids begin anew in each message."""
    made: Messages = [{"role": draw(st.sampled_from(["system", "developer"])), "content": draw(WORDS)}]
    for _ in range(draw(st.integers(1, 4))):
        made.append({"role": "user", "content": draw(WORDS | st.lists(WORDS.map(text), min_size=1, max_size=2))})
        for _ in range(draw(st.integers(0, 3))):
            names = [f"call_{number}" for number in range(draw(st.integers(1, 3)))]
            said = {"content": draw(WORDS)} if draw(st.booleans()) else {"content": None}
            made.append({"role": "assistant", **said, "tool_calls": [chat_call(name) for name in names]})
            contents = st.text(max_size=20) | st.lists(WORDS.map(text), min_size=1, max_size=2)
            made += [chat_result(name, draw(contents)) for name in draw(st.permutations(names))]
        made.append({"role": "assistant", "content": draw(WORDS)})
    return made


def item_call(name: str, *, is_custom: bool = False) -> dict[str, Any]:
    """A call among the items of the Responses API."""
    if is_custom:
        return {"type": "custom_tool_call", "call_id": name, "name": "run", "input": "ls"}
    return {"type": "function_call", "call_id": name, "name": "run", "arguments": "{}"}


def item_output(name: str, output: Any = "done", *, is_custom: bool = False) -> dict[str, Any]:
    """What came back."""
    kind = "custom_tool_call_output" if is_custom else "function_call_output"
    return {"type": kind, "call_id": name, "output": output}


def thought(name: str) -> dict[str, Any]:
    """A piece of reasoning."""
    return {"type": "reasoning", "id": name, "summary": [], "encrypted_content": "c2ln"}


@st.composite
def item_lists(draw: st.DrawFn) -> Messages:
    """A list for the Responses API, every call answered somewhere behind it."""
    made: Messages = []
    numbers = iter(range(1_000))
    for _ in range(draw(st.integers(1, 4))):
        made.append({"role": "user", "content": draw(WORDS)})
        for _ in range(draw(st.integers(0, 3))):
            calls = [(f"call_{next(numbers)}", draw(st.booleans())) for _ in range(draw(st.integers(1, 3)))]
            if draw(st.booleans()):
                made.append(thought(f"rs_{next(numbers)}"))
            made += [item_call(name, is_custom=is_custom) for name, is_custom in calls]
            parts = st.lists(WORDS.map(lambda words: {"type": "input_text", "text": words}), min_size=1, max_size=2)
            outputs = st.text(max_size=20) | parts
            made += [
                item_output(name, draw(outputs), is_custom=custom) for name, custom in draw(st.permutations(calls))
            ]
        made.append({"role": "assistant", "content": draw(WORDS)})
    return made


class Session:
    """Records of a made-up session of Claude Code, each behind the last one."""

    def __init__(self) -> None:
        self.records: Messages = []
        self._last: str | None = None

    def add(self, kind: str, content: Any = None, *, parent: str | None = None, **more: Any) -> str:
        """A record with a message, or without one; returns its id."""
        own = f"u-{len(self.records)}"
        record = {"type": kind, "uuid": own, "parentUuid": parent or self._last, "sessionId": "s-1", **more}
        if content is not None:
            record["message"] = {"role": kind, "content": content, **more.get("message", {})}
        self.records.append(record)
        self._last = own
        return own

    def user(self, *content: Any, **more: Any) -> str:
        """Words or results."""
        return self.add("user", user(*content)["content"], **more)

    def agent(self, *content: Any, reply: str = "m-1", model: str = "claude-opus-4-5-20251101", **more: Any) -> str:
        """A piece of a reply."""
        return self.add("assistant", list(content), message={"id": reply, "model": model}, **more)

    def bare(self, **record: Any) -> None:
        """A record that is no part of the chain."""
        self.records.append(record)


def placed(messages: list[Any]) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Messages as a document gives them."""
    return ((index, 0, message) for index, message in enumerate(messages))


def history() -> list[ModelMessage]:
    """Two calls at once, answered, and an end, as an agent framework holds them."""
    return [
        ModelRequest(parts=[UserPromptPart("Which files are there?")]),
        ModelResponse(parts=[TextPart("I look."), ToolCallPart("ls", {}, "t1"), ToolCallPart("pwd", {}, "t2")]),
        ModelRequest(parts=[ToolReturnPart("pwd", "/shop", "t2"), ToolReturnPart("ls", "a b", "t1")]),
        ModelResponse(parts=[TextPart("Two.")]),
    ]
