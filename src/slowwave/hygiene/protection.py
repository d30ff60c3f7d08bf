"""Protection: ranges that may not be touched, or not without a note in the log.

A source of protection that cannot be read protects everything: better no curation than one that ignored a warning.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from math import inf
from pathlib import Path
from typing import Any

from slowwave.hygiene.items import Item
from slowwave.records.whole import decode

MOST_RANGES = 100_000  # in one file; a session has fewer records
MOST_BYTES = 16 * 1024 * 1024  # of one file; that many ranges fit
_KEYS = frozenset({"range", "status", "memory"})


class Status(StrEnum):
    """What a range is to the hygienist."""

    QUARANTINED = "QUARANTINED"  # under review: nothing in it is touched
    ACTIVE = "ACTIVE"  # a memory cites it: it may be touched, and the log says so


@dataclass(frozen=True, slots=True, kw_only=True)
class Protected:
    """A half-open range of indices, or all of them.

    Attributes:
        start: First index.
        end: One past the last; None for no end.
        status: What it is.
        memory: Path or id of the memory behind it; may be empty.
    """

    start: int = 0
    end: int | None = None
    status: Status
    memory: str = ""

    def holds(self, start: int, end: int) -> bool:
        """Whether it shares an index with another range."""
        return start < (end if self.end is None else self.end) and self.start < end

    def reach(self) -> float:
        """Where it ends."""
        return inf if self.end is None else self.end


@dataclass(frozen=True, kw_only=True)
class Protection:
    """All protected ranges of one document.

    Attributes:
        ranges: In the order of their source.
        trouble: Why a source could not be read; then everything is protected.
    """

    ranges: tuple[Protected, ...] = ()
    trouble: str = ""

    def quarantine(self, start: int, end: int) -> str:
        """Why a range of indices may not be touched; empty when it may."""
        if self.trouble:
            return self.trouble
        at = bisect_left(self._starts, end)
        held = self._reaching[at - 1] if at and start < end else None
        if held is None or not held.holds(start, end):
            return ""
        return f"it touches what is under review{f' for {held.memory}' if held.memory else ''}"

    def citing(self, item: Item) -> tuple[str, ...]:
        """Memories that cite the record of an item."""
        start, end = item.index, item.index + 1
        found = [*self._single.get(start, ()), *(each for each in self._wide if each.holds(start, end))]
        return tuple(dict.fromkeys(each.memory for each in found if each.memory))

    @cached_property
    def _quarantined(self) -> list[Protected]:
        held = (each for each in self.ranges if each.status is Status.QUARANTINED and each.start != each.end)
        return sorted(held, key=lambda each: each.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [each.start for each in self._quarantined]

    @cached_property
    def _reaching(self) -> list[Protected]:
        """For each of those that are quarantined, whichever of it and those before it reaches furthest."""
        return list(accumulate(self._quarantined, _further))

    @cached_property
    def _single(self) -> dict[int, list[Protected]]:
        """Ranges of one index, as the corpus has them."""
        found: dict[int, list[Protected]] = {}
        for each in self.ranges:
            if each.end == each.start + 1:
                found.setdefault(each.start, []).append(each)
        return found

    @cached_property
    def _wide(self) -> list[Protected]:
        return [each for each in self.ranges if each.end != each.start + 1]

    def __add__(self, other: "Protection") -> "Protection":
        """Both."""
        return Protection(ranges=self.ranges + other.ranges, trouble=self.trouble or other.trouble)


def read_protection(path: Path) -> Protection:
    """The protected ranges of a file; trouble in it is a value, since it refuses operations and not the command."""
    try:
        with path.open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
    except OSError as error:
        return Protection(trouble=f"the protected ranges could not be read: {error.strerror or type(error).__name__}")
    return parse_protection(raw)


def parse_protection(raw: bytes) -> Protection:
    """Protected ranges as they are written: ``{"ranges": [{"range": [start, end] | null, "status", "memory"}]}``."""
    try:
        held: Any = decode(raw) if len(raw) <= MOST_BYTES else None
    except ValueError:
        held = None
    ranges = held.get("ranges") if isinstance(held, dict) else None
    if not isinstance(ranges, list) or len(ranges) > MOST_RANGES:
        return Protection(trouble='the protected ranges are no object with a list "ranges"')
    found = list(_parsed(ranges))
    if None in found:
        place = found.index(None)
        return Protection(trouble=f"protected range {place} is not one: it needs a range or null, and a known status")
    return Protection(ranges=tuple(each for each in found if each is not None))


def _parsed(ranges: Iterable[Any]) -> Iterable[Protected | None]:
    for each in ranges:
        if not isinstance(each, dict) or each.keys() - _KEYS or "range" not in each:
            yield None
            continue
        status, memory, bounds = each.get("status"), each.get("memory", ""), each["range"]
        if status not in list(Status) or not isinstance(memory, str | None):
            yield None
        elif bounds is None:
            yield Protected(status=Status(status), memory=memory or "")
        elif _is_range(bounds):
            yield Protected(start=bounds[0], end=bounds[1], status=Status(status), memory=memory or "")
        else:
            yield None


def _is_range(bounds: object) -> bool:
    return (
        isinstance(bounds, list)
        and len(bounds) == 2
        and all(type(bound) is int for bound in bounds)
        and 0 <= bounds[0] <= bounds[1]
    )


def _further(one: Protected, other: Protected) -> Protected:
    """Whichever reaches further."""
    return one if one.reach() >= other.reach() else other
