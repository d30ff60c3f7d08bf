"""Where a memory stands: an item's id, a path, or the path it had before it was archived, resolved to a memory."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from slowwave.corpus.edits import blobs_at, uncommitted
from slowwave.corpus.format import FormatError, read
from slowwave.corpus.paths import is_archived, original_of
from slowwave.corpus.shelf import Shelf
from slowwave.corpus.tree import tree_files
from slowwave.disk.fence import FenceError
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Memory
from slowwave.facts.refusal import UsageError
from slowwave.sleep import review
from slowwave.sleep.items import UNDECIDED, ItemStatus, read_items
from slowwave.sleep.plan import MAIN, PENDING
from slowwave.wiring.premises import Premises


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A memory and how firmly it stands.

    Attributes:
        path: Where its file lies.
        memory: What it says there.
        standing: ``landed`` on main, ``pending`` or ``accepted`` on branch pending, ``uncommitted`` in the checkout.
        is_edited: Whether the checkout's file says something else than main's.
    """

    path: MemoryPath
    memory: Memory
    standing: str
    is_edited: bool = False


def find_memory(house: Premises, name: str) -> Standing:
    """The memory of that id or path: on main, in main's archive, on branch pending, or only in the checkout.

    Raises:
        UsageError: No memory has that path or id.
        NothingToDoError: There is no corpus yet.
    """
    house.door.check()
    path = path_of(house, name)
    if house.door.tip(MAIN):
        shelf = Shelf.at(house.door.git, MAIN)
        stands_at = path if path in shelf.memories else archived_as(shelf.memories, path)
        if stands_at is not None:
            edited = bool(uncommitted(house.door.git, shelf.blobs, [stands_at]))
            return Standing(path=stands_at, memory=shelf.memories[stands_at], standing="landed", is_edited=edited)
    if house.door.tip(PENDING) and (memory := Shelf.at(house.door.git, PENDING).memories.get(path)):
        accepted = any(i.path == path and i.status is ItemStatus.ACCEPTED for i in read_items(house.state, UNDECIDED))
        return Standing(path=path, memory=memory, standing="accepted" if accepted else "pending")
    if draft := _draft(house, path):
        return Standing(path=path, memory=draft, standing="uncommitted", is_edited=True)
    raise UsageError(
        f"no memory stands at {name}", hint="`slowwave search WORDS` and `slowwave review list` show paths and ids"
    )


def path_of(house: Premises, name: str) -> MemoryPath:
    """The path of an item by its id; any other name is taken for a path."""
    if name.startswith("i-"):
        return review.pick(house.state, [name], tuple(ItemStatus))[0].path
    return MemoryPath(name)


def archived_as(paths: Iterable[MemoryPath], path: MemoryPath) -> MemoryPath | None:
    """Where a memory that stood at a path is kept in the archive: the last that was put there, or None."""
    return max((one for one in paths if is_archived(one) and original_of(one) == path), key=_turn, default=None)


def _turn(path: MemoryPath) -> tuple[str, int]:
    """Year and number of an archived path, which say what was put there last."""
    _, year, number, *_ = path.split("/")
    return year, int(number) if number.isdigit() else 1


def edited_files(house: Premises, paths: Sequence[MemoryPath]) -> frozenset[MemoryPath]:
    """Those of some paths whose file differs from main's."""
    main = house.door.tip(MAIN) if house.door.exists else None
    return uncommitted(house.door.git, blobs_at(house.door.git, main, paths) if main else {}, paths)


def _draft(house: Premises, path: MemoryPath) -> Memory | None:
    for file in tree_files(house.home.corpus):
        if file.path == path:
            try:
                return read(file.load(), path).memory
            except (FormatError, FenceError, OSError):
                return None
    return None
