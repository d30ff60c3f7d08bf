"""The interface of a transcript format, and the vote that tells formats apart by content."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from slowwave.records.entries import Entry
from slowwave.records.formats.draft import Draft
from slowwave.records.lines import Line

VOTERS = 400  # records that are asked; a file may begin with foreign lines or, a chunk of one, without its header
_MAJORITY = 0.5


class Reader(Protocol):
    """Reads the records of one file in order; it remembers calls, copies and queued words."""

    def read(self, record: Mapping[str, Any]) -> Sequence[Draft]:
        """What the record says: at least one draft, whatever the record holds."""
        ...


class Format(Protocol):
    """How one agent writes its sessions."""

    @property
    def name(self) -> str:
        """Such as ``claude-code``."""
        ...

    def detect(self, path: Path, head: Sequence[Mapping[str, Any]]) -> bool:
        """Whether a file whose first records are ``head`` is written so; the path is only a hint."""
        ...

    def reader(self) -> Reader:
        """A reader for one file."""
        ...

    def entries(self, lines: Iterable[Line], *, file: int = 0) -> Iterator[Entry]:
        """The entries of one file, in order."""
        ...


def vote(head: Sequence[Mapping[str, Any]], is_mine: Callable[[Mapping[str, Any]], bool]) -> bool:
    """Whether more than half of up to ``VOTERS`` records are of a format."""
    voters = head[:VOTERS]
    return sum(map(is_mine, voters)) > len(voters) * _MAJORITY
