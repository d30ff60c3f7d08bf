"""Revisions: what was changed in files that agents read, by whom and why, and every original to bring it back.

A revision is the SHA-256 of a file's bytes. Files are known by what they begin with, never by where they lie.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from slowwave.facts.moment import Clock
from slowwave.facts.refusal import DamageError
from slowwave.hygiene.audit import Audit, audit
from slowwave.hygiene.blobs import State
from slowwave.hygiene.entries import (
    Cause,
    Entry,
    PurgedError,
    UnknownRevisionError,
    belonging,
    kept,
    lineage,
    purged,
    resolve,
)
from slowwave.hygiene.keeper import Change, Keeper, Lock
from slowwave.hygiene.live import Pause
from slowwave.hygiene.placing import Written, digests_at, open_plain
from slowwave.hygiene.restoring import Rename, bring_back, way_back, with_session


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """A file as it stands: its bytes, the log without its lists, and the file's own changes, the latest first."""

    file: Path
    whole: Written
    entries: Sequence[Entry]
    steps: Sequence[Entry]


class Revisions:
    """The revision log below one folder; nothing is made before the first change.

    Args:
        folder: Where the log and the originals lie.
        clock: The present.
        lock: Makes the writer lock of the home, which each change takes; a context that does nothing where the caller
            holds it.
        pause: Waits while a file that is to be replaced is watched for writers.
    """

    def __init__(self, folder: Path, *, clock: Clock, lock: Lock, pause: Pause) -> None:
        self._folder = folder
        self._lock = lock
        self._keeper = Keeper(folder, clock=clock, lock=lock, pause=pause)

    def commit(self, change: Change) -> Entry:
        """Make a change, and write it down before it can be seen.

        Returns:
            What the log says of it; ``after`` is the new revision.

        Raises:
            StaleError: The source is not what was planned on, or the content not what was proved.
            LiveWriterError: The file is to be replaced, and somebody may be writing to it.
            TargetExistsError: Something else has the new file's name.
            FenceError: The source or the target is a link, or no regular file.
            NothingToDoError: There is no source, or the file would be replaced by its own bytes.
            DamageError: The log is not as it was written; nothing was changed.
            DiskError: The system refused; the target is as it was.
        """
        return self._keeper.commit(change)

    def restore(self, file: Path, revision: str, out: Path, *, rename: Rename, actor: str) -> Entry:
        """Write a revision of a file's own history, with all lines that were added since behind it.

        Args:
            file: The file as it is now.
            revision: Where to, by its first digits.
            out: Where it goes; the file itself to replace it.
            rename: Gives the added lines the session id of that revision.
            actor: Who wants it.

        Raises:
            UnknownRevisionError: No revision of that name, or none of this file.
            AmbiguousRevisionError: Several revisions, or too few digits.
            PurgedError: An original that it takes was destroyed.
            NothingToDoError: The file is at that revision.
            SlowwaveError: Whatever ``commit`` raises.
        """
        seen = self._look(file)
        digest = resolve(seen.entries, revision)
        return self._bring(seen, digest, out, rename=rename, cause=Cause.RESTORE, actor=actor)

    def undo(self, file: Path, out: Path, *, rename: Rename, actor: str) -> Entry:
        """Take the last change of a file back; after an undo that is the undo itself.

        Raises:
            UnknownRevisionError: No change of this file is known.
            SlowwaveError: Whatever ``restore`` raises.
        """
        seen = self._look(file)
        if not seen.steps:
            raise UnknownRevisionError(
                f"no change of {file} is known", hint="`slowwave hygiene log` shows the changes."
            )
        return self._bring(seen, seen.steps[0].before, out, rename=rename, cause=Cause.UNDO, actor=actor)

    def entries(self) -> Iterator[Entry]:
        """Every line of the log, the oldest first."""
        self._keeper.settled()
        return self._keeper.entries()

    def history(self, file: Path) -> tuple[Entry, ...]:
        """The changes that made a file what it is, the latest first; what was only added to it is none."""
        wanted = {each.sequence for each in self._look(file).steps}
        return tuple(sorted((e for e in self.entries() if e.sequence in wanted), key=lambda e: -e.sequence))

    def resolve(self, text: str) -> str:
        """The whole id of a revision, of which the first eight digits or more are given.

        Raises:
            UnknownRevisionError: None is known.
            AmbiguousRevisionError: Several are, or the digits are too few.
        """
        return resolve([each.bare() for each in self.entries()], text)

    def blob(self, revision: str) -> BinaryIO:
        """An original, checked and open for reading.

        Raises:
            UnknownRevisionError: No such revision, or no original of it was ever stored.
            PurgedError: It was destroyed.
            DamageError: It is missing or changed.
        """
        return self._keeper.blobs.open(self._original(revision))

    def verify(self) -> Audit:
        """Look at every line and every original; damage is a value here."""
        if not os.path.lexists(self._folder):
            return Audit(entries=0, originals=0, purged=0, flaws=(), notes=())
        with self._lock():
            self._keeper.recover_for_looking()
            return audit(self._folder, self._keeper.log, self._keeper.blobs)

    def purge(self, revision: str, *, why: str, actor: str) -> Entry:
        """Destroy one original for good, and say so in the log; what it takes to restore it is gone then.

        Raises:
            UnknownRevisionError: No such revision, or no original of it is kept.
            PurgedError: It was destroyed before.
            DamageError: The log is damaged, or the original missing.
        """
        with self._keeper.held():
            digest = self._original(revision)
            if self._keeper.blobs.state(digest) is State.MISSING:
                raise DamageError(f"the original {digest[:16]} is missing", hint="`slowwave hygiene verify` says more.")
            return self._keeper.purge(digest, why=why, actor=actor)

    def _original(self, revision: str) -> str:
        entries = [each.bare() for each in self._keeper.entries()]
        digest = resolve(entries, revision)
        if digest in purged(entries):
            raise PurgedError(f"the original {digest[:16]} was destroyed on purpose", hint="The log says when and why.")
        if digest not in kept(entries):
            raise UnknownRevisionError(
                f"of revision {digest[:16]} no original is kept", hint="Only what was replaced or forked is kept."
            )
        return digest

    def _look(self, file: Path) -> _Seen:
        entries = [each.bare() for each in self.entries()]
        with open_plain(file) as stream:
            size = os.fstat(stream.fileno()).st_size
            digests = digests_at(stream, {size, *(each.after_length for each in entries)})
        steps = lineage(entries, belonging(entries, digests, file.absolute()))
        whole = Written(digest=digests.get(size, ""), length=size)
        return _Seen(file=file, whole=whole, entries=entries, steps=steps)

    def _bring(self, seen: _Seen, revision: str, out: Path, *, rename: Rename, cause: Cause, actor: str) -> Entry:
        way = way_back(seen.steps, revision, seen.whole.length, purged(seen.entries))
        session = seen.steps[0].session_new
        return self._keeper.commit(
            Change(
                source=seen.file,
                target=out,
                is_in_place=seen.file.absolute() == out.absolute(),
                digest=seen.whole.digest,
                length=seen.whole.length,
                content=lambda: bring_back(way, self._keeper.blobs, seen.file, rename),
                growth=lambda chunks: with_session(chunks, session, way.session, rename),
                cause=cause,
                actor=actor,
                session_old=session,
                session_new=way.session,
            )
        )
