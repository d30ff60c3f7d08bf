"""The night's own checkout: a linked worktree on branch ``pending``, made when needed and made again when damaged.

Everything in it follows from the branch, so it is never repaired by hand. A damaged one that still holds files is
moved aside, not deleted, unless our journal says that we died while making it.
"""

from pathlib import Path

from slowwave.corpus.checkout import refresh
from slowwave.disk.durable import flush_folder, read_whole, remove_tree
from slowwave.disk.git import Git
from slowwave.disk.home import Home
from slowwave.disk.journal import Journal
from slowwave.disk.trouble import speaking

PENDING = "pending"
_MAKING = "night-worktree"


def ensure_night(home: Home, git: Git) -> Git:
    """The night's checkout, showing the branch as it stands; branch ``pending`` must exist.

    Raises:
        DirtyCheckoutError: Somebody edited files there that the branch has changed.
    """
    night = git.at(home.night)
    journal = Journal(home.journal)
    died_here = any(entry.name == _MAKING for entry in journal.open_entries())
    if not died_here and not _is_linked(home) and (home.night / ".git").is_file():
        git.run("worktree", "repair", "--", str(home.night.absolute()), check=False)  # the home may have moved
    if died_here or not _is_linked(home):
        _make(home, git, journal, died_here=died_here)
    _follow(night)
    return night


def _is_linked(home: Home) -> bool:
    """Whether the folder's ``.git`` names a worktree of our repository that stands on ``pending`` and has an index."""
    folder = linked_folder(home)
    if folder is None:
        return False
    with speaking(folder):
        head = read_whole(folder / "HEAD") if (folder / "HEAD").is_file() else b""
        return head == f"ref: refs/heads/{PENDING}\n".encode() and (folder / "index").is_file()


def linked_folder(home: Home) -> Path | None:
    """The folder in the repository that belongs to the night's checkout, or ``None`` without a sound link."""
    link = home.night / ".git"
    if home.night.is_symlink() or not link.is_file() or link.is_symlink():
        return None
    target = (read_whole(link) or b"").decode("utf-8", "replace").removeprefix("gitdir: ").strip()
    folder = Path(target)
    is_ours = folder.parent.resolve() == (home.corpus / ".git" / "worktrees").resolve()
    return folder if is_ours and folder.is_dir() else None


def _make(home: Home, git: Git, journal: Journal, *, died_here: bool) -> None:
    journal.begin(_MAKING, {})
    if died_here:
        remove_tree(home.night)
    elif home.night.exists() or home.night.is_symlink():
        _set_aside(home.night)
    _forget_links(home)
    git.run("worktree", "add", "--force", "--quiet", "--", str(home.night.absolute()), PENDING)
    flush_folder(home.root)
    journal.done(_MAKING)


def _set_aside(folder: Path) -> None:
    """Move a damaged checkout out of the way; an empty one goes."""
    with speaking(folder):
        if folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir()):
            folder.rmdir()
            return
        number = 1
        while (aside := folder.with_name(f"{folder.name}-set-aside-{number}")).exists():
            number += 1
        folder.rename(aside)
    flush_folder(folder.parent)


def _forget_links(home: Home) -> None:
    """Drop what the repository still believes about a checkout at this place, also one that was locked half-made."""
    known = home.corpus / ".git" / "worktrees"
    if not known.is_dir():
        return
    wanted = (home.night / ".git").absolute()
    for folder in sorted(known.iterdir()):
        content = read_whole(folder / "gitdir") if (folder / "gitdir").is_file() else None
        target = Path((content or b"").decode("utf-8", "replace").strip() or ".")
        if content is None or target == wanted or target.resolve() == wanted.resolve():
            remove_tree(folder)


def _follow(night: Git) -> None:
    """Bring the checkout to the branch's commit from whatever its index shows."""
    index = night.text("write-tree")
    tip = night.text("rev-parse", "--verify", "HEAD^{tree}")
    if index != tip:
        refresh(night, index, tip, died_here=True)
