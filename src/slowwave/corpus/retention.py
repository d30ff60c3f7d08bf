"""Retiring and bringing back: what becomes of a memory's file when it leaves the active corpus, planned as values.

Nothing is ever deleted. An archived memory moves below ``archive/<year>/``; a superseded one moves there too and names
its successor; bringing back is the inverse of either.
"""

from collections.abc import Container
from dataclasses import dataclass, replace
from datetime import datetime

from slowwave.corpus.paths import archive, is_archived, restore
from slowwave.facts.action import PutMemory, Retire
from slowwave.facts.evidence import Evidence
from slowwave.facts.ids import MemoryPath, item_id
from slowwave.facts.memory import Memory, Status
from slowwave.facts.refusal import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A correction as two actions of one commit: the new memory, and the old one retired behind it."""

    put: PutMemory
    retire: Retire


def plan_archive(path: MemoryPath, memory: Memory, *, moment: datetime, taken: Container[str]) -> Retire:
    """Move a memory to the archive of the moment's year; its content, and so its hash, stay.

    Raises:
        UsageError: It is archived already.
    """
    if is_archived(path):
        raise UsageError(f"{path} is archived already", hint="bring it back with restore")
    destination = archive(path, moment.year, taken)
    return Retire(
        item=item_id("archive", path, destination),
        path=path,
        destination=destination,
        memory=replace(memory, status=Status.ARCHIVED, updated=moment),
    )


def plan_restore(path: MemoryPath, memory: Memory, *, moment: datetime, taken: Container[str]) -> Retire:
    """Move an archived or superseded memory back to where it came from, active again.

    Raises:
        UsageError: It does not stand in the archive.
    """
    if not is_archived(path):
        raise UsageError(f"{path} does not stand in the archive", hint="`slowwave search` shows where a memory stands")
    destination = restore(path, taken)
    return Retire(
        item=item_id("restore", path, destination),
        path=path,
        destination=destination,
        memory=replace(memory, status=Status.ACTIVE, superseded_by="", updated=moment),
    )


def plan_correction(
    old: tuple[MemoryPath, Memory],
    new: tuple[MemoryPath, Memory],
    *,
    evidence: tuple[Evidence, ...],
    moment: datetime,
    taken: Container[str],
) -> Correction:
    """Replace a memory: the new one names the place where the old one is kept, the old one names the new.

    ``new`` stands at the path that ``place`` chose for it among ``taken``.

    Raises:
        UsageError: The old memory is archived already.
    """
    old_path, old_memory = old
    new_path, new_memory = new
    retired = plan_archive(old_path, old_memory, moment=moment, taken=taken)
    return Correction(
        put=PutMemory(
            item=item_id("correct", old_path, new_memory.claim, new_memory.body),
            path=new_path,
            memory=replace(new_memory, supersedes=(*new_memory.supersedes, str(retired.destination))),
            evidence=evidence,
        ),
        retire=replace(retired, memory=replace(retired.memory, status=Status.SUPERSEDED, superseded_by=str(new_path))),
    )
