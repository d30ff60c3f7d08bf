"""Law 1 by day: a tick killed at any disk-changing call loses and doubles nothing once the next tick has run."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from made_days import NOON, Day, capture, mixed
from sweep import CALLS, MOST, Point, changing_calls, drawn

from slowwave.disk.home import Home
from slowwave.facts.capture import Tag

FEWEST_POINTS = 60
"""Fewer would mean that the sweep no longer sees what a tick writes."""
CAPTURES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """Where a home stands: how often each capture landed, what is known of each, the seed's counters and cursor."""

    landed: str
    known: str
    stats: str
    cursor: str
    page: str
    rejects: int


class TickSweep:
    """Ticks over copies of one home, untouched or killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.template = Day.at(folder)
        lines = [mixed(n) for n in range(CAPTURES)]
        yesterday = NOON - timedelta(days=1)
        self.template.put([capture("y-1", Tag.NOTE_TO_SELF, ts=yesterday), b"no json\n"], day="2026-03-02")
        self.template.put(lines)
        goals = self.template.home.day.goals
        goals.mkdir(parents=True)
        (goals / "mornings.json").write_text('{"id": "mornings", "title": "work before noon"}', encoding="utf-8")

    def points(self) -> tuple[Point, ...]:
        """Every disk-changing call of an untouched tick."""
        place = self._fresh("trace")
        trace = place / "trace"
        ended = self._start(place, ["strace", "-f", "-y", "-qq", "-s", "0", "-e", f"trace={CALLS}", "-o", str(trace)])
        assert ended.returncode == 0, ended.stderr
        return tuple(sorted(changing_calls(0, trace, str(place / "home"))))

    def untouched(self) -> End:
        """Where a home ends that nobody killed, two ticks on."""
        place = self._fresh("whole")
        for _ in range(2):
            ended = self._start(place, [])
            assert ended.returncode == 0, ended.stderr
        return self.end(place)

    def kill(self, point: Point, name: str) -> tuple[bool, End]:
        """Kill a tick at a call, then tick once more."""
        place = self._fresh(name)
        inject = f"{point.call}:signal=SIGKILL:when={point.when}"
        tracer = [
            "strace",
            "-f",
            "-qq",
            "-o",
            str(place / "log"),
            "-e",
            f"trace={point.call}",
            "-e",
            f"inject={inject}",
        ]
        died = self._start(place, tracer)
        ended = self._start(place, [])
        assert ended.returncode == 0, (point, ended.stderr)
        end = self.end(place)
        shutil.rmtree(place)
        return died.returncode != 0, end

    def end(self, place: Path) -> End:
        """Where a home stands."""
        day = Day(Home(place / "home"))
        state = day.state()
        rejected = day.home.day.rejected
        return End(
            landed=json.dumps(sorted(day.landed().items())),
            known=json.dumps(sorted(day.known().items())),
            stats=json.dumps({name: n for name, n in state["stats"].items() if name != "coaching_refreshes"}),
            cursor=json.dumps([state["last_triage"]["file"], state["last_triage"]["offset"]]),
            page=day.home.day.daily.read_text("utf-8"),
            rejects=len(rejected.read_text("utf-8").splitlines()),
        )

    def _fresh(self, name: str) -> Path:
        place = self.folder / name
        shutil.copytree(self.template.home.root, place / "home")
        return place

    def _start(self, place: Path, tracer: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        environment = {
            **{name: os.environ[name] for name in ("LANG", "TMPDIR", "PYTHONPATH") if name in os.environ},
            "PATH": os.environ["PATH"],
            "HOME": str(place),
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "SLOWWAVE_HOME": str(place / "home"),
        }
        command = [sys.executable, "-m", "slowwave", "wake", "once", "--force", "--at", NOON.isoformat(), "--json"]
        return subprocess.run(
            [*tracer, *command], env=environment, capture_output=True, text=True, timeout=120, check=False
        )


@pytest.mark.crash
@pytest.mark.timeout(1800)
def test_every_kill_of_a_tick_ends_where_an_untouched_one_ends(tmp_path: Path) -> None:
    """Killed at its first, second, ... disk-changing call, the next tick reaches one and the same end."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed; `sh bin/system-packages` installs it")
    sweep = TickSweep(tmp_path / "sweep")
    whole = sweep.untouched()
    every = sweep.points()
    points = drawn(every, int(os.environ.get(MOST, "0")) * 2 // 5)
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        results = list(pool.map(lambda pair: sweep.kill(pair[1], f"kill{pair[0]}"), enumerate(points)))
    killed = sum(was_killed for was_killed, _ in results)
    ends: Counter[End] = Counter(end for _, end in results)
    print(f"\n{len(points)} of {len(every)} calls of a tick, {killed} kills, {len(ends)} end states")
    wrong = [(point, end) for point, (_, end) in zip(points, results, strict=True) if end != whole]
    assert not wrong, f"{len(wrong)} of {len(points)} ended elsewhere: {wrong[:3]}, not {whole}"
    assert len(every) >= FEWEST_POINTS
    assert killed >= 0.9 * len(points)
    assert set(json.loads(whole.landed)[0][1:]) == {1}
