"""The branch of undecided work: rebuilt on today's ``main`` from the items that are still undecided.

An item is its commit; what a person decided leaves the branch, what they wrote to ``main`` by day lies under it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.corpus.door import Door
from slowwave.corpus.history import HistoryItem
from slowwave.corpus.rebuild import Conflict
from slowwave.facts.ids import ItemId, MemoryPath, RunId
from slowwave.facts.moment import stamp
from slowwave.facts.refusal import Refusal
from slowwave.sleep.items import UNDECIDED, Item, ItemStatus, forget_items, put_items, read_items
from slowwave.sleep.marks import release_marks
from slowwave.sleep.plan import MAIN, PENDING
from slowwave.sleep.promises import release
from slowwave.sleep.resolve import resolver
from slowwave.sleep.state import State

REPORT = "report"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied:
    """What bringing the branch up to date did: items adopted, released, and conflicts that a person must see."""

    adopted: int
    released_items: int
    released_sessions: int
    refusals: tuple[Refusal, ...]


def tidy_pending(state: State, door: Door) -> Tidied:
    """Bring branch and book together, then rebuild the branch on ``main``.

    A commit that the book does not know is adopted; an undecided item whose commit is gone releases its watermarks.
    """
    commits = pending_commits(door)
    items = {item.id: item for item in read_items(state)}
    unknown = [commit for commit in commits if commit.item and commit.item not in items]
    there = {commit.item for commit in commits}
    landed = {commit.item: commit.commit for commit in door.history(MAIN) if commit.item}
    undecided = [item for item in items.values() if item.status in UNDECIDED]
    arrived = [item for item in undecided if item.id in landed]
    lost = [item for item in undecided if item.id not in there and item.id not in landed]
    with state.step() as sql:
        for item in arrived:
            # Killed between landing and book-keeping: the decision stands, only its mark is late.
            sql.execute("UPDATE items SET status = 'merged', landed = ? WHERE item_id = ?", (landed[item.id], item.id))
        put_items(sql, (item_from(commit) for commit in unknown))
        released = release_marks(sql, [session for item in lost for session in item.sessions])
        forget_items(sql, (item.id for item in lost))
        release(sql, {item.id for item in lost})
    refusals = rebuild_pending(state, door)
    return Tidied(adopted=len(unknown), released_items=len(lost), released_sessions=released, refusals=refusals)


def pending_commits(door: Door) -> tuple[HistoryItem, ...]:
    """Commits that ``pending`` has and ``main`` has not, oldest first."""
    return door.history(PENDING, since=MAIN) if door.exists and door.tip(PENDING) else ()


def rebuild_pending(state: State, door: Door) -> tuple[Refusal, ...]:
    """Let ``pending`` be the undecided items, in their order, on top of ``main``; conflicts come back as refusals."""
    main = door.tip(MAIN)
    assert main is not None
    undecided = {item.id for item in read_items(state, UNDECIDED)}
    keep = [commit for commit in pending_commits(door) if commit.item in undecided]
    rebuilt = door.rebuild(
        PENDING,
        keep,
        onto=main,
        expected=door.tip(PENDING),
        resolve=resolver(lambda blob: door.git.cat_batch([blob])[blob]),
    )
    return conflict_refusals(rebuilt.conflicts)


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
        kind=message.subject.partition("(")[2].partition(")")[0],
        path=MemoryPath(commit.files[0].path) if commit.files else MemoryPath(""),
        claim=message.claim,
        status=ItemStatus.PENDING,
        created=stamp(commit.moment),
        sessions=tuple(dict.fromkeys(str(e.session_id) for e in message.evidence)),
        records=tuple(e.record for e in message.evidence),
    )
