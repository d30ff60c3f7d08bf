"""Bad lines of every sort on the real server's raw pipe: each is answered or passed over, and it goes on serving."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from made_nights import Place, fix_session, write_all
from made_pipe import Pipe

from slowwave.facts.limits import MOST_MESSAGE_BYTES

SEED = 20260301
ROUNDS = 12
"""Times every sort is sent, each time with other chances: over 400 lines."""


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Pipe]:
    """The real command over a folder of two sessions."""
    place = Place(tmp_path)
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6)])
    words = ["mcp", "--consolidate", str(place.transcripts), "--home", str(place.home)]
    with Pipe(words, environment=place.environment(), errors=tmp_path / "errors") as made:
        yield made


def request(name: object, method: object, /, **params: Any) -> bytes:
    """A request with any name and method."""
    return json.dumps({"jsonrpc": "2.0", "id": name, "method": method, "params": params}).encode()


def deep(chance: random.Random) -> str:
    """JSON that is nested without end."""
    depth = chance.choice([65, 1_000, 200_000])
    return "[" * depth + "]" * depth if chance.random() < 0.5 else '{"a":' * depth + "1" + "}" * depth


def sorts(chance: random.Random, number: int) -> Iterator[tuple[str, bytes]]:
    """One line of every bad sort; those with the id ``must-…`` are to be answered by it."""
    must = f"must-{number}"
    tool = chance.choice(["list_sessions", "search_transcript", "read_lines", "submit_answer"])
    junk: Any = chance.choice([None, 7, True, "x", [], {}, 1e300, -1, "\0", "\u202e", "a" * 5_000])
    whole = request(must, "tools/call", name=tool, arguments={})
    yield "noise", bytes(chance.randrange(256) for _ in range(chance.randrange(1, 200))).replace(b"\n", b" ")
    yield "cut", whole[: chance.randrange(1, len(whole))]
    yield "not text", whole[:-3] + b"\xff\xc3\x28" + whole[-3:]
    yield "nul", whole.replace(b"arguments", b"argu\0ments")
    yield "utf-16", whole.decode().encode("utf-16").replace(b"\n", b" ")
    yield (
        "deep arguments",
        f'{{"jsonrpc":"2.0","id":"{must}-deep","method":"tools/call","params":{deep(chance)}}}'.encode(),
    )
    yield "deep line", deep(chance).encode()
    yield "batch", json.dumps([json.loads(whole)] * 3).encode()
    yield "a value", json.dumps(junk).encode()
    yield "wrong id", request(chance.choice([None, True, 1.5, [], {}]), "ping")
    yield (
        "no such method",
        request(f"{must}-method", chance.choice(["tools/run", "shell/exec", "", "a" * 9_000, "\u2028"])),
    )
    yield "no such request", json.dumps({"jsonrpc": "2.0", "id": f"never-{number}", "result": {}}).encode()
    yield "wrong method", request(f"{must}-kind", chance.choice([7, None, [], {}]))
    yield "wrong version", json.dumps({"jsonrpc": "1.0", "id": f"{must}-version", "method": "ping"}).encode()
    yield (
        "unknown tool",
        request(f"{must}-tool", "tools/call", name=chance.choice(["bash", "", "x" * 9_000]), arguments={}),
    )
    yield "wrong name", request(f"{must}-name", "tools/call", name=junk if not isinstance(junk, str) else 7)
    yield (
        "wrong arguments",
        request(f"{must}-arguments", "tools/call", name=tool, arguments=chance.choice([7, "x", [1]])),
    )
    yield (
        "odd arguments",
        request(f"{must}-odd", "tools/call", name=tool, arguments={"sessionId": junk, "phrase": junk}),
    )
    yield "unknown arguments", request(f"{must}-extra", "tools/call", name=tool, arguments={"path": "/etc/passwd"})
    yield "twice", f'{{"jsonrpc":"2.0","id":"{must}-twice","method":"ping","params":{{"a":1,"a":2}}}}'.encode()
    yield "nan", f'{{"jsonrpc":"2.0","id":"{must}-nan","method":"ping","params":{{"a":NaN}}}}'.encode()
    yield "digits", f'{{"jsonrpc":"2.0","id":"{must}-digits","method":"ping","params":{{"a":{"9" * 9_000}}}}}'.encode()
    yield (
        "half a pair",
        f'{{"jsonrpc":"2.0","id":"{must}-half","method":"tools/call","params":{{"name":"\\ud800"}}}}'.encode(),
    )
    yield "resources", request(f"{must}-resource", "resources/read", uri="file:///etc/passwd")
    yield "prompts", request(f"{must}-prompt", "prompts/get", name="x")
    yield "logging", request(f"{must}-log", "logging/setLevel", level="debug")
    yield "completion", request(f"{must}-complete", "completion/complete", ref={}, argument={})
    yield "a second handshake", request(f"{must}-again", "initialize", protocolVersion=junk)
    yield "a new handshake", request(f"{must}-discover", "server/discover", _meta={"x": junk})
    yield (
        "cancel",
        json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": junk}}).encode(),
    )
    yield (
        "progress",
        json.dumps(
            {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": junk, "progress": junk}}
        ).encode(),
    )
    yield "unknown notification", json.dumps({"jsonrpc": "2.0", "method": f"notifications/{junk}"[:90]}).encode()
    yield "a blank line", b" \t\r"
    yield "extra keys", request(f"{must}-keys", "ping", **{str(junk)[:50]: junk})


@pytest.mark.slow
def test_whatever_is_sent_it_goes_on_serving(pipe: Pipe) -> None:
    """Over 400 bad lines: only protocol on the output, every named request answered once, and then it still works."""
    chance = random.Random(SEED)
    assert set(pipe.greet()["capabilities"]) == {"tools"}
    sent, seen = 0, []
    for number in range(ROUNDS):
        wanted = set()
        for _, line in sorts(chance, number):
            pipe.send(line)
            sent += 1
            name = line.partition(b'"id":')[2].lstrip().partition(b'"')[2].partition(b'"')[0].decode("ascii", "replace")
            wanted |= {name} if name.startswith(f"must-{number}-") else set()
        assert pipe.ask("ping")["result"] == {}
        answered = [message["id"] for message in pipe.passed if message.get("id") in wanted]
        assert sorted(answered) == sorted(wanted), "each of them once"
        seen += pipe.passed
    assert sent >= 300
    assert all(message["jsonrpc"] == "2.0" and ("result" in message) ^ ("error" in message) for message in seen)
    assert len(pipe.ask("tools/list")["result"]["tools"]) == 4
    assert pipe.wait() == 0
    assert "Traceback" not in pipe.errors


@pytest.mark.slow
def test_a_line_without_end_is_passed_over(pipe: Pipe) -> None:
    """A line above the bound is answered once, named where it began as requests do, and the next one is served."""
    pipe.greet()
    pipe.send(b'{"jsonrpc":"2.0","id":"long-1","method":"tools/call","params":"' + b"x" * (MOST_MESSAGE_BYTES + 1))
    told = pipe.answer("long-1")
    assert "at most" in told["error"]["message"]
    pipe.send(b"y" * (2 * MOST_MESSAGE_BYTES))
    assert pipe.ask("ping")["result"] == {}
    assert [message["id"] for message in pipe.passed] == [None]


@pytest.mark.slow
def test_storms_of_notifications_starve_nobody(pipe: Pipe) -> None:
    """Thousands of them, known and unknown, before and between requests."""
    for _ in range(1_000):
        pipe.tell("notifications/initialized")
    pipe.greet()
    for number in range(3_000):
        pipe.tell("notifications/cancelled", {"requestId": number})
        pipe.tell("notifications/nothing", {"n": number})
    assert pipe.ask("ping")["result"] == {}
    assert pipe.passed == []


@pytest.mark.parametrize("line", [b"", b"\xff", b"{}", b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}'])
def test_a_client_that_leaves_ends_it(pipe: Pipe, line: bytes) -> None:
    """Before any handshake, after one bad line: the input closes, and the server is gone without a word of trouble."""
    if line:
        pipe.send(line)
    assert pipe.wait() == 0
    assert "Traceback" not in pipe.errors


def test_being_told_to_end_ends_it(pipe: Pipe) -> None:
    """It waits for no further line, though its input is open."""
    pipe.greet()
    pipe.running.terminate()
    assert pipe.running.wait(timeout=60) == 0
    assert "Traceback" not in pipe.errors


def test_a_client_that_reads_no_more_ends_it(tmp_path: Path) -> None:
    """It cannot answer, and does not wait for ever; its input is still open."""
    place = Place(tmp_path)
    write_all(place.transcripts, [fix_session(1)])
    read_from, write_to = os.pipe()
    os.close(read_from)
    running = subprocess.Popen(
        [sys.executable, "-m", "slowwave", "mcp", "--consolidate", str(place.transcripts), "--home", str(place.home)],
        stdin=subprocess.PIPE,
        stdout=write_to,
        stderr=subprocess.PIPE,
        env=place.environment(),
    )
    os.close(write_to)
    with running:
        assert running.stdin is not None
        assert running.stderr is not None
        running.stdin.write(request(1, "ping") + b"\n")
        running.stdin.flush()
        assert running.wait(timeout=60) == 0
        assert running.stderr.read() == b""
