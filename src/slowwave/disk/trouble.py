"""What can go wrong between us and the disk, each with its own code and what to do about it.

``explain`` is the one table from the system's error numbers to these errors, ``speaking`` applies it to a block.
"""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from slowwave.facts.limits import SCARCE_BYTES
from slowwave.facts.refusal import DamageError, SlowwaveError


class DiskError(SlowwaveError):
    """The disk refused for a reason without a class of its own."""

    code = "disk_failed"


class DiskFullError(DiskError):
    """No room was left; nothing was replaced by half of something."""

    code = "disk_full"


class ReadOnlyError(DiskError):
    """The file system is mounted read-only."""

    code = "read_only"


class DeniedError(DiskError):
    """This user may not read or write there."""

    code = "denied"


class FlushError(DiskError):
    """The system could not say that bytes reached the disk.

    After it nobody knows what is stored, and asking again would wrongly succeed (the kernel forgets the failed
    pages). So it always ends the command, and the next start checks what is there.
    """

    code = "flush_failed"


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_DENIED = frozenset({errno.EACCES, errno.EPERM})


def explain(error: OSError, path: Path | str) -> SlowwaveError:
    """The error of this house that stands for a system error at a path."""
    if error.errno in _FULL:
        return full(path)
    if error.errno == errno.EROFS:
        return ReadOnlyError(
            f"{path} lies on a file system that is mounted read-only",
            hint="Mount it writable, or set SLOWWAVE_HOME to a folder elsewhere.",
        )
    if error.errno in _DENIED:
        return DeniedError(
            f"{path} may not be read or written by this user",
            hint="Give the folder back to your user, or set SLOWWAVE_HOME to a folder of yours.",
        )
    return DiskError(f"{path}: {error.strerror or type(error).__name__}", hint="Run `slowwave doctor`.")


def full(path: Path | str) -> DiskFullError:
    """The error for a disk without room at a path."""
    return DiskFullError(
        f"no room is left on the disk that holds {path}",
        hint="Free some space and run the same command again; what was stored before is whole.",
    )


def is_nearly_full(folder: Path) -> bool:
    """Whether so little room is left that it explains a failure which does not say why; where unknown, no."""
    if not hasattr(os, "statvfs"):
        return False
    try:
        room = os.statvfs(folder)
    except OSError:
        return False
    return room.f_bavail * room.f_frsize < SCARCE_BYTES


@contextmanager
def speaking(path: Path | str) -> Iterator[None]:
    """Let system errors of the block leave as errors of this house.

    Raises:
        DiskError: Any ``OSError``; ``DiskFullError``, ``ReadOnlyError`` and ``DeniedError`` where they fit.
        DamageError: SQLite found a file that is no database of its own.
    """
    try:
        yield
    except OSError as error:
        raise explain(error, path) from error
    except sqlite3.Error as error:
        raise explain_sql(error, path) from error


def explain_sql(error: sqlite3.Error, path: Path | str) -> SlowwaveError:
    """The error of this house that stands for one of SQLite at a path."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return full(path)
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return DamageError(f"{path} is damaged: {error}", hint="Run `slowwave doctor`; it says what can be rebuilt.")
    if name.startswith(("SQLITE_READONLY", "SQLITE_PERM")):
        return explain(OSError(errno.EACCES, "denied"), path)
    if name.startswith("SQLITE_IOERR_FSYNC"):
        return FlushError(f"{path}: the disk did not confirm a write", hint="Run `slowwave doctor`.")
    return DiskError(f"{path}: {error}", hint="Run `slowwave doctor`.")
