"""Task verbs: list, confirm, dismiss, done, whether a task is pending or on ``main``."""

from collections.abc import Mapping
from typing import Any

from slowwave.corpus.shelf import Shelf
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Memory, TaskStatus
from slowwave.facts.refusal import UsageError
from slowwave.sleep.items import UNDECIDED, Item, ItemStatus, read_items, set_status
from slowwave.sleep.landing import edit_task
from slowwave.sleep.pending import catch_up, rebuild_pending, refuse_lost_branch
from slowwave.sleep.plan import MAIN, PENDING
from slowwave.sleep.review import reject
from slowwave.wiring import verbs_review
from slowwave.wiring.premises import Premises

_DECISIONS = {"confirm": TaskStatus.OPEN, "dismiss": TaskStatus.DISMISSED, "done": TaskStatus.DONE}
_LIVE = (TaskStatus.PROPOSED, TaskStatus.OPEN)


def list_tasks(house: Premises, *, everything: bool) -> list[dict[str, Any]]:
    """Tasks on ``main`` and proposed ones that wait, by due date, then path."""
    if not house.door.exists:
        return []
    items = _items(house)
    tasks = {path: memory for path, memory in _tasks(house, PENDING).items() if path in items}
    tasks |= _tasks(house, MAIN)
    shown = [
        _described(path, memory, items.get(path))
        for path, memory in tasks.items()
        if memory.task and (everything or memory.task.task_status in _LIVE)
    ]
    shown += _dismissed(house) if everything else []
    return sorted(shown, key=lambda task: (task["due"] or "9999", task["path"]))


def _dismissed(house: Premises) -> list[dict[str, Any]]:
    """Proposed tasks that a person did not want; they never landed, so only the book still knows them."""
    rejected = read_items(house.state, (ItemStatus.REJECTED,))
    return [
        {
            "id": item.id,
            "path": item.path,
            "claim": item.claim,
            "taskStatus": TaskStatus.DISMISSED,
            "due": "",
            "actor": "",
            "project": "",
            "sessions": list(item.sessions),
        }
        for item in rejected
        if item.type == "task"
    ]


def preview(house: Premises, name: str) -> dict[str, Any]:
    """The task that a decision would be about.

    Raises:
        UsageError: No task has that id or path.
        NothingToDoError: There is no corpus yet.
    """
    house.door.check()
    item, path = _find(house, name)
    memory = _tasks(house, MAIN).get(path) or _tasks(house, PENDING).get(path)
    if memory is None:
        refuse_lost_branch(house.state, house.door)
        raise UsageError(f"no task is called {name}", hint="`slowwave task list --all` shows them")
    return _described(path, memory, item)


def decide(house: Premises, name: str, decision: str, channel: str, why: str = "") -> dict[str, Any]:
    """Confirm, dismiss or close one task; the reason is kept with the decision.

    Raises:
        UsageError: No task has that id or path, it is closed already, or the reason has no place.
        PendingLostError: The branch that held proposed tasks is gone.
    """
    status = _DECISIONS[decision]
    with house.writing(f"task {decision}"):
        house.door.check()
        refuse_lost_branch(house.state, house.door)
        catch_up(house.state, house.door)
        item, path = _find(house, name)
        if why and item is None:
            raise UsageError("a reason is kept only for tasks that slowwave proposed", hint=f"write it into {path}")
        landed = _tasks(house, MAIN).get(path)
        if landed is None and item is not None and status is TaskStatus.DISMISSED:
            memory = _tasks(house, PENDING)[path]
            reject(house.state, house.door, [item], moment=house.clock(), channel=channel, why=why or "dismissed")
            return {**_described(path, memory, item), "taskStatus": status}
        if landed is None and item is not None:
            verdict = verbs_review.land_items(house, [item], channel)
            if not verdict.items:
                raise verbs_review.NotLandedError(verdict.refusals[0].message)
            landed = _tasks(house, MAIN)[path]
        if landed is None or landed.task is None:
            raise UsageError(f"no task is called {name}", hint="`slowwave task list --all` shows them")
        if landed.task.task_status is not status:
            landed = edit_task(house.door, path, status, moment=house.clock())
            rebuild_pending(house.state, house.door)
            _book(house, item, channel, why)
        return _described(path, landed, item)


def _book(house: Premises, item: Item | None, channel: str, why: str) -> None:
    """Keep who decided about a landed task, and why, with the item that proposed it."""
    if item is not None:
        with house.state.step() as sql:
            set_status(sql, [item.id], ItemStatus.MERGED, moment=house.clock(), channel=channel, why=why)


def _find(house: Premises, name: str) -> tuple[Item | None, MemoryPath]:
    items = _items(house)
    by_name = [item for path, item in items.items() if name in (item.id, path) or item.id.startswith(name)]
    if len(by_name) == 1:
        return by_name[0], by_name[0].path
    paths = [path for path in _tasks(house, MAIN) if path == name or path.endswith(f"/{name}.md")]
    if len(paths) == 1:
        return items.get(paths[0]), paths[0]
    problem = "is ambiguous" if len(by_name) + len(paths) > 1 else "does not exist"
    raise UsageError(f"task {name} {problem}", hint="`slowwave task list --all` shows ids and paths")


def _items(house: Premises) -> Mapping[MemoryPath, Item]:
    """Items that proposed tasks, by path: those that wait or have landed."""
    statuses = (*UNDECIDED, ItemStatus.MERGED)
    return {item.path: item for item in read_items(house.state, statuses) if item.type == "task"}


def _tasks(house: Premises, branch: str) -> Mapping[MemoryPath, Memory]:
    if house.door.tip(branch) is None:
        return {}
    memories = Shelf.at(house.door.git, branch).memories
    return {path: memory for path, memory in memories.items() if memory.task is not None}


def _described(path: MemoryPath, memory: Memory, item: Item | None) -> dict[str, Any]:
    assert memory.task is not None
    return {
        "id": item.id if item else path,
        "path": path,
        "claim": memory.claim,
        "taskStatus": memory.task.task_status,
        "due": memory.task.due.isoformat() if memory.task.due else "",
        "actor": memory.task.actor,
        "project": memory.project,
        "sessions": list(memory.sessions),
    }
