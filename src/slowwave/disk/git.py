"""Git: the only place that starts it, never through a shell, always with the same settings and environment."""

import functools
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from slowwave.disk import git_settings, trouble
from slowwave.disk.durable import flush_folder
from slowwave.facts.limits import GIT_ERROR_CHARACTERS, GIT_SECONDS
from slowwave.facts.refusal import SlowwaveError
from slowwave.facts.text import cut, fold, showable

OLDEST = (2, 36)
"""Before it ``core.fsync`` is ignored without a word."""

_PLAIN = frozenset(
    {
        *("cat-file", "rev-parse", "rev-list", "ls-tree", "ls-files", "diff-tree", "for-each-ref", "merge-base"),
        *("fsck", "config", "symbolic-ref", "write-tree", "mktree"),
    }
)
"""Commands that, as used here, touch neither working files nor refs: nothing of a free name can run in them."""
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_FULL = ("No space left on device", "Disk quota exceeded", "Out of diskspace")
_FILES_OF_REFS = ("refs/heads", "logs/refs/heads", "objects/pack", ".")


class GitError(SlowwaveError):
    """Git ended with an error that has no class of its own."""

    code = "git_failed"


class GitMissingError(SlowwaveError):
    """There is no git on the search path."""

    code = "git_missing"


class GitTooOldError(SlowwaveError):
    """Git is older than the first version that can be told to flush what it writes."""

    code = "git_too_old"


class GitLockedError(SlowwaveError):
    """A lock file of git's own stands in the way, and nobody has proven its owner dead."""

    code = "git_locked"


class RefMovedError(SlowwaveError):
    """A branch is not where it was expected; somebody else moved it."""

    code = "branch_moved"


class Git:
    """One repository, or one linked worktree of it.

    Args:
        folder: The checkout, with ``.git`` in it; it need not exist before ``init``.
        environment: The caller's environment; only the search path and the temporary folder are taken from it.
    """

    def __init__(self, folder: Path, *, environment: Mapping[str, str]) -> None:
        self.folder = folder.absolute()
        self._given = dict(environment)

    def at(self, folder: Path) -> "Git":
        """The same git for another checkout."""
        return Git(folder, environment=self._given)

    @property
    def program(self) -> str:
        """Where git is.

        Raises:
            GitMissingError: Not on the search path.
            GitTooOldError: Older than ``OLDEST``.
        """
        return _find(self._given.get("PATH", ""))

    def init(self) -> None:
        """Make an empty repository with branch ``main``; an existing one is left as it is."""
        self._call(("init", "--quiet", "--initial-branch=main", str(self.folder)), b"", located=False)

    def run(self, *args: str, stdin: bytes = b"", check: bool = True, merged: bool = False) -> bytes:
        """What one git command wrote to its output.

        Args:
            args: Command and arguments; texts from outside stand behind ``--`` or come by ``stdin``.
            stdin: The command's input.
            check: Whether a failing command raises; otherwise its output is returned all the same.
            merged: Whether what it wrote to its error output is returned too, behind the rest.

        Raises:
            GitError: Or one of the errors of ``disk/trouble``, where git's own words name it.
        """
        ended = self._call(args, stdin)
        if check and ended.returncode != 0:
            raise self._explain(args[0], ended)
        return ended.stdout + ended.stderr if merged else ended.stdout

    def succeeds(self, *args: str, stdin: bytes = b"") -> bool:
        """Whether a command ends with status 0."""
        return self._call(args, stdin).returncode == 0

    def text(self, *args: str, stdin: bytes = b"", check: bool = True) -> str:
        """The output as one text without its last newline."""
        return self.run(*args, stdin=stdin, check=check).decode("utf-8", "replace").removesuffix("\n")

    def resolve(self, name: str) -> str | None:
        """The id of the commit a name stands for, or ``None``."""
        found = self.text("rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}", check=False)
        return found if _ID.fullmatch(found) else None

    def fast_import(self, stream: bytes) -> bytes:
        """Feed one import stream (with ``feature done``); returns what its ``get-mark`` commands answered."""
        return self.run("fast-import", "--quiet", "--force", "--date-format=raw", stdin=stream)

    def cat_batch(self, names: Sequence[str]) -> dict[str, bytes]:
        """The contents of many objects by one command; names that stand for nothing are left out.

        Raises:
            ValueError: A name holds a newline.
        """
        if not names:
            return {}
        if any("\n" in name for name in names):
            raise ValueError("the name of an object holds no newline")
        asked = list(dict.fromkeys(names))
        answer = self.run("cat-file", "--batch", stdin="".join(f"{name}\n" for name in asked).encode())
        return dict(_read_batch(answer, asked))

    def update_ref(self, ref: str, new: str | None, old: str | None) -> None:
        """Move a ref from one commit to another, create it (``old`` is ``None``) or delete it (``new`` is ``None``).

        Raises:
            RefMovedError: The ref does not stand at ``old``; nothing was moved.
        """
        if new is None:
            command = f"delete {ref}\0{old or ''}\0"
        elif old is None:
            command = f"create {ref}\0{new}\0"
        else:
            command = f"update {ref}\0{new}\0{old}\0"
        ended = self._call(("update-ref", "-z", "--stdin"), command.encode())
        if ended.returncode != 0:
            if (
                b"but expected" in ended.stderr
                or b"already exists" in ended.stderr
                or b"unable to resolve" in ended.stderr
            ):
                raise RefMovedError(f"{ref} was moved by somebody else", hint="Run the same command again.")
            raise self._explain("update-ref", ended)
        self.flush()

    def flush(self) -> None:
        """Flush the folders that name refs and packs, which git itself does not do."""
        folder = self.common
        for part in _FILES_OF_REFS:
            if (folder / part).is_dir():
                flush_folder(folder / part)

    @functools.cached_property
    def common(self) -> Path:
        """The folder with objects and refs, shared by a repository's worktrees."""
        return Path(self.text("rev-parse", "--path-format=absolute", "--git-common-dir"))

    @functools.cached_property
    def own(self) -> Path:
        """The folder with this worktree's index and HEAD."""
        return Path(self.text("rev-parse", "--path-format=absolute", "--absolute-git-dir"))

    def _call(self, args: Sequence[str], stdin: bytes, *, located: bool = True) -> "subprocess.CompletedProcess[bytes]":
        settings = git_settings.SETTINGS
        where = (f"--git-dir={self.folder / '.git'}", f"--work-tree={self.folder}") if located else ()
        if located and args[0] not in _PLAIN:
            settings += self._neutral(where)
        environment = git_settings.build_environment(self._given, settings)
        command = (self.program, "--no-pager", "--no-replace-objects", *where, *args)
        return _start(command, stdin, environment, folder=self.folder)

    def _neutral(self, where: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        environment = git_settings.build_environment(self._given, git_settings.SETTINGS)
        command = (self.program, *where, "config", "--list", "--includes", "--name-only", "-z")
        ended = _start(command, b"", environment, folder=self.folder)
        if ended.returncode != 0:
            raise self._explain("config", ended)
        return git_settings.neutral(ended.stdout.decode("utf-8", "surrogateescape").split("\0"))

    def _explain(self, command: str, ended: "subprocess.CompletedProcess[bytes]") -> SlowwaveError:
        said = ended.stderr.decode("utf-8", "replace")
        lines = [line for line in said.splitlines() if line and not line.startswith(("hint:", "warning:"))]
        words = cut(showable(fold(" ".join(lines))), GIT_ERROR_CHARACTERS)
        if any(sign in said for sign in _FULL) or trouble.is_nearly_full(self.folder):
            return trouble.full(self.folder)
        if "Read-only file system" in said:
            return trouble.ReadOnlyError(f"{self.folder} lies on a read-only file system", hint="Mount it writable.")
        if "fsync error" in said:
            return trouble.FlushError(f"git: {words}", hint="Check the disk's health, then run `slowwave doctor`.")
        if ".lock': File exists" in said:
            return GitLockedError(
                f"git is locked: {words}", hint="End other git commands in the corpus, then try again."
            )
        if ended.returncode < 0:
            return GitError(
                f"git {command} was killed by signal {-ended.returncode}", hint="Run the same command again."
            )
        return GitError(f"git {command} failed: {words or ended.returncode}", hint="Run `slowwave doctor`.")


@functools.cache
def _find(search_path: str) -> str:
    """The git on a search path, looked at once a command."""
    found = shutil.which("git", path=search_path)
    if found is None:
        raise GitMissingError("git was not found on the search path", hint=_install_hint())
    environment = git_settings.build_environment({"PATH": search_path}, ())
    ended = _start((found, "version"), b"", environment, folder=None)
    version = re.search(rb"(\d+)\.(\d+)", ended.stdout)
    if ended.returncode != 0 or version is None:
        raise GitMissingError(f"{found} does not answer like git", hint=_install_hint())
    if (int(version[1]), int(version[2])) < OLDEST:
        text = version[0].decode("ascii")
        raise GitTooOldError(f"git {text} is too old to be told to keep what it writes", hint=_install_hint())
    return found


def _start(
    command: tuple[str, ...], stdin: bytes, environment: Mapping[str, str], *, folder: Path | None
) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            env=environment,
            cwd=folder if folder is not None and folder.is_dir() else None,
            timeout=GIT_SECONDS,
            check=False,
            umask=0o077,
        )
    except subprocess.TimeoutExpired as error:
        raise GitError(f"git did not end within {GIT_SECONDS:g} seconds", hint="Is the disk reachable?") from error
    except OSError as error:
        raise trouble.explain(error, command[0]) from error


def _read_batch(answer: bytes, asked: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    at = 0
    for name in asked:
        end = answer.index(b"\n", at)
        words = answer[at:end].rsplit(b" ", 2)
        at = end + 1
        if words[-1] in {b"missing", b"ambiguous"}:
            continue
        size = int(words[-1])
        yield name, answer[at : at + size]
        at += size + 1


def _install_hint() -> str:
    return f"Install git {OLDEST[0]}.{OLDEST[1]} or newer; slowwave keeps memories in a git repository."
