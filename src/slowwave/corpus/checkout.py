"""A checkout brought from one commit to another, with every edit that is not ours left alone.

Git's two-tree merge does the work: it moves files that nobody touched and refuses as a whole where an edit would be
lost. What a killed run of ours left half done is recognised by content: a file that is already as the new commit has
it, or (only where we know that we died) the beginning of it.
"""

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slowwave.corpus.history import FileChange, changes_between
from slowwave.disk.git import Git, GitError
from slowwave.disk.trouble import full, is_nearly_full, speaking
from slowwave.facts.refusal import SlowwaveError

_BUSY = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
}
_IN_THE_WAY = "in the way"
_PATHS_NAMED = 3


class DirtyCheckoutError(SlowwaveError):
    """Somebody's own edits stand where a commit has to be written; nothing was changed."""

    code = "dirty_checkout"


class BusyCheckoutError(SlowwaveError):
    """The person is in the middle of a merge or rebase; nothing was changed."""

    code = "busy_checkout"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """One changed path as index and folder have it; ids of blobs, ``None`` for no file."""

    change: FileChange
    index: str | None
    tree: str | None

    @property
    def is_arrived(self) -> bool:
        """Whether the folder has the new content and only the index lags behind."""
        return self.tree == self.change.new and self.index != self.change.new

    @property
    def is_blocked(self) -> bool:
        """Whether an edit of somebody's would be lost."""
        ours = (self.change.old, self.change.new)
        return self.index not in ours or (self.tree is not None and self.tree not in ours)


def check_idle(git: Git) -> None:
    """Make sure that nobody is in the middle of something.

    Raises:
        BusyCheckoutError: A merge, rebase, cherry-pick or revert is going on.
    """
    for name, what in _BUSY.items():
        if (git.own / name).exists():
            raise BusyCheckoutError(f"{what} is going on in {git.folder}", hint="Finish or abort it, then try again.")


def check_refresh(git: Git, old: str, new: str) -> None:
    """Make sure, without changing anything, that ``refresh`` would succeed.

    Raises:
        DirtyCheckoutError: An edit would be lost; names the files.
    """
    if _merges(git, old, new, "--dry-run"):
        return
    places = _places(git, old, new)
    blocked = [place for place in places if place.is_blocked]
    if blocked or not any(place.is_arrived for place in places):
        raise _dirty(git, blocked)


def refresh(git: Git, old: str, new: str, *, died_here: bool = False) -> None:
    """Bring index and files of a checkout from one commit to another; doing it again changes nothing.

    Args:
        git: The checkout.
        old: What index and files show now.
        new: What they shall show.
        died_here: Whether an earlier run of ours ended in the middle of this very step.

    Raises:
        DirtyCheckoutError: An edit would be lost; nothing was changed.
        DiskFullError: No room was left; the next start finishes.
    """
    if old == new:
        return
    if _merges(git, old, new):
        return
    places = _places(git, old, new)
    if died_here:
        _clear_torn(git, places)
        places = _places(git, old, new)
    blocked = [place for place in places if place.is_blocked]
    if blocked:
        raise _dirty(git, blocked)
    _adopt(git, places)
    try:
        git.run("read-tree", "-m", "-u", old, new)
    except GitError as error:
        raise _dirty(git, ()) from error


def _merges(git: Git, old: str, new: str, *flags: str) -> bool:
    """Whether git's own merge goes through, if need be after it has looked at files whose times alone have changed."""
    command = ("read-tree", "-m", "-u", *flags, old, new)
    if git.succeeds(*command):
        return True
    git.run("update-index", "-q", "--refresh", check=False)
    return git.succeeds(*command)


def _dirty(git: Git, blocked: Sequence[_Place]) -> SlowwaveError:
    """What is to blame: edits, unless the disk is so full that git may have torn these files itself."""
    if is_nearly_full(git.folder):
        return full(git.folder)
    names = ", ".join(place.change.path for place in blocked[:_PATHS_NAMED]) or "files that git does not know"
    more = f" and {len(blocked) - _PATHS_NAMED} more" if len(blocked) > _PATHS_NAMED else ""
    return DirtyCheckoutError(
        f"edits in {git.folder} that are not committed would be overwritten: {names}{more}",
        hint="Commit them or move them away, then run the same command again.",
    )


def _places(git: Git, old: str, new: str) -> tuple[_Place, ...]:
    changes = changes_between(git, old, new)
    index = _index(git)
    return tuple(
        _Place(change=change, index=index.get(change.path), tree=_blob_in(git.folder, change)) for change in changes
    )


def _index(git: Git) -> Mapping[str, str]:
    entries = {}
    for line in git.run("ls-files", "--stage", "-z").split(b"\0"):
        head, tab, name = line.partition(b"\t")
        if tab:
            _, blob, stage = head.decode("ascii").split(" ")
            entries[name.decode("utf-8", "surrogateescape")] = blob if stage == "0" else _IN_THE_WAY
    return entries


def _blob_in(folder: Path, change: FileChange) -> str | None:
    """The blob id that a file in the checkout would have; ``None`` where there is none."""
    path = folder / change.path
    length = len(change.new or change.old or "")
    with speaking(path):
        if _has_file_above(path, folder):
            return _IN_THE_WAY
        if path.is_symlink():
            return blob_id(os.fsencode(path.readlink()), length)
        if path.is_file():
            return blob_id(path.read_bytes(), length)
        return _IN_THE_WAY if path.exists() else None


def _has_file_above(path: Path, folder: Path) -> bool:
    """Whether something that is no folder stands where the path needs one."""
    parents = [parent for parent in path.parents if parent != folder and parent.is_relative_to(folder)]
    return any(parent.is_symlink() or (parent.exists() and not parent.is_dir()) for parent in parents)


def blob_id(content: bytes, digits: int = 40) -> str:
    """The id git gives to a content, in a repository whose ids have 40 (SHA-1) or 64 (SHA-256) digits."""
    hasher = hashlib.sha256() if digits == 64 else hashlib.sha1(usedforsecurity=False)
    hasher.update(b"blob %d\0" % len(content))
    hasher.update(content)
    return hasher.hexdigest()


def _adopt(git: Git, places: Sequence[_Place]) -> None:
    """Tell the index of files that are there already."""
    lines = []
    for place in places:
        if place.is_arrived:
            change = place.change
            head = f"0 {'0' * 40}" if change.new is None else f"{change.mode} {change.new}"
            lines.append(f"{head}\t{change.path}\0".encode("utf-8", "surrogateescape"))
    git.run("update-index", "-z", "--index-info", stdin=b"".join(lines))
    git.run("update-index", "-q", "--refresh", check=False)


def _clear_torn(git: Git, places: Sequence[_Place]) -> None:
    """Remove files that hold only the beginning of what our dead run was writing."""
    torn = [place.change for place in places if place.is_blocked and place.tree != _IN_THE_WAY and place.change.new]
    contents = git.cat_batch([change.new for change in torn if change.new])
    for change in torn:
        path = git.folder / change.path
        with speaking(path):
            if not path.is_symlink() and contents.get(change.new or "", b"").startswith(path.read_bytes()):
                path.unlink()
