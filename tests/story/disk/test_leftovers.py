"""Processes that left the group of who started them: found by their mark, ended, and nobody else with them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import pytest

from slowwave.disk.leftovers import end_leftovers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows what a process was started with")
WAITS = "import time; print('ready', flush=True); time.sleep(600)"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + WAITS


class Started:
    """Programs that wait, in sessions of their own, ended with the test at the latest."""

    def __init__(self, opened: ExitStack) -> None:
        self._opened = opened

    def __call__(self, script: str = WAITS, **variables: str) -> "subprocess.Popen[bytes]":
        """A program with these variables, once it waits."""
        running = self._opened.enter_context(
            subprocess.Popen(
                [sys.executable, "-c", script],
                env={"PATH": os.environ.get("PATH", ""), **variables},
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        )
        self._opened.callback(running.kill)
        assert running.stdout is not None
        assert running.stdout.readline() == b"ready\n"
        return running


@pytest.fixture
def start() -> Iterator[Started]:
    """Starts one."""
    with ExitStack() as opened:
        yield Started(opened)


def test_what_carries_the_mark_ends_and_nothing_else(start: Started, tmp_path: Path) -> None:
    """Every variable has to be there with its whole value."""
    mark = {"RUN": "night-1", "TMPDIR": str(tmp_path)}
    marked = [start(**mark), start(**mark, MORE="x")]
    others = [start(), start(RUN="night-1"), start(RUN="night-1", TMPDIR=f"{tmp_path}2"), start(XRUN="night-1")]
    assert end_leftovers(mark, stopwatch=monotonic) == len(marked)
    assert [one.wait() for one in marked] == [-15, -15]
    assert [one.poll() for one in others] == [None] * len(others)
    assert end_leftovers(mark, stopwatch=monotonic) == 0


@pytest.mark.slow
def test_who_does_not_listen_is_killed(start: Started, tmp_path: Path) -> None:
    """After the time it has to write down what it holds."""
    running = start(STUBBORN, TMPDIR=str(tmp_path))
    assert end_leftovers({"TMPDIR": str(tmp_path)}, stopwatch=monotonic) == 1
    assert running.wait() == -9


def test_no_descriptor_is_left_open(start: Started, tmp_path: Path) -> None:
    """However many processes were looked at."""
    start(TMPDIR=str(tmp_path))
    before = len(list(Path("/proc/self/fd").iterdir()))
    end_leftovers({"TMPDIR": str(tmp_path)}, stopwatch=monotonic)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
