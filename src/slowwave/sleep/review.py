"""The person's side: what awaits a decision, with its evidence; accept, reject, and think again.

Deciding changes ``state.db``; a rejected item also leaves the ``pending`` branch, so that nothing later rests on it.
Its commit is kept under a ref of its own: whoever pressed the wrong key accepts the item after all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from slowwave.corpus.door import Door
from slowwave.corpus.history import HistoryItem
from slowwave.facts.evidence import Evidence
from slowwave.facts.refusal import NothingToDoError, SlowwaveError, UsageError
from slowwave.proof.instruction import instruction_shaped
from slowwave.sleep.items import UNDECIDED, Item, ItemStatus, read_items, set_status
from slowwave.sleep.pending import (
    REPORT,
    item_from,
    pending_commits,
    rebuild_pending,
    refuse_lost_branch,
    revive,
    unknown_commits,
)
from slowwave.sleep.said import warning_of
from slowwave.sleep.state import State

TAKEN_BACK = (ItemStatus.REJECTED, ItemStatus.UNDONE)
"""Decisions against an item; accepting it afterwards takes them back."""


class GoneError(SlowwaveError):
    """A rejected item cannot be brought back, since nothing of it was kept."""

    code = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An item with what its commit says: the evidence, and a warning where a claim reads like an instruction."""

    item: Item
    evidence: tuple[Evidence, ...]
    warning: str


def waiting(state: State, door: Door) -> tuple[Shown, ...]:
    """Items that are pending or accepted and not merged yet, oldest first; reads only.

    Raises:
        PendingLostError: The branch that held them is gone.
    """
    refuse_lost_branch(state, door)
    commits = {commit.item: commit for commit in pending_commits(door)}
    # What the book does not know yet, since it was lost or the night was killed, waits all the same.
    items = (*read_items(state, UNDECIDED), *(item_from(commit) for commit in unknown_commits(state, door)))
    return tuple(show(item, commits.get(item.id)) for item in items if item.type != REPORT)


def show(item: Item, commit: HistoryItem | None) -> Shown:
    """One item with its evidence, as far as its commit is there."""
    found = instruction_shaped(item.claim)
    warning = (
        f"this claim reads like an instruction to an agent ({found}); accept it only if you mean it" if found else ""
    )
    evidence = commit.message.evidence if commit and commit.message else ()
    warning = warning or warning_of(item.claim, evidence)
    if commit is None:
        warning = "branch pending no longer holds it; `slowwave sleep` proposes it again"
    return Shown(item=item, evidence=evidence, warning=warning)


def pick(state: State, asked: Sequence[str], statuses: Sequence[ItemStatus] = UNDECIDED) -> tuple[Item, ...]:
    """The items asked for, by id or an unambiguous beginning of one; reports are carried along, never picked.

    Raises:
        UsageError: One is unknown, ambiguous, or was decided already.
    """
    everything = [item for item in read_items(state) if item.type != "report"]
    picked = [_one(name, everything) for name in asked]
    for item in picked:
        if item.status not in statuses:
            wanted = " or ".join(statuses)
            raise UsageError(f"item {item.id} is {item.status}, not {wanted}", hint=_way_on(item))
    return tuple(dict.fromkeys(picked))


def _way_on(item: Item) -> str:
    if item.status in TAKEN_BACK:
        return f"`slowwave review accept {item.id}` takes that back, `slowwave merge` lands it then"
    if item.status is ItemStatus.MERGED:
        return f"it stands on main at {item.path}; `slowwave undo {item.id}` takes it back"
    return "`slowwave review list` shows what awaits you"


def _one(name: str, everything: Sequence[Item]) -> Item:
    exact = [item for item in everything if name in (item.id, item.path)]
    matches = exact or [item for item in everything if item.id.startswith(name)]
    if len(matches) == 1:
        return matches[0]
    problem = "is ambiguous" if matches else "does not exist"
    raise UsageError(f"item {name} {problem}", hint="`slowwave review list` shows ids and paths")


def accept(state: State, door: Door, items: Sequence[Item], *, moment: datetime, channel: str) -> None:
    """Record that a person accepts items; ``merge`` lands them. What was rejected or undone comes back for it.

    Raises:
        NothingToDoError: None was given.
        GoneError: The commit of a rejected item was not kept; nothing was changed.
    """
    if not items:
        raise NothingToDoError("no item was named", hint="`slowwave review list` shows what awaits you")
    missing = revive(door, [item for item in items if item.status in TAKEN_BACK])
    if missing:
        raise GoneError(
            f"nothing of {missing[0].id} was kept or it no longer fits onto main, so it cannot come back",
            hint="`slowwave sleep --again` reads its sessions again; new evidence proposes it again",
        )
    with state.step() as sql:
        set_status(sql, (item.id for item in items), ItemStatus.ACCEPTED, moment=moment, channel=channel)


def reject(state: State, door: Door, items: Sequence[Item], *, moment: datetime, channel: str, why: str) -> None:
    """Record that a person rejects items, and take them off the pending branch.

    Raises:
        NothingToDoError: None was given.
    """
    if not items:
        raise NothingToDoError("no item was named", hint="`slowwave review list` shows what awaits you")
    named = {item.id for item in items}
    door.keep(commit.commit for commit in pending_commits(door) if commit.item in named)
    with state.step() as sql:
        set_status(sql, (item.id for item in items), ItemStatus.REJECTED, moment=moment, channel=channel, why=why)
    rebuild_pending(state, door)
