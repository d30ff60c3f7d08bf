"""The loop as a service: one at a time, told to end it ends whole; the seed's own way of calling it."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from made_days import Day, capture

import slowwave
from slowwave.disk.lock import LockedError
from slowwave.facts.limits import CAPTURES_A_TICK
from slowwave.wake.loop import SubTaskResult


@pytest.fixture
def day(tmp_path: Path) -> Day:
    """A home at noon."""
    return Day.at(tmp_path)


def start(day: Day, *words: str) -> "subprocess.Popen[str]":
    """A command as a process."""
    environment = {**os.environ, "SLOWWAVE_HOME": str(day.home.root), "HOME": str(day.home.root)}
    return subprocess.Popen(
        [sys.executable, "-m", "slowwave", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_a_second_loop_is_told_who_holds_the_home_and_the_first_ends_whole(day: Day) -> None:
    """The second names the process; SIGTERM ends the first with nothing half done."""
    config = day.home.root / "config.toml"
    config.write_text(config.read_text("utf-8").replace('start = "07:00"', 'start = "00:00"'), encoding="utf-8")
    config.write_text(config.read_text("utf-8").replace('end = "23:00"', 'end = "24:00"'), encoding="utf-8")
    day.put([capture(f"s-{n}") for n in range(20)], day="2026-03-03")
    first = start(day, "wake", "--json")
    try:
        assert first.stdout is not None
        told = json.loads(first.stdout.readline())
        assert told["subTasks"][0]["counts"]["captures_triaged"] == 20
        second = start(day, "wake", "once", "--json")
        out, err = second.communicate(timeout=60)
        assert second.returncode == 1
        assert json.loads(out)["error"]["code"] == "locked"
        assert f"process {first.pid}" in err
    finally:
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=60)
    assert first.returncode == 0
    assert day.landed() == Counter({f"s-{n}": 1 for n in range(20)})
    assert set(day.known().values()) == {"landed"}
    third = start(day, "wake", "once", "--json")
    third.communicate(timeout=60)
    assert third.returncode == 0


def test_the_seeds_own_call_works(day: Day) -> None:
    """``MicroConsolidationLoop(data_dir=...)``, ``await run_once()``, one result a sub-task."""
    day.put([capture("s-1")])

    async def once() -> tuple[SubTaskResult, ...]:
        loop = slowwave.MicroConsolidationLoop(data_dir=day.home.root / "data", clock=day.clock)
        try:
            results: tuple[SubTaskResult, ...] = await loop.run_once()
            return results
        finally:
            loop.close()

    results = asyncio.run(once())
    assert [row.name for row in results] == ["capture_triage", "session_scan", "coaching_refresh", "scratch_synthesis"]
    assert day.landed() == Counter({"s-1": 1})


def test_a_service_ticks_and_stops(day: Day) -> None:
    """``start`` ticks at once, holds the home, and ends when it is told to."""
    day.put([capture("s-1")])
    ticks: list[object] = []

    async def live() -> None:
        here, ticked = asyncio.get_running_loop(), asyncio.Event()

        def told(tick: object) -> None:
            ticks.append(tick)
            here.call_soon_threadsafe(ticked.set)

        loop = day.loop(on_tick=told)
        running = asyncio.create_task(loop.start())
        await asyncio.wait_for(ticked.wait(), 30)
        with pytest.raises(LockedError, match="wake"):
            day.tick()
        assert (await loop.trigger(force=True))["subTasks"][0]["ran"]
        loop.stop()
        await running

    asyncio.run(live())
    assert len(ticks) >= 1
    assert day.landed() == Counter({"s-1": 1})


def test_told_to_end_in_mid_triage_it_leaves_the_rest_for_the_next_run(day: Day) -> None:
    """The capture in hand is finished; those behind it stand unread."""
    day.put([capture(f"s-{n}") for n in range(30)])
    loop = day.loop()
    loop.stop()
    try:
        loop.tick_now()
    finally:
        loop.close()
    assert day.landed() == Counter()
    day.now += timedelta(seconds=300)
    day.tick()
    assert len(day.landed()) == 30
    assert CAPTURES_A_TICK >= 30
