"""Arguments as they were sent: taken out of answers before anybody mends them, sent back as an object or not at all."""

import json

import pytest

from slowwave.facts.limits import JSON_DEPTH
from slowwave.models.as_sent import clean, kept_as_text, sendable, written
from slowwave.models.channel import Counted, ModelAnswer, Prompt, ToolCall
from slowwave.models.sizing import Sizing

ODD = '{"a":1,"a":1.50,"b":[1e999,NaN,-0],"c":{"d":"\\ud800","d":"ü"}}'
BODIES = {
    "anthropic": '{"content":[{"type":"text","text":"input"},{"type":"tool_use","input":%s}]}',
    "gemini": '{"candidates":[{"content":{"parts":[{"text":"args"},{"functionCall":{"name":"x","args":%s}}]}}]}',
    "bedrock": '{"output":{"message":{"content":[{"text":"t"},{"toolUse":{"name":"x","input":%s}}]}}}',
}


def taken_out(provider: str, content: bytes) -> list[str]:
    """Every text that an answer carries as arguments, as the library would give it."""
    found: list[str] = []

    def look(members: dict[str, object]) -> dict[str, object]:
        found.extend(written(members[key]) for key in ("input", "args") if isinstance(members.get(key), dict))
        return members

    json.loads(kept_as_text(provider, "application/json", content), object_hook=look)
    return found


@pytest.mark.parametrize("provider", BODIES)
@pytest.mark.parametrize("arguments", [ODD, "[1]", "null", "{}", '"text"', "12345678901234567890" * 400])
def test_an_object_on_the_wire_is_taken_out_as_it_was(provider: str, arguments: str) -> None:
    """Equal keys, numbers however written, anything that is no object."""
    (text,) = taken_out(provider, (BODIES[provider] % arguments).encode())
    assert text == arguments.replace("ü", "\\u00fc")


def test_each_event_of_a_stream_is_looked_at() -> None:
    """What is no event, or no JSON, stays."""
    event = BODIES["gemini"] % '{"a":1,"a":2}'
    content = f": ping\r\ndata: {event}\r\n\r\ndata: [DONE\n\n".encode()
    got = kept_as_text("gemini", "text/event-stream", content)
    assert got.startswith(b": ping\r\ndata: {")
    assert b'{\\"a\\":1,\\"a\\":2}' in got
    assert got.endswith(b"}\r\n\r\ndata: [DONE\n\n")


@pytest.mark.parametrize(
    ("provider", "sort", "content"),
    [
        ("openai", "application/json", b'{"content": [{"input": {"a": 1}}]}'),
        ("anthropic", "application/json", b"{nonsense"),
        ("bedrock", "application/vnd.amazon.eventstream", b"\x00\x01"),
    ],
)
def test_what_holds_no_such_object_stays(provider: str, sort: str, content: bytes) -> None:
    """Other protocols, other sorts, no JSON: byte for byte."""
    assert kept_as_text(provider, sort, content) == content


def test_text_is_what_the_model_wrote() -> None:
    """No arguments are an empty object; a text is not looked into, whatever it says."""
    given: tuple[object, ...] = (None, "", {}, "{", '{"as_sent": "x"}')
    assert [written(one) for one in given] == ["{}", "{}", "{}", "{", '{"as_sent": "x"}']


@pytest.mark.parametrize(
    "broken", ["", "{", "[1]", "null", "9" * 5_000, '{"a":' * 100_000, '{"a": ' + "9" * 5_000 + "}"]
)
def test_what_is_no_object_is_sent_back_as_text(broken: str) -> None:
    """An object with one member that says so."""
    assert sendable(broken) == {"not_valid_json": broken}


def test_what_is_sent_back_can_be_encoded() -> None:
    """No number that is none, no half character, nothing too deep."""
    sent = sendable('{"a\\udfff": [NaN, Infinity, 1e999, 1], "b": "\\ud800", "a": {"c": null}}')
    assert sent == {"a\ufffd": ["nan", "inf", "inf", 1], "b": "\ufffd", "a": {"c": None}}
    json.dumps(sent, ensure_ascii=False, allow_nan=False).encode()
    assert sendable('{"a":' + "[" * (JSON_DEPTH - 1) + "1" + "]" * (JSON_DEPTH - 1) + "}").keys() == {"a"}
    deep = '{"a":' + "[" * JSON_DEPTH + "]" * JSON_DEPTH + "}"
    assert sendable(deep) == {"not_valid_json": deep}
    assert clean("a\ud83d b 😀") == "a\ufffd b 😀"


def test_what_is_sent_back_anew_is_bounded_anew() -> None:
    """Broken arguments come back longer than they were counted, and the bound knows."""

    def bound(arguments: str) -> int:
        call = ToolCall(id="c", name="submit_answer", arguments=arguments)
        sizing, said = Sizing("i", ()), Prompt(text="m")
        answer = ModelAnswer(text="", calls=(call,), counted=Counted(input=10, output=10))
        sizing.take(answer, 1)
        return sizing.bound([said, answer])

    assert bound('"' * 1_000) >= bound("{}") + 2_000
