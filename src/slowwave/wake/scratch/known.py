"""Which captures stand on past pages: each page is read once and again only when its file is another one."""

from pathlib import Path

from slowwave.disk.durable import read_whole
from slowwave.disk.trouble import speaking
from slowwave.wake.scratch.entry import ids_in


class KnownIds:
    """The ids of a folder of pages, as written there.

    Args:
        folder: The archive.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pages: dict[Path, tuple[tuple[int, int, int], frozenset[str]]] = {}
        self._all: frozenset[str] = frozenset()

    def all(self) -> frozenset[str]:
        """Every id in the folder now."""
        if not self._folder.is_dir():
            return frozenset()
        with speaking(self._folder):
            seen = {path: _identity(path) for path in self._folder.glob("*.md")}
        if {path: identity for path, (identity, _) in self._pages.items()} != seen:
            self._pages = {path: (identity, self._ids(path, identity)) for path, identity in seen.items()}
            self._all = frozenset().union(*(ids for _, ids in self._pages.values()))
        return self._all

    def _ids(self, path: Path, identity: tuple[int, int, int]) -> frozenset[str]:
        known = self._pages.get(path)
        return known[1] if known and known[0] == identity else ids_in(read_whole(path) or b"")


def _identity(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns
