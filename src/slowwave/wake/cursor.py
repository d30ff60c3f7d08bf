"""The cursor over files of captures: in order of their days, each line once, within bounds, in memory of one line.

A file that did not change is known by its status alone. A grown one is read from where it was left; a shorter one, or
one with another first line, from its beginning. A last line without its break may still be written: it waits, unless
its file is of an earlier day.
"""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import BinaryIO

from slowwave.disk.fence import FenceError, open_beneath
from slowwave.disk.places import Places
from slowwave.facts.limits import HEAD_BYTES, MOST_CAPTURE_BYTES, READ_BLOCK_BYTES
from slowwave.wake.state import FileMark, LoopState, is_capture_file, stamp_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RawLine:
    """One physical line, numbered from 1, without its break; of one that is too long the first bytes.

    ``sha256`` is over the whole line, for one that is too long, and empty for others; ``mark`` is where its file stands
    once it is consumed.
    """

    file: str
    number: int
    content: bytes
    sha256: str
    mark: FileMark


def unread_lines(places: Places, state: LoopState, today: date) -> Iterator[RawLine]:
    """Every line that was not consumed, oldest file first; files that cannot be opened are left for the next time."""
    for path in capture_files(places, since=state.since):
        known = state.files.get(path.name, FileMark(lines=0, bytes=0))
        stamp = stamp_of(path)
        if stamp is None or (known.stamp == stamp and known.bytes == stamp[1]):
            continue
        try:
            with open_beneath(places.captures, path.name) as stream:
                is_over = path.name < f"{today.isoformat()}.jsonl"
                yield from _lines(path.name, stream, known, is_over=is_over)
        except (FenceError, OSError):
            continue


def capture_files(places: Places, *, since: str = "") -> tuple[Path, ...]:
    """Files of captures in the order of their days; anything else in the folder is never opened."""
    if not places.captures.is_dir():
        return ()
    return tuple(sorted(p for p in places.captures.iterdir() if is_capture_file(p.name) and p.name >= since))


def _lines(name: str, stream: BinaryIO, known: FileMark, *, is_over: bool) -> Iterator[RawLine]:
    status = os.fstat(stream.fileno())
    stamp = (status.st_ino, status.st_size, status.st_mtime_ns)
    first = _first_of(stream)
    number, place = _start(stream, known, first, status.st_size)
    stream.seek(place)
    while True:
        content, length, sha256, has_break = _read_line(stream)
        if not length or (not has_break and not is_over):
            return
        number, place = number + 1, place + length
        # The status is kept with the last line alone: before it the file is not wholly consumed.
        mark = FileMark(lines=number, bytes=place, first=first, stamp=stamp if place == status.st_size else ())
        yield RawLine(file=name, number=number, content=content, sha256=sha256, mark=mark)


def _start(stream: BinaryIO, known: FileMark, first: str, size: int) -> tuple[int, int]:
    """How many lines are consumed, and where the next one begins; from the beginning where the file is another one."""
    is_other = bool(known.first) and bool(first) and known.first != first
    if is_other or (known.bytes is not None and known.bytes > size):
        return 0, 0
    if known.bytes is None:
        return _behind(stream, known.lines)
    if known.bytes == 0:
        return 0, 0
    stream.seek(known.bytes - 1)
    if stream.read(1) == b"\n":
        return known.lines, known.bytes
    # The last line was consumed without its break, and goes on: it is read again, whole.
    return max(0, known.lines - 1), _line_start(stream, known.bytes)


def _behind(stream: BinaryIO, lines: int) -> tuple[int, int]:
    """Where the file stands behind so many lines; its beginning where it has fewer."""
    stream.seek(0)
    place = 0
    for _ in range(lines):
        _, length, _, _ = _read_line(stream)
        if not length:
            return 0, 0
        place += length
    return lines, place


def _line_start(stream: BinaryIO, end: int) -> int:
    """Where the line begins whose bytes end at a place."""
    while end > 0:
        start = max(0, end - READ_BLOCK_BYTES)
        stream.seek(start)
        found = stream.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _read_line(stream: BinaryIO) -> tuple[bytes, int, str, bool]:
    """A line without its break, its length with it, a digest of one too long to be held, whether it has a break."""
    content = stream.readline(MOST_CAPTURE_BYTES + 2)
    if content.endswith(b"\n"):
        return content[:-1], len(content), "", True
    if len(content) <= MOST_CAPTURE_BYTES:
        return content, len(content), "", False
    hasher, length = hashlib.sha256(content), len(content)
    while part := stream.readline(READ_BLOCK_BYTES):
        length += len(part)
        if part.endswith(b"\n"):
            hasher.update(part[:-1])
            return content, length, hasher.hexdigest(), True
        hasher.update(part)
    return content, length, hasher.hexdigest(), False


def _first_of(stream: BinaryIO) -> str:
    """Digest over the beginning of the first line; empty while it has no break, since it may still grow."""
    stream.seek(0)
    head = stream.read(HEAD_BYTES)
    line, found, _ = head.partition(b"\n")
    return hashlib.sha256(line).hexdigest()[:16] if found or len(head) == HEAD_BYTES else ""
