"""The door: the only way into the corpus.

A batch of actions becomes one commit each, all by one import; only then does the branch move. Killed anywhere, the
same call from the same start reaches the same commit ids. Callers hold the writer lock.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from slowwave.corpus import first
from slowwave.corpus.branches import MAIN, Branches, Written
from slowwave.corpus.first import CorpusError
from slowwave.corpus.history import HistoryItem, read_commits, read_history
from slowwave.corpus.message import CommitMessage
from slowwave.corpus.packs import fold_packs
from slowwave.corpus.rebuild import Rebuilt, Resolver, plan_rebuild
from slowwave.corpus.stream import Change, Step, signature
from slowwave.corpus.worktree import PENDING, ensure_night
from slowwave.disk.git import Git
from slowwave.disk.git_locks import clear_dead_locks
from slowwave.disk.home import Home, check_format
from slowwave.disk.lock import WriterLock
from slowwave.facts.ids import MemoryPath
from slowwave.facts.limits import CORPUS_FORMAT
from slowwave.facts.refusal import DamageError, NothingToDoError, Refusal, SlowwaveError
from slowwave.facts.text import cut, showable

_KEPT = "refs/slowwave/kept/"
_FSCK = ("fsck", "--strict", "--no-dangling", "--no-progress")
_FAULT_CHARACTERS = 200


class SecretInMessageError(SlowwaveError):
    """A commit message would have held a credential; nothing was written."""

    code = "secret"


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One action as the door takes it: files as they shall be (``None``: gone), the message, and when."""

    files: tuple[tuple[MemoryPath, bytes | None], ...]
    message: CommitMessage
    moment: datetime


class Door:
    """The way into one home's corpus.

    Args:
        home: Where it lies.
        git: Git in ``home.corpus``.
        holds_secret: Whether a text holds a credential; asked for every claim and quote before anything is written.
    """

    def __init__(self, home: Home, git: Git, holds_secret: Callable[[str], bool] | None = None) -> None:
        self.home = home
        self.git = git
        self._branches = Branches(home, git)
        self._holds_secret = holds_secret

    @property
    def exists(self) -> bool:
        """Whether a corpus was created here.

        Raises:
            DamageError: Branch ``main`` names a commit that git has lost.
        """
        if not (self.home.corpus / ".git").exists():
            return False
        if self.tip(MAIN) is not None:
            return True
        if self.git.text("rev-parse", "--verify", "--quiet", f"refs/heads/{MAIN}", check=False):
            raise self._lost()
        return False

    def _lost(self) -> DamageError:
        return DamageError(
            f"git has lost objects of {self.home.corpus}", hint="Restore the corpus from a backup or a clone."
        )

    def tip(self, branch: str) -> str | None:
        """The commit a branch stands at; ``None`` without such a branch."""
        return self._branches.tip(branch)

    def main(self) -> str:
        """The commit ``main`` stands at.

        Raises:
            NothingToDoError: There is no corpus yet.
        """
        if not self.exists:
            raise NothingToDoError(f"there is no corpus in {self.home.corpus}", hint="`slowwave sleep` makes one.")
        return self.tip(MAIN) or ""

    def create(self, moment: datetime) -> str:
        """Make the corpus with its first commit, or finish making it; returns where ``main`` stands.

        Raises:
            NewerFormatError: A newer slowwave wrote it.
            CorpusError: Something else lies there.
        """
        if not self.exists:
            first.check_place(self.home.corpus)
            self.git.init()
            changes = tuple(Change(path=path, content=content) for path, content in first.FILES)
            author = signature(moment)
            step = Step(changes=changes, message=first.MESSAGE, author=author, committer=author)
            self._branches.move(MAIN, None, self._branches.make((step,), None)[-1])
        self.recover()
        self.check()
        return self.main()

    def check(self) -> None:
        """Make sure that this is a corpus we may write to.

        Raises:
            NothingToDoError: There is no corpus yet.
            CorpusError: Bare, shallow, or somebody else's repository.
            NewerFormatError: A newer slowwave wrote it.
            DamageError: Its format file cannot be understood, or git has lost objects.
        """
        folder = self.home.corpus / ".git"
        if not folder.exists():
            raise NothingToDoError(f"there is no corpus in {self.home.corpus}", hint="`slowwave sleep` makes one.")
        if not folder.is_dir() or folder.is_symlink():
            raise CorpusError(f"{folder} is not a folder", hint="The corpus must be a repository of its own.")
        if (folder / "shallow").exists():
            raise CorpusError(f"{self.home.corpus} is a shallow clone", hint="Run `git fetch --unshallow` in it.")
        found = self.git.cat_batch([f"refs/heads/{MAIN}:{first.FORMAT_PATH}"])
        if not found and self.verify():
            raise self._lost()
        if not found:
            raise CorpusError(f"{self.home.corpus} has no format file on branch main", hint="Is it a slowwave corpus?")
        check_format(next(iter(found.values())), what=str(self.home.corpus), newest=CORPUS_FORMAT)

    def recover(self) -> bool:
        """Finish what a killed command left half done; whether there was anything. Every writing call does it first."""
        return self._branches.recover()

    def settle(self, lock: WriterLock, *, died_here: bool = False) -> tuple[Path, ...]:
        """What every writing command does first: clear away what a killed one left, and finish what it had begun.

        Args:
            lock: The writer's lock, held.
            died_here: Whether the caller's own book says that a command of ours ended in the middle.

        Returns:
            The lock files and half-written files that were removed.

        Raises:
            GitLockedError: A lock file of git's stands there whose owner lives, or is not proven dead.
            DirtyCheckoutError: Edits made since then stand in the way of finishing.
        """
        removed = self.home.clear_leftovers()
        if (self.home.corpus / ".git").is_dir():
            removed += clear_dead_locks(self.git, lock, died_here=died_here or self._branches.is_interrupted)
            self.recover()
        return removed

    def night(self) -> Git:
        """The night's checkout of ``pending``, made where it is missing; the branch must exist."""
        return ensure_night(self.home, self.git)

    def commit_batch(self, branch: str, commits: Sequence[Commit], *, expected: str | None) -> tuple[Written, ...]:
        """Append one commit for each action to a branch; durable and visible when it returns.

        Args:
            branch: ``main`` or ``pending``. A branch ``pending`` that does not exist begins at ``expected``.
            commits: The actions, in order.
            expected: The commit they build on: where the branch stands, or shall begin.

        Raises:
            RefMovedError: The branch stands elsewhere, and not where this very batch would have brought it.
            DirtyCheckoutError: The checkout that shows the branch has edits that would be lost.
            SecretInMessageError: A claim or quote holds a credential.
        """
        self.check()
        self.recover()
        if not commits:
            return ()
        self._refuse_secrets(commits)
        ids = self._branches.make([_step(commit) for commit in commits], expected)
        self._branches.move(branch, expected if self.tip(branch) else None, ids[-1])
        fold_packs(self.git)
        return tuple(
            Written(path=commit.files[0][0], commit=one, item=commit.message.item)
            for commit, one in zip(commits, ids, strict=True)
        )

    def history(self, tip: str, *, since: str | None = None, path: str | None = None) -> tuple[HistoryItem, ...]:
        """The commits that ``tip`` has and ``since`` has not, oldest first; with a path, those that touched it."""
        return read_history(self.git, tip, since=since, path=path)

    def rebuild(
        self,
        branch: str,
        items: Sequence[HistoryItem],
        *,
        onto: str,
        expected: str | None,
        resolve: Resolver | None = None,
    ) -> Rebuilt:
        """Let a branch be some commits on top of another commit, with their messages, authors and moments.

        What was left out stays under ``refs/slowwave/kept/<commit>``. Nothing moves when nothing changes.

        Args:
            branch: ``pending``, or ``main`` by way of ``land``.
            items: What to keep, oldest first.
            onto: The commit to build on.
            expected: Where the branch stands; ``None`` when it does not exist yet.
            resolve: Asked where the new place has other content than the commit was made on.

        Raises:
            RefMovedError: The branch stands elsewhere.
            DirtyCheckoutError: The checkout that shows the branch has edits that would be lost.
        """
        self.check()
        self.recover()
        plan = plan_rebuild(self.git, onto, items, resolve)
        ids = self._branches.make(plan.steps, onto)
        self.keep(conflict.item.commit for conflict in plan.conflicts)
        tip = ids[-1] if ids else onto
        self._branches.move(branch, expected, tip)
        written = tuple(
            Written(path=MemoryPath(step.changes[0].path), commit=one, item=item.item)
            for item, step, one in zip(plan.kept, plan.steps, ids, strict=True)
        )
        return Rebuilt(tip=tip, written=written, present=plan.present, conflicts=plan.conflicts)

    def land(self, items: Sequence[HistoryItem], *, expected: str, resolve: Resolver | None = None) -> Rebuilt:
        """Append commits of ``pending`` to ``main``; the person's checkout follows if it shows ``main``.

        Raises:
            RefMovedError: ``main`` does not stand at ``expected``.
            DirtyCheckoutError: Edits that are not committed would be overwritten; nothing was changed.
            BusyCheckoutError: A merge or rebase is going on; nothing was changed.
        """
        return self.rebuild(MAIN, items, onto=expected, expected=expected, resolve=resolve)

    def drop_pending(self, *, expected: str) -> None:
        """Delete the branch of undecided work; its checkout goes with the next night that makes it anew.

        Raises:
            RefMovedError: It stands elsewhere.
        """
        self._branches.drop(PENDING, expected)

    def verify(self, *, is_thorough: bool = False) -> tuple[Refusal, ...]:
        """What git itself finds wrong with the repository; every object's content is read only when asked for."""
        flags = () if is_thorough else ("--connectivity-only",)
        raw = self.git.run(*_FSCK, *flags, check=False, merged=True).decode("utf-8", "replace")
        return tuple(
            Refusal(code="git_damage", path=str(self.home.corpus), message=cut(showable(line), _FAULT_CHARACTERS))
            for line in raw.splitlines()
            if line.startswith(("error", "missing", "broken", "fatal", "bad"))
        )

    def keep(self, commits: Iterable[str]) -> None:
        """Give commits that leave a branch refs of their own, ``refs/slowwave/kept/<commit>``: they can come back."""
        for commit in dict.fromkeys(commits):
            if self.git.resolve(_KEPT + commit) is None:
                self.git.update_ref(_KEPT + commit, commit, None)

    def kept(self) -> tuple[HistoryItem, ...]:
        """Commits that left a branch and were kept, in the order in which they were made."""
        listed = self.git.text("for-each-ref", "--sort=committerdate", "--format=%(objectname)", _KEPT).split()
        return read_commits(self.git, listed)

    def _refuse_secrets(self, commits: Sequence[Commit]) -> None:
        if self._holds_secret is None:
            return
        for commit in commits:
            texts = (commit.message.claim, *(one.quote for one in commit.message.evidence))
            if self._holds_secret("\n".join(texts)):
                raise SecretInMessageError(f"the commit for {commit.files[0][0]} would hold a credential")


def _step(commit: Commit) -> Step:
    if not commit.files:
        raise ValueError("an action of the corpus changes at least one file")
    author = signature(commit.moment)
    return Step(
        changes=tuple(Change(path=path, content=content) for path, content in commit.files),
        message=commit.message.render(),
        author=author,
        committer=author,
    )
