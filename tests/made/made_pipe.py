"""A server at the other end of a raw pipe: lines of any bytes in, messages out, nothing in between that is polite."""

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_PATIENCE = 60.0
"""Seconds for an answer before the server counts as dead; a busy machine takes its time."""
_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "raw", "version": "1"},
}


class Pipe:
    """The real command as a process, spoken to in raw lines."""

    def __init__(self, words: Sequence[str], *, environment: Mapping[str, str], errors: Path) -> None:
        self._errors = errors
        with errors.open("wb") as stream:
            self.running = subprocess.Popen(
                [sys.executable, "-m", "slowwave", *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stream,
                env=dict(environment),
            )
        self.lines: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._number = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
        if self.running.poll() is None:
            self.running.kill()
        self.running.wait()
        self._reader.join()
        assert self.running.stdout is not None
        self.running.stdout.close()

    @property
    def errors(self) -> str:
        """What it wrote to its error output."""
        return self._errors.read_text("utf-8", "replace")

    def send(self, line: bytes) -> None:
        """A line as it is."""
        assert self.running.stdin is not None
        self.running.stdin.write(line + b"\n")
        self.running.stdin.flush()

    def tell(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """A notification."""
        self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params or {}}).encode())

    def greet(self) -> Any:
        """The handshake; what the server says of itself."""
        answer = self.ask("initialize", _HELLO)
        self.tell("notifications/initialized")
        return answer["result"]

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """A request, and its answer; what came before that is in ``passed``."""
        self._number += 1
        name = f"ask-{self._number}"
        self.send(json.dumps({"jsonrpc": "2.0", "id": name, "method": method, "params": params or {}}).encode())
        return self.answer(name)

    def answer(self, name: str) -> Any:
        """The answer to a request; other messages that come first are kept in ``passed``."""
        self.passed: list[Any] = []
        while True:
            message = json.loads(self.lines.get(timeout=_PATIENCE))
            if message.get("id") == name:
                return message
            self.passed.append(message)

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None) -> tuple[str, bool]:
        """What a tool says, and whether that is an error."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments or {}})["result"]
        return str(result["content"][0]["text"]), bool(result.get("isError"))

    def close(self) -> None:
        """Leave: close the server's input."""
        if self.running.stdin is not None and not self.running.stdin.closed:
            self.running.stdin.close()

    def wait(self) -> int:
        """Leave, and the exit status."""
        self.close()
        return self.running.wait(timeout=_PATIENCE)

    def _read(self) -> None:
        assert self.running.stdout is not None
        for line in self.running.stdout:
            self.lines.put(line)
