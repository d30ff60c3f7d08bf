"""Wire: as much of three providers' protocols as it takes to see an agent's tools, and to answer as its model would.

Pure: a request's tree in, names or bytes out.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from slowwave.models.recipe import Bait, listed, table

_SAID = "There is nothing to do."
_ROUTED = json.dumps(
    {"complexity_reasoning": _SAID, "complexity_score": 1, "reasoning": _SAID, "model_choice": "flash"}
)
"""What a router of models wants to hear before it asks one; others read it as a text like any other."""


def offered(request: Any) -> frozenset[str]:
    """The names of all tools that a request offers, wherever in it they stand; one without a name by its kind.

    Read wide on purpose: a list called ``tools`` anywhere counts, so that a place nobody has heard of hides nothing.
    """
    return frozenset(name for tree in _trees(request) for tools in _lists_of_tools(tree) for name in _names(tools, ""))


def _trees(request: Any) -> Iterator[Mapping[str, Any]]:
    left = [request]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            yield one
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)


def _lists_of_tools(tree: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
    if tree.get("type") == "namespace":
        return  # its tools are named with it, where it is listed itself
    for key in ("tools", "functions", "mcp_servers"):
        yield listed(tree.get(key))


def _names(tools: Sequence[Any], before: str) -> Iterator[str]:
    for tool in map(table, tools):
        name = tool.get("name") or table(tool.get("function")).get("name")
        declared = [*listed(tool.get("functionDeclarations")), *listed(tool.get("function_declarations"))]
        if tool.get("type") == "namespace":
            yield from _names(listed(tool.get("tools")), f"{before}{name}__")
        elif "functionDeclarations" in tool or "function_declarations" in tool:
            yield from _names(declared, before)
            yield from (key for key in tool if key not in ("functionDeclarations", "function_declarations"))
        elif name or "type" in tool:
            yield before + str(name or tool["type"])
        else:
            yield from tool  # such as {"googleSearch": {}}


def reply(path: str, request: Any, calls: Sequence[Bait]) -> tuple[str, bytes] | None:
    """What a model would answer that makes these calls, or with none ends the turn: content type and body.

    None where the path is none of the three protocols.
    """
    model, streams = str(table(request).get("model")), table(request).get("stream") is True
    if path.endswith("/messages"):
        message = _message(model, calls)
        return _streamed(_message_events(message)) if streams else _whole(message)
    if path.endswith("/responses"):
        response = _response(model, calls)
        return _streamed(_response_events(response)) if streams else _whole(response)
    if path.endswith("/chat/completions"):
        return (
            _streamed(_completion_chunks(model, calls), end="[DONE]") if streams else _whole(_completion(model, calls))
        )
    if path.endswith(":streamGenerateContent"):
        return _streamed([_content(request, calls)])
    return _whole(_content(request, calls)) if path.endswith(":generateContent") else None


def _whole(tree: Any) -> tuple[str, bytes]:
    return "application/json", json.dumps(tree).encode()


def _streamed(events: Sequence[Mapping[str, Any]], end: str = "") -> tuple[str, bytes]:
    lines = [f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" if "type" in one else _datum(one) for one in events]
    return "text/event-stream", "".join([*lines, f"data: {end}\n\n" if end else ""]).encode()


def _datum(event: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(event)}\n\n"


def _message(model: str, calls: Sequence[Bait]) -> dict[str, Any]:
    content = [
        {"type": "tool_use", "id": f"toolu_{n}", "name": call.name, "input": dict(call.arguments)}
        for n, call in enumerate(calls)
    ]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content or [{"type": "text", "text": _SAID}],
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def _message_events(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
    ]
    for n, block in enumerate(message["content"]):
        is_text = block["type"] == "text"
        delta = (
            {"type": "text_delta", "text": block["text"]}
            if is_text
            else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        )
        empty = {**block, "text": ""} if is_text else {**block, "input": {}}
        events += [
            {"type": "content_block_start", "index": n, "content_block": empty},
            {"type": "content_block_delta", "index": n, "delta": delta},
            {"type": "content_block_stop", "index": n},
        ]
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return [*events, {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}}, {"type": "message_stop"}]


def _response(model: str, calls: Sequence[Bait]) -> dict[str, Any]:
    said = {"type": "output_text", "text": _SAID, "annotations": []}
    ended = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [said]}
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": model,
        "output": [_function_call(n, call) for n, call in enumerate(calls)] or [ended],
        "usage": {
            "input_tokens": 1,
            "output_tokens": 1,
            "total_tokens": 2,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


def _function_call(number: int, call: Bait) -> dict[str, Any]:
    space, _, tool = call.name.rpartition("__")  # tools of servers stand in a name space there
    named = {"namespace": space, "name": tool} if space else {"name": call.name}
    arguments = json.dumps(call.arguments)
    call_id = {"id": f"fc_{number}", "call_id": f"call_{number}"}
    return {"type": "function_call", "status": "completed", **call_id, **named, "arguments": arguments}


def _response_events(response: Mapping[str, Any]) -> list[dict[str, Any]]:
    begun = {**response, "status": "in_progress", "output": []}
    done = [
        {"type": "response.output_item.done", "output_index": n, "item": item}
        for n, item in enumerate(response["output"])
    ]
    return [
        {"type": "response.created", "response": begun},
        *done,
        {"type": "response.completed", "response": response},
    ]


def _completion(model: str, calls: Sequence[Bait]) -> dict[str, Any]:
    called = [
        {
            "id": f"call_{n}",
            "index": n,
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
        }
        for n, call in enumerate(calls)
    ]
    message: dict[str, Any] = {"content": None, "tool_calls": called} if called else {"content": _SAID}
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": _finish(calls)}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {"id": "c_1", "object": "chat.completion", "created": 0, "model": model, "choices": [choice], "usage": usage}


def _completion_chunks(model: str, calls: Sequence[Bait]) -> list[dict[str, Any]]:
    whole = _completion(model, calls)
    choice = {"index": 0, "delta": whole["choices"][0]["message"], "finish_reason": _finish(calls)}
    return [{**whole, "object": "chat.completion.chunk", "choices": [choice]}]


def _finish(calls: Sequence[Bait]) -> str:
    return "tool_calls" if calls else "stop"


def _content(request: Any, calls: Sequence[Bait]) -> dict[str, Any]:
    wants_json = table(table(request).get("generationConfig")).get("responseMimeType") == "application/json"
    called = [{"functionCall": {"name": call.name, "args": dict(call.arguments)}} for call in calls]
    said = [{"text": _ROUTED if wants_json else _SAID}]
    content: dict[str, Any] = {"role": "model", "parts": called or said}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": usage}
