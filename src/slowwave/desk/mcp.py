"""MCP: the tools of one turn, served to a person's own agent over standard input and output.

The agent is offered those tools and nothing else: no resources, no prompts, no sampling, no logging. Whatever it sends
is answered as the protocol has it, or passed over where the protocol has silence; nothing it sends ends the server.
"""

import json
import re
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import anyio
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import MCPError, types
from mcp.server import Server, ServerRequestContext
from mcp.shared.message import SessionMessage

from slowwave import __version__
from slowwave.desk.wire import TooLong, incoming, send_line, taken_over
from slowwave.facts.limits import CLIENT_CHARACTERS, MOST_MESSAGE_BYTES
from slowwave.facts.text import cut, showable
from slowwave.models.toolbox import ToolReply, ToolSpec
from slowwave.proof.json_text import BadJsonError, JsonObject, JsonValue, has_surrogate, read_json

Called = Callable[[str, str, str], ToolReply]
"""Calls a tool: its name, its arguments as JSON text, and who asks."""

_REQUEST_HEAD = re.compile(rb'\{ ?"jsonrpc": ?"2\.0", ?"id": ?(-?[0-9]{1,18}|"[^"\\]{0,64}") ?[,}]')
"""How every client we know begins a request; where another one does, nobody is named in the answer."""


def serve(specs: Sequence[ToolSpec], call: Called, *, instructions: str) -> None:
    """Serve until the client closes our input, stops reading, or the process is told to end.

    Args:
        specs: Every tool there is.
        call: What a call comes to; expected trouble is its reply.
        instructions: What an agent that connects is told.
    """
    with taken_over() as (read_from, write_to):
        anyio.run(_serve, make_server(specs, call, instructions=instructions), read_from, write_to)


def make_server(specs: Sequence[ToolSpec], call: Called, *, instructions: str) -> Server[dict[str, Any]]:
    """A server of these tools, not yet connected to anybody."""
    tools = [_tool(spec) for spec in specs]
    names = {spec.name for spec in specs}

    async def list_tools(
        context: ServerRequestContext[dict[str, Any]], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        del context, params
        return types.ListToolsResult(tools=tools)

    async def call_tool(
        context: ServerRequestContext[dict[str, Any]], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if params.name not in names:
            raise MCPError(
                code=types.INVALID_PARAMS,
                message=f"there is no tool {showable(cut(params.name, 80))!r}; there are {', '.join(sorted(names))}",
            )
        reply = call(params.name, json.dumps(params.arguments or {}), _client(context))
        # Half of a surrogate pair, which a transcript may hold, is no text that can be sent.
        text = reply.text.encode("utf-8", "backslashreplace").decode("utf-8")
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=reply.is_error)

    server: Server[dict[str, Any]] = Server(
        "slowwave", version=__version__, instructions=instructions, on_list_tools=list_tools, on_call_tool=call_tool
    )
    server.middleware.clear()  # what is asked here is no business of whoever collects this machine's telemetry
    return server


def _tool(spec: ToolSpec) -> types.Tool:
    # The hints say what is so: nothing outside this process is changed or asked. Some agents ask their person before
    # any tool that does not say this, which a run without a screen cannot answer.
    hints = types.ToolAnnotations(destructive_hint=False, open_world_hint=False)
    return types.Tool(name=spec.name, description=spec.description, input_schema=dict(spec.schema), annotations=hints)


def _client(context: ServerRequestContext[dict[str, Any]]) -> str:
    """Who is connected, by what it said of itself; empty where it said nothing."""
    params = context.session.client_params
    if params is None:
        return ""
    told = params.client_info
    return showable(cut(f"{told.name} {told.version}".strip(), CLIENT_CHARACTERS))


async def _serve(server: Server[dict[str, Any]], read_from: int, write_to: int) -> None:
    into, arriving = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    leaving, out = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as whole:
        whole.start_soon(_end_when_told, whole)
        async with anyio.create_task_group() as group:
            group.start_soon(_send_all, out, write_to, whole)
            group.start_soon(_take_in, read_from, into, leaving.clone())
            await server.run(arriving, leaving, server.create_initialization_options())
        whole.cancel_scope.cancel()


async def _end_when_told(whole: TaskGroup) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as told:
        async for _ in told:
            whole.cancel_scope.cancel()
            return


async def _take_in(
    descriptor: int,
    into: MemoryObjectSendStream[SessionMessage | Exception],
    leaving: MemoryObjectSendStream[SessionMessage],
) -> None:
    async with into, leaving:
        async for line in incoming(descriptor, anyio.wait_readable):
            message = read_message(line)
            if isinstance(message, Unreadable):
                await leaving.send(SessionMessage(message.answer))
            else:
                await into.send(SessionMessage(message))


async def _send_all(out: MemoryObjectReceiveStream[SessionMessage], descriptor: int, whole: TaskGroup) -> None:
    try:
        async with out:
            async for one in out:
                line = one.message.model_dump_json(by_alias=True, exclude_unset=True).encode("utf-8")
                await send_line(descriptor, line, anyio.wait_writable)
    except OSError:
        whole.cancel_scope.cancel()  # nobody reads any more


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is no message, and what its sender is answered."""

    answer: types.JSONRPCError


def read_message(line: bytes | TooLong) -> types.JSONRPCMessage | Unreadable:
    """The message of a line.

    Read strictly before the library sees it: a key that stands twice, NaN and endless nesting are refused, so that
    what a tool is called with is what was sent.
    """
    if isinstance(line, TooLong):
        return _unreadable(
            _named_in(line.head), types.INVALID_REQUEST, f"a message has at most {MOST_MESSAGE_BYTES:,} bytes"
        )
    try:
        value = read_json(line, most_bytes=MOST_MESSAGE_BYTES)
    except BadJsonError as error:
        return _unreadable(_named_in(line), types.PARSE_ERROR, str(error))
    name = _name(value)
    if repeated := _repeated(value):
        return _unreadable(name, types.INVALID_REQUEST, f"the key {showable(cut(repeated, 80))!r} stands twice")
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return _unreadable(name, types.INVALID_REQUEST, "this is no JSON-RPC 2.0 message")
    is_named = isinstance(value, JsonObject) and "id" in value.members
    if isinstance(message, types.JSONRPCNotification) and is_named:
        return _unreadable(name, types.INVALID_REQUEST, "the id of a request is a text or a whole number")
    return message


def _unreadable(name: str | int | None, code: int, message: str) -> Unreadable:
    return Unreadable(types.JSONRPCError(jsonrpc="2.0", id=name, error=types.ErrorData(code=code, message=message)))


def _name(value: JsonValue) -> str | int | None:
    """The id of a request, where it has one that may be sent back."""
    name = value.members.get("id") if isinstance(value, JsonObject) else None
    if isinstance(name, str):
        return None if has_surrogate(name) else name
    return name if isinstance(name, int) and not isinstance(name, bool) else None


def _named_in(head: bytes) -> str | int | None:
    """The id of a request whose line cannot be read, where it begins as requests do: else its sender waits for ever."""
    found = _REQUEST_HEAD.match(head)
    if found is None:
        return None
    name = found.group(1)
    return int(name) if not name.startswith(b'"') else name.strip(b'"').decode("utf-8", "replace")


def _repeated(value: JsonValue) -> str:
    """A key that stands twice in one object, anywhere; empty where there is none."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, JsonObject):
            if one.repeated:
                return one.repeated[0]
            left.extend(one.members.values())
        elif isinstance(one, list):
            left.extend(one)
    return ""
