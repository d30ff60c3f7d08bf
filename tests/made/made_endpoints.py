"""Endpoints on the loopback, made for tests: a real server over a home that keeps captures in memory."""

import asyncio
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx2

from slowwave.desk.api.contract import LiveLoop
from slowwave.desk.api.guard import Rules, names_of
from slowwave.desk.api.server import listen
from slowwave.desk.api.serving import HomeEndpoints
from slowwave.wiring.serving import captures_of

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
TOKEN = "made-up-" + "token-of-nobody-" * 3
BEARER = {"authorization": f"Bearer {TOKEN}"}
JSON = {"content-type": "application/json"}
CAPTURES = "/api/v1/captures"
TRIGGER = "/api/v1/scheduler/trigger/consolidation"
STATUS = "/api/v1/scheduler/status"
OPENAPI = "/api/v1/openapi.json"


def rules(host: str = "127.0.0.1") -> Rules:
    """Rules with the token of these tests."""
    return Rules(names=names_of(host), token=TOKEN)


@dataclass(slots=True)
class MemoryHome:
    """A home that keeps captures in memory, each once."""

    kept: dict[str, Any] = field(default_factory=dict)
    threads: set[int] = field(default_factory=set)

    def put_captures(self, captures: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Keep captures."""
        self.threads.add(threading.get_ident())
        stored = []
        for one in captures_of(captures, now=NOW, zone=UTC):
            stored.append({"id": one.id, "isNew": one.id not in self.kept})
            self.kept.setdefault(one.id, one)
        return stored

    def wake_status(self) -> dict[str, Any]:
        """Nothing is known."""
        self.threads.add(threading.get_ident())
        return {"loop": {}, "state": {}, "budget": None, "nextDue": {}, "lastErrors": []}

    def close(self) -> None:
        """Nothing to let go of."""


@dataclass(slots=True)
class SlowLoop:
    """A loop that takes a while to tick, and notes whether two ticks ever ran at once."""

    ticks: list[bool] = field(default_factory=list)
    running: int = 0
    most_running: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def trigger(self, *, force: bool) -> Mapping[str, Any]:
        """One tick behind the other; the first is due, later ones are not."""
        async with self.lock:
            self.running += 1
            self.most_running = max(self.most_running, self.running)
            await asyncio.sleep(0.02)
            self.running -= 1
            self.ticks.append(force)
            is_due = force or len(self.ticks) == 1
        task = {
            "name": "capture_triage",
            "ran": is_due,
            "reason": "" if is_due else "not_due",
            "counts": {},
            "error": "",
        }
        return {"subTasks": [task], "jobs": []}


@contextmanager
def serving(home: MemoryHome, live: LiveLoop | None = None) -> Iterator[httpx2.Client]:
    """A client of endpoints that really listen, on a free port."""
    endpoints = HomeEndpoints(lambda: home, listening=listen("127.0.0.1", 0), rules=rules(), live=live)
    running = threading.Thread(target=lambda: asyncio.run(endpoints.run()))
    running.start()
    try:
        with httpx2.Client(base_url=endpoints.url, timeout=30, trust_env=False) as client:
            yield client
    finally:
        endpoints.stop()
        running.join()
