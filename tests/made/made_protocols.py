"""Providers' protocols, as much as a tool turn needs: a request read into one neutral form, an answer written in each.

Written from the providers' public references, not from the client library that it tests.
"""

import json
import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Line:
    """One thing said: by ``system``, ``user``, ``model`` (text or a call) or ``tool``."""

    who: str
    text: str
    call: str = ""
    is_error: bool = False


@dataclass(frozen=True, kw_only=True)
class Question:
    """A request in neutral form, with what came over the wire beside it.

    Attributes:
        protocol: ``anthropic``, ``openai``, ``responses``, ``gemini`` or ``bedrock``.
        number: The how many-th request of this server, from 1.
        lines: What was said, in order.
        tools: Names of the tools offered; a built-in one by its type.
        streams: Events are asked for.
        headers: As sent, names in lower case.
        body: The whole request.
        path: Where it was sent.
    """

    protocol: str
    number: int
    lines: tuple[Line, ...]
    tools: tuple[str, ...]
    streams: bool
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    path: str


@dataclass(frozen=True, kw_only=True)
class Spoken:
    """An answer in neutral form.

    Attributes:
        text: Prose.
        calls: Tools to call, each a name with arguments; a text is sent as it is, also where it is no JSON.
        end: ``stop``, ``length``, ``declined``; calls end a turn by themselves.
        has_usage: Whether tokens are counted.
        tokens: Input and output tokens that are counted.
    """

    text: str = ""
    calls: Sequence[tuple[str, Any]] = ()
    end: str = "stop"
    has_usage: bool = True
    tokens: tuple[int, int] = (1_000, 50)
    ids: str = field(default="c")

    def named(self) -> Iterator[tuple[str, str, Any]]:
        """Each call with an id that no other request has."""
        for at, (name, arguments) in enumerate(self.calls):
            yield f"call_{self.ids}_{at}", name, arguments


_BARE = "@bare:"
_BARE_STRING = re.compile(rb'"@bare:(?:[^"\\]|\\.)*"')


def _text(arguments: Any) -> str:
    return arguments.removeprefix(_BARE) if isinstance(arguments, str) else json.dumps(arguments)


def _tree(arguments: Any) -> Any:
    """Arguments where a protocol has an object: a text is marked, and put there as it is by ``_json``."""
    return _BARE + arguments if isinstance(arguments, str) else arguments


def _json(tree: Any) -> bytes:
    """An answer on the wire, marked texts in it bare."""
    written = json.dumps(tree).encode()
    return _BARE_STRING.sub(
        lambda found: json.loads(found.group()).removeprefix(_BARE).encode("utf-8", "surrogatepass"), written
    )


def protocol_of(path: str) -> str:
    """Which protocol a path belongs to; empty where none."""
    for end, protocol in (
        ("/v1/messages", "anthropic"),
        ("/chat/completions", "openai"),
        ("/responses", "responses"),
        (":generateContent", "gemini"),
        (":streamGenerateContent", "gemini"),
        ("/converse", "bedrock"),
        ("/converse-stream", "bedrock"),
    ):
        if path.partition("?")[0].endswith(end):
            return protocol
    return ""


def read(protocol: str, path: str, body: Mapping[str, Any]) -> tuple[tuple[Line, ...], tuple[str, ...], bool]:
    """What a request says, which tools it offers, and whether it asks for events."""
    lines = tuple(_LINES[protocol](body))
    if protocol == "gemini":
        tools = [one["name"] for tool in body.get("tools", []) for one in tool.get("functionDeclarations", [tool])]
        return lines, tuple(tools), ":stream" in path
    if protocol == "bedrock":
        tools = [tool["toolSpec"]["name"] for tool in body.get("toolConfig", {}).get("tools", [])]
        return lines, tuple(tools), path.endswith("-stream")
    tools = [tool.get("function", tool).get("name", tool.get("type")) for tool in body.get("tools", [])]
    return lines, tuple(tools), bool(body.get("stream"))


def _parts(content: Any) -> list[Mapping[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or [])


def _joined(content: Any) -> str:
    return "".join(part.get("text", "") for part in _parts(content))


def _anthropic_lines(body: Mapping[str, Any]) -> Iterator[Line]:
    yield Line(who="system", text=_joined(body.get("system", "")))
    for message in body["messages"]:
        for part in _parts(message["content"]):
            if part["type"] == "tool_result":
                yield Line(who="tool", text=_joined(part["content"]), is_error=bool(part.get("is_error")))
            elif part["type"] == "tool_use":
                yield Line(who="model", text=json.dumps(part["input"]), call=part["name"])
            else:
                yield Line(who="model" if message["role"] == "assistant" else "user", text=part["text"])


def _openai_lines(body: Mapping[str, Any]) -> Iterator[Line]:
    names = {"assistant": "model", "developer": "system"}
    for message in body["messages"]:
        if message.get("content"):
            yield Line(who=names.get(message["role"], message["role"]), text=_joined(message["content"]))
        for call in message.get("tool_calls") or []:
            yield Line(who="model", text=call["function"]["arguments"], call=call["function"]["name"])


def _responses_lines(body: Mapping[str, Any]) -> Iterator[Line]:
    yield Line(who="system", text=body.get("instructions") or "")
    for item in body["input"]:
        if item.get("type") == "function_call":
            yield Line(who="model", text=item["arguments"], call=item["name"])
        elif item.get("type") == "function_call_output":
            yield Line(who="tool", text=_joined(item["output"]))
        elif "role" in item:
            yield Line(who="model" if item["role"] == "assistant" else item["role"], text=_joined(item["content"]))


def _gemini_lines(body: Mapping[str, Any]) -> Iterator[Line]:
    yield Line(who="system", text=_joined(body.get("systemInstruction", {}).get("parts", [])))
    for content in body["contents"]:
        for part in content["parts"]:
            if "functionCall" in part:
                yield Line(
                    who="model", text=json.dumps(part["functionCall"]["args"]), call=part["functionCall"]["name"]
                )
            elif "functionResponse" in part:
                yield Line(who="tool", text=str(next(iter(part["functionResponse"]["response"].values()))))
            else:
                yield Line(who="model" if content["role"] == "model" else "user", text=part.get("text", ""))


def _bedrock_lines(body: Mapping[str, Any]) -> Iterator[Line]:
    yield Line(who="system", text=_joined(body.get("system", [])))
    for message in body["messages"]:
        for part in message["content"]:
            if "toolUse" in part:
                yield Line(who="model", text=json.dumps(part["toolUse"]["input"]), call=part["toolUse"]["name"])
            elif "toolResult" in part:
                result = part["toolResult"]
                yield Line(who="tool", text=_joined(result["content"]), is_error=result.get("status") == "error")
            else:
                yield Line(who="model" if message["role"] == "assistant" else "user", text=part.get("text", ""))


_LINES = {
    "anthropic": _anthropic_lines,
    "openai": _openai_lines,
    "responses": _responses_lines,
    "gemini": _gemini_lines,
    "bedrock": _bedrock_lines,
}


def write(protocol: str, spoken: Spoken, *, streams: bool) -> tuple[str, list[bytes]]:
    """An answer on the wire: its content type and its pieces, one piece where it is no stream."""
    if protocol == "bedrock" and streams:
        return "application/vnd.amazon.eventstream", [_frame(name, tree) for name, tree in _bedrock_events(spoken)]
    if not streams:
        return "application/json", [_json(_WHOLE[protocol](spoken))]
    if protocol in ("anthropic", "responses"):
        events = _anthropic_events(spoken) if protocol == "anthropic" else _responses_events(spoken)
        return "text/event-stream", [f"event: {e['type']}\ndata: {json.dumps(e)}\n\n".encode() for e in events]
    if protocol == "gemini":
        return "text/event-stream", [b"data: " + _json(_gemini(spoken)) + b"\r\n\r\n"]
    chunks = [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in _openai_chunks(spoken)]
    return "text/event-stream", [*chunks, b"data: [DONE]\n\n"]


def _anthropic(spoken: Spoken) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": spoken.text}] if spoken.text else []
    content += [
        {"type": "tool_use", "id": number, "name": name, "input": _tree(args)} for number, name, args in spoken.named()
    ]
    ends = {"stop": "tool_use" if spoken.calls else "end_turn", "length": "max_tokens", "declined": "refusal"}
    usage = {"input_tokens": spoken.tokens[0], "output_tokens": spoken.tokens[1]}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "made",
        "content": content,
        "stop_reason": ends[spoken.end],
        "stop_sequence": None,
        "usage": usage if spoken.has_usage else {"input_tokens": 0, "output_tokens": 0},
    }


def _anthropic_events(spoken: Spoken) -> Iterator[dict[str, Any]]:
    whole = _anthropic(spoken)
    begun = {**whole, "content": [], "stop_reason": None, "usage": {**whole["usage"], "output_tokens": 0}}
    yield {"type": "message_start", "message": begun}
    for at, part in enumerate(whole["content"]):
        if part["type"] == "text":
            start: dict[str, Any] = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": part["text"]}
        else:
            start = {**part, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": _text(part["input"])}
        yield {"type": "content_block_start", "index": at, "content_block": start}
        yield {"type": "content_block_delta", "index": at, "delta": delta}
        yield {"type": "content_block_stop", "index": at}
    ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": whole["usage"]["output_tokens"]}}
    yield {"type": "message_stop"}


def _openai_usage(spoken: Spoken) -> dict[str, Any]:
    sent, answered = spoken.tokens
    counted = {"prompt_tokens": sent, "completion_tokens": answered, "total_tokens": sent + answered}
    return {"usage": counted} if spoken.has_usage else {}


def _openai_message(spoken: Spoken) -> tuple[dict[str, Any], str]:
    message: dict[str, Any] = {"role": "assistant", "content": spoken.text or None}
    if spoken.calls:
        message["tool_calls"] = [
            {"id": number, "type": "function", "function": {"name": name, "arguments": _text(args)}}
            for number, name, args in spoken.named()
        ]
    ends = {"stop": "tool_calls" if spoken.calls else "stop", "length": "length", "declined": "content_filter"}
    return message, ends[spoken.end]


def _openai(spoken: Spoken) -> dict[str, Any]:
    message, end = _openai_message(spoken)
    choice = {"index": 0, "message": message, "finish_reason": end}
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "made"}
    return {**head, "choices": [choice], **_openai_usage(spoken)}


def _openai_chunks(spoken: Spoken) -> Iterator[dict[str, Any]]:
    message, end = _openai_message(spoken)
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "made"}
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": message["content"] or ""}]
    for at, call in enumerate(message.get("tool_calls", [])):
        text = call["function"]["arguments"]
        half = len(text) // 2
        opening = {**call, "function": {**call["function"], "arguments": text[:half]}}
        deltas.append({"tool_calls": [{"index": at, **opening}]})
        deltas.append({"tool_calls": [{"index": at, "function": {"arguments": text[half:]}}]})
    for delta in deltas:
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": end}]}
    if spoken.has_usage:
        yield {**head, "choices": [], **_openai_usage(spoken)}


def _responses(spoken: Spoken) -> dict[str, Any]:
    output: list[dict[str, Any]] = []
    if spoken.text:
        said = {"type": "output_text", "text": spoken.text, "annotations": []}
        output.append({"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [said]})
    for number, name, args in spoken.named():
        call = {"type": "function_call", "id": f"fc_{number}", "call_id": number, "name": name}
        output.append({**call, "arguments": _text(args), "status": "completed"})
    why = {"length": {"reason": "max_output_tokens"}, "declined": {"reason": "content_filter"}}.get(spoken.end)
    sent, answered = spoken.tokens
    counted = {
        "input_tokens": sent,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": answered,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": sent + answered,
    }
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "made",
        "status": "incomplete" if why else "completed",
        "incomplete_details": why,
        "error": None,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": counted if spoken.has_usage else None,
    }


def _responses_events(spoken: Spoken) -> Iterator[dict[str, Any]]:
    whole = _responses(spoken)
    begun = {**whole, "status": "in_progress", "output": [], "usage": None, "incomplete_details": None}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
    for at, item in enumerate(whole["output"]):
        place = {"output_index": at, "item_id": item["id"]}
        opened = {**item, "content": []} if item["type"] == "message" else {**item, "arguments": ""}
        events.append({"type": "response.output_item.added", "output_index": at, "item": opened})
        if item["type"] == "message":
            (part,) = item["content"]
            place["content_index"] = 0
            events.append({"type": "response.content_part.added", **place, "part": {**part, "text": ""}})
            events.append({"type": "response.output_text.delta", **place, "delta": part["text"], "logprobs": []})
            events.append({"type": "response.output_text.done", **place, "text": part["text"], "logprobs": []})
            events.append({"type": "response.content_part.done", **place, "part": part})
        else:
            text = item["arguments"]
            events.append({"type": "response.function_call_arguments.delta", **place, "delta": text})
            done = {"type": "response.function_call_arguments.done", **place}
            events.append({**done, "arguments": text, "name": item["name"]})
        events.append({"type": "response.output_item.done", "output_index": at, "item": item})
    events.append({"type": f"response.{whole['status']}", "response": whole})
    yield from ({**event, "sequence_number": at} for at, event in enumerate(events))


def _gemini(spoken: Spoken) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": spoken.text}] if spoken.text else []
    parts += [{"functionCall": {"name": name, "args": _tree(args)}} for _, name, args in spoken.named()]
    ends = {"stop": "STOP", "length": "MAX_TOKENS", "declined": "SAFETY"}
    sent, answered = spoken.tokens
    counted = {"promptTokenCount": sent, "candidatesTokenCount": answered, "totalTokenCount": sent + answered}
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": ends[spoken.end], "index": 0}
    return {
        "candidates": [candidate],
        "modelVersion": "made",
        "responseId": "r1",
        **({"usageMetadata": counted} if spoken.has_usage else {}),
    }


_BEDROCK_ENDS = {"length": "max_tokens", "declined": "guardrail_intervened"}


def _bedrock_end(spoken: Spoken) -> str:
    return _BEDROCK_ENDS.get(spoken.end, "tool_use" if spoken.calls else "end_turn")


def _bedrock_usage(spoken: Spoken) -> dict[str, Any]:
    sent, answered = spoken.tokens if spoken.has_usage else (0, 0)
    return {"inputTokens": sent, "outputTokens": answered, "totalTokens": sent + answered}


def _bedrock(spoken: Spoken) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"text": spoken.text}] if spoken.text else []
    content += [
        {"toolUse": {"toolUseId": number, "name": name, "input": _tree(args)}} for number, name, args in spoken.named()
    ]
    message = {"role": "assistant", "content": content}
    return {
        "output": {"message": message},
        "stopReason": _bedrock_end(spoken),
        "usage": _bedrock_usage(spoken),
        "metrics": {"latencyMs": 1},
    }


def _bedrock_events(spoken: Spoken) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "messageStart", {"role": "assistant"}
    at = 0
    if spoken.text:
        yield "contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": spoken.text}}
        yield "contentBlockStop", {"contentBlockIndex": 0}
        at = 1
    for number, name, args in spoken.named():
        start = {"toolUse": {"toolUseId": number, "name": name}}
        yield "contentBlockStart", {"contentBlockIndex": at, "start": start}
        yield "contentBlockDelta", {"contentBlockIndex": at, "delta": {"toolUse": {"input": _text(args)}}}
        yield "contentBlockStop", {"contentBlockIndex": at}
        at += 1
    yield "messageStop", {"stopReason": _bedrock_end(spoken)}
    yield "metadata", {"usage": _bedrock_usage(spoken), "metrics": {"latencyMs": 1}}


def _frame(name: str, tree: Mapping[str, Any]) -> bytes:
    """One message of an AWS event stream: lengths, checksum, headers, payload, checksum."""
    told = {":event-type": name, ":content-type": "application/json", ":message-type": "event"}
    headers = b"".join(_header(key.encode(), value.encode()) for key, value in told.items())
    payload = json.dumps(tree).encode()
    prelude = struct.pack("!II", 16 + len(headers) + len(payload), len(headers))
    head = prelude + struct.pack("!I", zlib.crc32(prelude)) + headers + payload
    return head + struct.pack("!I", zlib.crc32(head))


def _header(name: bytes, value: bytes) -> bytes:
    return struct.pack("!B", len(name)) + name + struct.pack("!BH", 7, len(value)) + value


_WHOLE = {
    "anthropic": _anthropic,
    "openai": _openai,
    "responses": _responses,
    "gemini": _gemini,
    "bedrock": _bedrock,
}


def joined(pieces: Iterable[bytes]) -> bytes:
    """All pieces of an answer."""
    return b"".join(pieces)
