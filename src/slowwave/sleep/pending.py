"""The branch of undecided work: rebuilt on today's ``main`` from the items that are still undecided.

An item is its commit; what a person decided leaves the branch, what they wrote to ``main`` by day lies under it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.corpus.door import Door
from slowwave.corpus.history import HistoryItem
from slowwave.corpus.message import UNDOES
from slowwave.corpus.rebuild import Conflict, Resolver
from slowwave.facts.ids import ItemId, MemoryPath, RunId
from slowwave.facts.memory import Kind
from slowwave.facts.moment import stamp
from slowwave.facts.refusal import Refusal, SlowwaveError
from slowwave.sleep.items import UNDECIDED, Item, ItemStatus, forget_items, put_items, read_items, set_arrived
from slowwave.sleep.marks import release_marks
from slowwave.sleep.plan import MAIN, PENDING
from slowwave.sleep.promises import release
from slowwave.sleep.resolve import resolver
from slowwave.sleep.state import State

REPORT = "report"
TASK_TYPES = ("task", "close")
"""Types of items that write a task, whose subjects name its state and not its kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied:
    """What bringing the branch up to date did: items adopted, released, and conflicts that a person must see."""

    adopted: int
    released_items: int
    released_sessions: int
    refusals: tuple[Refusal, ...]


class PendingLostError(SlowwaveError):
    """The book knows items that await a decision, and the branch that held them is gone."""

    code = "pending_lost"


def tidy_pending(state: State, door: Door) -> Tidied:
    """What a night does first: bring branch and book together, and let go of undecided items whose commit is gone.

    Their watermarks are released, so that their sessions are read, and they are proposed, again.
    """
    lost = lost_items(state, door)
    with state.step() as sql:
        released = release_marks(sql, [session for item in lost for session in item.sessions])
        forget_items(sql, (item.id for item in lost))
        release(sql, {item.id for item in lost})
    adopted, refusals = catch_up(state, door)
    return Tidied(adopted=adopted, released_items=len(lost), released_sessions=released, refusals=refusals)


def catch_up(state: State, door: Door) -> tuple[int, tuple[Refusal, ...]]:
    """Bring the book up to what the branches hold, then rebuild ``pending`` on ``main``.

    A commit that the book does not know is adopted; an item whose landing the book has missed is booked.

    Returns:
        How many items were adopted, and conflicts that a person must see.
    """
    unknown = unknown_commits(state, door)
    landed = standing_items(door)
    with state.step() as sql:
        for item in read_items(state, UNDECIDED):
            if item.id in landed:
                # Killed between landing and book-keeping: the decision stands, only its mark is late.
                set_arrived(sql, item.id, landed[item.id].commit)
        put_items(sql, (item_from(commit) for commit in unknown))
    return len(unknown), rebuild_pending(state, door)


def unknown_commits(state: State, door: Door) -> tuple[HistoryItem, ...]:
    """Commits on ``pending`` that the book does not know, as after it was lost."""
    known = {item.id for item in read_items(state)}
    return tuple(commit for commit in pending_commits(door) if commit.item and commit.item not in known)


def lost_items(state: State, door: Door) -> tuple[Item, ...]:
    """Undecided items whose commit stands neither on ``pending`` nor on ``main``."""
    there = {commit.item for commit in pending_commits(door)}
    missing = [item for item in read_items(state, UNDECIDED) if item.id not in there]
    landed = standing_items(door) if missing else {}
    return tuple(item for item in missing if item.id not in landed)


def refuse_lost_branch(state: State, door: Door) -> None:
    """Make sure that nobody decides about items of which nothing is left.

    Raises:
        PendingLostError: Items await a decision, and the branch holds none of them.
    """
    lost = tuple(item for item in lost_items(state, door) if item.type != REPORT)
    there = {commit.item for commit in pending_commits(door) if commit.type != REPORT}
    if lost and not there:
        raise PendingLostError(
            f"branch {PENDING} is gone, and with it what awaited your review ({len(lost)} in the book)",
            hint="`slowwave sleep` reads their sessions again and proposes them again",
        )


def standing_items(door: Door) -> dict[ItemId, HistoryItem]:
    """The commit on ``main`` of each item that stands there; what was taken back since does not."""
    standing: dict[ItemId, HistoryItem] = {}
    for commit in door.history(MAIN) if door.exists else ():
        undone = commit.message.value(UNDOES) if commit.message else ""
        if undone:
            standing.pop(ItemId(undone), None)
        elif commit.item:
            standing[commit.item] = commit
    return standing


def pending_commits(door: Door) -> tuple[HistoryItem, ...]:
    """Commits that ``pending`` has and ``main`` has not, oldest first."""
    return door.history(PENDING, since=MAIN) if door.exists and door.tip(PENDING) else ()


def rebuild_pending(state: State, door: Door) -> tuple[Refusal, ...]:
    """Let ``pending`` be the undecided items, in their order, on top of ``main``; conflicts come back as refusals."""
    main = door.tip(MAIN)
    assert main is not None
    undecided = {item.id for item in read_items(state, UNDECIDED)}
    keep = [commit for commit in pending_commits(door) if commit.item in undecided]
    rebuilt = door.rebuild(PENDING, keep, onto=main, expected=door.tip(PENDING), resolve=_resolver(door))
    return conflict_refusals(rebuilt.conflicts)


def revive(door: Door, items: Sequence[Item]) -> tuple[Item, ...]:
    """Put items that were decided against back on ``pending``; returns those of which nothing is left, or no room.

    The book is the caller's to change afterwards: while it is not, the next rebuilding drops them again.
    """
    if not items:
        return ()
    known = {commit.item: commit for commit in (*door.kept(), *door.history(MAIN)) if commit.item}
    gone = tuple(item for item in items if item.id not in known)
    main, there = door.tip(MAIN), pending_commits(door)
    if gone or main is None:
        return gone
    wanted = [*there, *(known[item.id] for item in items)]
    rebuilt = door.rebuild(PENDING, wanted, onto=main, expected=door.tip(PENDING), resolve=_resolver(door))
    came = {written.item for written in rebuilt.written}
    return tuple(item for item in items if item.id not in came)


def _resolver(door: Door) -> Resolver:
    return resolver(lambda blob: door.git.cat_batch([blob])[blob])


def conflict_refusals(conflicts: Sequence[Conflict]) -> tuple[Refusal, ...]:
    """Items that no longer fit onto ``main``, each with what to do."""
    return tuple(
        Refusal(
            code="changed_since",
            path=conflict.change.path,
            message="this file was changed on main since the item was proposed; reject the item, or undo the change",
        )
        for conflict in conflicts
    )


def item_from(commit: HistoryItem) -> Item:
    """An item as its commit tells it."""
    message = commit.message
    assert message is not None
    return Item(
        id=ItemId(commit.item),
        run_id=RunId(commit.run),
        type=commit.type,
        kind=str(Kind.TASK) if commit.type in TASK_TYPES else message.subject.partition("(")[2].partition(")")[0],
        path=MemoryPath(commit.files[0].path) if commit.files else MemoryPath(""),
        claim=message.claim,
        status=ItemStatus.PENDING,
        created=stamp(commit.moment),
        sessions=tuple(dict.fromkeys(str(e.session_id) for e in message.evidence)),
        records=tuple(e.record for e in message.evidence),
    )
