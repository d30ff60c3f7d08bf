"""Servers on the loopback that take notices: a webhook, a mail server, and the Telegram Bot API."""

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep
from typing import Any
from urllib.parse import urlencode

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message as Mailbox

TOKEN = "123456" + ":" + "AAmade-up_token_of_nobody"
"""A token of a bot that is none."""
PEER = 4711
"""A chat of that bot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request that a server was sent."""

    path: str
    headers: Mapping[str, str]
    content: bytes

    @property
    def tree(self) -> Any:
        """Its content as JSON."""
        return json.loads(self.content)


@dataclass(slots=True)
class Webhook:
    """A server that answers every request as it is told to, and keeps what it was asked."""

    port: int = 0
    asked: list[Asked] = field(default_factory=list)
    answer: Callable[[Asked], tuple[int, Any]] = lambda _: (200, {})

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def serving(webhook: Webhook) -> Iterator[Webhook]:
    """The server, running."""

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers.get("content-length") or 0))
            asked = Asked(path=self.path, headers={k.lower(): v for k, v in self.headers.items()}, content=content)
            webhook.asked.append(asked)
            status, tree = webhook.answer(asked)
            said = tree if isinstance(tree, bytes) else json.dumps(tree).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(said)))
            self.end_headers()
            with suppress(BrokenPipeError):  # whoever asked was told to end
                self.wfile.write(said)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    webhook.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield webhook
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass(slots=True)
class Telegram:
    """The Bot API, as far as it is spoken: updates until they are confirmed, messages sent, errors when told to."""

    web: Webhook = field(default_factory=Webhook)
    updates: list[dict[str, Any]] = field(default_factory=list)
    sent: list[dict[str, Any]] = field(default_factory=list)
    errors: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    offsets: list[int | None] = field(default_factory=list)

    def say(self, text: str | None, *, peer: int = PEER, sender: Any = None, **more: Any) -> None:
        """Somebody writes to the bot."""
        number = 1_000 + len(self.updates)
        message: dict[str, Any] = {
            "message_id": number,
            "date": 1_769_933_400,
            "chat": {"id": peer, "type": "private"},
            "from": sender or {"id": peer, "is_bot": False},
            **({"text": text} if text is not None else {}),
            **more,
        }
        self.updates.append({"update_id": number, "message": message})

    def answer(self, asked: Asked) -> tuple[int, Any]:
        """What the API answers."""
        if not asked.path.startswith(f"/bot{TOKEN}/"):
            return 401, {"ok": False, "error_code": 401, "description": "Unauthorized"}
        if self.errors:
            code, parameters = self.errors.pop(0)
            said = f"error {code} for bot{TOKEN}"
            return code, {"ok": False, "error_code": code, "description": said, "parameters": parameters}
        if asked.path.endswith("/sendMessage"):
            self.sent.append(asked.tree)
            return 200, {"ok": True, "result": {"message_id": len(self.sent)}}
        offset = asked.tree.get("offset")
        self.offsets.append(offset)
        waiting = [one for one in self.updates if offset is None or one["update_id"] >= offset]
        if not waiting:
            sleep(min(asked.tree["timeout"], 0.2))  # as who waits for messages, in short
        return 200, {"ok": True, "result": waiting[: asked.tree["limit"]]}


@contextmanager
def telegram() -> Iterator[Telegram]:
    """The Bot API, running."""
    api = Telegram()
    api.web.answer = api.answer
    with serving(api.web):
        yield api


class _Keeps(Mailbox):
    """Takes every mail."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[Message] = []

    def handle_message(self, message: Message) -> None:
        """One mail, whole."""
        self.taken.append(message)


@contextmanager
def mail_server() -> Iterator[tuple[int, list[Message]]]:
    """A mail server: its port, and the mails it took."""
    keeps = _Keeps()
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(keeps, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield port, keeps.taken
    finally:
        controller.stop()


def mailbox(port: int) -> str:
    """The address of a mailbox at that server."""
    return f"mailto://127.0.0.1:{port}?{urlencode({'from': 'slowwave@example.org', 'to': 'ann@example.org'})}"
