"""Landing accepted items on ``main``, and taking landed ones back; each a commit of its own, with the item's name.

Before anything lands, its file passes the gate once more and its quotes are looked for again: the night may be weeks
old, the file may have been edited since.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from slowwave.corpus import message as trailers
from slowwave.corpus.door import Commit, Door
from slowwave.corpus.format import FormatError, amend, content_hash, parse
from slowwave.corpus.history import FileChange, HistoryItem
from slowwave.corpus.message import CommitMessage, subject_for
from slowwave.corpus.paths import is_archived, restore
from slowwave.corpus.rebuild import read_tree
from slowwave.facts.evidence import Evidence
from slowwave.facts.ids import ItemId, MemoryPath, item_id
from slowwave.facts.memory import Memory, TaskStatus
from slowwave.facts.moment import stamp
from slowwave.facts.refusal import NothingToDoError, Refusal, SlowwaveError
from slowwave.sleep.items import Item, ItemStatus, set_landed, set_status
from slowwave.sleep.pending import REPORT, conflict_refusals, pending_commits, rebuild_pending, standing_items
from slowwave.sleep.plan import MAIN
from slowwave.sleep.resolve import resolver
from slowwave.sleep.state import State
from slowwave.sleep.why import Verified

Gate = Callable[[MemoryPath, bytes], tuple[Refusal, ...]]
Verify = Callable[[Evidence], Verified]


class ChangedSinceError(SlowwaveError):
    """A landed file was edited or moved since, so taking the item back would lose that."""

    code = "changed_since"


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """What landed, and what could not with the reason."""

    items: tuple[Item, ...]
    refusals: tuple[Refusal, ...]


def land(
    state: State,
    door: Door,
    items: Sequence[Item],
    *,
    moment: datetime,
    channel: str,
    gate: Gate,
    verify: Verify,
) -> Landing:
    """Land items on today's ``main`` as one commit each; what fails its checks stays where it is.

    Raises:
        NothingToDoError: No item was given.
        DirtyCheckoutError: Landing would overwrite edits in the person's checkout; nothing was changed.
    """
    refuse_none(items)
    commits = {commit.item: commit for commit in pending_commits(door)}
    refusals: list[Refusal] = []
    fit: list[Item] = []
    for item in items:
        faults = _faults(item, commits.get(item.id), door, gate, verify)
        refusals.extend(faults)
        if not faults:
            fit.append(item)
    main = door.tip(MAIN)
    assert main is not None
    chosen = _with_reports(fit, commits)
    rebuilt = door.land(chosen, expected=main, resolve=resolver(lambda blob: door.git.cat_batch([blob])[blob]))
    arrived = {w.item: (str(w.path), w.commit) for w in rebuilt.written} | {p.item: ("", "") for p in rebuilt.present}
    with state.step() as sql:
        set_status(sql, arrived, ItemStatus.MERGED, moment=moment, channel=channel)
        for name, (path, commit) in arrived.items():
            if commit:
                set_landed(sql, name, path, commit)
    _open_tasks(door, [item for item in fit if item.type == "task" and item.id in arrived], moment)
    rebuild_pending(state, door)
    refusals.extend(conflict_refusals(rebuilt.conflicts))
    return Landing(items=tuple(item for item in fit if item.id in arrived), refusals=tuple(refusals))


def refuse_none(items: Sequence[Item]) -> None:
    """Make sure that there is something to land.

    Raises:
        NothingToDoError: No item was given.
    """
    if not items:
        raise NothingToDoError("nothing is accepted yet", hint="`slowwave review` goes through what waits")


def _with_reports(items: Sequence[Item], commits: dict[ItemId, HistoryItem]) -> list[HistoryItem]:
    wanted = {item.id for item in items}
    runs = {item.run_id for item in items}
    return [c for c in commits.values() if c.item in wanted or (c.type == REPORT and c.run in runs)]


def _faults(item: Item, commit: HistoryItem | None, door: Door, gate: Gate, verify: Verify) -> tuple[Refusal, ...]:
    if commit is None or commit.message is None:
        return (Refusal(code="not_pending", path=item.id, message="its commit is no longer on branch pending"),)
    refusals: list[Refusal] = []
    for change in commit.files:
        if change.new is not None:
            refusals.extend(gate(MemoryPath(change.path), door.git.cat_batch([change.new])[change.new]))
    if any(verify(evidence) is Verified.FALSE for evidence in commit.message.evidence):
        message = "a quote no longer stands in its transcript; `slowwave why` shows which"
        refusals.append(Refusal(code="quote_not_found", path=item.path, message=message))
    return tuple(refusals)


def _open_tasks(door: Door, items: Sequence[Item], moment: datetime) -> None:
    """A task that a person accepted is open: said so in a commit of its own."""
    for item in items:
        edit_task(door, item.path, TaskStatus.OPEN, moment=moment)


def edit_task(door: Door, path: MemoryPath, status: TaskStatus, *, moment: datetime) -> Memory:
    """Change a task's status on ``main`` by one commit; the task as it is now.

    Raises:
        NothingToDoError: No task stands at that path.
    """
    main = door.tip(MAIN)
    assert main is not None
    blob = read_tree(door.git, main).get(path)
    memory = _parsed(door, path, blob)
    if blob is None or memory is None or memory.task is None:
        raise NothingToDoError(f"no task stands at {path}", hint="`slowwave task list` shows them")
    changed = replace(memory, task=replace(memory.task, task_status=status), updated=moment)
    message = CommitMessage(
        subject=subject_for(str(status), memory.claim, word="task"),
        claim=memory.claim,
        trailers=(
            (trailers.ITEM, item_id("task-status", path, status, stamp(moment))),
            (trailers.TYPE, "task-status"),
        ),
    )
    content = amend(door.git.cat_batch([blob])[blob], changed, path)
    door.commit_batch(MAIN, (Commit(files=((path, content),), message=message, moment=moment),), expected=main)
    return changed


def take_back(state: State, door: Door, items: Sequence[Item], *, moment: datetime, channel: str) -> tuple[Item, ...]:
    """Take landed items back by new commits on ``main``, the last landed first.

    Raises:
        NothingToDoError: Nothing to take back.
        ChangedSinceError: A file was edited or moved since it landed; names every item that this holds for, and
            nothing was taken back.
    """
    if not items:
        raise NothingToDoError("nothing of that has landed", hint="`slowwave review list` shows what is pending")
    landed = standing_items(door)
    main = door.tip(MAIN)
    assert main is not None
    tree = read_tree(door.git, main)
    commits: list[Commit] = []
    blocks: list[_Block] = []
    for item in reversed(items):
        commit = landed.get(item.id)
        if commit is None:
            continue
        blocked = [_Block(item=item, path=c.path) for c in commit.files if not _is_restorable(door, c, tree)]
        blocks += blocked
        if not blocked:
            files = tuple(_restored(door, change) for change in commit.files)
            tree.update({change.path: change.old for change in commit.files})
            commits.append(Commit(files=files, message=_undoing(item), moment=moment))
    if blocks:
        raise _changed_since(blocks, tree)
    door.commit_batch(MAIN, commits, expected=main)
    with state.step() as sql:
        set_status(sql, (item.id for item in items), ItemStatus.UNDONE, moment=moment, channel=channel)
    rebuild_pending(state, door)
    return tuple(items)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """An item that cannot be taken back, and the file that is to blame."""

    item: Item
    path: str


def _is_restorable(door: Door, change: FileChange, tree: Mapping[str, str | None]) -> bool:
    now = tree.get(change.path)
    return now == change.new or _says_the_same(door, MemoryPath(change.path), now, change.new)


def _restored(door: Door, change: FileChange) -> tuple[MemoryPath, bytes | None]:
    return MemoryPath(change.path), door.git.cat_batch([change.old])[change.old] if change.old else None


def _changed_since(blocks: Sequence[_Block], tree: Mapping[str, str | None]) -> ChangedSinceError:
    """Every item that stands in the way, where its file is now, and the command that comes first."""
    archived = {restore(MemoryPath(path), ()): path for path in tree if is_archived(path)}
    said = []
    first = ""
    for block in blocks:
        moved = archived.get(MemoryPath(block.path), "") if tree.get(block.path) is None else ""
        what = f"was archived at {moved}" if moved else "was changed" if tree.get(block.path) else "was removed"
        said.append(f"{block.item.id}: {block.path} {what} since it landed")
        first = first or (f"`slowwave restore {moved}` first, then undo again" if moved else "")
    hint = first or "undo the later item first, or edit the file by hand; the night's other items can be undone by id"
    return ChangedSinceError("nothing was undone, since it would lose later work: " + "; ".join(said), hint=hint)


def _says_the_same(door: Door, path: MemoryPath, one: str | None, other: str | None) -> bool:
    first, second = _parsed(door, path, one), _parsed(door, path, other)
    if first is None or second is None or first.seen_count != second.seen_count:
        return False
    return content_hash(first.claim, first.body) == content_hash(second.claim, second.body)


def _parsed(door: Door, path: MemoryPath, blob: str | None) -> Memory | None:
    if blob is None:
        return None
    try:
        return parse(door.git.cat_batch([blob])[blob], path)
    except FormatError:
        return None


def _undoing(item: Item) -> CommitMessage:
    return CommitMessage(
        subject=subject_for(item.kind, item.claim, word="undo"),
        claim=item.claim,
        trailers=(
            (trailers.ITEM, item_id("undo", item.id, item.landed)),
            (trailers.TYPE, "undo"),
            (trailers.UNDOES, item.id),
        ),
    )
