"""Who may be writing to a file now: whoever holds it open for that, or wrote to it a moment ago.

A file that an agent goes on with must not be replaced under it. Linux says who holds what open; most agents open their
file anew for each line, so it is watched for a moment as well. Elsewhere the time of the last writing has to do. What
is appended in the very last instant is not lost either way: the keeper puts it behind the new content.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from slowwave.disk.trouble import speaking
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import SlowwaveError

LIVE_SECONDS = 600.0  # the longest that agents let a command run by default, between two lines of a session
WATCH_SECONDS = 0.5  # that a file is watched where holders are known: an agent at work writes several lines a second
_PROGRAMS = Path("/proc")
Pause = Callable[[float], None]
"""Waits for so many seconds."""


class LiveWriterError(SlowwaveError):
    """A file that was to be replaced may be written to at this moment."""

    code = "LIVE_WRITER"
    exit_status: ClassVar[int] = 3


def check_live(path: Path, *, clock: Clock, is_ours: bool = False, programs: Path = _PROGRAMS, pause: Pause) -> None:
    """Make sure that nobody writes to a file.

    Args:
        path: The file.
        clock: The present.
        is_ours: It holds exactly what slowwave wrote, so that a late time of writing is our own.
        programs: Where the system shows what runs.
        pause: Waits while the file is watched.

    Raises:
        LiveWriterError: Somebody may.
        DiskError: The file cannot be looked at.
    """
    reason = live_writer(path, clock=clock, is_ours=is_ours, programs=programs, pause=pause)
    if reason:
        raise LiveWriterError(f"{path} {reason}", hint="End the session that writes it, or write a fork instead.")


def live_writer(path: Path, *, clock: Clock, is_ours: bool = False, programs: Path = _PROGRAMS, pause: Pause) -> str:
    """Why a file counts as being written to, as the rest of a sentence; empty where it does not."""
    with speaking(path):
        seen = path.lstat()
    if _shows_holders(programs):
        holder = next(_writers(seen, programs), None)
        if holder is not None:
            return f"is open for writing in another program (number {holder})"
        return "" if is_ours else _watched(path, seen, pause)
    # Both ways: a time to come is no proof of rest, though one far ahead comes from another clock.
    if not is_ours and abs(clock().timestamp() - seen.st_mtime) < LIVE_SECONDS:
        return f"was written to in the last {LIVE_SECONDS / 60:g} minutes"
    return ""


def _shows_holders(programs: Path) -> bool:
    """Whether the system shows what programs hold open, our own among them."""
    return (programs / "self" / "fdinfo").is_dir()


def _watched(path: Path, seen: os.stat_result, pause: Pause) -> str:
    pause(WATCH_SECONDS)
    with speaking(path):
        now = path.lstat()
    is_same = (now.st_ino, now.st_size, now.st_mtime_ns) == (seen.st_ino, seen.st_size, seen.st_mtime_ns)
    return "" if is_same else "is being written to at this moment"


def _writers(seen: os.stat_result, programs: Path) -> Iterator[int]:
    """Numbers of the programs that hold a file open for writing, as far as this user may know."""
    for folder in sorted(programs.iterdir()):
        if not folder.name.isdecimal():
            continue
        with suppress(OSError):  # it ended meanwhile, or belongs to somebody else
            if any(_is_writing(folder, held.name, seen) for held in (folder / "fd").iterdir()):
                yield int(folder.name)


def _is_writing(folder: Path, held: str, seen: os.stat_result) -> bool:
    try:
        there = (folder / "fd" / held).stat()
        if (there.st_dev, there.st_ino) != (seen.st_dev, seen.st_ino):
            return False
        told = (folder / "fdinfo" / held).read_text("ascii")
    except OSError:  # closed meanwhile
        return False
    flags = next((line.split()[1] for line in told.splitlines() if line.startswith("flags:")), "0")
    return int(flags, 8) & os.O_ACCMODE in (os.O_WRONLY, os.O_RDWR)
