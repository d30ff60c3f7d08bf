"""Items: every reviewable thing with its status, from proposal to decision and back.

An item's text and evidence stand in its commit on ``pending``; here stand its status, who decided it and when, and
digests of its evidence, so that what was rejected is recognised when it comes again without new evidence.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from slowwave.facts.ids import ItemId, MemoryPath, RunId
from slowwave.facts.moment import stamp
from slowwave.sleep.state import State


class ItemStatus(StrEnum):
    """Where an item stands (spec 09)."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    MERGED = "merged"
    UNDONE = "undone"


UNDECIDED = (ItemStatus.PENDING, ItemStatus.ACCEPTED)
"""Statuses whose commits still live on the pending branch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One reviewable thing.

    Attributes:
        id: Stable, whatever happens to its commit.
        run_id: The night that proposed it.
        type: ``memory``, ``reinforce``, ``task``, ``close`` or ``report``.
        kind: Kind of the memory it writes.
        path: Where it is written.
        claim: The memory's claim.
        status: Where it stands.
        created: When it was proposed.
        decided: When a person decided; empty before.
        channel: How the person was recognised: ``terminal`` or ``token``.
        why: The person's reason, if given.
        landed: Commit on ``main``, once merged.
        sessions: Sessions its evidence stands in.
        records: Identities of its evidence records.
    """

    id: ItemId
    run_id: RunId
    type: str
    kind: str
    path: MemoryPath
    claim: str
    status: ItemStatus
    created: str
    decided: str = ""
    channel: str = ""
    why: str = ""
    landed: str = ""
    sessions: tuple[str, ...] = ()
    records: tuple[str, ...] = ()


_READ = (
    "SELECT item_id, run_id, type, kind, path, claim, status, created, decided, channel, why, landed, sessions, records"
    " FROM items ORDER BY created, rowid"
)


def put_items(sql: sqlite3.Connection, items: Iterable[Item]) -> None:
    """Write new items within the caller's transaction; one that exists keeps its decision."""
    sql.executemany(
        "INSERT OR IGNORE INTO items VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        [_row(item) for item in items],
    )


def _row(item: Item) -> tuple[str, ...]:
    return (
        item.id,
        item.run_id,
        item.type,
        item.kind,
        item.path,
        item.claim,
        item.status,
        item.created,
        item.decided,
        item.channel,
        item.why,
        item.landed,
        json.dumps(item.sessions),
        json.dumps(item.records),
    )


def read_items(state: State, statuses: Sequence[ItemStatus] = tuple(ItemStatus)) -> tuple[Item, ...]:
    """Items of some statuses, oldest first."""
    rows = state.connection.execute(_READ)
    wanted = set(statuses)
    return tuple(item for row in rows if (item := _item(tuple(row))).status in wanted)


def set_status(
    sql: sqlite3.Connection,
    ids: Iterable[str],
    status: ItemStatus,
    *,
    moment: datetime,
    channel: str = "",
    why: str = "",
) -> None:
    """Record a decision within the caller's transaction."""
    sql.executemany(
        "UPDATE items SET status = ?, decided = ?, channel = ?, why = ? WHERE item_id = ?",
        [(status, stamp(moment), channel, why, item) for item in ids],
    )


def set_arrived(sql: sqlite3.Connection, item: str, commit: str) -> None:
    """Book a landing that was decided and done, and that a killed command could not book any more."""
    sql.execute("UPDATE items SET status = 'merged', landed = ? WHERE item_id = ?", (commit, item))


def set_landed(sql: sqlite3.Connection, item: str, path: str, commit: str) -> None:
    """Record where an item landed on ``main``."""
    sql.execute("UPDATE items SET landed = ?, path = ? WHERE item_id = ?", (commit, path, item))


def forget_items(sql: sqlite3.Connection, ids: Iterable[str]) -> None:
    """Drop items whose branch was deleted; they may be proposed again."""
    sql.executemany("DELETE FROM items WHERE item_id = ?", [(item,) for item in ids])


def _item(row: tuple[str, ...]) -> Item:
    return Item(
        id=ItemId(row[0]),
        run_id=RunId(row[1]),
        type=row[2],
        kind=row[3],
        path=MemoryPath(row[4]),
        claim=row[5],
        status=ItemStatus(row[6]),
        created=row[7],
        decided=row[8],
        channel=row[9],
        why=row[10],
        landed=row[11],
        sessions=tuple(json.loads(row[12])),
        records=tuple(json.loads(row[13])),
    )


def undecided_runs(state: State) -> frozenset[RunId]:
    """The nights of which something still waits."""
    return frozenset(item.run_id for item in read_items(state, UNDECIDED) if item.type != "report")
