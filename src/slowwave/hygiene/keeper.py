"""The keeper: changes and purges as groups of steps that a crash cannot leave in half.

Under the lock the source is held against what was planned on, and a journal says what is about to happen. Then the
original is stored, the new file written beside its place, the line appended, the name given. What a crash left is
brought to its one end or its other by whoever comes next, before anything else is done.
"""

import hashlib
import os
import stat
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from slowwave.disk.durable import clear_leftovers, remove
from slowwave.disk.journal import Journal
from slowwave.disk.trouble import FlushError
from slowwave.facts.moment import Clock, stamp
from slowwave.facts.refusal import DamageError, NothingToDoError, SlowwaveError, UsageError
from slowwave.hygiene.blobs import Blobs
from slowwave.hygiene.entries import Cause, Entry, belonging, entry_of, kept
from slowwave.hygiene.live import Pause, check_live
from slowwave.hygiene.log import Head, Log
from slowwave.hygiene.placing import (
    StaleError,
    Written,
    digests_at,
    open_plain,
    part_of,
    pass_on,
    place_new,
    place_over,
    read_between,
    refuse_taken,
    settle,
    write_part,
)

Growth = Callable[[Iterator[bytes]], Iterator[bytes]]
Lock = Callable[[], AbstractContextManager[object]]
"""Makes the writer lock; for a caller who holds it already, a context that does nothing."""
_CHANGE, _PURGE = "change", "purge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A new file that is to be made of an old one.

    Attributes:
        source: The old file.
        target: Where the new one goes; nothing may be there, unless it is the source.
        is_in_place: The new file takes the old one's place.
        digest: SHA-256 of the source's bytes that were planned on, 64 hex digits.
        length: How many they are.
        content: Makes the new bytes of them, in blocks.
        growth: Makes what goes behind the content of the bytes that were appended since; None where any make it stale.
        proved: SHA-256 that the content must have; empty where nobody proved it.
        cause: Why.
        actor: Who wants it.
        session_old: Session id that the source carries; may be empty.
        session_new: Session id that the target carries.
        profile: Digest of the profile that decided.
        tokens_before: Of the window, where they were counted.
        tokens_after: The same behind the change.
        operations: What is done, as JSON, with reasons and the digests of items before and after.
        rejected: What was refused, as JSON.
        flagged: Indices of records that memories cite and that are touched all the same.
    """

    source: Path
    target: Path
    is_in_place: bool = False
    digest: str
    length: int
    content: Callable[[], Iterator[bytes]]
    growth: Growth | None = None
    proved: str = ""
    cause: Cause
    actor: str
    session_old: str = ""
    session_new: str = ""
    profile: str = ""
    tokens_before: int | None = None
    tokens_after: int | None = None
    operations: Sequence[Mapping[str, Any]] = ()
    rejected: Sequence[Mapping[str, Any]] = ()
    flagged: Sequence[int] = ()


class Keeper:
    """The log and the originals of one folder, with the steps that change them."""

    def __init__(self, folder: Path, *, clock: Clock, lock: Lock, pause: Pause) -> None:
        self.folder = folder
        self.log = Log(folder)
        self.blobs = Blobs(folder / "blobs")
        self._journal = Journal(folder / "journal")
        self._clock = clock
        self._lock = lock
        self._pause = pause

    @contextmanager
    def held(self) -> Iterator[None]:
        """Write alone, once what a crash left is settled."""
        with self._lock():
            self._recover()
            yield

    def settled(self) -> None:
        """Settle what a crash left, where it left anything; a command that writes now is waited for."""
        if any((self.folder / "journal").glob("*.json")):
            with self.held():
                pass

    def entries(self) -> Iterator[Entry]:
        """Every entry, in order.

        Raises:
            DamageError: The log is not as it was written.
        """
        return map(entry_of, self.log.links())

    def commit(self, change: Change) -> Entry:
        """Make a change, and write it down; see ``Revisions.commit``."""
        with self.held():
            _check_places(change)
            with open_plain(change.source) as stream:
                seen = os.fstat(stream.fileno())
                entries = [each.bare() for each in self.entries()]
                lengths = {change.length, seen.st_size, *(each.after_length for each in entries)}
                digests = digests_at(stream, lengths)
                _check_fresh(change, digests, seen.st_size)
                origin = belonging(entries, digests, change.source.absolute())
                if change.is_in_place:
                    is_ours = origin is not None and origin.after_length == seen.st_size
                    check_live(change.source, clock=self._clock, is_ours=is_ours, pause=self._pause)
                old = Written(digest=digests[seen.st_size], length=seen.st_size)
                entry = self._entry(change, old, origin)
                is_new = old.digest not in kept(entries)
                return self._write(change, stream, seen, entry, is_new=is_new)

    def purge(self, digest: str, *, why: str, actor: str) -> Entry:
        """Destroy an original, under the lock; the line that says so comes first."""
        entry = Entry(at=stamp(self._clock()), cause=Cause.PURGE, actor=actor, before=digest, why=why)
        with self._group(_PURGE, {"before": digest}):
            written = entry_of(self.log.append(entry.body()))
            self.blobs.remove(digest)
        return written

    def recover_for_looking(self) -> None:
        """Take nothing amiss that is damaged: whoever looks is about to say so. Call it under the lock."""
        with suppress(DamageError):
            self._recover()

    def _entry(self, change: Change, old: Written, origin: Entry | None) -> Entry:
        return Entry(
            at=stamp(self._clock()),
            cause=change.cause,
            actor=change.actor,
            source=str(change.source.absolute()),
            target=str(change.target.absolute()),
            is_in_place=change.is_in_place,
            before=old.digest,
            before_length=old.length,
            follows=origin.sequence if origin else 0,
            generation=origin.generation + 1 if origin else 1,
            session_old=change.session_old,
            session_new=change.session_new,
            profile=change.profile,
            tokens_before=change.tokens_before,
            tokens_after=change.tokens_after,
            operations=change.operations,
            rejected=change.rejected,
            flagged=change.flagged,
        )

    def _write(self, change: Change, stream: BinaryIO, seen: os.stat_result, entry: Entry, *, is_new: bool) -> Entry:
        target, old = change.target.absolute(), entry.old
        part = part_of(target)
        with self._group(_CHANGE, {"target": str(target), "before": old.digest, "is_new": is_new}):
            self.blobs.put(read_between(stream, 0, old.length), old.digest)
            new = write_part(part, _new_bytes(change, stream, old.length), mode=stat.S_IMODE(seen.st_mode) & 0o777)
            if not new.length or (change.is_in_place and new == old):
                raise NothingToDoError(f"{change.source} would be empty, or what it is")
            written = entry_of(self.log.append(replace(entry, after=new.digest, after_length=new.length).body()))
            if change.is_in_place:
                place_over(part, target, old, seen)
                pass_on(part, target, old, new)
                remove(part)
            else:
                place_new(part, target)
        return written

    @contextmanager
    def _group(self, name: str, payload: Mapping[str, Any]) -> Iterator[None]:
        """Steps that are taken together: written down before the first, forgotten after the last, settled if broken.

        After a flush that failed nobody knows what is stored, so the settling is left to the next start.
        """
        self._journal.begin(name, {**payload, "sequence": self.log.head().count + 1})
        try:
            yield
        except FlushError:
            raise
        except BaseException:
            with suppress(SlowwaveError):
                self._recover()
            raise
        self._journal.done(name)

    def _recover(self) -> None:
        """Bring what was broken off to an end; under the lock, before anything else, and harmless when repeated.

        Raises:
            DamageError: Something stands there that no crash leaves.
            DiskError: The system refused.
        """
        if not self.log.has_head and next(self.blobs.listed(), None) is not None:
            raise DamageError(f"{self.folder} keeps originals, and its log is missing", hint="Bring it back.")
        head = self.log.heal()
        clear_leftovers(self.folder)
        clear_leftovers(self.folder / "journal")
        for group in self._journal.open_entries():
            try:
                sequence, before = int(group.payload["sequence"]), str(group.payload["before"])
                self.blobs.clear(before)
                if group.name == _CHANGE:
                    target, is_new = Path(group.payload["target"]), bool(group.payload["is_new"])
                    self._end_change(head, sequence, target, before if is_new else "")
                elif head.count >= sequence:
                    self.blobs.remove(before)
            except (KeyError, TypeError, ValueError) as error:
                raise DamageError(f"the journal in {self.folder} is not as it was written") from error
            self._journal.done(group.name)

    def _end_change(self, head: Head, sequence: int, target: Path, new_blob: str) -> None:
        part = part_of(target)
        if head.count < sequence:  # never written down, so it was never made
            remove(part)
            if new_blob:
                self.blobs.remove(new_blob)
            return
        (last,) = deque(self.entries(), maxlen=1)
        if last.sequence > sequence:  # closed before
            remove(part)
        elif not settle(part, target, old=last.old, new=last.new):
            now = stamp(self._clock())
            self.log.append(Entry(at=now, cause=Cause.ABANDONED, actor=last.actor, closes=sequence).body())


def _check_places(change: Change) -> None:
    is_same = change.source.absolute() == change.target.absolute()
    if change.is_in_place and not is_same:
        raise UsageError(f"{change.target} is another file than {change.source}, which was to be replaced")
    if not change.is_in_place:
        refuse_taken(change.target)


def _check_fresh(change: Change, digests: Mapping[int, str], size: int) -> None:
    """Compare before swapping: the source is what was planned on, or that with more behind it that is passed on."""
    if digests.get(change.length) != change.digest or size not in digests:
        raise StaleError(f"{change.source} is not what was planned on")
    if size > change.length and change.growth is None:
        raise StaleError(f"{change.source} grew by {size - change.length:,} bytes since it was planned on")


def _new_bytes(change: Change, stream: BinaryIO, size: int) -> Iterator[bytes]:
    hasher = hashlib.sha256()
    for block in change.content():
        hasher.update(block)
        yield block
    if change.proved and hasher.hexdigest() != change.proved:
        raise StaleError("the new content is not what was proved")
    if change.growth is not None and size > change.length:
        yield from change.growth(read_between(stream, change.length, size))
