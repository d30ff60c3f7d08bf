"""A scripted reader: no model, only cue words, in a model's place, so that the whole way to an answer can be walked.

It lists, looks (where leads point, else for a few words that often stand beside a reason), reads the lines around, and
hands in true sentences as claims; what is refused it drops. What it finds says nothing of how good any model is.

Run as a program it answers on this machine as a server of OpenAI's Chat Completions: ``python tests/made/made_reader.py
--port 8099``, then ``benchmarks/quality.py --provider openai-compatible --base-url http://127.0.0.1:8099/v1 …``.
"""

import argparse
import json
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

CUES = ("because", "instead", "never", "always")
LINES_READ = 4  # of a session
SENTENCES = 2  # that one claim rests on
TRIES = 4
_OFFENDER = re.compile(r"^candidates\[(\d+)\]")
_SENTENCE = re.compile(r"[^.!?\n]{30,280}[.!?]")

Call = tuple[str, Mapping[str, Any]]
Script = Generator[Sequence[Call], Sequence[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A true sentence with a cue in it."""

    session: str
    line: int
    text: str


def script() -> Script:
    """The calls of one turn, a few at a time; sent what each of them was answered."""
    (listed,) = yield [("list_sessions", {})]
    rows = inside(listed)["sessions"]
    candidates: list[dict[str, Any]] = []
    for row in rows:
        found = yield from sentences(row)
        if len(found) == SENTENCES:
            candidates.append(candidate(found))
    for _ in range(TRIES):
        answer = {"candidates": candidates[:6], "commitments": [], "readSessionIds": [row["id"] for row in rows]}
        (reply,) = yield [("submit_answer", answer)]
        paths = [_OFFENDER.match(refusal["path"]) for refusal in inside(reply).get("refusals", ())]
        offenders = {int(path[1]) for path in paths if path}
        candidates = [one for number, one in enumerate(candidates) if number not in offenders]


def sentences(row: Mapping[str, Any]) -> Generator[Sequence[Call], Sequence[str], list[Sentence]]:
    """The first sentences of a session that hold a cue, one a line."""
    session = row["id"]
    lines = [line for lead in row.get("leads", ()) if lead["file"] == 0 for line in lead["lines"]]
    if lines:
        wanted = list(dict.fromkeys(lines))[:LINES_READ]
    else:
        asked = {"sessionId": session, "maxHits": 4, "ignoreCase": True}
        replies = yield [("search_transcript", {**asked, "phrase": cue}) for cue in CUES]
        hits = [hit for reply in replies for hit in inside(reply).get("hits", ())]
        spoken = [hit["line"] for hit in hits if hit["file"] == 0 and hit["speaker"] in ("user", "agent")]
        wanted = list(dict.fromkeys(spoken))[:LINES_READ]
    calls: list[Call] = [
        ("read_lines", {"sessionId": session, "start": line, "end": line, "width": 2000}) for line in wanted
    ]
    replies = yield calls or [("read_lines", {"sessionId": session, "start": 1, "end": 1})]
    found: dict[int, Sentence] = {}
    for shown in (line for reply in replies for line in inside(reply).get("lines", ())):
        text = next(_telling(shown["text"]), "") if shown["speaker"] in ("user", "agent") else ""
        if text:
            found.setdefault(shown["line"], Sentence(session=session, line=shown["line"], text=text))
    return list(found.values())[:SENTENCES]


def _telling(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.findall(text):
        if any(cue in sentence.casefold() for cue in CUES):
            yield sentence.strip()


def candidate(found: Sequence[Sentence]) -> dict[str, Any]:
    """Sentences as a candidate."""
    return {
        "kind": "semantic",
        "claim": found[0].text,
        "gist": " ".join(one.text for one in found),
        "entities": [],
        "evidence": [{"sessionId": one.session, "quote": one.text} for one in found],
    }


def inside(reply: str) -> dict[str, Any]:
    """The JSON of a tool's reply, without its frame, or the wrap in which some clients send refusals."""
    begin, end = reply.find("{"), reply.rfind("}")
    read: dict[str, Any] = json.loads(reply[begin : end + 1]) if begin >= 0 else {}
    return inside(read["error"]) if set(read) == {"error"} else read


def next_calls(replies: Sequence[str]) -> Sequence[Call]:
    """What the reader calls after these replies, in the order of its calls; nothing when it is done."""
    turn, left = script(), list(replies)
    calls: Sequence[Call] = next(turn)
    while len(left) >= len(calls):
        taken, left = left[: len(calls)], left[len(calls) :]
        try:
            calls = turn.send(taken)
        except StopIteration:
            return ()
    return calls


@dataclass(slots=True)
class Served:
    """A running reader: where it is, and what it was asked."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)


@contextmanager
def serving(port: int = 0) -> Iterator[Served]:
    """The reader as a server of Chat Completions on loopback; port 0 takes a free one."""
    served = Served()

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            asked = json.loads(self.rfile.read(length))
            served.requests.append(asked)
            content, kind = _completion(asked, length)
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Nothing; the benchmark prints."""

    with ThreadingHTTPServer(("127.0.0.1", port), Answers) as server:
        served.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()


def _completion(asked: Mapping[str, Any], length: int) -> tuple[bytes, str]:
    """One answer, whole or as a stream of one piece, with tokens of four bytes each."""
    replies = [_text(message["content"]) for message in asked["messages"] if message["role"] == "tool"]
    calls = [
        {
            "id": f"call_{len(replies) + n}",
            "index": n,
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for n, (name, arguments) in enumerate(next_calls(replies))
    ]
    said = {"role": "assistant", "content": None if calls else "Done.", **({"tool_calls": calls} if calls else {})}
    sent, answered = length // 4, max(1, len(json.dumps(calls)) // 4)
    usage = {"prompt_tokens": sent, "completion_tokens": answered, "total_tokens": sent + answered}
    whole = {"id": "chatcmpl-1", "created": 1_700_000_000, "model": asked["model"]}
    reason = "tool_calls" if calls else "stop"
    if not asked.get("stream"):
        choice = {"index": 0, "message": said, "finish_reason": reason}
        return _json({**whole, "object": "chat.completion", "choices": [choice], "usage": usage}), "application/json"
    chunk = {**whole, "object": "chat.completion.chunk"}
    pieces = [
        {**chunk, "choices": [{"index": 0, "delta": said, "finish_reason": None}]},
        {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
        {**chunk, "choices": [], "usage": usage},
    ]
    stream = b"".join(b"data: " + _json(piece) + b"\n\n" for piece in pieces)
    return stream + b"data: [DONE]\n\n", "text/event-stream"


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value).encode()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Serve the scripted reader on this machine.")
    parser.add_argument("--port", type=int, default=8099)
    with serving(parser.parse_args().port) as running:
        print(f"reading by script at {running.url}; stop with Ctrl-C", flush=True)
        with suppress(KeyboardInterrupt):
            Event().wait()
