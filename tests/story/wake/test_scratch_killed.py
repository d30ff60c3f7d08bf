"""The scratch killed at each of its steps on the disk: the next start ends as if nothing had happened."""

import os
import sys
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from made_scratch import Desk, SayingJudge

from slowwave.facts.capture import Section
from slowwave.wake.scratch.days import day_of
from slowwave.wake.scratch.entry import ids_in
from slowwave.wake.scratch.page import body_of, lines_of

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")

STEPS = {"os.rename", "os.link", "os.remove", "os.mkdir", "ctypes.dlsym", "open"}
KILLED = 9


def killed_at(step: int, folder: Path, work: Callable[[], object]) -> bool:
    """Do the work in a process that ends without a word before its disk step of that number; whether it got so far."""
    child = os.fork()
    if child == 0:
        left = count(step, -1)

        def look(event: str, given: tuple[object, ...]) -> None:
            is_ours = event == "ctypes.dlsym" or (given and str(given[0]).find(str(folder)) >= 0)
            if event in STEPS and is_ours and next(left) == 0:
                os._exit(KILLED)

        sys.addaudithook(look)
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, KILLED), f"step {step} ended with {status}"
    return status == KILLED


def evening(folder: Path) -> Desk:
    """A page with two entries, a person's words and a summary."""
    desk = Desk(folder)
    desk.scratch.add([desk.entry("n1"), desk.entry("e1", section=Section.EVENTS)])
    desk.scratch.synthesise(SayingJudge())
    desk.write(desk.page + b"\n## Own\n\nmine \xff\n")
    return desk


def afternoon(desk: Desk) -> None:
    """Two more entries and a new summary."""
    desk.scratch.add([desk.entry("n2"), desk.entry("p1", section=Section.PEOPLE)])
    desk.scratch.synthesise(SayingJudge(words="A new one."))


def is_put_away(desk: Desk, page: bytes) -> None:
    """The page is kept whole and once, stands in its week once, and the next one is empty."""
    assert [path.name for path in desk.places.scratch_archive.iterdir()] == ["2026-02-24.md"]
    assert (desk.places.scratch_archive / "2026-02-24.md").read_bytes() == page
    weekly = desk.places.weekly.read_bytes()
    assert weekly.count(b"### 2026-02-24 ") == weekly.count(b"mine \xff") == weekly.count(b"<!-- n1 -->") == 1
    assert day_of(desk.page) == desk.now.date()
    assert ids_in(desk.page) == frozenset()
    desk.scratch.add([desk.entry("n2"), desk.entry("n1")])
    assert ids_in(desk.page) == {"n2"}
    tidy(desk)


def tidy(desk: Desk) -> None:
    """Nothing half done lies about; at most one forerunner of each file."""
    hidden = [path.name for path in desk.places.daily.parent.iterdir() if path.name.startswith(".")]
    assert all(".before-" in name for name in hidden), hidden
    assert len(hidden) <= 2


def test_a_roll_up_killed_anywhere_ends_right_at_the_next_start(tmp_path: Path) -> None:
    """Between archive, weeks and fresh page, and at every other step."""
    for step in count():
        desk = evening(tmp_path / str(step))
        page = desk.page
        desk.now += timedelta(days=1)
        is_killed = killed_at(step, tmp_path, partial(desk.scratch.roll_up, desk.now))
        desk.scratch.roll_up(desk.now)
        is_put_away(desk, page)
        if not is_killed:
            break
    assert step > 20


@pytest.mark.parametrize("first", range(3, 24, 4))
def test_a_roll_up_killed_twice_ends_right_too(tmp_path: Path, first: int) -> None:
    """The second start is killed at each of its steps."""
    for second in count():
        desk = evening(tmp_path / str(second))
        page = desk.page
        desk.now += timedelta(days=1)
        work = partial(desk.scratch.roll_up, desk.now)
        assert killed_at(first, tmp_path, work)
        is_killed = killed_at(second, tmp_path, work)
        desk.now += timedelta(days=2)
        desk.scratch.roll_up(desk.now)
        is_put_away(desk, page)
        if not is_killed:
            break


def test_adding_and_summing_up_killed_anywhere_lose_and_double_nothing(tmp_path: Path) -> None:
    """Entries stand once, the summary on the page is the last of the history."""
    for step in count():
        desk = evening(tmp_path / str(step))
        desk.now += timedelta(hours=4)
        is_killed = killed_at(step, tmp_path, partial(afternoon, desk))
        afternoon(desk)
        assert b"mine \xff\n" in desk.page
        assert [desk.page.count(b"<!-- %b -->" % name) for name in (b"n1", b"e1", b"n2", b"p1")] == [1] * 4
        assert body_of(lines_of(desk.page), Section.RUNNING_SUMMARY) == b"A new one."
        assert [one.text for one in desk.scratch.history()] == ["A quiet day.", "A new one."]
        tidy(desk)
        if not is_killed:
            break
    assert step > 15
