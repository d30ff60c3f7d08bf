"""Remembering by day: a trait that a person confirmed, a commitment from a capture, proposed through the one door.

Each carries its author, has no quotes of a session, and lands like every other only when the person merges it (law 9).
"""

from dataclasses import replace
from datetime import date, datetime
from typing import ClassVar

from slowwave.corpus import gate
from slowwave.corpus import message as trailers
from slowwave.corpus.door import Commit, Door
from slowwave.corpus.duplicates import Known, same_promise
from slowwave.corpus.format import render
from slowwave.corpus.message import CommitMessage, subject_for
from slowwave.corpus.paths import Taken, place
from slowwave.corpus.shelf import Shelf
from slowwave.facts.commitment import Commitment
from slowwave.facts.ids import ItemId, MemoryPath, RunId, item_id
from slowwave.facts.limits import STATEMENT_CHARACTERS
from slowwave.facts.memory import Kind, Memory, TaskFields, TaskStatus
from slowwave.facts.moment import stamp
from slowwave.facts.refusal import Refusal, SlowwaveError, UsageError
from slowwave.facts.text import cut, fold
from slowwave.sleep.items import Item, ItemStatus, put_items, read_items
from slowwave.sleep.pending import catch_up
from slowwave.sleep.plan import PENDING
from slowwave.sleep.state import State

AUTHOR = "observation"
"""Author of memories that were traits before."""
COMMITMENT_AUTHOR = "capture"
"""Author of tasks that stand for commitments from captures."""
_MEMORY, _TASK = "memory", "task"


class NotRememberedError(SlowwaveError):
    """The render gate would not let the memory in; nothing was written."""

    code = "not_remembered"
    exit_status: ClassVar[int] = 1


def propose_trait(
    state: State, door: Door, *, trait_id: str, text: str, moment: datetime, secrets: gate.SecretFinder
) -> Item:
    """Propose a ``user_preference`` memory on ``pending``; the caller holds the writer's lock. Its item, once.

    Raises:
        UsageError: It was proposed before, or the corpus says the same already.
        NotRememberedError: The gate refuses it.
    """
    catch_up(state, door)
    item = item_id(_MEMORY, AUTHOR, trait_id, fold(text))
    if any(known.id == item for known in read_items(state)):
        raise UsageError("this observation was proposed before", hint="`slowwave review list` shows what waits")
    duplicate = Known(_shelf(door).memories).find(fold(text), "")
    if duplicate is not None:
        raise UsageError("the corpus says this already", hint=f"`slowwave why {duplicate.path}` shows it")
    memory = _memory(Kind.USER_PREFERENCE, text, moment, author=AUTHOR)
    return _propose(state, door, item, item_type=_MEMORY, memory=memory, secrets=secrets)


def propose_task(
    state: State, door: Door, commitment: Commitment, *, due: date | None, moment: datetime, secrets: gate.SecretFinder
) -> MemoryPath:
    """The task that stands for a commitment: one that says the same, or a proposed one on ``pending``; the same again.

    The caller holds the writer's lock and has brought the branch up to date.

    Raises:
        NotRememberedError: The gate refuses it.
    """
    item = item_id(_TASK, COMMITMENT_AUTHOR, commitment.id)
    tasks = {path: memory for path, memory in _shelf(door).memories.items() if memory.task is not None}
    standing = next((known.path for known in read_items(state) if known.id == item), None)
    same = min(
        (path for path, memory in tasks.items() if same_promise(commitment.statement, memory.claim)), default=None
    )
    if standing or same:
        return standing or same or MemoryPath("")
    memory = replace(
        _memory(Kind.TASK, cut(commitment.statement, STATEMENT_CHARACTERS), moment, author=COMMITMENT_AUTHOR),
        task=TaskFields(task_status=TaskStatus.PROPOSED, due=due, actor=commitment.actor),
    )
    return _propose(state, door, item, item_type=_TASK, memory=memory, secrets=secrets).path


def _propose(
    state: State, door: Door, item: ItemId, *, item_type: str, memory: Memory, secrets: gate.SecretFinder
) -> Item:
    shelf = _shelf(door)
    path = place(memory, Taken(frozenset(shelf.memories) | {fault.path for fault in shelf.faults}))
    content = render(memory)
    refusals = gate.check(path, content, exists=shelf.memories.__contains__, secrets=secrets)
    if refusals:
        raise _not_remembered(refusals)
    commit = Commit(files=((path, content),), message=_message(memory, item, item_type), moment=memory.created)
    door.commit_batch(PENDING, (commit,), expected=door.tip(PENDING) or door.main())
    made = Item(
        id=item,
        run_id=RunId(""),
        type=item_type,
        kind=str(memory.kind),
        path=path,
        claim=memory.claim,
        status=ItemStatus.PENDING,
        created=stamp(memory.created),
    )
    with state.step() as sql:
        put_items(sql, (made,))
    return made


def _shelf(door: Door) -> Shelf:
    return Shelf.at(door.git, door.tip(PENDING) or door.main())


def _memory(kind: Kind, text: str, moment: datetime, *, author: str) -> Memory:
    return Memory(
        kind=kind,
        claim=fold(text),
        body="",
        created=moment,
        updated=moment,
        author=author,
        last_seen=moment,
        task=TaskFields(task_status=TaskStatus.PROPOSED) if kind is Kind.TASK else None,
    )


def _message(memory: Memory, item: ItemId, item_type: str) -> CommitMessage:
    task = memory.task
    kind, word = (str(task.task_status), "task") if task is not None else (str(memory.kind), "memory")
    return CommitMessage(
        subject=subject_for(kind, memory.claim, word=word),
        claim=memory.claim,
        trailers=((trailers.ITEM, str(item)), (trailers.TYPE, item_type)),
    )


def _not_remembered(refusals: tuple[Refusal, ...]) -> NotRememberedError:
    return NotRememberedError(
        f"the corpus does not take this: {refusals[0].message}",
        hint="`slowwave observations edit ID --text ...` puts it in other words",
    )
