"""Scanning one file: as much of it as changed, into its facts.

Unchanged is known by its status alone. A grown file is read from where it was left, once its beginning and the bytes
before that place prove to be the old ones; anything else that changed is read again from the start.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from slowwave.disk.fence import FenceError, open_beneath, relative_to_root
from slowwave.facts.limits import HEAD_BYTES, TITLE_CHARACTERS
from slowwave.facts.text import cut, fold, showable
from slowwave.records.counting import count
from slowwave.records.foreign import name_document, name_records
from slowwave.records.formats.format import VOTERS, Format
from slowwave.records.headers import Header
from slowwave.records.lines import Line, Record, read_lines
from slowwave.records.marks import Marks
from slowwave.records.secrets import Secrets
from slowwave.records.session import FileIdentity
from slowwave.records.tally import Tally

_FIRST_VOTERS = 40  # records that mostly settle the vote; more are held only where they do not
_HELD_BYTES = 16 * 1024 * 1024  # of lines held in memory while formats vote


@dataclass(slots=True, kw_only=True)
class ScannedFile:
    """One file as far as it was read.

    Attributes:
        root: The folder it was found under.
        path: Where it lies.
        agent: Name of its format; empty where it is no transcript that we read.
        reason: Why it is none: ``empty``, ``not_transcript``, ``unsupported:NAME``; empty otherwise.
        identity: What tells this version from another.
        head_bytes: How many first bytes the identity's digest covers.
        tail_digest: Digest over the bytes before ``bytes_read``.
        bytes_read: Behind the last whole line.
        lines: Lines read.
        tally: What was counted.
        marks: Where lines begin.
    """

    root: Path
    path: Path
    agent: str = ""
    reason: str = ""
    identity: FileIdentity
    head_bytes: int = 0
    tail_digest: str = ""
    bytes_read: int = 0
    lines: int = 0
    tally: Tally = field(default_factory=Tally)
    marks: Marks = field(default_factory=Marks)


@dataclass(frozen=True, slots=True)
class Scanned:
    """A file's facts and the bytes that were read for them; ``refused`` says why nothing could be read."""

    file: ScannedFile | None
    new_bytes: int = 0
    refused: str = ""


def is_unchanged(previous: ScannedFile, status: os.stat_result) -> bool:
    """Whether a file's status is the one it had when it was scanned."""
    known = previous.identity
    return (known.device, known.inode, known.size, known.mtime_ns) == (
        status.st_dev,
        status.st_ino,
        status.st_size,
        status.st_mtime_ns,
    )


def scan_file(
    root: Path, path: Path, *, formats: Sequence[Format], secrets: Secrets, previous: ScannedFile | None = None
) -> Scanned:
    """Read what is new of a file; what cannot be read is refused by reason, never an error."""
    scanned = _scan(root, path, formats, previous)
    if scanned.file is not None and scanned.new_bytes:
        _mask(scanned.file.tally.header, secrets)
    return scanned


def _mask(header: Header, secrets: Secrets) -> None:
    """Hide secrets in what will be stored, before anything is cut."""
    header.title = cut(showable(fold(secrets.mask(header.title))), TITLE_CHARACTERS)
    header.cwd = secrets.mask(header.cwd)
    header.branch = secrets.mask(header.branch)


def _scan(root: Path, path: Path, formats: Sequence[Format], previous: ScannedFile | None) -> Scanned:
    try:
        with open_beneath(root, relative_to_root(root, path)) as stream:
            status = os.fstat(stream.fileno())
            if previous is not None and _is_grown(previous, status, stream):
                return _read_on(previous, status, stream, formats)
            return _read_all(root, path, status, stream, formats)
    except FenceError:
        return Scanned(None, refused="link")
    except OSError as error:
        return Scanned(None, refused=_reason(error))


def _reason(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "permission"
    return "gone" if isinstance(error, FileNotFoundError) else "unreadable"


def _is_grown(previous: ScannedFile, status: os.stat_result, stream: BinaryIO) -> bool:
    known = previous.identity
    if not previous.agent or (known.device, known.inode) != (status.st_dev, status.st_ino):
        return False
    if status.st_size <= known.size or not previous.head_bytes:
        return False
    return (
        digest_at(stream, 0, previous.head_bytes) == known.prefix_digest
        and tail_digest(stream, previous.bytes_read) == previous.tail_digest
    )


def _read_on(previous: ScannedFile, status: os.stat_result, stream: BinaryIO, formats: Sequence[Format]) -> Scanned:
    read_by = next((each for each in formats if each.name == previous.agent), None)
    if read_by is None:
        return _read_all(previous.root, previous.path, status, stream, formats)
    start = previous.bytes_read
    lines = read_lines(stream, start=start, first_line=previous.lines + 1)
    last = count(previous.tally, previous.marks, lines, read_by)
    previous.identity = _identity(status, previous.identity.prefix_digest)
    _end(previous, last, stream)
    return Scanned(previous, previous.bytes_read - start)


def _read_all(root: Path, path: Path, status: os.stat_result, stream: BinaryIO, formats: Sequence[Format]) -> Scanned:
    head_bytes = min(HEAD_BYTES, status.st_size)
    file = ScannedFile(
        root=root,
        path=path,
        identity=_identity(status, digest_at(stream, 0, head_bytes)),
        head_bytes=head_bytes,
    )
    stream.seek(0)
    lines = read_lines(stream)
    held, read_by = _elect(path, lines, formats)
    if read_by is None:
        file.reason = _foreign_reason(status.st_size, held, stream)
        return Scanned(file)
    file.agent = read_by.name
    last = count(file.tally, file.marks, chain(held, lines), read_by)
    _end(file, last, stream)
    return Scanned(file, file.bytes_read)


def _elect(path: Path, lines: Iterator[Line], formats: Sequence[Format]) -> tuple[list[Line], Format | None]:
    """The first lines, and the format that reads them; more lines are asked only while none does."""
    held: list[Line] = []
    head: list[Record] = []
    for most in (_FIRST_VOTERS, VOTERS):
        size = sum(line.length for line in held)
        while len(head) < most and size < _HELD_BYTES and (line := next(lines, None)) is not None:
            held.append(line)
            head.extend(line.records)
            size += line.length
        for each in formats:
            if head and each.detect(path, head):
                return held, each
    return held, None


def _foreign_reason(size: int, held: Sequence[Line], stream: BinaryIO) -> str:
    if not size:
        return "empty"
    stream.seek(0)
    name = name_document(stream.read(HEAD_BYTES))
    name = name or name_records([record for line in held for record in line.records])
    return f"unsupported:{name}" if name else "not_transcript"


def _end(file: ScannedFile, last: Line | None, stream: BinaryIO) -> None:
    if last is not None:
        file.bytes_read = last.offset + last.length
        file.lines = last.number
    file.tail_digest = tail_digest(stream, file.bytes_read)


def _identity(status: os.stat_result, prefix_digest: str) -> FileIdentity:
    return FileIdentity(
        device=status.st_dev,
        inode=status.st_ino,
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        prefix_digest=prefix_digest,
    )


def tail_digest(stream: BinaryIO, end: int) -> str:
    """Digest over the bytes that stand before byte ``end``."""
    start = max(0, end - HEAD_BYTES)
    return digest_at(stream, start, end - start)


def digest_at(stream: BinaryIO, start: int, size: int) -> str:
    """SHA-256 over ``size`` bytes from ``start``, in hex."""
    stream.seek(start)
    return hashlib.sha256(stream.read(size)).hexdigest()
