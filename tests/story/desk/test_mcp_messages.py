"""The MCP server in memory: what a client is offered, what it is answered, and what a line must be to be read."""

import json
from collections.abc import Callable
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError, types

from slowwave.desk.mcp import Unreadable, make_server, read_message
from slowwave.desk.wire import TooLong
from slowwave.models.toolbox import ToolReply, ToolSpec

SPECS = (
    ToolSpec(name="look", description="Looks, at most 3 times.", schema={"type": "object", "properties": {}}),
    ToolSpec(name="say", description="Says it.", schema={"type": "object"}),
)


class Told:
    """A toolbox that keeps what it was told and answers as it is asked to."""

    def __init__(self, reply: ToolReply | None = None) -> None:
        self.reply = reply or ToolReply(text="seen")
        self.calls: list[tuple[str, str, str]] = []

    def call(self, name: str, arguments: str, asked: str) -> ToolReply:
        """Note a call."""
        self.calls.append((name, arguments, asked))
        return self.reply


def connected(told: Told, ask: Callable[[Client], Any], mode: str = "legacy") -> Any:
    """What a client that is connected in memory comes to; an error of the protocol is one of the ends."""

    async def run() -> Any:
        server = make_server(SPECS, told.call, instructions="Read first.")
        client = Client(server, mode=mode, client_info=types.Implementation(name="probe", version="7\x1b[2J"))
        async with client:
            try:
                return await ask(client)
            except MCPError as refused:
                return refused

    return anyio.run(run)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_tools_are_offered_and_nothing_else(mode: str) -> None:
    """Names, descriptions and schemas as they are; no resources, prompts, logging, completions."""

    async def ask(client: Client) -> Any:
        tools = (await client.list_tools()).tools
        return tools, client.server_capabilities, client.instructions

    tools, capabilities, instructions = connected(Told(), ask, mode)
    assert [(tool.name, tool.description, tool.input_schema) for tool in tools] == [
        (spec.name, spec.description, spec.schema) for spec in SPECS
    ]
    offered = {name for name, value in capabilities.model_dump(exclude_none=True).items() if value or name == "tools"}
    assert offered == {"tools"}
    assert instructions == "Read first."


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_call_reaches_the_toolbox_with_who_asks(mode: str) -> None:
    """Arguments as JSON text; the client's name without what would move a terminal's cursor."""
    told = Told()

    async def ask(client: Client) -> Any:
        return await client.call_tool("say", {"b": [1, None, "ü"], "a": {"x": True}})

    answer = connected(told, ask, mode)
    assert (answer.is_error, answer.content[0].text) == (False, "seen")
    ((name, arguments, asked),) = told.calls
    assert (name, json.loads(arguments)) == ("say", {"b": [1, None, "ü"], "a": {"x": True}})
    assert asked.startswith("probe 7")
    assert "\x1b" not in asked


def test_a_refused_call_is_an_error_of_the_tool() -> None:
    """A model reads what was wrong with its call; the protocol is not at fault. Half a surrogate pair is shown."""
    told = Told(ToolReply(text="no: \ud800 stands there", is_error=True))

    async def ask(client: Client) -> Any:
        return await client.call_tool("look", {})

    answer = connected(told, ask)
    assert (answer.is_error, answer.content[0].text) == (True, "no: \\ud800 stands there")


def test_an_unknown_tool_is_an_error_of_the_protocol() -> None:
    """It is named as far as it can be shown, and reaches no toolbox."""
    told = Told()

    async def ask(client: Client) -> Any:
        return await client.session.send_request(
            types.CallToolRequest(params=types.CallToolRequestParams(name="\x1b" + "shell" * 90, arguments={})),
            types.CallToolResult,
        )

    error = connected(told, ask)
    assert isinstance(error, MCPError)
    assert error.message.endswith("; there are look, say")
    assert len(error.message) < 200
    assert "\x1b" not in error.message
    assert told.calls == []


@pytest.mark.parametrize(
    "ask",
    [
        lambda client: client.list_resources(),
        lambda client: client.list_prompts(),
        lambda client: client.get_prompt("x"),
        lambda client: client.read_resource("file:///etc/passwd"),
    ],
)
def test_what_is_not_offered_is_not_there(ask: Callable[[Client], Any]) -> None:
    """No resource and no prompt can be had."""
    error = connected(Told(), ask)
    assert isinstance(error, MCPError)
    assert error.code == types.METHOD_NOT_FOUND


def answer_to(line: bytes | TooLong) -> tuple[Any, int, str]:
    """The id, code and sentence that a line which is no message is answered with."""
    read = read_message(line)
    assert isinstance(read, Unreadable), read
    return read.answer.id, read.answer.error.code, read.answer.error.message


CALL = b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":'


@pytest.mark.parametrize(
    ("line", "name", "code"),
    [
        (b"hello", None, types.PARSE_ERROR),
        (b'{"jsonrpc":"2.0"', None, types.PARSE_ERROR),
        (b"\xff\xfe{}", None, types.PARSE_ERROR),
        (CALL + b'{"name":"say","arguments":{"a":NaN}}}', 5, types.PARSE_ERROR),
        (CALL + b'{"name":"\0"}}', 5, types.PARSE_ERROR),
        (CALL + b"[" * 100_000 + b"]" * 100_000 + b"}", 5, types.PARSE_ERROR),
        (CALL + b"9" * 10_000 + b"}", 5, types.PARSE_ERROR),
        (CALL + b'{"name":"say","arguments":{"a":1,"a":2}}}', 5, types.INVALID_REQUEST),
        (CALL + b'{"name":"say","arguments":[{"a":[{"x":1,"x":1}]}]}}', 5, types.INVALID_REQUEST),
        (CALL + b"7}", 5, types.INVALID_REQUEST),
        (b"[]", None, types.INVALID_REQUEST),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None, types.INVALID_REQUEST),
        (b"7", None, types.INVALID_REQUEST),
        (b'{"jsonrpc":"1.0","id":"a","method":"ping"}', "a", types.INVALID_REQUEST),
        (b'{"id":3,"method":"ping"}', 3, types.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None, types.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, types.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None, types.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', None, types.INVALID_REQUEST),
        (TooLong(CALL), 5, types.INVALID_REQUEST),
        (TooLong(b'{"jsonrpc":"2.0","id":"q-1","method":'), "q-1", types.INVALID_REQUEST),
        (TooLong(b"x" * 256), None, types.INVALID_REQUEST),
    ],
)
def test_a_line_that_is_no_message_is_answered(line: bytes | TooLong, name: str | int | None, code: int) -> None:
    """With the id of its request wherever that can be told, so that nobody waits for ever."""
    told = answer_to(line)
    assert told[:2] == (name, code)
    assert told[2]


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        b'{"jsonrpc":"2.0","id":1,"result":{}}',
        b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}',
        CALL + b'{"name":"say","arguments":{"a":{"x":1},"b":{"x":1}}}}\r',
    ],
)
def test_a_message_is_read(line: bytes) -> None:
    """Requests, notifications and answers; the same key in two objects is no repetition."""
    assert not isinstance(read_message(line), Unreadable)
