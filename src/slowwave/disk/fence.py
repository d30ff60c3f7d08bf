"""Opening a file beneath a root, so that no link, pipe or name leads anywhere else.

Every component is opened by the descriptor of the one before it, without following links, so a link that is swapped in
between a check and the opening cannot be used either: there is no check to race with.
"""

import errno
import os
import stat
from pathlib import Path, PurePath, PurePosixPath
from typing import BinaryIO

from slowwave.facts.refusal import SlowwaveError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_LINKS = (errno.ELOOP, errno.EMLINK, errno.ENOTDIR)


class FenceError(SlowwaveError):
    """A path leads out of its root, through a link, or to something that is no regular file."""

    code = "outside_root"


def open_beneath(root: Path, relative: PurePath | str) -> BinaryIO:
    """A regular file below ``root``, opened for reading.

    Args:
        root: A folder that is trusted; links in its own path are followed.
        relative: The file's path below it, without ``..``.

    Raises:
        FenceError: The path is absolute, climbs, is empty or holds NUL; a component is a link; it is no regular file.
        OSError: It does not exist, or may not be read.
    """
    parts = _parts(relative)
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            inner = _open(part, _FOLDER, folder, relative)
            os.close(folder)
            folder = inner
        descriptor = _open(parts[-1], _FILE, folder, relative)
    finally:
        os.close(folder)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FenceError(f"{_shown(relative)} is not a regular file")
    return os.fdopen(descriptor, "rb")


def relative_to_root(root: Path, path: Path) -> PurePosixPath:
    """The path of a file below a root, by its spelling alone.

    Raises:
        FenceError: It does not stand below the root.
    """
    try:
        return PurePosixPath(path.relative_to(root))
    except ValueError:
        raise FenceError(f"{_shown(path)} is not below {_shown(root)}") from None


def _parts(relative: PurePath | str) -> tuple[str, ...]:
    text = os.fspath(relative)
    if "\0" in text:
        raise FenceError("a path holds a NUL character")
    path = PurePosixPath(text)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise FenceError(f"{_shown(text)} does not lead to a file below its root")
    return path.parts


def _open(part: str, flags: int, folder: int, whole: PurePath | str) -> int:
    try:
        return os.open(part, flags, dir_fd=folder)
    except OSError as error:
        if error.errno in _LINKS:
            raise FenceError(f"{_shown(whole)} leads through a link or something that is no folder") from error
        if error.errno == errno.ENXIO:
            raise FenceError(f"{_shown(whole)} is not a regular file") from error
        raise


def _shown(path: PurePath | str) -> str:
    return ascii(os.fspath(path))
