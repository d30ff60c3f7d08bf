"""Originals, each under the SHA-256 of its bytes, for their owner alone; one that is kept already is not written again.

The name says what must be inside, so every reading is a check, and nothing damaged is ever brought back.
"""

import os
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from slowwave.disk.durable import clear_leftovers, flush_folder, make_folder, remove
from slowwave.disk.fence import FenceError, open_beneath
from slowwave.disk.trouble import speaking
from slowwave.facts.refusal import DamageError
from slowwave.hygiene.placing import StaleError, digests_at, part_of, write_part

DIGEST = re.compile(r"[0-9a-f]{64}")
_CHANGED = "Bring the folder back from a backup; what the file holds is not what was stored."


class State(StrEnum):
    """How an original is kept."""

    WHOLE = "whole"
    MISSING = "missing"
    CHANGED = "changed"


class Blobs:
    """The originals below one folder; whoever adds or removes one holds the writer lock."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, digest: str) -> Path:
        """Where an original lies.

        Raises:
            ValueError: That is no SHA-256 in hex, so that no path is made of it.
        """
        if DIGEST.fullmatch(digest) is None:
            raise ValueError(f"not a SHA-256: {digest!r}")
        return self.folder / digest[:2] / digest

    def put(self, chunks: Iterable[bytes], digest: str) -> None:
        """Keep bytes under their digest, durably; where they are kept and whole, ``chunks`` is not even begun.

        Raises:
            StaleError: They are other bytes than the digest says; nothing was kept.
            DiskError: The system refused.
        """
        if self.state(digest) is State.WHOLE:
            return
        path = self.path(digest)
        make_folder(path.parent)
        part = part_of(path)
        if write_part(part, chunks, mode=0o600).digest != digest:
            remove(part)
            raise StaleError("the file changed while its original was stored")
        with speaking(path):
            part.replace(path)
        flush_folder(path.parent)

    def open(self, digest: str) -> BinaryIO:
        """An original, read once to see that it is whole, and open at its beginning.

        Raises:
            DamageError: It is missing or changed.
            DiskError: It may not be read.
        """
        stream = self._opened(digest)
        if stream is None:
            raise DamageError(f"the original {digest[:16]} is missing", hint=_CHANGED)
        if not _is_whole(stream, digest):
            stream.close()
            raise DamageError(f"the original {digest[:16]} was changed", hint=_CHANGED)
        stream.seek(0)
        return stream

    def state(self, digest: str) -> State:
        """Whether an original is kept, and is what its name says."""
        try:
            stream = self._opened(digest)
        except FenceError:
            return State.CHANGED
        if stream is None:
            return State.MISSING
        with stream:
            return State.WHOLE if _is_whole(stream, digest) else State.CHANGED

    def remove(self, digest: str) -> None:
        """Destroy an original for good; one that is not there is no error."""
        remove(self.path(digest))

    def clear(self, digest: str) -> None:
        """Remove what a killed writer left where an original would lie."""
        clear_leftovers(self.path(digest).parent)

    def listed(self) -> Iterator[tuple[Path, str]]:
        """Every file below the folder with the digest that its place says; empty for a place no original has."""
        if not self.folder.is_dir():
            return
        with speaking(self.folder):
            for folder, folders, names in os.walk(self.folder):
                folders.sort()
                at = Path(folder)
                links = [name for name in folders if (at / name).is_symlink()]
                for path in (at / name for name in sorted([*names, *links])):
                    is_ours = DIGEST.fullmatch(path.name) and path == self.path(path.name)
                    yield path, path.name if is_ours else ""

    def _opened(self, digest: str) -> BinaryIO | None:
        path = self.path(digest)
        with speaking(path):
            try:
                return open_beneath(self.folder, path.relative_to(self.folder))
            except FileNotFoundError:
                return None


def _is_whole(stream: BinaryIO, digest: str) -> bool:
    with speaking(digest):
        size = os.fstat(stream.fileno()).st_size
    return digests_at(stream, [size]).get(size) == digest
