"""Providers on the loopback: real HTTP servers that speak each protocol and do what a script says.

``with MadeProvider(script) as made: converse(made.settings("anthropic"), ...)``. A script is a function from a question
in neutral form to what the server does: ``say(...)``, ``tool_calls(...)``, a trouble. One script drives any protocol.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, Self

from made_protocols import Question, Spoken, joined, protocol_of, read, write

from slowwave.disk.config import ModelSettings

PROVIDERS = ("anthropic", "openai", "openai-responses", "openai-compatible", "gemini", "bedrock", "ollama", "llamacpp")
"""Every provider that settings may name."""
KEY = "made-key-0123456789"
"""A key of no shape that any real provider uses."""


def say(text: str, **more: Any) -> Spoken:
    """Prose without a call."""
    return Spoken(text=text, **more)


def tool_calls(*calls: tuple[str, Any], **more: Any) -> Spoken:
    """One or more calls in one answer, each a name with its arguments."""
    return Spoken(calls=calls, **more)


@dataclass(frozen=True, kw_only=True)
class Status:
    """Refuse with an HTTP status."""

    code: int
    headers: Mapping[str, str] = field(default_factory=dict)
    error: str = "made trouble"
    sort: str = ""


@dataclass(frozen=True, kw_only=True)
class Raw:
    """Send these bytes as the whole answer."""

    content: bytes
    content_type: str = "application/json"
    code: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Half:
    """Begin an answer and close the connection in its middle."""

    spoken: Spoken


@dataclass(frozen=True, kw_only=True)
class Short:
    """End an answer properly, as if it were whole, without its last pieces."""

    spoken: Spoken


@dataclass(frozen=True, kw_only=True)
class Drip:
    """Send an answer byte by byte, so slowly that it never ends."""

    spoken: Spoken
    seconds: float = 0.05


@dataclass(frozen=True, kw_only=True)
class Flood:
    """Send without an end, up to so many bytes."""

    most: int


Step = Spoken | Status | Raw | Half | Short | Drip | Flood
Script = Callable[[Question], Step]


def in_order(*steps: Step) -> Script:
    """A script that does one step a request; the last again and again."""
    return lambda question: steps[min(question.number, len(steps)) - 1]


class MadeProvider:
    """A server for every protocol, open between ``with`` and its end.

    Attributes:
        questions: Every request it could read, in order.
        strays: Paths that belong to no protocol.
    """

    def __init__(self, script: Script) -> None:
        self.script = script
        self.questions: list[Question] = []
        self.strays: list[str] = []
        self.is_closed = Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Answerer, self))
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_closed.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def settings(self, provider: str, *, stream: bool = True, **more: Any) -> ModelSettings:
        """Settings that ask this server as a provider; ``more`` are further keys of ``[models]``."""
        path = "/v1" if provider.startswith("openai") or provider == "llamacpp" else ""
        given: dict[str, Any] = {"provider": provider, "model": "made-model", "base_url": self.origin + path}
        given |= {"stream": stream, "seconds": 20.0, "input_price": 1.0, "output_price": 2.0}
        return ModelSettings.model_validate(given | more)


class _Answerer(BaseHTTPRequestHandler):
    """Answers one connection."""

    protocol_version = "HTTP/1.1"

    def __init__(self, made: MadeProvider, *rest: Any) -> None:
        self.made = made
        super().__init__(*rest)

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length", 0)))
        protocol = protocol_of(self.path)
        if not protocol:
            self.made.strays.append(self.path)
            self.send_error(404)
            return
        try:
            body = json.loads(content, parse_constant=_no_json)
        except ValueError:
            self.made.strays.append(f"a request to {self.path} that is no JSON")
            self.send_error(400)
            return
        lines, tools, streams = read(protocol, self.path.partition("?")[0], body)
        question = Question(
            protocol=protocol,
            number=len(self.made.questions) + 1,
            lines=lines,
            tools=tools,
            streams=streams,
            headers={name.lower(): value for name, value in self.headers.items()},
            body=body,
            path=self.path,
        )
        self.made.questions.append(question)
        try:
            self._play(question, self.made.script(question))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def do_GET(self) -> None:
        self.made.strays.append(self.path)
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        """Nobody reads along."""

    def _play(self, question: Question, step: Step) -> None:
        match step:
            case Status():
                self._whole(_error(question.protocol, step), "application/json", step.code, step.headers)
            case Raw():
                self._whole(step.content, step.content_type, step.code, step.headers)
            case Spoken():
                self._pieces(*self._written(question, step))
            case Short():
                content_type, pieces = self._written(question, step.spoken)
                self._pieces(content_type, pieces[: len(pieces) // 2] if question.streams else [pieces[0][:-20]])
            case Half():
                self._half(*self._written(question, step.spoken))
            case Drip():
                self._drip(*self._written(question, step.spoken), step.seconds)
            case Flood():
                self._flood(self._written(question, Spoken(text="x" * 1_000))[0], step.most)

    def _written(self, question: Question, spoken: Spoken) -> tuple[str, list[bytes]]:
        numbered = replace(spoken, ids=f"{question.number}")
        return write(question.protocol, numbered, streams=question.streams)

    def _head(self, content_type: str, code: int = 200, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(code)
        self.send_header("content-type", content_type)
        for name, value in (headers or {}).items():
            self.send_header(name, value)

    def _whole(self, content: bytes, content_type: str, code: int, headers: Mapping[str, str]) -> None:
        self._head(content_type, code, headers)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _chunked(self, content_type: str) -> None:
        self._head(content_type)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def _chunk(self, piece: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.flush()

    def _pieces(self, content_type: str, pieces: Iterable[bytes]) -> None:
        self._chunked(content_type)
        for piece in pieces:
            self._chunk(piece)
        self.wfile.write(b"0\r\n\r\n")

    def _half(self, content_type: str, pieces: list[bytes]) -> None:
        whole = joined(pieces)
        self._chunked(content_type)
        self._chunk(whole[: len(whole) * 2 // 3])
        self.close_connection = True

    def _drip(self, content_type: str, pieces: list[bytes], seconds: float) -> None:
        self._chunked(content_type)
        for byte in joined(pieces) * 100:
            self._chunk(bytes([byte]))
            if self.made.is_closed.wait(seconds):
                break
        self.close_connection = True

    def _flood(self, content_type: str, most: int) -> None:
        self._chunked(content_type)
        for _ in range(most // 65_536):
            self._chunk(b" " * 65_536)
        self.close_connection = True


def _no_json(name: str) -> None:
    raise ValueError(name)


def _error(protocol: str, step: Status) -> bytes:
    """An error as the protocol words it."""
    if protocol == "anthropic":
        told: dict[str, Any] = {"type": "error", "error": {"type": step.sort or "api_error", "message": step.error}}
    elif protocol == "bedrock":
        told = {"message": step.error}
    elif protocol == "gemini":
        told = {"error": {"code": step.code, "message": step.error, "status": step.sort or "UNKNOWN"}}
    else:
        told = {"error": {"message": step.error, "type": step.sort or "api_error", "code": None, "param": None}}
    return json.dumps(told).encode()
