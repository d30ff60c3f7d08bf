"""Archiving a landed memory and bringing it back: one commit on ``main``, both ways, nothing deleted."""

from collections.abc import Callable
from datetime import datetime

from slowwave.corpus import message as trailers
from slowwave.corpus.door import Commit, Door
from slowwave.corpus.format import file_of
from slowwave.corpus.message import CommitMessage, subject_for
from slowwave.corpus.paths import Taken
from slowwave.corpus.retention import plan_archive, plan_restore
from slowwave.corpus.shelf import Shelf
from slowwave.facts.action import Retire
from slowwave.facts.ids import MemoryPath
from slowwave.facts.refusal import UsageError
from slowwave.sleep.plan import MAIN

Planner = Callable[..., Retire]


def archive_memory(door: Door, path: MemoryPath, *, moment: datetime) -> Retire:
    """Move a memory on ``main`` to the archive.

    Raises:
        UsageError: No memory stands there, or it is archived already.
        DirtyCheckoutError: Its file has edits that are not committed.
    """
    return _move(door, path, plan_archive, moment=moment, word="archive")


def restore_memory(door: Door, path: MemoryPath, *, moment: datetime) -> Retire:
    """Move an archived memory back to where it came from.

    Raises:
        UsageError: No memory stands there, or it is not archived.
        DirtyCheckoutError: Its file has edits that are not committed.
    """
    return _move(door, path, plan_restore, moment=moment, word="restore")


def _move(door: Door, path: MemoryPath, planner: Planner, *, moment: datetime, word: str) -> Retire:
    shelf = Shelf.at(door.git, MAIN)
    memory = shelf.memories.get(path)
    if memory is None:
        raise UsageError(f"no memory stands at {path} on main", hint="`slowwave search WORDS` shows paths")
    action = planner(path, memory, moment=moment, taken=Taken(shelf.memories))
    content = file_of(path, action.memory, shelf.content(door.git, path))
    message = CommitMessage(
        subject=subject_for(str(memory.kind), memory.claim, word=word),
        claim=memory.claim,
        trailers=((trailers.ITEM, action.item), (trailers.TYPE, word)),
    )
    files = ((path, None), (action.destination, content))
    door.commit_batch(MAIN, (Commit(files=files, message=message, moment=moment),), expected=shelf.commit)
    return action
