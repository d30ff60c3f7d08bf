"""What to do when an item no longer fits: the file it was made on has changed under it.

Bookkeeping merges by itself: a reinforcement adds its sessions to whatever the file is now, a closure closes the task
as it is now. A new memory that somebody wrote by hand meanwhile becomes one more observation of theirs. Anything else
waits for a person.
"""

from collections.abc import Callable
from dataclasses import replace

from slowwave.corpus.format import FormatError, amend, content_hash, parse
from slowwave.corpus.rebuild import Conflict, Files, Resolver
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Memory
from slowwave.sleep.confidence import reinforced

ReadBlob = Callable[[str], bytes]


def resolver(read_blob: ReadBlob) -> Resolver:
    """A resolver that reads blobs through git."""

    def resolve(conflict: Conflict) -> Files | None:
        return _resolve(conflict, read_blob)

    return resolve


def _resolve(conflict: Conflict, read_blob: ReadBlob) -> Files | None:
    change, path = conflict.change, MemoryPath(conflict.change.path)
    if change.new is None or conflict.found is None:
        return None
    try:
        now_content = read_blob(conflict.found)
        now, wanted = parse(now_content, path), parse(read_blob(change.new), path)
    except FormatError:
        return None
    if conflict.item.type == "reinforce":
        merged = _merged(now, wanted)
    elif conflict.item.type in ("close", "task") and _says_the_same(now, wanted):
        merged = replace(now, task=wanted.task, last_seen=wanted.last_seen)
    elif conflict.item.type == "memory" and _says_the_same(now, wanted):
        merged = _merged(now, wanted)
    else:
        return None
    return ((path, amend(now_content, merged, path)),)


def _merged(now: Memory, wanted: Memory) -> Memory:
    fresh = tuple(session for session in wanted.sessions if session not in now.sessions)
    if not fresh:
        return now
    return replace(
        now,
        sessions=(*now.sessions, *fresh),
        confidence=reinforced(now.confidence),
        last_seen=wanted.last_seen,
        seen_count=now.seen_count + 1,
    )


def _says_the_same(one: Memory, other: Memory) -> bool:
    return content_hash(one.claim, one.body) == content_hash(other.claim, other.body)
