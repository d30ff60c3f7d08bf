"""The log: one JSON object a line, each with the hash of the line before, and a head that says how many there are.

A line that was changed, removed, added or moved breaks the chain; lines cut off the end contradict the head. The head
is written after each line, so a crash leaves at most one line that it does not know, whole or torn: whole it is taken
in, torn it is cut away, and neither is damage.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from slowwave.disk.durable import flush, make_folder, read_whole, write_atomic
from slowwave.disk.fence import FenceError, open_beneath
from slowwave.disk.jsonl import append_lines
from slowwave.disk.trouble import speaking
from slowwave.facts.limits import MOST_LINE_BYTES
from slowwave.facts.refusal import DamageError, NewerFormatError, SlowwaveError

REVISIONS_FORMAT = 1  # of the log, the head and the originals beside it
ORIGIN = "0" * 64
"""What the first line has for the hash of a line before."""
LOG, HEAD = "log.jsonl", "head.json"
_HINT = "Run `slowwave hygiene verify`; nothing is written to a damaged log."


class LongEntryError(SlowwaveError):
    """A change has more to say than one line of the log may hold."""

    code = "entry_too_long"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A line of the log whose own hash fits: its place from 1, the hash of the line before, its own, what it says."""

    sequence: int
    previous: str
    hash: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """How the log ends: how many lines, the last one's hash, how many bytes."""

    count: int = 0
    hash: str = ORIGIN
    length: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """Something that is not as it was written: a code, where, and a sentence."""

    code: str
    where: str
    message: str


class Log:
    """The log below one folder; whoever heals or appends holds the writer lock."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / LOG

    @property
    def has_head(self) -> bool:
        """Whether anything was ever begun here."""
        return os.path.lexists(self._folder / HEAD)

    def head(self) -> Head:
        """How the log ends.

        Raises:
            DamageError: There is a log without a head, or the head is not what was written.
            NewerFormatError: A newer slowwave wrote it.
        """
        raw = read_whole(self._folder / HEAD)
        if raw is None and not os.path.lexists(self._file):
            return Head()
        head = None if raw is None else _parse_head(raw, self._folder)
        if head is None:
            what = "is missing" if raw is None else "is not what was written"
            raise DamageError(f"{self._folder / HEAD} {what}", hint=_HINT)
        return head

    def heal(self) -> Head:
        """Make what a crash left whole, and the head where there is none yet.

        Raises:
            DamageError: Something stands there that no crash leaves.
            DiskError: The system refused.
        """
        head = self.head()
        if not self.has_head:
            make_folder(self._folder)
            return self._write_head(head)
        tail = self._tail(head)
        if not tail:
            return head
        link = _parse(tail)
        if _follows(link, head):
            assert link is not None
            return self._write_head(Head(count=link.sequence, hash=link.hash, length=head.length + len(tail)))
        with speaking(self._file):
            descriptor = os.open(self._file, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                os.ftruncate(descriptor, head.length)
                flush(descriptor, self._file)
            finally:
                os.close(descriptor)
        return head

    def append(self, body: Mapping[str, Any]) -> Link:
        """Add a line, durably, to a log that was healed.

        Raises:
            LongEntryError: It would be longer than a line may be.
            DiskError: The system refused; a torn line is cut away at the next healing.
        """
        head = self.head()
        # Through JSON first: a key that is a number sorts otherwise than the text it becomes.
        plain = json.loads(_encode(body))
        said = {**plain, "sequence": head.count + 1, "previous": head.hash}
        digest = _hash(said)
        line = _encode({**said, "hash": digest})
        if len(line) >= MOST_LINE_BYTES:
            raise LongEntryError(
                f"what the change says takes {len(line):,} bytes", hint="Make fewer operations at once."
            )
        append_lines(self._file, [line])
        self._write_head(Head(count=head.count + 1, hash=digest, length=head.length + len(line) + 1))
        return Link(sequence=head.count + 1, previous=head.hash, hash=digest, body=plain)

    def links(self) -> Iterator[Link]:
        """Every line up to the head, each held against the one before.

        Raises:
            DamageError: One of them, or the end, is not as it was written.
        """
        for each in self.walk():
            if isinstance(each, Flaw):
                raise DamageError(f"{self._folder / each.where}: {each.message}", hint=_HINT)
            yield each

    def walk(self) -> Iterator[Link | Flaw]:
        """Every line up to the head, and in its place whatever is wrong with it; the reading goes on behind."""
        try:
            head: Head | None = self.head()
        except DamageError as error:
            head = None
            yield Flaw(code="log_head", where=HEAD, message=error.message)
        try:
            stream = self._opened()
        except FenceError as error:
            yield Flaw(code="log_line", where=LOG, message=error.message)
            return
        if stream is not None:
            with stream:
                yield from self._walk(stream, head)
        elif head is None or head.count:
            yield Flaw(code="log_cut", where=LOG, message="the log is missing")

    def _walk(self, stream: BinaryIO, head: Head | None) -> Iterator[Link | Flaw]:
        size = os.fstat(stream.fileno()).st_size
        end = size if head is None else head.length
        at, number = 0, 0
        before: Head | None = Head()
        while at < min(end, size):
            raw = stream.readline(min(MOST_LINE_BYTES, end - at))
            at, number = at + len(raw), number + 1
            link = _parse(raw)
            if link is None:
                yield Flaw(code="log_line", where=f"{LOG}:{number}", message="the line is not what was written")
            elif before is not None and not _follows(link, before):
                yield Flaw(code="log_chain", where=f"{LOG}:{number}", message="it does not follow the line before")
            else:
                yield link
            before = None if link is None else Head(count=link.sequence, hash=link.hash)
        if head is not None:
            yield from self._at_the_end(head, size, before)

    def _at_the_end(self, head: Head, size: int, last: Head | None) -> Iterator[Flaw]:
        if size < head.length:
            yield Flaw(code="log_cut", where=LOG, message=f"{head.length - size:,} bytes are missing from its end")
        elif last is not None and (last.count, last.hash) != (head.count, head.hash):
            yield Flaw(code="log_cut", where=LOG, message="it does not end with the line that its head names")
        if size > head.length:
            try:
                self._tail(head)
            except DamageError as error:
                yield Flaw(code="log_chain", where=LOG, message=error.message)

    def _tail(self, head: Head) -> bytes:
        """What stands behind the head: nothing, or the one line of a writer that was killed."""
        stream = self._opened()
        size, tail = 0, b""
        if stream is not None:
            with stream, speaking(self._file):
                size = os.fstat(stream.fileno()).st_size
                stream.seek(head.length)
                tail = stream.read(MOST_LINE_BYTES + 1)
        if size < head.length:
            raise DamageError(f"{self._file} is shorter than its head says", hint=_HINT)
        if len(tail) > MOST_LINE_BYTES or b"\n" in tail[:-1]:
            raise DamageError(f"{self._file} holds lines that its head does not know", hint=_HINT)
        return tail

    def _opened(self) -> BinaryIO | None:
        with speaking(self._file):
            try:
                return open_beneath(self._folder, LOG)
            except FileNotFoundError:
                return None

    def _write_head(self, head: Head) -> Head:
        said = {"format": REVISIONS_FORMAT, "count": head.count, "hash": head.hash, "length": head.length}
        write_atomic(self._folder / HEAD, _encode({**said, "seal": _hash(said)}) + b"\n")
        return head


def _encode(value: Mapping[str, Any]) -> bytes:
    """A value in its one spelling, so that every byte of a line counts."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def _hash(value: Mapping[str, Any]) -> str:
    return hashlib.sha256(_encode(value)).hexdigest()


def _decoded(raw: bytes, seal: str) -> dict[str, Any] | None:
    """What a line says, without its seal; None where a single byte of it is not as it was written."""
    try:
        value = json.loads(raw)
        if not isinstance(value, dict) or _encode(value) + b"\n" != raw:
            return None
        found = value.pop(seal, None)
        return value if found == _hash(value) else None
    except (ValueError, RecursionError):
        return None


def _parse(raw: bytes) -> Link | None:
    value = _decoded(raw, "hash")
    if value is None or type(value.get("sequence")) is not int or not isinstance(value.get("previous"), str):
        return None
    digest = _hash(value)
    return Link(sequence=value.pop("sequence"), previous=value.pop("previous"), hash=digest, body=value)


def _follows(link: Link | None, before: Head) -> bool:
    return link is not None and (link.sequence, link.previous) == (before.count + 1, before.hash)


def _parse_head(raw: bytes, folder: Path) -> Head | None:
    value = _decoded(raw, "seal")
    if value is None:
        return None
    if value["format"] > REVISIONS_FORMAT:
        raise NewerFormatError(
            f"{folder} has format {value['format']}; this slowwave knows formats up to {REVISIONS_FORMAT}",
            hint="Upgrade slowwave; nothing was changed.",
        )
    return Head(count=value["count"], hash=value["hash"], length=value["length"])
