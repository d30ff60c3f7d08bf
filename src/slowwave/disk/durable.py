"""Bytes that survive a power cut: written beside their place, flushed, renamed over it, folder flushed.

A reader sees the old file or the new one, never a part. A flush that fails ends the command at once.
"""

import itertools
import os
import re
import shutil
import stat
from datetime import UTC, datetime
from pathlib import Path

from slowwave.disk.trouble import FlushError, explain, speaking

_count = itertools.count()
_LEFTOVER = re.compile(r"\.[^/]+\.\d+-\d+\.slowwave-part")


def write_atomic(path: Path, content: bytes, *, mode: int = 0o600) -> None:
    """Replace a file's content as one step that is on the disk when the call returns.

    Raises:
        DiskError: The file is as it was; the temporary one was removed where that was possible.
        FlushError: The disk did not confirm the bytes.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}-{next(_count)}.slowwave-part")
    try:
        with speaking(path):
            _write_new(part, content, mode)
            part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    flush_folder(path.parent)


def _write_new(part: Path, content: bytes, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(part, flags, mode)
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        flush(descriptor, part)
    finally:
        os.close(descriptor)


def flush(descriptor: int, path: Path) -> None:
    """Have the system write what it holds of an open file.

    Raises:
        FlushError: It could not; there is no second try.
    """
    try:
        os.fsync(descriptor)
    except OSError as error:
        raise FlushError(
            f"the disk did not confirm what was written to {path}: {error.strerror}",
            hint="Check the disk's health, then run `slowwave doctor`.",
        ) from error


def flush_folder(folder: Path) -> None:
    """Make names that were added to or removed from a folder survive a power cut; where folders cannot, nothing."""
    if os.name == "nt":
        return
    with speaking(folder):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        flush(descriptor, folder)
    finally:
        os.close(descriptor)


def make_folder(path: Path) -> None:
    """Make a folder that only its owner may enter, with its parents; an existing one is left as it is.

    Raises:
        DiskError: A file stands in the way, or the system refused.
    """
    if path.is_dir():
        return
    if path.parent != path:
        make_folder(path.parent)
    with speaking(path):
        path.mkdir(mode=0o700, exist_ok=True)
    flush_folder(path.parent)


def remove(path: Path) -> None:
    """Remove a file so that it stays removed; one that is not there is no error."""
    with speaking(path):
        if not path.parent.is_dir():
            return
        path.unlink(missing_ok=True)
    flush_folder(path.parent)


def remove_tree(path: Path) -> None:
    """Remove a folder and all in it, following no link out of it; one that is not there is no error."""
    with speaking(path):
        if path.is_symlink():
            path.unlink()
        elif path.exists():
            shutil.rmtree(path)
        else:
            return
    flush_folder(path.parent)


def clear_leftovers(folder: Path) -> tuple[Path, ...]:
    """Remove parts that a killed writer left in a folder; call it only while nobody else writes there."""
    if not folder.is_dir():
        return ()
    with speaking(folder):
        parts = sorted(path for path in folder.iterdir() if _LEFTOVER.fullmatch(path.name) and _is_file(path))
        for part in parts:
            part.unlink(missing_ok=True)
    if parts:
        flush_folder(folder)
    return tuple(parts)


def read_whole(path: Path) -> bytes | None:
    """A file's content; ``None`` when there is no such file.

    Raises:
        DiskError: It is there and cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise explain(error, path) from error


def keep_damaged(path: Path, content: bytes, moment: datetime) -> Path:
    """Keep what was read of a file that cannot be understood beside its place, under an aware moment; where it is.

    Raises:
        DiskError: It could not be kept.
    """
    kept = damaged_name(path, moment)
    write_atomic(kept, content)
    return kept


def damaged_name(path: Path, moment: datetime) -> Path:
    """Where ``keep_damaged`` keeps it."""
    return path.with_name(f"{path.name}.corrupt-{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}")


def _is_file(path: Path) -> bool:
    return stat.S_ISREG(path.lstat().st_mode)
