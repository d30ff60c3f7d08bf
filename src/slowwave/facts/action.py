"""All that slowwave can do to its stores: a closed, small vocabulary.

Systems plan actions as values; ``corpus/door`` performs those that touch the corpus. No other way in exists.
"""

from dataclasses import dataclass

from slowwave.facts.evidence import Evidence
from slowwave.facts.ids import ItemId, MemoryPath
from slowwave.facts.memory import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class PutMemory:
    """Write a new memory; the path is where ``corpus/paths`` places it."""

    item: ItemId
    path: MemoryPath
    memory: Memory
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforce:
    """An existing memory was observed again: its file as it shall be, the new evidence in the commit."""

    item: ItemId
    path: MemoryPath
    memory: Memory
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PutTask:
    """Propose a task, or propose to close one: the task file as it shall be."""

    item: ItemId
    path: MemoryPath
    memory: Memory
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire:
    """Move a memory to the archive, or back; both paths are decided by ``corpus/paths``."""

    item: ItemId
    path: MemoryPath
    destination: MemoryPath
    memory: Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendNote:
    """Write a report or another generated page of the corpus; it carries no evidence."""

    item: ItemId
    path: MemoryPath
    text: str


CorpusAction = PutMemory | Reinforce | PutTask | Retire | AppendNote
