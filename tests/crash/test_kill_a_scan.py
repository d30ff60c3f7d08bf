"""The scan killed at any call that changes a file of captures: the next one finds each capture once, and moves on."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from made_nights import Place, ShopSession, session_name
from sweep import CALLS, MOST, Point, changing_calls, drawn

from slowwave.disk.home import Home
from slowwave.wiring.verbs_capture import add_capture
from slowwave.wiring.verbs_scan import scan_tags

FEWEST_POINTS = 6
"""Fewer would mean that the sweep no longer sees what a scan writes."""
SESSIONS = 3


@dataclass(frozen=True, slots=True)
class End:
    """Where a home stands: its captures as they stand in files, and how far each session was scanned."""

    captures: tuple[str, ...]
    state: bytes


def say(place: Place, words: str) -> None:
    """Each session goes on: a person and the agent set something aside."""
    for number in range(SESSIONS):
        session = ShopSession(session_name(number), project=f"shop{number}")
        session.user(f"Look at the shelf. <note-to-self>{words} of the person in {number}</note-to-self>")
        session.agent(f"<file-this>{words} of the agent in {number}</file-this>")
        session.append(place.transcripts)


class ScanSweep:
    """Ticks that scan, over copies of one home, untouched or killed; all read the same sessions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.template = Place(folder)
        say(self.template, "first words")
        scan_tags(self.template.house)
        say(self.template, "more words")
        live = "more words of the agent in 1"
        add_capture(self.template.house, tag="file-this", text=live, session=session_name(1))
        self.template.close()

    def points(self) -> tuple[Point, ...]:
        """Every call of an untouched tick that changes something below the folder of captures."""
        place = self._fresh("trace")
        trace = place / "trace"
        ended = self._start(place, ["strace", "-f", "-y", "-qq", "-s", "0", "-e", f"trace={CALLS}", "-o", str(trace)])
        assert ended.returncode == 0, ended.stderr
        return tuple(sorted(changing_calls(0, trace, str(Home(place / "home").day.captures))))

    def end(self, name: str, point: Point | None = None) -> tuple[bool, End]:
        """Tick, killed at a call where one is given, then tick once more; whether it was killed, and what stands."""
        place = self._fresh(name)
        tracer = ["strace", "-f", "-qq", "-o", str(place / "log")]
        if point is not None:
            inject = f"inject={point.call}:signal=SIGKILL:when={point.when}"
            tracer += ["-e", f"trace={point.call}", "-e", inject]
        first = self._start(place, [] if point is None else tracer)
        second = self._start(place, [])
        assert second.returncode == 0, (point, second.stderr)
        day = Home(place / "home").day
        lines = [line for path in sorted(day.captures.glob("20*.jsonl")) for line in path.read_bytes().splitlines()]
        rows = sorted(f"{row['tag']} {row['session_id']} {row['text']}" for row in map(json.loads, lines))
        end = End(tuple(rows), day.scan_state.read_bytes())
        shutil.rmtree(place)
        return first.returncode != 0, end

    def _fresh(self, name: str) -> Path:
        place = self.folder / name
        shutil.copytree(self.template.home, place / "home")
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
        at = self.template.now.isoformat()
        command = [sys.executable, "-m", "slowwave", "wake", "once", "--force", "--at", at, "--json"]
        return subprocess.run(
            [*tracer, *command], env=environment, capture_output=True, text=True, timeout=120, check=False
        )


@pytest.mark.crash
@pytest.mark.timeout(600)
def test_every_kill_of_a_scan_ends_where_an_untouched_one_ends(tmp_path: Path) -> None:
    """Nothing that was said is lost or doubled, though a live way brought one capture of it too."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed; `sh bin/system-packages` installs it")
    sweep = ScanSweep(tmp_path / "sweep")
    _, whole = sweep.end("whole")
    every = sweep.points()
    points = drawn(every, int(os.environ.get(MOST, "0")) // 5)
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        results = list(pool.map(lambda pair: sweep.end(f"kill{pair[0]}", pair[1]), enumerate(points)))
    killed = sum(was_killed for was_killed, _ in results)
    print(f"\n{len(points)} of {len(every)} calls of a scan, {killed} kills, {len({end for _, end in results})} ends")
    wrong = [(point, end) for point, (_, end) in zip(points, results, strict=True) if end != whole]
    assert not wrong, f"{len(wrong)} of {len(points)} ended elsewhere: {wrong[:3]}, not {whole}"
    assert len(every) >= FEWEST_POINTS
    assert killed >= 0.9 * len(points)
    assert len(whole.captures) == 4 * SESSIONS
    assert set(Counter(whole.captures).values()) == {1}
