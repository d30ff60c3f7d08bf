"""Edits by hand that are not committed: files of a checkout that differ from what a commit has at their paths."""

from collections.abc import Iterable, Mapping, Sequence

from slowwave.corpus.checkout import blob_id
from slowwave.disk.fence import FenceError, open_beneath
from slowwave.disk.git import Git
from slowwave.facts.ids import MemoryPath
from slowwave.facts.limits import MOST_MEMORY_BYTES


def blobs_at(git: Git, commit: str, paths: Sequence[MemoryPath]) -> dict[MemoryPath, str]:
    """The blob ids that a commit has at some paths; those it has not are left out."""
    found: dict[MemoryPath, str] = {}
    if not paths:
        return found
    for line in git.run("ls-tree", "-z", "--full-tree", commit, "--", *paths).split(b"\0"):
        head, tab, name = line.partition(b"\t")
        if tab:
            found[MemoryPath(name.decode("utf-8", "surrogateescape"))] = head.decode("ascii").split(" ")[2]
    return found


def uncommitted(git: Git, committed: Mapping[MemoryPath, str], paths: Iterable[MemoryPath]) -> frozenset[MemoryPath]:
    """Those of some paths whose file was written, changed or deleted since the commit.

    Args:
        git: The checkout.
        committed: The blob id that the commit has at each path.
        paths: Which to look at.
    """
    return frozenset(path for path in paths if _blob(git, committed, path) != committed.get(path))


def _blob(git: Git, committed: Mapping[MemoryPath, str], path: MemoryPath) -> str | None:
    try:
        with open_beneath(git.folder, path) as stream:
            content = stream.read(MOST_MEMORY_BYTES + 1)
    except (OSError, FenceError):
        return None
    return blob_id(content, len(committed.get(path, "")) or 40)
