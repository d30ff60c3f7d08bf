"""Verbs over memories: search, why, archive, restore."""

from typing import Any

from slowwave.corpus.search import SearchIndex
from slowwave.corpus.shelf import Shelf
from slowwave.corpus.tree import tree_files
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Kind, Memory
from slowwave.facts.refusal import UsageError
from slowwave.sleep import review
from slowwave.sleep.items import UNDECIDED, ItemStatus, read_items
from slowwave.sleep.pending import rebuild_pending
from slowwave.sleep.plan import MAIN, PENDING
from slowwave.sleep.shelving import archive_memory, restore_memory
from slowwave.sleep.why import commits_of, witnesses
from slowwave.wiring.bench import describe_evidence
from slowwave.wiring.premises import Premises


def landed_shelf(house: Premises) -> Shelf | None:
    """The corpus on ``main``; None before the first night."""
    return Shelf.at(house.door.git, MAIN) if house.door.exists else None


def search(
    house: Premises, query: str, *, kind: str | None, project: str | None, entity: str | None, limit: int
) -> dict[str, Any]:
    """Memories in the person's checkout, hand edits included."""
    index = SearchIndex(house.home.search_db)
    try:
        indexed = index.refresh(tree_files(house.home.corpus))
        hits = index.search(query, kind=Kind(kind) if kind else None, project=project, entity=entity, limit=limit)
    finally:
        index.close()
    waiting = sum(item.type != "report" for item in read_items(house.state, UNDECIDED))
    return {
        "hits": [
            {"path": h.path, "kind": h.kind, "claim": h.claim, "score": round(h.score, 4), "snippet": h.snippet}
            for h in hits
        ],
        "memories": indexed.files,
        "unreadable": len(indexed.faults),
        "pending": waiting,
    }


def why(house: Premises, name: str) -> dict[str, Any]:
    """Claim, evidence looked for again, sessions and commit of one memory.

    Raises:
        UsageError: No memory has that path or id.
    """
    path, memory = _memory(house, name)
    commits = commits_of(house.door, path)
    sessions = {session.id: session for session in house.find().sessions}
    return {
        "path": path,
        "claim": memory.claim,
        "gist": memory.body,
        "kind": memory.kind,
        "confidence": memory.confidence,
        "sessions": list(memory.sessions),
        "commit": commits[-1].commit if commits else "",
        "evidence": [
            {
                **describe_evidence(witness.evidence),
                "verified": {"true": True, "false": False}.get(witness.verified, "gone"),
                "commit": witness.commit,
            }
            for witness in witnesses(commits, sessions)
        ],
    }


def _memory(house: Premises, name: str) -> tuple[MemoryPath, Memory]:
    house.door.check()
    path = MemoryPath(name)
    if name.startswith("i-"):
        path = review.pick(house.state, [name], tuple(ItemStatus))[0].path
    for branch in (MAIN, PENDING):
        if house.door.tip(branch):
            memories = Shelf.at(house.door.git, branch).memories
            if path in memories:
                return path, memories[path]
    raise UsageError(
        f"no memory stands at {name}", hint="`slowwave search WORDS` and `slowwave review list` show paths"
    )


def move_memory(house: Premises, name: str, decision: str) -> dict[str, Any]:
    """Archive a landed memory, or bring an archived one back.

    Raises:
        UsageError: No memory stands there, or it stands there already.
    """
    move = {"archive": archive_memory, "restore": restore_memory}[decision]
    with house.writing(decision):
        house.door.check()
        moved = move(house.door, MemoryPath(name), moment=house.clock())
        rebuild_pending(house.state, house.door)
    return {"path": moved.destination, "from": moved.path, "claim": moved.memory.claim, "status": moved.memory.status}
