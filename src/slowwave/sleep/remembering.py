"""Remembering by hand: a trait that a person confirmed becomes a proposed memory, through the door all others take.

It carries its author, has no quotes of a session, and lands like every other only when the person merges it (law 9).
"""

from datetime import datetime
from typing import ClassVar

from slowwave.corpus import gate
from slowwave.corpus import message as trailers
from slowwave.corpus.door import Commit, Door
from slowwave.corpus.duplicates import Known
from slowwave.corpus.format import render
from slowwave.corpus.message import CommitMessage, subject_for
from slowwave.corpus.paths import Taken, place
from slowwave.corpus.shelf import Shelf
from slowwave.facts.ids import ItemId, MemoryPath, RunId, item_id
from slowwave.facts.memory import Kind, Memory
from slowwave.facts.moment import stamp
from slowwave.facts.refusal import Refusal, SlowwaveError, UsageError
from slowwave.facts.text import fold
from slowwave.sleep.items import Item, ItemStatus, put_items, read_items
from slowwave.sleep.pending import catch_up
from slowwave.sleep.plan import PENDING
from slowwave.sleep.state import State

AUTHOR = "observation"
"""Author of memories that were traits before."""
_TYPE = "memory"


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
    item = item_id(_TYPE, AUTHOR, trait_id, fold(text))
    if any(known.id == item for known in read_items(state)):
        raise UsageError("this observation was proposed before", hint="`slowwave review list` shows what waits")
    base = door.tip(PENDING) or door.main()
    shelf = Shelf.at(door.git, base)
    duplicate = Known(shelf.memories).find(fold(text), "")
    if duplicate is not None:
        raise UsageError("the corpus says this already", hint=f"`slowwave why {duplicate.path}` shows it")
    memory = _memory(text, moment)
    path = place(memory, Taken(frozenset(shelf.memories) | {fault.path for fault in shelf.faults}))
    content = render(memory)
    refusals = gate.check(path, content, exists=shelf.memories.__contains__, secrets=secrets)
    if refusals:
        raise _not_remembered(refusals)
    commit = Commit(files=((path, content),), message=_message(memory, item), moment=moment)
    door.commit_batch(PENDING, (commit,), expected=base)
    made = _item(item, path, memory, moment)
    with state.step() as sql:
        put_items(sql, (made,))
    return made


def _memory(text: str, moment: datetime) -> Memory:
    return Memory(
        kind=Kind.USER_PREFERENCE,
        claim=fold(text),
        body="",
        created=moment,
        updated=moment,
        author=AUTHOR,
        last_seen=moment,
    )


def _message(memory: Memory, item: ItemId) -> CommitMessage:
    return CommitMessage(
        subject=subject_for(str(memory.kind), memory.claim),
        claim=memory.claim,
        trailers=((trailers.ITEM, str(item)), (trailers.TYPE, _TYPE)),
    )


def _item(item: ItemId, path: MemoryPath, memory: Memory, moment: datetime) -> Item:
    return Item(
        id=item,
        run_id=RunId(""),
        type=_TYPE,
        kind=str(memory.kind),
        path=path,
        claim=memory.claim,
        status=ItemStatus.PENDING,
        created=stamp(moment),
    )


def _not_remembered(refusals: tuple[Refusal, ...]) -> NotRememberedError:
    return NotRememberedError(
        f"the corpus does not take this: {refusals[0].message}",
        hint="`slowwave observations edit ID --text ...` puts it in other words",
    )
