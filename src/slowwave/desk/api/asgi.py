"""The guard put before an application, in the terms of ASGI: heads are decided on, bodies read within bounds."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from slowwave.desk.api.guard import ANSWER_HEADERS, Head, Rules, refuse, too_large
from slowwave.desk.api.problem import PROBLEM_TYPE, Problem, encoded
from slowwave.facts.limits import BODY_SECONDS

_DRAINED = 8  # bodies' worth of bytes that are taken in and thrown away before a refusal
_DRAIN_SECONDS = 2.0  # and for how long
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


class Guarded:
    """An application that only sees what the guard let through, with its body whole."""

    def __init__(self, application: Application, rules: Rules) -> None:
        self._application = application
        self._rules = rules

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        problem = refuse(_head(scope), self._rules)
        if problem is not None:
            await _drain(receive, most_bytes=_DRAINED * self._rules.most_bytes)
        body = b"" if problem else await self._body(receive)
        if isinstance(body, Problem):
            problem, body = body, b""
        if problem is not None:
            await _say(problem, _with_headers(send), has_body=scope["method"] != "HEAD")
            return
        if body is not None:
            await self._application(scope, _replayed(body, receive), _with_headers(send))

    async def _body(self, receive: Receive) -> bytes | Problem | None:
        """A request's body; None where its sender went away."""
        read = bytearray()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    read += message.get("body", b"")
                    if len(read) > self._rules.most_bytes:
                        if message.get("more_body", False):
                            await _drain(receive, most_bytes=_DRAINED * self._rules.most_bytes)
                        return too_large(self._rules)
                    if not message.get("more_body", False):
                        return bytes(read)
        except TimeoutError:
            return Problem(status=408, code="body_slow", detail=f"A body comes within {BODY_SECONDS:g} seconds.")


async def _drain(receive: Receive, *, most_bytes: int) -> None:
    """Take in what a refused sender goes on sending, within bounds: who is cut off in mid-sentence hears no answer."""
    read = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            while read <= most_bytes:
                message = await receive()
                read += len(message.get("body", b""))
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return


def _head(scope: Message) -> Head:
    headers: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    # The port as the socket has it, never as a header says.
    return Head(method=scope["method"], port=(scope.get("server") or ("", 0))[1], headers=headers)


def _replayed(body: bytes, receive: Receive) -> Receive:
    said = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def again() -> Message:
        return next(said, None) or await receive()

    return again


def _with_headers(send: Send) -> Send:
    ours = [(name.encode("ascii"), value.encode("ascii")) for name, value in ANSWER_HEADERS.items()]

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            theirs = message.get("headers", ())
            message = {**message, "headers": [*theirs, *ours]}
        await send(message)

    return sent


async def _say(problem: Problem, send: Send, *, has_body: bool) -> None:
    body = encoded(problem)
    headers = {"content-type": PROBLEM_TYPE, "content-length": str(len(body)), **problem.headers}
    if problem.status in (408, 413):
        headers["connection"] = "close"  # what is still on its way is not read
    listed = [(name.encode("ascii"), value.encode("ascii")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": listed})
    await send({"type": "http.response.body", "body": body if has_body else b""})
