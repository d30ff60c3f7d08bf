"""Law 1: a night killed at any disk-changing call ends, once it is resumed, where an untouched one ends."""

import os
import shutil
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from made_nights import fix_session, promise_session, write_all
from sweep import MOST, End, Sweep, drawn

FEWEST_POINTS = 200
"""What the sweep must at least have killed at; fewer would mean that it no longer sees git's calls."""


@pytest.fixture
def transcripts(tmp_path: Path) -> Path:
    """A pattern seen in two sessions and a promise: a memory, a task, a page; small, for many nights."""
    folder = tmp_path / "transcripts"
    write_all(folder, [fix_session(1), fix_session(2, day=6), promise_session(3, day=7)])
    return folder


@pytest.mark.crash
@pytest.mark.timeout(4800)
def test_every_kill_ends_where_an_untouched_night_ends(tmp_path: Path, transcripts: Path) -> None:
    """Killed at its first, second, ... disk-changing call, a resumed night reaches one and the same end."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed; `sh bin/system-packages` installs it")
    sweep = Sweep(tmp_path / "sweep", transcripts)
    whole = sweep.untouched()
    every = sweep.points()
    points = drawn(every, int(os.environ.get(MOST, "0")))

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        results = list(pool.map(lambda pair: sweep.kill(pair[1], f"kill{pair[0]}"), enumerate(points)))

    killed = sum(was_killed for was_killed, _, _, _ in results)
    between = Counter(state for _, state, _, _ in results)
    ends: Counter[End] = Counter(end for _, _, end, _ in results)
    print(
        f"\n{len(points)} of {len(every)} calls, {killed} kills, {len(between)} states between, {len(ends)} end states"
    )
    wrong = [
        (point, end, trouble)
        for point, (_, _, end, trouble) in zip(points, results, strict=True)
        if end != whole or trouble
    ]

    assert not wrong, f"{len(wrong)} of {len(points)} ended elsewhere: {wrong[:5]}"
    assert len(every) >= FEWEST_POINTS
    assert killed >= 0.9 * len(points)
    assert whole.damage == ""
    assert whole.pending != whole.main
