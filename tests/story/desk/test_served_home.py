"""The endpoints over a real home: captures in, a tick of the live loop, its state, and no loop at all."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from made_days import Day


class Running:
    """A command that serves, with where it does and its token."""

    def __init__(self, day: Day, *words: str) -> None:
        environment = {**os.environ, "SLOWWAVE_HOME": str(day.home.root), "HOME": str(day.home.root)}
        self.day = day
        self.process = subprocess.Popen(
            [sys.executable, "-m", "slowwave", *words], env=environment, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        self.url = self.process.stderr.readline().split("listening on ")[1].split(";")[0]
        token = (day.home.root / "keys" / "api-token").read_text("ascii").strip()
        self.bearer = {"authorization": f"Bearer {token}"}

    def post(self, path: str, content: object = None) -> httpx2.Response:
        """A request that changes something."""
        return httpx2.post(f"{self.url}/api/v1/{path}", headers=self.bearer, json=content, timeout=30)

    def end(self) -> int:
        """End it as a supervisor does."""
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=60)
        return self.process.returncode


@pytest.fixture
def day(tmp_path: Path) -> Day:
    """A home whose loop never rests."""
    return Day.at(tmp_path, settings={"wake": {"timezone": "UTC", "start": "00:00", "end": "24:00"}})


@pytest.fixture
def up(day: Day) -> Iterator[Running]:
    """Everything in one process."""
    running = Running(day, "up", "--port", "0")
    yield running
    if running.process.poll() is None:
        running.end()


@pytest.mark.slow
def test_up_takes_captures_and_ticks_when_told(up: Running) -> None:
    """A capture comes in once, a forced tick files it, the state says so; SIGTERM ends everything whole."""
    sent = {"tag": "note-to-self", "text": "the lamp flickers", "id": "h-1"}
    first, again = up.post("captures", sent), up.post("captures", [sent])
    assert (first.status_code, first.json()["captures"]) == (201, [{"id": "h-1", "isNew": True}])
    assert again.json()["captures"] == [{"id": "h-1", "isNew": False}]
    due = up.post("scheduler/trigger/consolidation").json()
    assert due["subTasks"][0]["name"] == "capture_triage"
    forced = up.post("scheduler/trigger/consolidation?force=true").json()
    assert all(row["ran"] or row["name"] == "coaching_refresh" for row in forced["subTasks"])
    status = httpx2.get(f"{up.url}/api/v1/scheduler/status", timeout=30).json()
    assert status["loop"]["isLive"] is True
    assert status["state"]["stats"]["captures_triaged"] == 1
    assert status["budget"]["calls"] == 200
    assert up.end() == 0
    assert up.day.landed() == Counter({"h-1": 1})


@pytest.mark.slow
def test_serve_alone_has_no_loop_to_tick(day: Day) -> None:
    """503 as a problem document, and nothing changed."""
    running = Running(day, "serve", "--port", "0")
    try:
        refused = running.post("scheduler/trigger/consolidation")
        assert refused.status_code == 503
        assert refused.headers["content-type"] == "application/problem+json"
        assert json.loads(refused.content)["code"] == "no_loop"
        assert not day.home.day.loop_state.exists()
    finally:
        assert running.end() == 0
