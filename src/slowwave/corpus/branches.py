"""Branches and how they move: commits first, then the branch in one step, then the checkout that shows it.

A journal entry stands from before the branch moves until its checkout has followed, so that a start after a crash
knows what to finish. Callers hold the writer lock.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.corpus.checkout import check_idle, check_refresh, refresh
from slowwave.corpus.first import CorpusError
from slowwave.corpus.stream import Step, render_stream
from slowwave.corpus.worktree import PENDING, ensure_night
from slowwave.disk.git import Git, RefMovedError
from slowwave.disk.home import Home
from slowwave.disk.journal import Journal
from slowwave.facts.ids import ItemId, MemoryPath
from slowwave.facts.refusal import DamageError

MAIN = "main"
_HEADS = "refs/heads/"
_MOVING = "branch-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A commit that is on its branch and on the disk; ``path`` is the first file it changed."""

    path: MemoryPath
    commit: str
    item: ItemId


class Branches:
    """The branches of one home's corpus."""

    def __init__(self, home: Home, git: Git) -> None:
        self._home = home
        self._git = git
        self._journal = Journal(home.journal)

    def tip(self, branch: str) -> str | None:
        """The commit a branch stands at; ``None`` without such a branch."""
        return self._git.resolve(_HEADS + branch)

    def make(self, steps: Sequence[Step], parent: str | None) -> tuple[str, ...]:
        """Make commits that no branch has yet; returns their ids, all on the disk.

        Raises:
            DamageError: Git made fewer commits than it was asked for.
        """
        if not steps:
            return ()
        ids = tuple(self._git.fast_import(render_stream(steps, parent)).decode("ascii").split())
        self._git.flush()
        if len(ids) != len(steps):
            raise DamageError(f"git made {len(ids)} of {len(steps)} commits", hint="Run `slowwave doctor`.")
        return ids

    def move(self, branch: str, old: str | None, new: str) -> None:
        """Move a branch and the checkout that shows it; when it stands at ``new`` already, only the checkout follows.

        Raises:
            RefMovedError: It stands elsewhere; nothing was moved.
            DirtyCheckoutError: Edits in the checkout would be lost; nothing was moved.
            BusyCheckoutError: A merge or rebase is going on there.
            CorpusError: Another checkout shows the branch.
        """
        now = self.tip(branch)
        if now == new:
            self._follow(branch, old or self.empty_tree(), new, died_here=False)
            return
        if now != old:
            raise RefMovedError(f"branch {branch} was moved by somebody else", hint="Run the same command again.")
        start = old or self.empty_tree()
        self._check(branch, start, new)
        self._journal.begin(_MOVING + branch, {"branch": branch, "old": old, "new": new})
        self._git.update_ref(_HEADS + branch, new, old)
        self._follow(branch, start, new, died_here=False)
        self._journal.done(_MOVING + branch)

    def recover(self) -> bool:
        """Finish what a killed command left between branch and checkout; whether there was anything.

        Raises:
            DirtyCheckoutError: Edits made since then stand in the way.
        """
        entries = [entry for entry in self._journal.open_entries() if entry.name.startswith(_MOVING)]
        for entry in entries:
            branch, old, new = (entry.payload.get(key) for key in ("branch", "old", "new"))
            if isinstance(branch, str) and isinstance(new, str) and self.tip(branch) == new:
                self._follow(branch, old or self.empty_tree(), new, died_here=True)
            self._journal.done(entry.name)
        return bool(entries)

    @property
    def is_interrupted(self) -> bool:
        """Whether the journal says that a command of ours died in the middle of something."""
        return bool(self._journal.open_entries())

    def drop(self, branch: str, expected: str) -> None:
        """Delete a branch that no checkout of the person's shows.

        Raises:
            RefMovedError: It stands elsewhere.
        """
        self._git.update_ref(_HEADS + branch, None, expected)

    def empty_tree(self) -> str:
        """The id of a tree without files."""
        return self._git.text("mktree")

    def shows(self, branch: str) -> bool:
        """Whether the person's own checkout shows a branch."""
        return self._git.text("symbolic-ref", "--quiet", "HEAD", check=False) == _HEADS + branch

    def _check(self, branch: str, old: str, new: str) -> None:
        """Raise what would go wrong after the branch has moved."""
        if branch == PENDING:
            if self.shows(PENDING):
                raise CorpusError(
                    f"{self._home.corpus} shows branch {PENDING}, which belongs to the night",
                    hint=f"Run `git switch {MAIN}` in it.",
                )
            if self.tip(PENDING) is not None:
                check_refresh(ensure_night(self._home, self._git), old, new)
            return
        self._refuse_other_checkouts(branch)
        check_idle(self._git)
        if self.shows(branch):
            check_refresh(self._git, old, new)

    def _follow(self, branch: str, old: str, new: str, *, died_here: bool) -> None:
        if branch == PENDING:
            ensure_night(self._home, self._git)
        elif self.shows(branch):
            refresh(self._git, old, new, died_here=died_here)

    def _refuse_other_checkouts(self, branch: str) -> None:
        """Another worktree that shows the branch would be left behind when it moves."""
        listed = self._git.run("worktree", "list", "--porcelain", "-z").split(b"\0\0")
        for words in listed[1:]:
            if f"branch {_HEADS}{branch}".encode() in words.split(b"\0"):
                place = words.split(b"\0")[0].decode("utf-8", "replace").removeprefix("worktree ")
                raise CorpusError(f"{place} also shows branch {branch}", hint="Let it show another branch.")
