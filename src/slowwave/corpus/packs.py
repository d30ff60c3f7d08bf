"""Packs: every batch leaves one, and many make git slow; from time to time the small ones become larger ones.

A batch stays a pack, since loose objects cost a flush each (28 against 40 ms for five memories, measured). Git's own
collection stays off: it would start at its own time and prune. Folding drops no object, reachable or not.
"""

from slowwave.disk.git import Git
from slowwave.facts.limits import MOST_PACKS


def fold_packs(git: Git) -> bool:
    """Fold packs together when there are more than ``MOST_PACKS``; whether anything was done.

    Each kept pack has at least twice the objects of the next smaller, so that the work stays small.
    """
    folder = git.common / "objects" / "pack"
    if sum(1 for _ in folder.glob("pack-*.pack")) <= MOST_PACKS:
        return False
    git.run("repack", "-d", "-n", "-q", "--geometric=2")
    git.flush()
    return True
