"""Who may be writing to a file now: whoever holds it open for that, or wrote to it a moment ago.

A file that an agent goes on with must not be replaced under it. Linux says who holds what open; elsewhere that is not
known, and the time of the last writing has to do. Most agents open their file anew for each line anyhow.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from slowwave.disk.trouble import speaking
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import SlowwaveError

LIVE_SECONDS = 600.0  # the longest that agents let a command run by default, between two lines of a session
_PROGRAMS = Path("/proc")


class LiveWriterError(SlowwaveError):
    """A file that was to be replaced may be written to at this moment."""

    code = "LIVE_WRITER"
    exit_status: ClassVar[int] = 3


def check_live(path: Path, *, clock: Clock, is_ours: bool = False, programs: Path = _PROGRAMS) -> None:
    """Make sure that nobody writes to a file.

    Args:
        path: The file.
        clock: The present.
        is_ours: It holds exactly what slowwave wrote, so that a late time of writing is our own.
        programs: Where the system shows what runs.

    Raises:
        LiveWriterError: Somebody may.
        DiskError: The file cannot be looked at.
    """
    reason = live_writer(path, clock=clock, is_ours=is_ours, programs=programs)
    if reason:
        raise LiveWriterError(f"{path} {reason}", hint="End the session that writes it, or write a fork instead.")


def live_writer(path: Path, *, clock: Clock, is_ours: bool = False, programs: Path = _PROGRAMS) -> str:
    """Why a file counts as being written to, as the rest of a sentence; empty where it does not."""
    with speaking(path):
        seen = path.lstat()
    holder = next(_writers(seen, programs), None)
    if holder is not None:
        return f"is open for writing in another program (number {holder})"
    # Both ways: a time to come is no proof of rest, though one far ahead comes from another clock.
    if not is_ours and abs(clock().timestamp() - seen.st_mtime) < LIVE_SECONDS:
        return f"was written to in the last {LIVE_SECONDS / 60:g} minutes"
    return ""


def _writers(seen: os.stat_result, programs: Path) -> Iterator[int]:
    """Numbers of the programs that hold a file open for writing, as far as this user may know."""
    if not programs.is_dir():
        return
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
