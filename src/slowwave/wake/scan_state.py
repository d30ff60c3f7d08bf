"""How far each file of each session was scanned for tags: a byte, a line, and what tells that file from another.

A file that only grew is read on from there. One that is another file, was cut short, or says something else before that
place is read afresh; the intake knows what it has said already.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from slowwave.disk.durable import make_folder, read_whole, write_atomic
from slowwave.facts.limits import HEAD_BYTES, MOST_SCAN_ORIGINS
from slowwave.facts.refusal import NewerFormatError

_VERSION = 1
_DIGEST_DIGITS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanMark:
    """How far one file was scanned.

    Attributes:
        device: Device number of its file system.
        inode: Its number there.
        mtime_ns: Time of its last change when it was scanned.
        offset: Bytes that were scanned.
        lines: Physical lines among them.
        head: Digest over its first bytes, ``HEAD_BYTES`` at most, as far as scanned.
        tail: Digest over as many bytes before ``offset``.
    """

    device: int
    inode: int
    mtime_ns: int
    offset: int
    lines: int
    head: str
    tail: str


@dataclass(slots=True)
class ScanState:
    """Marks by path, and the sayings of which a capture was made, so that a fork's copied history makes none again."""

    marks: dict[str, ScanMark] = field(default_factory=dict)
    origins: dict[str, None] = field(default_factory=dict)
    was_lost: bool = False

    def remember(self, origin: str) -> None:
        """A capture was made of a saying; the oldest are forgotten."""
        self.origins[origin] = None
        while len(self.origins) > MOST_SCAN_ORIGINS:
            del self.origins[next(iter(self.origins))]


def read_scan_state(path: Path) -> ScanState:
    """The state; an empty one where there is none, and ``was_lost`` where it cannot be read: all is scanned again.

    Raises:
        NewerFormatError: A newer slowwave wrote it.
        DiskError: It is there and cannot be read.
    """
    raw = read_whole(path)
    if raw is None:
        return ScanState()
    try:
        record = json.loads(raw)
        version = record["version"]
        if type(version) is int and version > _VERSION:
            raise NewerFormatError(
                f"{path} has format {version}, this slowwave knows {_VERSION}", hint="upgrade slowwave"
            )
        marks = {name: _mark(one) for name, one in record["files"].items()}
        return ScanState(marks=marks, origins=dict.fromkeys(map(str, record["origins"])))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return ScanState(was_lost=True)


def write_scan_state(path: Path, state: ScanState) -> None:
    """Replace the state durably."""
    files = {
        name: {
            "device": mark.device,
            "inode": mark.inode,
            "mtime_ns": mark.mtime_ns,
            "offset": mark.offset,
            "lines": mark.lines,
            "head": mark.head,
            "tail": mark.tail,
        }
        for name, mark in sorted(state.marks.items())
    }
    make_folder(path.parent)
    record = {"version": _VERSION, "files": files, "origins": list(state.origins)}
    write_atomic(path, json.dumps(record, separators=(",", ":")).encode("ascii"))


def digests(stream: BinaryIO, offset: int) -> tuple[str, str]:
    """Digests over the bytes at the beginning of a file and before a place."""
    return _digest(stream, 0, min(HEAD_BYTES, offset)), _digest(stream, max(0, offset - HEAD_BYTES), offset)


def _digest(stream: BinaryIO, start: int, end: int) -> str:
    stream.seek(start)
    return hashlib.sha256(stream.read(end - start)).hexdigest()[:_DIGEST_DIGITS]


def _mark(record: Mapping[str, Any]) -> ScanMark:
    numbers = {name: record[name] for name in ("device", "inode", "mtime_ns", "offset", "lines")}
    if any(type(number) is not int or number < 0 for number in numbers.values()):
        raise TypeError("a mark holds counts")
    return ScanMark(**numbers, head=str(record["head"]), tail=str(record["tail"]))
