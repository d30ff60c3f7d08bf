"""The person's side: what awaits a decision, with its evidence; accept, reject.

Deciding changes ``state.db``; a rejected item also leaves the ``pending`` branch, so that nothing later rests on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from slowwave.corpus.door import Door
from slowwave.corpus.history import HistoryItem
from slowwave.facts.evidence import Evidence
from slowwave.facts.refusal import NothingToDoError, UsageError
from slowwave.proof.instruction import instruction_shaped
from slowwave.sleep.items import UNDECIDED, Item, ItemStatus, read_items, set_status
from slowwave.sleep.pending import pending_commits, rebuild_pending
from slowwave.sleep.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An item with what its commit says: the evidence, and a warning where a claim reads like an instruction."""

    item: Item
    evidence: tuple[Evidence, ...]
    warning: str


def waiting(state: State, door: Door) -> tuple[Shown, ...]:
    """Items that are pending or accepted and not merged yet, oldest first."""
    commits = {commit.item: commit for commit in pending_commits(door)}
    return tuple(show(item, commits.get(item.id)) for item in read_items(state, UNDECIDED) if item.type != "report")


def show(item: Item, commit: HistoryItem | None) -> Shown:
    """One item with its evidence, as far as its commit is there."""
    found = instruction_shaped(item.claim)
    warning = (
        f"this claim reads like an instruction to an agent ({found}); accept it only if you mean it" if found else ""
    )
    return Shown(item=item, evidence=commit.message.evidence if commit and commit.message else (), warning=warning)


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
            raise UsageError(
                f"item {item.id} is {item.status}, not {wanted}", hint="`slowwave review list` shows what awaits you"
            )
    return tuple(dict.fromkeys(picked))


def _one(name: str, everything: Sequence[Item]) -> Item:
    exact = [item for item in everything if name in (item.id, item.path)]
    matches = exact or [item for item in everything if item.id.startswith(name)]
    if len(matches) == 1:
        return matches[0]
    problem = "is ambiguous" if matches else "does not exist"
    raise UsageError(f"item {name} {problem}", hint="`slowwave review list` shows ids and paths")


def accept(state: State, items: Sequence[Item], *, moment: datetime, channel: str) -> None:
    """Record that a person accepts items; ``merge`` lands them.

    Raises:
        NothingToDoError: None was given.
    """
    if not items:
        raise NothingToDoError("no item was named", hint="`slowwave review list` shows what awaits you")
    with state.step() as sql:
        set_status(sql, (item.id for item in items), ItemStatus.ACCEPTED, moment=moment, channel=channel)


def reject(state: State, door: Door, items: Sequence[Item], *, moment: datetime, channel: str, why: str) -> None:
    """Record that a person rejects items, and take them off the pending branch.

    Raises:
        NothingToDoError: None was given.
    """
    if not items:
        raise NothingToDoError("no item was named", hint="`slowwave review list` shows what awaits you")
    with state.step() as sql:
        set_status(sql, (item.id for item in items), ItemStatus.REJECTED, moment=moment, channel=channel, why=why)
    rebuild_pending(state, door)
