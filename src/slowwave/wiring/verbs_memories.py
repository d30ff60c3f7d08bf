"""Verbs over memories: search, why, archive, restore."""

from typing import Any

from slowwave.corpus import gate
from slowwave.corpus.history import HistoryItem
from slowwave.corpus.paths import is_archived, original_of
from slowwave.corpus.search import SearchIndex
from slowwave.corpus.shelf import Shelf
from slowwave.corpus.tree import tree_files
from slowwave.disk.fence import open_beneath
from slowwave.facts.ids import MemoryPath
from slowwave.facts.limits import MOST_MEMORY_BYTES
from slowwave.facts.memory import Kind
from slowwave.facts.refusal import SlowwaveError
from slowwave.sleep.items import UNDECIDED, read_items
from slowwave.sleep.pending import rebuild_pending
from slowwave.sleep.plan import MAIN, PENDING
from slowwave.sleep.shelving import archive_memory, restore_memory
from slowwave.sleep.why import commits_of, witnesses
from slowwave.wiring.bench import describe_evidence
from slowwave.wiring.premises import Premises
from slowwave.wiring.whereabouts import archived_as, edited_files, find_memory, path_of


def landed_shelf(house: Premises) -> Shelf | None:
    """The corpus on ``main``; None before the first night."""
    return Shelf.at(house.door.git, MAIN) if house.door.exists else None


def search(
    house: Premises,
    query: str,
    *,
    kind: str | None,
    project: str | None,
    entity: str | None,
    limit: int,
    archived: bool = False,
) -> dict[str, Any]:
    """Memories in the person's checkout, hand edits included and marked; archived ones where asked."""
    index = SearchIndex(house.home.search_db)
    try:
        indexed = index.refresh(tree_files(house.home.corpus))
        hits = index.search(
            query,
            kind=Kind(kind) if kind else None,
            project=project,
            entity=entity,
            limit=limit,
            with_retired=archived,
        )
    finally:
        index.close()
    waiting = sum(item.type != "report" for item in read_items(house.state, UNDECIDED))
    edited = edited_files(house, [hit.path for hit in hits])
    withheld = {hit.path for hit in hits if _holds_credential(house, hit.path)}
    return {
        "hits": [
            {
                "path": hit.path,
                "kind": hit.kind,
                "status": hit.status,
                "claim": hit.claim if hit.path not in withheld else house.secrets.mask(hit.claim),
                "score": hit.score,
                "snippet": hit.snippet if hit.path not in withheld else _WITHHELD,
                "uncommitted": hit.path in edited,
            }
            for hit in hits
        ],
        "memories": indexed.memories,
        "unreadable": len(indexed.faults),
        "pending": waiting,
    }


_WITHHELD = "(not shown: this file holds a credential; `slowwave doctor` names it)"


def _holds_credential(house: Premises, path: MemoryPath) -> bool:
    """Whether somebody wrote a credential into a memory by hand; then none of its text is shown."""
    try:
        with open_beneath(house.home.corpus, path) as stream:
            text = stream.read(MOST_MEMORY_BYTES).decode("utf-8", "replace")
    except (OSError, SlowwaveError):
        return False
    return gate.holds_credential(text, house.secrets)


def why(house: Premises, name: str) -> dict[str, Any]:
    """Claim, evidence looked for again, sessions and commit of one memory, and how firmly it stands.

    Raises:
        UsageError: No memory has that path or id.
    """
    found = find_memory(house, name)
    memory, commits = found.memory, _commits(house, found.path)
    landed = {commit.commit for commit in commits} - _only_pending(house, found.path)
    sessions = {session.id: session for session in house.find().sessions}
    return {
        "path": found.path,
        "claim": memory.claim,
        "gist": memory.body,
        "kind": memory.kind,
        "status": memory.status,
        "standing": found.standing,
        "uncommitted": found.is_edited,
        "confidence": memory.confidence,
        "sessions": list(memory.sessions),
        "commit": commits[-1].commit if commits else "",
        "evidence": [
            {
                **describe_evidence(witness.evidence),
                "verified": {"true": True, "false": False}.get(witness.verified, "gone"),
                "commit": witness.commit,
                "landed": witness.commit in landed,
            }
            for witness in witnesses(commits, sessions)
        ],
    }


def _only_pending(house: Premises, path: MemoryPath) -> set[str]:
    """Commits that wrote a file and stand on branch pending alone."""
    if not house.door.tip(PENDING):
        return set()
    on_main = {commit.commit for commit in house.door.history(MAIN, path=path)}
    return {commit.commit for commit in house.door.history(PENDING, path=path)} - on_main


def _commits(house: Premises, path: MemoryPath) -> tuple[HistoryItem, ...]:
    """What wrote a memory, oldest first; of an archived one also what wrote it where it stood before."""
    commits = commits_of(house.door, path)
    if not is_archived(path) or not commits:
        return commits
    before = commits_of(house.door, MemoryPath(original_of(path)))
    moved = next((at for at, commit in enumerate(before) if commit.commit == commits[0].commit), 0)
    return (*before[:moved], *commits)


def move_memory(house: Premises, name: str, decision: str) -> dict[str, Any]:
    """Archive a landed memory, or bring an archived one back; by path, by the path it had, or by item id.

    Raises:
        UsageError: No memory stands there, or it stands there already.
    """
    move = {"archive": archive_memory, "restore": restore_memory}[decision]
    with house.writing(decision):
        house.door.check()
        path = path_of(house, name)
        if decision == "restore" and not is_archived(path):
            path = archived_as(Shelf.at(house.door.git, MAIN).memories, path) or path
        moved = move(house.door, path, moment=house.clock())
        rebuild_pending(house.state, house.door)
    return {"path": moved.destination, "from": moved.path, "claim": moved.memory.claim, "status": moved.memory.status}
