"""The probe on the loopback: sees what is offered with its key, answers twice, and answers nobody else."""

import gzip
import json
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection
from typing import Any

import pytest

from slowwave.facts.limits import MOST_PROBE_BYTES
from slowwave.models.probe import Probe, Sighting
from slowwave.models.recipe import Bait

KEY = "0123456789abcdef"
NOTHING = Sighting(requests=0, offered=frozenset(), unreadable=0, is_heard=False)


@pytest.fixture
def probe() -> Iterator[Probe]:
    """A probe that calls one tool and waits for one word."""
    calls = (Bait(name="ours", arguments={}),)
    with Probe(key=KEY, calls=calls, witness="wit/ness") as made:
        yield made


def ask(
    probe: Probe, body: Any, *, key: str = KEY, path: str = "/v1/messages", method: str = "POST", **headers: str
) -> tuple[int, Any]:
    """One request, and its answer."""
    place = probe.trial.url.removeprefix("http://")
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    shown: Mapping[str, str] = {"x-api-key": key, **{name.replace("_", "-"): value for name, value in headers.items()}}
    connection = HTTPConnection(place, timeout=30)
    chunked = shown.get("transfer-encoding") == "chunked"
    connection.request(method, path, iter([content]) if chunked else content, dict(shown), encode_chunked=chunked)
    answered = connection.getresponse()
    read = answered.read()
    connection.close()
    return answered.status, json.loads(read) if read.startswith(b"{") else None


def test_it_calls_once_then_ends_the_turn(probe: Probe) -> None:
    """Only a question that offers tools is answered with calls, and only the first of them."""
    assert ask(probe, {"messages": []})[1]["stop_reason"] == "end_turn"
    assert ask(probe, {"tools": [{"name": "ours"}]})[1]["stop_reason"] == "tool_use"
    assert ask(probe, {"tools": [{"name": "other"}], "messages": ["wit/ness"]})[1]["stop_reason"] == "end_turn"
    assert probe.sighting == Sighting(requests=2, offered=frozenset({"ours", "other"}), unreadable=0, is_heard=True)


@pytest.mark.parametrize("headers", [{"authorization": f"Bearer {KEY}"}, {"x-goog-api-key": KEY}])
def test_the_key_is_taken_where_each_provider_has_it(probe: Probe, headers: dict[str, str]) -> None:
    """Two other headers carry it."""
    assert ask(probe, {"tools": [{"name": "ours"}]}, key="", **headers)[0] == 200
    assert probe.sighting.requests == 1


@pytest.mark.parametrize("key", ["", "wrong", KEY[:-1]])
def test_nobody_without_the_key_is_heard(probe: Probe, key: str) -> None:
    """Another program on this machine can neither vouch for an agent nor denounce it."""
    assert ask(probe, {"tools": [{"name": "Bash"}], "messages": ["wit/ness"]}, key=key)[0] == 404
    assert probe.sighting == NOTHING


def test_a_question_that_cannot_be_read_is_counted(probe: Probe) -> None:
    """Packed in an unknown way, too long, no JSON: each leaves it open what was offered."""
    assert ask(probe, b"{")[0] == 404
    assert ask(probe, b"[1]")[0] == 404
    assert ask(probe, b"{}", content_encoding="zstd")[0] == 404
    assert ask(probe, gzip.compress(b" " * (MOST_PROBE_BYTES + 10)), content_encoding="gzip")[0] == 404
    assert probe.sighting == Sighting(requests=0, offered=frozenset(), unreadable=4, is_heard=False)


def test_packed_and_chunked_questions_are_read(probe: Probe) -> None:
    """As some clients send them."""
    asked = json.dumps({"tools": [{"name": "ours"}]}).encode()
    assert ask(probe, gzip.compress(asked), content_encoding="gzip")[0] == 200
    assert ask(probe, asked, transfer_encoding="chunked")[0] == 200
    assert probe.sighting.requests == 2


def test_what_is_no_question_is_not_answered(probe: Probe) -> None:
    """Other paths and methods show nothing."""
    assert ask(probe, {}, path="/v1/models")[0] == 404
    assert ask(probe, b"", method="GET")[0] == 501
