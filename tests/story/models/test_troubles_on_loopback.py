"""Each provider's own way to say no, word for word as its reference has it, ends a turn as what it means."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, cast

import pytest
from made_boxes import MadeBox, MadePurse, stopwatch
from made_protocols import Spoken, write
from made_providers import KEY, MadeProvider, Raw, Status, in_order, tool_calls

from slowwave.facts.limits import FIRST_WAIT_SECONDS, MOST_PROVIDER_TRIES, MOST_WAIT_SECONDS
from slowwave.models.ask import Talk, converse
from slowwave.models.budget import Purse
from slowwave.models.prices import FREE

GOOD = tool_calls(("submit_answer", {"q": "good"}))


def led(step: Any, provider: str, *, stream: bool) -> tuple[Talk, list[float], MadeBox]:
    """A turn, the waits in it, and what was called; the provider says one thing again and again, or first."""
    box, waits = MadeBox(), list[float]()
    with MadeProvider(in_order(*step) if isinstance(step, tuple) else in_order(step)) as made:
        talk = converse(
            made.settings(provider, stream=stream),
            box,
            instructions="i",
            message="m",
            purse=cast("Purse", MadePurse()),
            price=FREE,
            key=KEY,
            sleeper=waits.append,
            stopwatch=stopwatch(),
        )
    assert made.strays == []
    return talk, waits, box


def events(*trees: Any) -> Raw:
    """A stream of these events, named where the protocol names them."""
    lines = ((f"event: {tree['type']}\n" if "type" in tree else "") + f"data: {json.dumps(tree)}\n\n" for tree in trees)
    return Raw(content="".join(lines).encode(), content_type="text/event-stream")


def whole(tree: Any) -> Raw:
    """One answer."""
    return Raw(content=json.dumps(tree).encode())


def begun(protocol: str, pieces: int) -> list[Any]:
    """The first events of a good answer."""
    _, sent = write(protocol, Spoken(text="I look.", calls=GOOD.calls), streams=True)
    return [json.loads(piece.split(b"data: ", 1)[1]) for piece in sent[:pieces]]


OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
CHAT = {"id": "c", "object": "chat.completion", "created": 1, "model": "made"}
CHUNK = {**CHAT, "object": "chat.completion.chunk"}
NO = "I will not do that."
REFUSED_CHAT = {
    **CHAT,
    "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": None, "refusal": NO}}
    ],
    "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
}
REFUSED_CHUNKS = [
    {**CHUNK, "choices": [{"index": 0, "delta": {"role": "assistant", "refusal": NO}, "finish_reason": None}]},
    {**CHUNK, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
]
ERROR_CHUNK = {"error": {"message": "the server had an error", "type": "server_error", "code": None, "param": None}}
RESPONSE = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1,
    "model": "made",
    "status": "completed",
    "incomplete_details": None,
    "error": None,
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
    "usage": None,
    "output": [],
}
REFUSAL_ITEM = {
    "type": "message",
    "id": "msg_1",
    "status": "completed",
    "role": "assistant",
    "content": [{"type": "refusal", "refusal": NO}],
}
REFUSED_RESPONSE = {**RESPONSE, "output": [REFUSAL_ITEM]}
FAILED_RESPONSE = {**RESPONSE, "status": "failed", "error": {"code": "server_error", "message": "failed"}}
PLACE = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
REFUSED_EVENTS = [
    {"type": "response.created", "sequence_number": 0, "response": {**RESPONSE, "status": "in_progress"}},
    {
        "type": "response.output_item.added",
        "sequence_number": 1,
        "output_index": 0,
        "item": {**REFUSAL_ITEM, "status": "in_progress", "content": []},
    },
    {"type": "response.refusal.delta", "sequence_number": 2, **PLACE, "delta": NO},
    {"type": "response.refusal.done", "sequence_number": 3, **PLACE, "refusal": NO},
    {"type": "response.output_item.done", "sequence_number": 4, "output_index": 0, "item": REFUSAL_ITEM},
    {"type": "response.completed", "sequence_number": 5, "response": REFUSED_RESPONSE},
]
BLOCKED = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": "made", "responseId": "r"}
MALFORMED = {
    "candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "index": 0, "content": {"role": "model"}}],
    "modelVersion": "made",
    "responseId": "r",
}
CASES = {
    "anthropic overloaded first": ("anthropic", True, events(OVERLOADED), "unavailable"),
    "anthropic overloaded midway": ("anthropic", True, events(*begun("anthropic", 3), OVERLOADED), "unavailable"),
    "chat refusal": ("openai", False, whole(REFUSED_CHAT), "declined"),
    "chat refusal streamed": ("openai", True, events(*REFUSED_CHUNKS), "declined"),
    "chat error first": ("openai", True, events(ERROR_CHUNK), "unavailable"),
    "chat error midway": ("openai-compatible", True, events(*begun("openai", 3), ERROR_CHUNK), "unavailable"),
    "responses refusal": ("openai-responses", False, whole(REFUSED_RESPONSE), "declined"),
    "responses refusal streamed": ("openai-responses", True, events(*REFUSED_EVENTS), "declined"),
    "responses failed": ("openai-responses", False, whole(FAILED_RESPONSE), "unavailable"),
    "responses failed streamed": (
        "openai-responses",
        True,
        events({"type": "response.failed", "sequence_number": 0, "response": FAILED_RESPONSE}),
        "unavailable",
    ),
    "responses error event": (
        "openai-responses",
        True,
        events({"type": "error", "sequence_number": 0, "code": "server_error", "message": "no", "param": None}),
        "unavailable",
    ),
    "gemini blocked": ("gemini", False, whole(BLOCKED), "declined"),
    "gemini blocked streamed": ("gemini", True, events(BLOCKED), "declined"),
    "gemini malformed call": ("gemini", False, whole(MALFORMED), "cut"),
    "gemini malformed call streamed": ("gemini", True, events(MALFORMED), "cut"),
}


@pytest.mark.parametrize("case", CASES)
def test_each_way_to_say_no(case: str) -> None:
    """Within the bound of tries, with no call made and nothing of what it said passed on."""
    provider, stream, step, status = CASES[case]
    talk, waits, box = led(step, provider, stream=stream)
    assert talk.status == status, talk.message
    assert box.calls == []
    assert len(waits) < MOST_PROVIDER_TRIES
    assert NO not in talk.message


LATER = format_datetime(datetime.now(UTC) + timedelta(days=2), usegmt=True)
WAITS: list[tuple[dict[str, str], float]] = [
    ({}, FIRST_WAIT_SECONDS),
    ({"retry-after": LATER}, MOST_WAIT_SECONDS),
    ({"retry-after": "Thu, 01 Jan 2015 00:00:00 GMT"}, FIRST_WAIT_SECONDS),
    ({"retry-after": "soon"}, FIRST_WAIT_SECONDS),
    ({"retry-after": "-5"}, FIRST_WAIT_SECONDS),
    ({"retry-after": "nan"}, FIRST_WAIT_SECONDS),
    ({"retry-after-ms": "9500"}, 9.5),
]


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
@pytest.mark.parametrize(("headers", "wait"), WAITS)
def test_how_long_it_asks_to_wait(provider: str, headers: dict[str, str], wait: float) -> None:
    """Seconds, a date, milliseconds, nothing, nonsense; the bound holds for each."""
    talk, waits, _ = led((Status(code=429, headers=headers, sort="rate_limit_error"), GOOD), provider, stream=True)
    assert (talk.status, waits) == ("answered", [wait])


def error(code: int, **told: Any) -> Raw:
    """An error with a body of the provider's own."""
    return Raw(content=json.dumps(told).encode(), code=code)


CREDIT = "Your credit balance is too low to access the Anthropic API."
QUOTA = {"message": "q", "type": "insufficient_quota", "code": "insufficient_quota"}
SPENT = {
    "openai quota": (
        "openai",
        error(429, error=QUOTA),
    ),
    "responses quota": (
        "openai-responses",
        error(429, error=QUOTA),
    ),
    "openai 402": ("openai-compatible", error(402, error={"message": "pay", "type": "billing", "code": None})),
    "anthropic 402": ("anthropic", error(402, type="error", error={"type": "billing_error", "message": "pay"})),
    "anthropic credit": (
        "anthropic",
        error(400, type="error", error={"type": "invalid_request_error", "message": CREDIT}),
    ),
}


@pytest.mark.parametrize("case", SPENT)
@pytest.mark.parametrize("stream", [True, False])
def test_an_account_without_money_is_away_at_once(case: str, stream: bool) -> None:
    """Waiting would not help, and no batch is to blame."""
    provider, step = SPENT[case]
    talk, waits, _ = led(step, provider, stream=stream)
    assert (talk.status, waits, talk.usage.tokens) == ("unavailable", [], 0), talk.message
    assert "quota or credit" in talk.message
