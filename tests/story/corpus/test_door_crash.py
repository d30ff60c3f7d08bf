"""Killed at any moment, the next call finishes by itself and reaches the same commits; a full disk changes nothing."""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from slowwave.corpus.branches import MAIN
from slowwave.corpus.door import Commit, Door
from slowwave.corpus.worktree import PENDING
from slowwave.disk import git as git_module
from slowwave.disk import git_locks
from slowwave.disk.git import Git, GitError, GitLockedError
from slowwave.disk.git_locks import clear_dead_locks
from slowwave.disk.home import Home
from slowwave.disk.journal import Journal
from slowwave.disk.lock import WriterLock
from slowwave.disk.trouble import DiskFullError
from slowwave.facts.refusal import SlowwaveError

CommitMaker = Callable[..., Commit]
MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
STRACE = shutil.which("strace")
WRITERS = ("fast-import", "update-ref", "read-tree", "worktree", "init", "update-index")


def work(home: Home, one_commit: CommitMaker) -> None:
    """A batch, a landing of two thirds, and ``pending`` rebuilt on it: a night and its review in small, repeatable."""
    door = Door(home, Git(home.corpus, environment=os.environ))
    door.create(MOMENT)
    root = door.history(MAIN)[0].commit
    if door.main() == root:
        commits = [one_commit(f"areas/inbox/{name}.md", f"{name}\n".encode() * 50, quotes=("q",)) for name in "abc"]
        door.commit_batch(PENDING, commits, expected=root)
        door.land(door.history(PENDING, since=MAIN)[:2], expected=root)
    left = [item for item in door.history(PENDING, since=MAIN) if item.item]
    door.rebuild(PENDING, left, onto=door.main(), expected=door.tip(PENDING))


def state(home: Home) -> tuple[str, ...]:
    """All that counts of a home: branches, both checkouts, open journal entries, lock files."""
    door = Door(home, Git(home.corpus, environment=os.environ))
    shown = tuple(
        f"{folder.name}/{path.relative_to(folder).as_posix()}:{len(path.read_bytes())}"
        for folder in (home.corpus, home.night)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    )
    dirty = tuple(door.git.at(folder).text("status", "--porcelain") for folder in (home.corpus, home.night))
    locks = tuple(path.name for path in (home.corpus / ".git").rglob("*.lock"))
    entries = tuple(entry.name for entry in Journal(home.journal).open_entries())
    return (door.main(), door.tip(PENDING) or "", *shown, *dirty, *locks, *entries)


def resume(home: Home, one_commit: CommitMaker) -> None:
    """What the next command does: take the lock, clear what the dead one left, do the work again."""
    with WriterLock(home.locks, command="resume", clock=lambda: MOMENT) as lock:
        Door(home, Git(home.corpus, environment=os.environ)).settle(lock)
        work(home, one_commit)


def run_and_die(home: Home, one_commit: CommitMaker, calls: int) -> bool:
    """Do the work in a child that kills itself, -9, when it would start one git more; whether it died."""
    child = os.fork()
    if child == 0:
        real: Callable[..., Any] = git_module._start
        left = iter(range(calls))

        def dying(*args: Any, **more: Any) -> Any:
            if next(left, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **more)

        git_module._start = dying
        work(home, one_commit)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


@pytest.fixture
def wanted(tmp_path: Path, one_commit: CommitMaker) -> tuple[str, ...]:
    """The state that the work reaches when nothing disturbs it."""
    whole = Home(tmp_path / "whole")
    whole.prepare()
    work(whole, one_commit)
    return state(whole)


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.slow)])
def test_death_before_any_git_call_ends_in_the_same_state(
    tmp_path: Path, one_commit: CommitMaker, wanted: tuple[str, ...], step: int
) -> None:
    """Killed before some, or each, of its git calls, the next run ends where an undisturbed one does."""
    for calls in range(0, 400, step):
        home = Home(tmp_path / f"cut-{calls}")
        home.prepare()
        died = run_and_die(home, one_commit, calls)
        resume(home, one_commit)
        assert state(home) == wanted, calls
        shutil.rmtree(home.root)
        if not died:
            return
    pytest.fail("the work has more git calls than were cut")


@pytest.mark.crash
@pytest.mark.slow
@pytest.mark.parametrize("call", ["rename", "unlink", "openat", "write", "fsync", "mkdir"])
def test_git_killed_inside_its_own_calls_leaves_nothing_half_done(
    tmp_path: Path, one_commit: CommitMaker, wanted: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """A git is killed at its n-th call that changes the disk; the next run clears its locks and ends the same."""
    if STRACE is None:
        pytest.skip("strace is not installed")
    real: Callable[..., Any] = git_module._start
    deaths = 0
    for number in (1, 2, 3, 5, 8, 13):
        home = Home(tmp_path / f"{call}-{number}")
        home.prepare()
        inject = f"inject={call}:signal=SIGKILL:when={number}"
        tracer = (STRACE, "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", inject)

        def traced(command: tuple[str, ...], *args: Any, _tracer: tuple[str, ...] = tracer, **more: Any) -> Any:
            is_writer = any(word in command for word in WRITERS)
            return real((*_tracer, *command) if is_writer else command, *args, **more)

        monkeypatch.setattr(git_module, "_start", traced)
        try:
            work(home, one_commit)
        except GitError:
            deaths += 1
        monkeypatch.setattr(git_module, "_start", real)
        resume(home, one_commit)
        assert state(home) == wanted, number
        shutil.rmtree(home.root)
    assert deaths


@pytest.mark.crash
@pytest.mark.slow
@pytest.mark.parametrize(
    ("inject", "code"),
    [
        ("fsync:error=EIO:when=1+", "flush_failed"),
        ("write:error=ENOSPC:when=1", "disk_full"),
        ("openat:error=EROFS:when=20+", "read_only"),
        ("openat:error=EMFILE:when=20+", "git_failed"),
    ],
)
def test_an_error_of_the_disk_inside_git_has_a_name_and_moves_nothing(
    door: Door, one_commit: CommitMaker, monkeypatch: pytest.MonkeyPatch, inject: str, code: str
) -> None:
    """Errors injected into the import come out with their own code; the branch stays, and the next try goes through."""
    if STRACE is None:
        pytest.skip("strace is not installed")
    real: Callable[..., Any] = git_module._start
    tracer = (STRACE, "-f", "-qq", "-o", "/dev/null", "-e", f"inject={inject}")

    def traced(command: tuple[str, ...], *args: Any, **more: Any) -> Any:
        return real((*tracer, *command) if "fast-import" in command else command, *args, **more)

    commits = [one_commit("areas/a.md", b"a\n")]
    monkeypatch.setattr(git_module, "_start", traced)
    with pytest.raises(SlowwaveError) as caught:
        door.commit_batch(PENDING, commits, expected=door.main())
    monkeypatch.setattr(git_module, "_start", real)
    assert caught.value.code == code
    assert caught.value.hint
    assert door.tip(PENDING) is None
    with WriterLock(door.home.locks, command="x", clock=lambda: MOMENT) as lock:
        door.settle(lock)
    assert door.commit_batch(PENDING, commits, expected=door.main())


def test_two_commands_at_once_write_one_after_the_other(home: Home, one_commit: CommitMaker) -> None:
    """Four processes with three batches each lose nothing: twelve commits, one line of history."""
    Door(home, Git(home.corpus, environment=os.environ)).create(MOMENT)
    children = []
    for name in "abcd":
        child = os.fork()
        if child == 0:
            for number in range(3):
                with WriterLock(home.locks, command=name, clock=lambda: MOMENT):
                    door = Door(home, Git(home.corpus, environment=os.environ))
                    at = door.tip(PENDING) or door.main()
                    door.commit_batch(PENDING, [one_commit(f"areas/{name}{number}.md", b"x\n")], expected=at)
            os._exit(0)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4
    door = Door(home, Git(home.corpus, environment=os.environ))
    found = door.history(PENDING, since=MAIN)
    assert sorted(item.files[0].path for item in found) == sorted(f"areas/{n}{i}.md" for n in "abcd" for i in range(3))
    assert door.git.at(home.night).text("status", "--porcelain") == ""


def test_a_dead_git_s_locks_go_and_a_living_one_s_stay(home: Home, door: Door, one_commit: CommitMaker) -> None:
    """Lock files and half-written packs of the dead are removed; a file that somebody has open is refused."""
    door.commit_batch(PENDING, [one_commit("areas/a.md", b"a\n")], expected=door.main())
    folder = home.corpus / ".git"
    names = (
        "index.lock", "HEAD.lock", "packed-refs.lock", "config.lock", "refs/heads/main.lock",
        "worktrees/night/index.lock", "refs/heads/deep.lock", "objects/pack/tmp_pack_x1", "objects/pack/tmp_idx_x1",
        "objects/pack/pack-77.keep", "fast_import_crash_77",
    )  # fmt: skip
    for name in names:
        (folder / name).write_bytes(b"")
    with WriterLock(home.locks, command="x", clock=lambda: MOMENT) as lock:
        cleared = clear_dead_locks(door.git, lock)
        assert sorted(path.relative_to(folder).as_posix() for path in cleared) == sorted(names)
        assert clear_dead_locks(door.git, lock) == ()
    with pytest.raises(ValueError, match="holding"):
        clear_dead_locks(door.git, lock)


def test_a_lock_that_may_be_alive_is_refused(home: Home, door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opened by somebody, or younger than our own lock: left in place, and the error names the file and the owner."""
    monkeypatch.setattr(git_locks, "GIT_LOCK_SECONDS", 0.2)
    path = home.corpus / ".git" / "index.lock"
    path.write_bytes(b"")
    with (
        path.open("rb"),
        WriterLock(home.locks, command="x", clock=lambda: MOMENT) as lock,
        pytest.raises(GitLockedError, match=rf"index\.lock .*process {os.getpid()}"),
    ):
        clear_dead_locks(door.git, lock)
    with WriterLock(home.locks, command="x", clock=lambda: MOMENT) as lock:
        os.utime(path, ns=(lock.taken_ns + 10**9, lock.taken_ns + 10**9))
        with pytest.raises(GitLockedError, match="after this command began"):
            clear_dead_locks(door.git, lock)
    assert path.exists()


def test_where_processes_cannot_be_seen_only_the_journal_proves_death(
    home: Home, door: Door, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without ``/proc`` a lock is cleared only when our own journal says that we died here."""
    monkeypatch.setattr(git_locks, "_PROC", tmp_path / "none")
    path = home.corpus / ".git" / "index.lock"
    path.write_bytes(b"")
    with WriterLock(home.locks, command="x", clock=lambda: MOMENT) as lock:
        with pytest.raises(GitLockedError, match="does not show"):
            clear_dead_locks(door.git, lock)
        assert clear_dead_locks(door.git, lock, died_here=True) == (path,)


def test_a_git_lock_in_the_way_is_a_clear_refusal(home: Home, door: Door, one_commit: CommitMaker) -> None:
    """A person's git at work stops the batch with our own error, and the branch is where it was."""
    commits = [one_commit("areas/a.md", b"a\n")]
    (home.corpus / ".git/refs/heads/main.lock").write_bytes(b"")
    start = door.main()
    with pytest.raises(GitLockedError):
        door.commit_batch(MAIN, commits, expected=start)
    assert door.main() == start
    (home.corpus / ".git/refs/heads/main.lock").unlink()
    assert door.commit_batch(MAIN, commits, expected=start)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte; needs the right to mount."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    told = (mount or "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place))
    if mount is None or subprocess.run(told, check=False, capture_output=True).returncode != 0:
        pytest.skip("mounting a small file system needs root")
    yield place
    subprocess.run((shutil.which("umount") or "umount", str(place)), check=True)


@pytest.mark.parametrize("room_kib", [0, 4, 8, 12, 16, 24, 32, 48, 64, 96])
def test_a_full_disk_stops_the_batch_and_loses_nothing(
    small_disk: Path, one_commit: CommitMaker, wanted: tuple[str, ...], room_kib: int
) -> None:
    """With any little room left the work stops with ``disk_full`` or goes through; with room again it ends as ever."""
    home = Home(small_disk / "home")
    home.prepare()
    Door(home, Git(home.corpus, environment=os.environ)).create(MOMENT)
    filler = small_disk / "filler"
    free = os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_bsize
    filler.write_bytes(b"\0" * (free - room_kib * 1024))
    with contextlib.suppress(DiskFullError):
        work(home, one_commit)
    filler.unlink()
    resume(home, one_commit)
    assert state(home) == wanted
    assert Door(home, Git(home.corpus, environment=os.environ)).verify(is_thorough=True) == ()
