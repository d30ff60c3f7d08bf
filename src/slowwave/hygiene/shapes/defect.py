"""Defects: where a context breaks a rule of whoever it is sent to, named so that two checks can be compared.

Real recordings are imperfect: a defect is no error by itself. What matters is that a rewrite adds none.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

Record = Mapping[str, Any]
Records = Iterable[tuple[int, int, Record]]
"""Index, part and record, in order, as a document gives them."""

_NAME = re.compile(r"[\w.:|/@+=-]{1,200}")


class Code(StrEnum):
    """What kind of rule is broken."""

    PAIRING = "SHAPE_PAIRING"  # a call without its result, or a result without its call
    ORDER = "SHAPE_ORDER"  # both are there, and not where they have to stand
    EMPTY = "SHAPE_EMPTY"  # nothing stands where something must
    ROLE = "SHAPE_ROLE"  # somebody says what only another may
    DUPLICATE_ID = "SHAPE_DUPLICATE_ID"
    CHAIN = "SHAPE_CHAIN"  # a record names a forerunner that is not there
    SERVER_HELD = "SHAPE_SERVER_HELD"  # a part of the context lies at the provider


@dataclass(frozen=True, slots=True, kw_only=True)
class Defect:
    """One broken rule.

    Attributes:
        code: Which kind.
        key: Whose: the id of a call or record, or a place such as ``[12].content[0]``; a rewrite keeps both.
        index: ``[N]`` of the record at which it shows.
        message: One sentence; holds ids and places, never words of the context.
    """

    code: Code
    key: str
    index: int
    message: str


class Checker(Protocol):
    """Looks at one context, record after record, and keeps nothing of it but ids."""

    def see(self, index: int, part: int, record: Record) -> Iterable[Defect]:
        """What the record breaks, as far as it shows by now."""
        ...

    def end(self) -> Iterable[Defect]:
        """What shows only when nothing more comes."""
        ...


def run(checker: Checker, records: Records) -> tuple[Defect, ...]:
    """All that a checker finds, by index."""
    found = [defect for index, part, record in records for defect in checker.see(index, part, record)]
    found.extend(checker.end())
    return tuple(sorted(found, key=lambda defect: defect.index))


def new_defects(before: Iterable[Defect], after: Iterable[Defect]) -> tuple[Defect, ...]:
    """The defects of a rewritten context that were not there before; one with the same code and key is the same."""
    known = Counter((defect.code, defect.key) for defect in before)
    fresh = []
    for defect in after:
        name = (defect.code, defect.key)
        if known[name]:
            known[name] -= 1
        else:
            fresh.append(defect)
    return tuple(fresh)


def place(index: int, part: int, field: str = "") -> str:
    """A place by which a defect is known that no id names."""
    record = f"[{index}]" if part == 0 else f"[{index}.{part}]"
    return f"{record}.{field}" if field else record


def id_of(record: Record, key: str) -> str:
    """The id a record carries under a key; one that is no plain name stands as its hash, for it may say anything."""
    value = text_of(record, key)
    if not value or _NAME.fullmatch(value):
        return value
    return f"id-{hashlib.sha256(value.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def blocks_of(content: object) -> Iterator[tuple[int, Record]]:
    """The objects of a list of blocks, each with its position."""
    if isinstance(content, list):
        yield from ((at, block) for at, block in enumerate(content) if isinstance(block, dict))


def text_of(record: Record, key: str) -> str:
    """A text member; empty for anything else."""
    value = record.get(key)
    return value if isinstance(value, str) else ""
