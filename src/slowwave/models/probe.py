"""Probe: a provider of ours on the loopback that an agent asks while it is tried, and that sees which tools it offers.

Its first question is answered with calls: one of our tools, which has to work, and tools that it must not have, which
would leave a file behind. Its next question ends the turn. Nobody else is answered: a random key opens the door.
"""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, Self

from slowwave.facts.limits import AGENT_PROBE_SECONDS, MOST_PROBE_BYTES
from slowwave.models.recipe import Bait, Trial
from slowwave.models.wire import offered, reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """What a probe saw.

    Attributes:
        requests: How many questions with tools were asked with the key.
        offered: Every tool that any of them offered.
        unreadable: Requests with the key that could not be read.
        is_heard: Whether what our own tool answered was told in a later question.
    """

    requests: int
    offered: frozenset[str]
    unreadable: int
    is_heard: bool


class Probe:
    """A provider on the loopback, open between ``with`` and its end.

    Args:
        key: What a caller has to show.
        calls: What the first question with tools is answered with.
        witness: A text that only our own tool's answer holds.
    """

    def __init__(self, *, key: str, calls: Sequence[Bait], witness: str) -> None:
        self._key = key
        self._calls = tuple(calls)
        self._witness = json.dumps(witness).strip('"')
        self._lock = Lock()
        self._requests = 0
        self._unreadable = 0
        self._offered: frozenset[str] = frozenset()
        self._is_heard = False
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _answering(self))
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def trial(self) -> Trial:
        """Where it is and what opens it."""
        return Trial(url=f"http://127.0.0.1:{self._server.server_port}", key=self._key)

    @property
    def sighting(self) -> Sighting:
        """What it has seen so far."""
        with self._lock:
            return Sighting(
                requests=self._requests,
                offered=self._offered,
                unreadable=self._unreadable,
                is_heard=self._is_heard,
            )

    def knows(self, shown: Sequence[str]) -> bool:
        """Whether one of what a caller shows is the key."""
        return any(self._key in (one, one.removeprefix("Bearer ")) for one in shown)

    def answer(self, path: str, body: bytes | None) -> tuple[str, bytes] | None:
        """Note what a question offers and answer it; None where it is none that a provider would answer."""
        try:
            request: Any = json.loads(body) if body is not None else None
        except (ValueError, RecursionError):
            request = None
        with self._lock:
            if not isinstance(request, dict):
                self._unreadable += 1
                return None
            tools = offered(request)
            calls = self._calls if tools and not self._requests else ()
            self._requests += bool(tools)
            self._offered |= tools
            self._is_heard = self._is_heard or (body is not None and self._witness.encode() in body)
        return reply(path, request, calls)


def _answering(probe: Probe) -> type[BaseHTTPRequestHandler]:
    class Answering(BaseHTTPRequestHandler):
        """One connection to a probe; the names are the library's."""

        protocol_version = "HTTP/1.1"
        timeout = AGENT_PROBE_SECONDS

        def do_POST(self) -> None:
            """Answer a question."""
            shown = [self.headers.get(name, "") for name in ("x-api-key", "authorization", "x-goog-api-key")]
            body = _body(self)
            found = probe.answer(self.path.partition("?")[0], body) if probe.knows(shown) else None
            self._send(200 if found else 404, *(found or ("application/json", b'{"error": {"message": "not here"}}')))

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def _send(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Answering


def _body(request: BaseHTTPRequestHandler) -> bytes | None:
    """The whole body of a request, unpacked; None where it is too long or cannot be unpacked."""
    chunked = request.headers.get("transfer-encoding", "").lower() == "chunked"
    length = request.headers.get("content-length", "")
    body = _chunks(request) if chunked else _exactly(request, int(length) if length.isdecimal() else 0)
    coding = request.headers.get("content-encoding", "").lower()
    if body is None or coding in ("", "identity"):
        return body
    try:
        return (
            zlib.decompressobj(wbits=47).decompress(body, MOST_PROBE_BYTES) if coding in ("gzip", "deflate") else None
        )
    except zlib.error:
        return None


def _exactly(request: BaseHTTPRequestHandler, length: int) -> bytes | None:
    return request.rfile.read(length) if length <= MOST_PROBE_BYTES else None


def _chunks(request: BaseHTTPRequestHandler) -> bytes | None:
    body = b""
    while len(body) <= MOST_PROBE_BYTES:
        size = request.rfile.readline(1_024).split(b";")[0].strip()
        try:
            length = int(size, 16)
        except ValueError:
            return None
        if length <= 0:
            request.rfile.readline(1_024)
            return body
        body += _exactly(request, length) or b""
        request.rfile.readline(1_024)
    return None
