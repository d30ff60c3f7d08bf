"""Law 1: a night killed at any disk-changing call ends, once it is resumed, where an untouched one ends."""

import os
import shutil
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sweep import End, Sweep

from slowwave.desk.samples.stage import stage_all

FEWEST_POINTS = 200
"""What the sweep must at least have killed at; fewer would mean that it no longer sees git's calls."""
_PLAYS = ("ferryman-02-retry-uploads", "ferryman-05-sign-packages", "ferryman-09-release-0-16")
"""Three sample sessions of one project: enough for a memory and a task, few enough for many nights."""


@pytest.fixture
def transcripts(tmp_path: Path) -> Path:
    """The chosen sessions alone, in their real layout."""
    folder = tmp_path / "transcripts"
    for staged in stage_all(folder, now=datetime(2026, 5, 1, tzinfo=UTC)):
        if staged.play.name not in _PLAYS:
            for path in (staged.path, *staged.side_files):
                path.unlink()
    return folder


@pytest.mark.crash
@pytest.mark.timeout(2400)
def test_every_kill_ends_where_an_untouched_night_ends(tmp_path: Path, transcripts: Path) -> None:
    """Killed at its first, second, ... disk-changing call, a resumed night reaches one and the same end."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed; `sh bin/system-packages` installs it")
    sweep = Sweep(tmp_path / "sweep", transcripts)
    whole = sweep.untouched()
    points = sweep.points()

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        results = list(pool.map(lambda pair: sweep.kill(pair[1], f"kill{pair[0]}"), enumerate(points)))

    killed = sum(was_killed for was_killed, _, _, _ in results)
    between = Counter(state for _, state, _, _ in results)
    ends: Counter[End] = Counter(end for _, _, end, _ in results)
    print(f"\n{len(points)} calls, {killed} kills, {len(between)} states in between, {len(ends)} end states")
    wrong = [
        (point, end, trouble)
        for point, (_, _, end, trouble) in zip(points, results, strict=True)
        if end != whole or trouble
    ]

    assert not wrong, f"{len(wrong)} of {len(points)} ended elsewhere: {wrong[:5]}"
    assert killed >= FEWEST_POINTS
    assert whole.damage == ""
    assert whole.pending != whole.main
