"""What a person pinned: ids or digests of items, a line each, in the home."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from slowwave.disk.durable import read_whole, write_atomic
from slowwave.facts.moment import stamp
from slowwave.facts.refusal import DamageError, UsageError

MOST_PINS = 10_000  # that anybody sets by hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """One pin.

    Attributes:
        digest: Of the item's words: a copy of it in another document is pinned too.
        item: Its id, to recognise it by.
        why: In the person's words; may be empty.
        at: When.
    """

    digest: str
    item: str
    why: str
    at: str


def read_pins(path: Path) -> tuple[Pinned, ...]:
    """Every pin of a home.

    Raises:
        DamageError: The file holds something else; nothing is curated while it does.
    """
    raw = read_whole(path)
    found = []
    for number, line in enumerate((raw or b"").splitlines(), 1):
        try:
            row = json.loads(line)
            found.append(
                Pinned(digest=str(row["digest"]), item=str(row["item"]), why=str(row["why"]), at=str(row["at"]))
            )
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise DamageError(f"line {number} of {path.name} is no pin", hint="Put it right or remove it.") from error
    return tuple(found)


def write_pins(path: Path, pins: tuple[Pinned, ...]) -> None:
    """Write the pins of a home.

    Raises:
        DiskError: The system refused; the file is as it was.
    """
    rows = [{"digest": pin.digest, "item": pin.item, "why": pin.why, "at": pin.at} for pin in pins]
    write_atomic(path, b"".join(json.dumps(row).encode() + b"\n" for row in rows))


def pin(pins: tuple[Pinned, ...], *, digest: str, item: str, why: str, moment: datetime) -> tuple[Pinned, ...]:
    """The pins with one more; one that is there already stays as it is.

    Raises:
        UsageError: There are as many as there may be; none is dropped in silence.
    """
    if any(each.digest == digest for each in pins):
        return pins
    if len(pins) >= MOST_PINS:
        raise UsageError(f"there are {MOST_PINS:,} pins", hint="`slowwave hygiene unpin` takes one away")
    return (*pins, Pinned(digest=digest, item=item, why=why, at=stamp(moment)))


def unpin(pins: tuple[Pinned, ...], name: str) -> tuple[Pinned, ...]:
    """The pins without those of this item or digest."""
    return tuple(each for each in pins if name not in (each.digest, each.item))
