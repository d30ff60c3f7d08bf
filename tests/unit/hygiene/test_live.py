"""A file that somebody may be writing to is found out, by who holds it open or by when it was written."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from slowwave.hygiene import live
from slowwave.hygiene.live import LIVE_SECONDS, LiveWriterError

live_writer = partial(live.live_writer, pause=lambda _: None)
check_live = partial(live.check_live, pause=lambda _: None)
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux says who holds what open")
HOLDER = """
import os, sys
descriptor = os.open(sys.argv[1], getattr(os, sys.argv[2]))
print("held", flush=True)
sys.stdin.read()
"""


def clock() -> datetime:
    """The present."""
    return NOW


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that was written a day ago."""
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"{}\n")
    return at(path, -86_400)


def at(path: Path, seconds: float) -> Path:
    """The file as if it had been written so many seconds from now."""
    moment = (NOW + timedelta(seconds=seconds)).timestamp()
    os.utime(path, (moment, moment))
    return path


@ON_LINUX
@pytest.mark.parametrize(("mode", "is_live"), [("O_RDONLY", False), ("O_WRONLY", True), ("O_RDWR", True)])
def test_whoever_holds_it_open_for_writing_is_found(file: Path, mode: str, *, is_live: bool) -> None:
    """Another program that writes is named by its number; one that reads is no matter."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(file), mode], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        reason = live_writer(file, clock=clock)
        assert (str(holder.pid) in reason) == is_live
        if is_live:
            with pytest.raises(LiveWriterError) as caught:
                check_live(file, clock=clock, is_ours=True)
            assert (caught.value.code, caught.value.exit_status) == ("LIVE_WRITER", 3)
            assert caught.value.hint
        holder.communicate("")
    assert live_writer(file, clock=clock) == ""


@pytest.mark.parametrize(
    ("seconds", "is_live"),
    [(-LIVE_SECONDS - 1, False), (-LIVE_SECONDS + 1, True), (0, True), (LIVE_SECONDS - 1, True), (86_400, False)],
    ids=["long ago", "just so", "now", "soon", "another clock"],
)
def test_where_holders_are_not_known_a_late_time_of_writing_counts(
    file: Path, tmp_path: Path, seconds: float, *, is_live: bool
) -> None:
    """Within the bound before the present, and behind it; a day ahead is another clock's."""
    assert bool(live_writer(at(file, seconds), clock=clock, programs=tmp_path / "none")) == is_live


@ON_LINUX
def test_a_file_that_grows_while_it_is_watched_is_live(file: Path) -> None:
    """Whoever opens it anew for each line holds it at no moment that is looked at."""

    def grows(_: float) -> None:
        with file.open("ab") as stream:
            stream.write(b"{}\n")

    assert "at this moment" in live_writer(file, clock=clock, pause=grows)
    assert live_writer(at(file, 0), clock=clock, pause=lambda _: None) == ""
    assert live_writer(file, clock=clock, pause=grows, is_ours=True) == ""


def test_what_we_wrote_ourselves_is_not_held_against_us(file: Path) -> None:
    """The time is then our own; who holds it open counts all the same."""
    assert live_writer(at(file, 0), clock=clock, is_ours=True, programs=Path("/none")) == ""


def test_where_nobody_says_who_holds_it_the_time_decides(file: Path, tmp_path: Path) -> None:
    """Systems without that folder, or with one that shows nothing."""
    held = file.open("ab")
    with held:
        assert live_writer(file, clock=clock, programs=tmp_path / "none") == ""
    (tmp_path / "programs" / "12").mkdir(parents=True)
    (tmp_path / "programs" / "self").mkdir()
    assert live_writer(file, clock=clock, programs=tmp_path / "programs") == ""
    assert live_writer(at(file, 0), clock=clock, programs=tmp_path / "none") != ""
