"""New files put in their places: written beside them in blocks, flushed, and given the name in one step.

A link is never followed: opening refuses one, and renaming replaces one. The folder's own path is the person's choice.
"""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from slowwave.disk.durable import flush, flush_folder, remove
from slowwave.disk.exchange import exchange
from slowwave.disk.fence import FenceError, open_beneath
from slowwave.disk.trouble import speaking
from slowwave.facts.limits import MOST_LINE_BYTES, READ_BLOCK_BYTES
from slowwave.facts.refusal import NothingToDoError, SlowwaveError

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_BEHIND = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
_PLAN_AGAIN = "Plan again from what stands there now."


class StaleError(SlowwaveError):
    """The file is not what was planned on any more; nothing was changed."""

    code = "STALE_REVISION"

    def __init__(self, message: str, *, hint: str = _PLAN_AGAIN) -> None:
        super().__init__(message, hint=hint)


class TargetExistsError(SlowwaveError):
    """Something stands where a new file should be."""

    code = "target_exists"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What was written: its SHA-256 in hex, and its length in bytes."""

    digest: str
    length: int


def open_plain(path: Path) -> BinaryIO:
    """A regular file, opened for reading.

    Raises:
        FenceError: It is a link, or no regular file.
        NothingToDoError: It is not there.
        DiskError: It may not be read.
    """
    whole = path.absolute()
    with speaking(path):
        try:
            return open_beneath(whole.parent, whole.name)
        except FileNotFoundError as error:
            raise NothingToDoError(f"{path} does not exist", hint="Name a session's file.") from error


def refuse_taken(target: Path) -> None:
    """Make sure that nobody has a name.

    Raises:
        FenceError: A link stands there.
        TargetExistsError: Anything else does.
    """
    if target.is_symlink():
        raise FenceError(f"{str(target)!a} is a link, which is never written through")
    if os.path.lexists(target):
        raise TargetExistsError(f"{target} exists already", hint="Name a file that does not exist yet.")


def part_of(path: Path) -> Path:
    """Where a file's next content is written before it gets its name: one place, so that a dead writer's is found."""
    return path.with_name(f".{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}.0-0.slowwave-part")


def write_part(part: Path, chunks: Iterable[bytes], *, mode: int) -> Written:
    """Write and flush a file of its own, never holding more than a block of it; it is removed when that fails.

    Raises:
        DiskError: The system refused.
        FlushError: The disk did not confirm the bytes.
    """
    with speaking(part):
        part.unlink(missing_ok=True)
        descriptor = os.open(part, _NEW, 0o600)
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as held:
            hasher, length = hashlib.sha256(), 0
            for block in _blocks(chunks):
                hasher.update(block)
                length += len(block)
                with speaking(part):
                    _write(held.fileno(), block)
            with speaking(part):
                os.fchmod(held.fileno(), mode)
            flush(held.fileno(), part)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return Written(digest=hasher.hexdigest(), length=length)


def place_new(part: Path, target: Path) -> None:
    """Give a part the name of a file that is not there; who was quicker keeps it.

    Raises:
        TargetExistsError: Somebody has the name.
        DiskError: The system refused.
    """
    with speaking(target):
        try:
            os.link(part, target)
        except FileExistsError:
            raise TargetExistsError(f"{target} exists already", hint="Name a file that does not exist yet.") from None
        except OSError:  # a file system without second names
            refuse_taken(target)
            part.rename(target)
    with speaking(part):
        part.unlink(missing_ok=True)
    flush_folder(target.parent)


def place_over(part: Path, target: Path, old: Written, seen: os.stat_result) -> None:
    """Put a part in the place of a file; the old file then has the part's name, with what was written to it last.

    Where the system cannot exchange files, the old one is looked at a last time and replaced.

    Args:
        part: The new file.
        target: The place.
        old: What the file held.
        seen: What the system said of it then.

    Raises:
        StaleError: Something else came out; it is back in its place.
        DiskError: The system refused.
    """
    with speaking(target):
        if exchange(part, target):
            if not _is_grown(part, old, seen):
                exchange(part, target)
                raise StaleError(f"{target} was replaced or rewritten while its new content was prepared")
        elif not _is_grown(target, old, seen) or target.lstat().st_size != old.length:
            raise StaleError(f"{target} was changed while its new content was prepared")
        else:
            part.replace(target)
    flush_folder(target.parent)


def settle(part: Path, target: Path, *, old: Written, new: Written) -> bool:
    """Bring a placing that was broken off to its end, the one or the other; doing it again changes nothing.

    Returns:
        Whether the target is the new file.
    """
    is_new = is_prefix(target, new)
    if os.path.lexists(part) and not (is_new and part.samefile(target)):
        if is_prefix(part, new) and part.lstat().st_size == new.length:
            is_new = False  # it never got the name, though the old file may begin as the new one does
        elif is_prefix(part, old):
            pass_on(part, target, old, new)
        elif is_new:  # a third file came out, and was to be put back
            with speaking(target):
                part.replace(target)
            is_new = False
    remove(part)
    return is_new


def pass_on(part: Path, target: Path, old: Written, new: Written) -> None:
    """Put what was appended to a file while it was replaced behind its successor; doing it again changes nothing."""
    if not os.path.lexists(part) or part.lstat().st_size <= old.length or not is_prefix(target, new):
        return
    with open_plain(part) as stream, open_plain(target) as standing:
        late = b"".join(read_between(stream, old.length, old.length + MOST_LINE_BYTES))
        if late in b"".join(read_between(standing, new.length, new.length + MOST_LINE_BYTES)):
            return
    with speaking(target):
        descriptor = os.open(target, _BEHIND)
        try:
            _write(descriptor, late)
            flush(descriptor, target)
        finally:
            os.close(descriptor)


def is_prefix(path: Path, written: Written) -> bool:
    """Whether a file begins with certain bytes; one that is not there or is a link does not."""
    try:
        with open_plain(path) as stream:
            return digests_at(stream, [written.length]).get(written.length) == written.digest
    except (NothingToDoError, FenceError):
        return False


def digests_at(stream: BinaryIO, lengths: Iterable[int]) -> Mapping[int, str]:
    """SHA-256 of a file's first so many bytes, for each length that it has; read once."""
    hasher, at = hashlib.sha256(), 0
    found: dict[int, str] = {}
    for length in sorted(set(lengths)):
        for block in read_between(stream, at, length):
            hasher.update(block)
            at += len(block)
        if at < length:
            break
        found[length] = hasher.hexdigest()
    return found


def read_between(stream: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    """The bytes of a file from one place to another, in blocks; fewer where it ends before."""
    at = start
    while at < end:
        with speaking("a file that was opened"):
            stream.seek(at)
            block = stream.read(min(READ_BLOCK_BYTES, end - at))
        if not block:
            return
        at += len(block)
        yield block


def lines_of(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a stream, each with its break; the last may have none, and one beyond all bounds comes in pieces."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line + b"\n" for line in whole)
        if len(rest) > MOST_LINE_BYTES:
            yield rest
            rest = b""
    if rest:
        yield rest


def _blocks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Chunks of any size in blocks that are worth a call of the system."""
    held: list[bytes] = []
    size = 0
    for chunk in chunks:
        held.append(chunk)
        size += len(chunk)
        if size >= READ_BLOCK_BYTES:
            yield b"".join(held)
            held, size = [], 0
    yield b"".join(held)


def _write(descriptor: int, block: bytes) -> None:
    rest = memoryview(block)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _is_grown(path: Path, old: Written, seen: os.stat_result) -> bool:
    """Whether a file is the one that was seen, with the bytes it had and perhaps more behind them."""
    now = path.lstat()
    if not stat.S_ISREG(now.st_mode) or (now.st_dev, now.st_ino) != (seen.st_dev, seen.st_ino):
        return False
    return (now.st_size, now.st_mtime_ns) == (old.length, seen.st_mtime_ns) or is_prefix(path, old)
