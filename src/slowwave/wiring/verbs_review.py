"""Review verbs: list, accept, reject, merge, undo, each under the writer's lock."""

from collections.abc import Container, Sequence
from typing import Any

from slowwave.corpus import gate
from slowwave.corpus.format import FormatError, parse
from slowwave.corpus.history import HistoryItem
from slowwave.corpus.rebuild import read_tree
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Memory
from slowwave.facts.refusal import DamageError, NothingToDoError, Refusal, SlowwaveError
from slowwave.sleep import landing, review
from slowwave.sleep.items import UNDECIDED, Item, ItemStatus, read_items, undecided_runs
from slowwave.sleep.nights import unfinished
from slowwave.sleep.pending import catch_up, pending_commits, refuse_lost_branch, unknown_commits
from slowwave.sleep.plan import MAIN
from slowwave.sleep.turns import TurnBook
from slowwave.sleep.why import verify
from slowwave.wiring.bench import describe_evidence
from slowwave.wiring.premises import Premises


class NotLandedError(SlowwaveError):
    """Something that was to land did not pass its checks; it stays where it is."""

    code = "not_landed"


def list_items(house: Premises) -> list[dict[str, Any]]:
    """What awaits a decision, oldest first."""
    if not house.door.exists:
        return []
    commits = {commit.item: commit for commit in pending_commits(house.door)}
    return [describe(house, shown, commits.get(shown.item.id)) for shown in review.waiting(house.state, house.door)]


def describe(house: Premises, shown: review.Shown, commit: HistoryItem | None) -> dict[str, Any]:
    """An item as every door shows it."""
    item, memory = shown.item, _memory_of(house, commit)
    return {
        "id": item.id,
        "type": item.type,
        "kind": item.kind,
        "claim": item.claim,
        "gist": memory.body if memory else "",
        "path": item.path,
        "status": item.status,
        "run": item.run_id,
        "created": item.created,
        "warning": _warning(shown, memory),
        "evidence": [describe_evidence(evidence) for evidence in shown.evidence],
    }


def _memory_of(house: Premises, commit: HistoryItem | None) -> Memory | None:
    """The memory that an item's commit writes; None where its file cannot be read."""
    for change in commit.files if commit else ():
        if change.new is not None:
            try:
                return parse(house.door.git.cat_batch([change.new])[change.new], MemoryPath(change.path))
            except FormatError:
                return None
    return None


_ADDRESS_WARNINGS = {
    "url_in_claim": "the claim names an address; check where it leads",
    "remote_image": "the text shows a picture from elsewhere, which tells its server who reads it",
}


def _warning(shown: review.Shown, memory: Memory | None) -> str:
    reason = gate.needs_person(memory) if memory is not None else None
    return shown.warning or (_ADDRESS_WARNINGS[reason] if reason else "")


def preview(house: Premises, decision: str, names: Sequence[str], *, everything: bool = False) -> list[dict[str, Any]]:
    """The items that a decision would be about, so that nobody is asked blind, or asked about nothing.

    Args:
        house: The home.
        decision: ``accept``, ``reject``, ``merge`` or ``undo``.
        names: Items by id or path; for ``undo`` one of them, or a night.
        everything: Whether ``merge`` takes all that waits.

    Raises:
        NothingToDoError: There is nothing to decide about.
        UsageError: One is unknown, ambiguous, or was decided already.
        PendingLostError: The branch that held what waits is gone.
    """
    if decision != "undo":
        refuse_lost_branch(house.state, house.door)
    if unknown_commits(house.state, house.door):
        with house.writing(f"review {decision}"):
            _settle(house)
    if decision == "undo":
        items = _landed(house, names[0])
    elif decision == "merge":
        items = _chosen(house, names, everything=everything)
        if not items and not read_items(house.state, UNDECIDED):
            raise NothingToDoError("nothing waits that could land", hint="`slowwave sleep` runs a night")
        landing.refuse_none(items)
    else:
        items = review.pick(house.state, names, _OPEN_TO[decision])
    return [{**one, "status": item.status} for one, item in zip(brief(items, ""), items, strict=True)]


_OPEN_TO = {"accept": (*UNDECIDED, *review.TAKEN_BACK), "reject": UNDECIDED}


def accept_items(house: Premises, names: Sequence[str], channel: str) -> list[dict[str, Any]]:
    """Record that a person accepts items; what they rejected or undid before comes back for it."""
    with house.writing("review accept"):
        refuse_lost_branch(house.state, house.door)
        _settle(house)
        items = review.pick(house.state, names, _OPEN_TO["accept"])
        review.accept(house.state, house.door, items, moment=house.clock(), channel=channel)
    return brief(items, ItemStatus.ACCEPTED)


def reject_items(house: Premises, names: Sequence[str], channel: str, why: str) -> list[dict[str, Any]]:
    """Record that a person rejects items; they leave the branch."""
    with house.writing("review reject"):
        refuse_lost_branch(house.state, house.door)
        _settle(house)
        items = review.pick(house.state, names, _OPEN_TO["reject"])
        review.reject(house.state, house.door, items, moment=house.clock(), channel=channel, why=why)
        _forget_turns(house)
    return brief(items, ItemStatus.REJECTED)


def merge_items(house: Premises, names: Sequence[str], channel: str, *, everything: bool) -> list[dict[str, Any]]:
    """Land items: those named, everything, or what was accepted before.

    Raises:
        NotLandedError: None of them passed; the message says why.
    """
    with house.writing("merge"):
        refuse_lost_branch(house.state, house.door)
        _settle(house)
        items = _chosen(house, names, everything=everything)
        landed = land_items(house, items, channel)
        _forget_turns(house)
    if landed.refusals and not landed.items:
        first = landed.refusals[0]
        raise NotLandedError(f"{first.path}: {first.message} ({first.code})", hint="`slowwave why PATH` shows more")
    refused = [
        {"id": "", "path": r.path, "status": "refused", "code": r.code, "message": r.message} for r in landed.refusals
    ]
    return [*brief(landed.items, ItemStatus.MERGED), *refused]


def _forget_turns(house: Premises) -> None:
    """Remove the records of turns whose proposals are all decided; those of a night that goes on stay."""
    going_on = unfinished(house.state)
    kept = undecided_runs(house.state) | ({going_on.run_id} if going_on else set())
    TurnBook(house.home.runs).prune(house.clock(), kept)


def land_items(house: Premises, items: Sequence[Item], channel: str) -> landing.Landing:
    """Land items under a lock that the caller holds."""
    sessions = {session.id: session for session in house.find().sessions}
    held = frozenset(item.path for item in read_items(house.state)) | frozenset(read_tree(house.door.git, MAIN))
    return landing.land(
        house.state,
        house.door,
        items,
        moment=house.clock(),
        channel=channel,
        gate=lambda path, content: _gate(house, path, content, held),
        verify=lambda evidence: verify(evidence, sessions),
    )


def _gate(house: Premises, path: MemoryPath, content: bytes, held: Container[str]) -> tuple[Refusal, ...]:
    found = gate.check(path, content, exists=lambda name: name in held, secrets=house.secrets)
    return tuple(refusal for refusal in found if refusal.code != gate.EDITED_BY_HAND)


def _chosen(house: Premises, names: Sequence[str], *, everything: bool) -> tuple[Item, ...]:
    if names:
        return review.pick(house.state, names)
    wanted = UNDECIDED if everything else (ItemStatus.ACCEPTED,)
    return tuple(item for item in read_items(house.state, wanted) if item.type != "report")


def undo_items(house: Premises, target: str, channel: str) -> list[dict[str, Any]]:
    """Take a landed item, or all that a night landed, back."""
    with house.writing("undo"):
        _settle(house)
        items = _landed(house, target)
        undone = landing.take_back(house.state, house.door, items, moment=house.clock(), channel=channel)
    return brief(undone, ItemStatus.UNDONE)


def _landed(house: Premises, target: str) -> tuple[Item, ...]:
    """What a night landed, or the one item named."""
    of_night = [item for item in read_items(house.state) if item.run_id == target and item.type != "report"]
    if not of_night:
        return review.pick(house.state, [target], (ItemStatus.MERGED,))
    landed = tuple(item for item in of_night if item.status is ItemStatus.MERGED)
    if not landed:
        raise NothingToDoError(f"nothing of {target} stands on main", hint="`slowwave review list` shows what waits")
    return landed


def _settle(house: Premises) -> None:
    """Finish what a killed command left before deciding on top of it; what the branch holds is booked."""
    house.door.check()
    if house.door.verify():
        raise DamageError("git reports damage in the corpus", hint="run `slowwave doctor`; restore from a backup")
    catch_up(house.state, house.door)


def brief(items: Sequence[Item], status: str) -> list[dict[str, Any]]:
    """Items in short, with the status they have now."""
    return [
        {"id": i.id, "type": i.type, "kind": i.kind, "path": i.path, "claim": i.claim, "status": status} for i in items
    ]
