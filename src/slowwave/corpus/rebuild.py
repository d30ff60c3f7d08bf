"""Commits taken over onto another commit, file by file: what fits is kept as it is, what does not is asked about.

A change fits where the new place has the very content it was made on. Where it has the new content already, nothing
is left to do. Everything else is a conflict, which a resolver may settle; one that stays open leaves its commit out,
reported and kept under a ref of its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from slowwave.corpus.branches import Written
from slowwave.corpus.checkout import blob_id
from slowwave.corpus.history import FileChange, HistoryItem
from slowwave.corpus.stream import Change, Step
from slowwave.disk.git import Git
from slowwave.facts.ids import MemoryPath


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A change that does not fit; ``found`` is the blob at its path in the new place, ``None`` where there is none."""

    item: HistoryItem
    change: FileChange
    found: str | None


Files = tuple[tuple[MemoryPath, bytes | None], ...]
Resolver = Callable[[Conflict], Files | None]
"""Answers the files that take the place of the change (``None`` for a removal; no files: drop the change), or ``None``
to leave the commit out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """What became of the commits.

    Attributes:
        tip: Where the branch stands now.
        written: Commits on the branch, oldest first.
        present: Commits whose whole effect the new place had already.
        conflicts: What stayed open; these commits are not on the branch.
    """

    tip: str
    written: tuple[Written, ...]
    present: tuple[HistoryItem, ...]
    conflicts: tuple[Conflict, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The commits to make, ``kept`` and ``steps`` side by side, and what is not made."""

    kept: tuple[HistoryItem, ...]
    steps: tuple[Step, ...]
    present: tuple[HistoryItem, ...]
    conflicts: tuple[Conflict, ...]


def plan_rebuild(git: Git, onto: str, items: Sequence[HistoryItem], resolve: Resolver | None) -> Plan:
    """Plan taking commits over onto another; reads git, changes nothing."""
    tree = read_tree(git, onto)
    kept: list[HistoryItem] = []
    steps: list[Step] = []
    present: list[HistoryItem] = []
    conflicts: list[Conflict] = []
    for item in items:
        changes, open_conflicts = _settle(item, tree, resolve, digits=len(onto))
        if open_conflicts:
            conflicts.extend(open_conflicts)
        elif not changes:
            present.append(item)
        else:
            tree.update({change.path: _blob(change, len(onto)) for change in changes})
            kept.append(item)
            steps.append(Step(changes=changes, message=item.raw, author=item.author, committer=item.committer))
    return Plan(kept=tuple(kept), steps=tuple(steps), present=tuple(present), conflicts=tuple(conflicts))


def read_tree(git: Git, commit: str) -> dict[str, str | None]:
    """The blob ids of a commit's files, by path."""
    tree: dict[str, str | None] = {}
    for line in git.run("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
        head, tab, name = line.partition(b"\t")
        if tab:
            tree[name.decode("utf-8", "surrogateescape")] = head.decode("ascii").split(" ")[2]
    return tree


def _settle(
    item: HistoryItem, tree: dict[str, str | None], resolve: Resolver | None, *, digits: int
) -> tuple[tuple[Change, ...], tuple[Conflict, ...]]:
    changes: list[Change] = []
    conflicts: list[Conflict] = []
    for change in item.files:
        found = tree.get(change.path)
        if found == change.new:
            continue
        if found == change.old:
            changes.append(Change(path=change.path, blob=change.new, mode=change.mode))
            continue
        conflict = Conflict(item=item, change=change, found=found)
        files = resolve(conflict) if resolve is not None else None
        if files is None:
            conflicts.append(conflict)
        else:
            answered = (Change(path=path, content=content) for path, content in files)
            changes.extend(one for one in answered if tree.get(one.path) != _blob(one, digits))
    return tuple(changes), tuple(conflicts)


def _blob(change: Change, digits: int) -> str | None:
    return change.blob if change.content is None else blob_id(change.content, digits)
