"""The memory files of a checkout as they lie there, hand edits included."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from slowwave.corpus.paths import ROOTS
from slowwave.disk.fence import open_beneath
from slowwave.facts.ids import MemoryPath
from slowwave.facts.limits import MOST_MEMORY_BYTES

_MOST_FOLDERS_DEEP = 64  # a path of 512 bytes nests less in any sensible corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeFile:
    """One file that may be a memory.

    Attributes:
        path: Below the corpus, with ``/`` between names.
        digest: Changes whenever the content may have: a blob id, or what the system knows of the file.
        load: Reads the content; raises ``OSError`` or ``FenceError`` when it is gone or is no plain file.
    """

    path: MemoryPath
    digest: str
    load: Callable[[], bytes]


def tree_files(corpus: Path) -> Iterator[TreeFile]:
    """Every ``.md`` file below the four roots of a checkout, in order of path; links are not followed.

    A file's digest is its inode, size and both its times, as git's own index has it, so that a look at 10,000
    unchanged files opens none of them.
    """
    folders = [(name, corpus / name) for name in sorted(ROOTS, reverse=True) if not (corpus / name).is_symlink()]
    while folders:
        relative, folder = folders.pop()
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            continue
        inner: list[tuple[str, Path]] = []
        for entry in entries:
            path = f"{relative}/{entry.name}"
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                inner.append((path, folder / entry.name))
            elif entry.name.endswith(".md"):
                yield TreeFile(path=MemoryPath(path), digest=_digest(entry), load=partial(_load, corpus, path))
        if relative.count("/") < _MOST_FOLDERS_DEEP:
            folders.extend(reversed(inner))


def _digest(entry: os.DirEntry[str]) -> str:
    found = entry.stat(follow_symlinks=False)
    return f"{found.st_ino:x}-{found.st_size:x}-{found.st_mtime_ns:x}-{found.st_ctime_ns:x}-{found.st_mode:o}"


def _load(corpus: Path, path: str) -> bytes:
    with open_beneath(corpus, path) as stream:
        return stream.read(MOST_MEMORY_BYTES + 1)
