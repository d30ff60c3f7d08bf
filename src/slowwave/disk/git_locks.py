"""Lock files and half-written packs that a killed git left behind, removed once their owner is proven dead.

Git never removes them by itself, so a night that was killed would block the next. Proof is: we hold the writer lock,
the file is older than that, no process has it open, and no git works in the corpus. Where the system does not show
its processes (no ``/proc``), only our own journal can prove it.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from slowwave.disk.durable import read_whole
from slowwave.disk.git import Git, GitLockedError
from slowwave.disk.lock import WriterLock
from slowwave.disk.trouble import speaking
from slowwave.facts.limits import GIT_LOCK_SECONDS

_PROC = Path("/proc")
_PARTS = ("tmp_pack_*", "tmp_idx_*", "tmp_rev_*", "tmp_obj_*")
_POLL_SECONDS = 0.1


def clear_dead_locks(git: Git, lock: WriterLock, *, died_here: bool = False) -> tuple[Path, ...]:
    """Remove what a dead git left in the repository; returns the files that were removed.

    Args:
        git: The corpus.
        lock: The writer lock, held.
        died_here: Whether our journal says that a command of ours ended in the middle.

    Raises:
        GitLockedError: A lock file's owner is alive, or not proven dead.
        ValueError: The writer lock is not held.
    """
    if not lock.is_held:
        raise ValueError("git's locks may be judged only while holding the writer lock")
    folder = git.folder / ".git"
    found = tuple(_lock_files(folder)) + tuple(_half_written(folder))
    if not found:
        return ()
    owners = _wait_for_owners(git, found)
    with speaking(folder):
        return tuple(path for path in found if _clear(path, lock.taken_ns, owners=owners, died_here=died_here))


def _clear(path: Path, taken_ns: int, *, owners: Sequence[str] | None, died_here: bool) -> bool:
    try:
        is_older = path.lstat().st_mtime_ns <= taken_ns
    except FileNotFoundError:
        return False
    if is_older and (died_here if owners is None else not owners):
        path.unlink(missing_ok=True)
        return True
    if path.suffix != ".lock":
        return False
    if owners:
        why = f"{owners[0]} works in the corpus"
    elif owners is None:
        why = "this system does not show whether its owner still lives"
    else:
        why = "it was made after this command began"
    raise GitLockedError(
        f"{path} blocks git, and {why}",
        hint="End other git commands in the corpus. If none is running, remove that file and try again.",
    )


def _lock_files(folder: Path) -> Iterator[Path]:
    """Every lock file git can leave in a repository and its worktrees, in order of path."""
    yield from sorted(folder.glob("*.lock"))
    yield from sorted(folder.glob("worktrees/*/*.lock"))
    for part in ("refs", "logs"):
        for root, folders, files in _walk(folder / part):
            folders.sort()
            yield from (root / name for name in sorted(files) if name.endswith(".lock"))
    yield from sorted(folder.glob("objects/info/*.lock"))


def _half_written(folder: Path) -> Iterator[Path]:
    for pattern in _PARTS:
        yield from sorted(folder.glob(f"objects/pack/{pattern}"))
        yield from sorted(folder.glob(f"objects/[0-9a-f][0-9a-f]/{pattern}"))
    yield from (path for path in sorted(folder.glob("objects/pack/pack-*.keep")) if _is_of_import(path))
    yield from sorted(folder.glob("fast_import_crash_*"))


def _is_of_import(path: Path) -> bool:
    """Whether an import made this mark: it would refuse to make the same pack again, and no person's mark says so."""
    return path.is_file() and read_whole(path) in (b"", b"fast-import")


def _walk(folder: Path) -> Iterator[tuple[Path, list[str], list[str]]]:
    pending = [folder]
    while pending:
        at = pending.pop()
        if at.is_symlink() or not at.is_dir():
            continue
        entries = sorted(at.iterdir())
        yield at, [], [entry.name for entry in entries if not entry.is_dir()]
        pending.extend(entry for entry in reversed(entries) if entry.is_dir())


def _wait_for_owners(git: Git, found: Sequence[Path]) -> tuple[str, ...] | None:
    """Who still works there, after giving orphans of a killed command a moment to end; ``None``: cannot be seen."""
    if not (_PROC / "self" / "fd").is_dir():
        return None
    end = time.monotonic() + GIT_LOCK_SECONDS
    owners = _owners(git.folder, found)
    while owners and time.monotonic() < end:
        time.sleep(_POLL_SECONDS)
        owners = _owners(git.folder, found)
    return owners


def _owners(corpus: Path, found: Sequence[Path]) -> tuple[str, ...]:
    """Processes that have one of the files open, and gits whose folder or arguments name the corpus."""
    opened = {str(path) for path in found}
    owners = []
    for entry in sorted((p for p in _PROC.iterdir() if p.name.isdigit()), key=lambda p: int(p.name)):
        name = _command_name(entry)
        if _has_open(entry, opened) or (name.startswith("git") and _works_in(entry, corpus)):
            owners.append(f"{name} (process {entry.name})")
    return tuple(owners)


def _command_name(entry: Path) -> str:
    try:
        return (entry / "comm").read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _has_open(entry: Path, opened: set[str]) -> bool:
    try:
        return any(_target(link) in opened for link in (entry / "fd").iterdir())
    except OSError:
        return False


def _works_in(entry: Path, corpus: Path) -> bool:
    places = (corpus, corpus.parent / "night")
    folder = Path(_target(entry / "cwd") or "/")
    if any(folder.is_relative_to(place) for place in places):
        return True
    try:
        words = (entry / "cmdline").read_bytes()
    except OSError:
        return False
    return str(corpus).encode() in words


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:
        return ""
