"""Verbs over commitments: the list, how urgent each is, and closing one."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from slowwave.facts.commitment import Commitment, CommitmentStatus
from slowwave.facts.limits import MOST_ANSWER_BYTES
from slowwave.facts.refusal import UsageError
from slowwave.sleep.triage import Category, CommitmentTriage, Triaged, triage_commitments
from slowwave.wake.commitments import Commitments, commitment_from, row_of, rows_in
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import zone_of
from slowwave.wiring.verbs_tasks import list_tasks

_OF_TASKS = {"done": CommitmentStatus.DONE, "dismissed": CommitmentStatus.DROPPED}


def commitments_of(house: Premises) -> Commitments:
    """The list of a home."""
    return Commitments(house.home.day, house.hold_day, house.clock)


def triage_file(path: Path, *, at: datetime, zone: tzinfo) -> dict[str, Any]:
    """The triage of a file of records, without a home.

    Raises:
        UsageError: There is no such file, or it is no list of commitments.
    """
    try:
        raw = path.read_bytes()
        if len(raw) > MOST_ANSWER_BYTES:
            raise UsageError(f"{path} is too large", hint=f"at most {MOST_ANSWER_BYTES:,} bytes")
        rows = rows_in(json.loads(raw))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", hint="a file of commitment records") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{path} holds no list of commitments", hint="a JSON list of objects with id, statement, due"
        ) from error
    read = [commitment_from(row) for row in rows]
    triage = triage_commitments((one for one in read if one is not None), now=at, zone=zone)
    return described_triage(triage, unreadable=read.count(None))


def triage_home(house: Premises, *, at: datetime, zone: tzinfo | None = None) -> dict[str, Any]:
    """The triage of everything that is open in a home: commitments and the corpus's tasks, joined by id."""
    triage, unreadable = home_triage(house, at=at, zone=zone)
    return described_triage(triage, unreadable=unreadable)


def home_triage(house: Premises, *, at: datetime, zone: tzinfo | None = None) -> tuple[CommitmentTriage, int]:
    """The same as a value, with how many records could not be read."""
    owed = commitments_of(house).look()
    joined = join_tasks(owed.commitments, list_tasks(house, everything=True))
    return triage_commitments(joined, now=at, zone=zone or zone_of(house)), owed.unreadable


def join_tasks(commitments: Sequence[Commitment], tasks: Sequence[Mapping[str, Any]]) -> list[Commitment]:
    """Commitments and tasks, each obligation once: a task that a commitment names lends it its state and its date."""
    by_name = {str(task[key]): task for task in tasks for key in ("id", "path")}
    named = set()
    joined = []
    for one in commitments:
        task = by_name.get(one.task) or by_name.get(one.id)
        if task is None:
            joined.append(one)
            continue
        named.add(task["path"])
        joined.append(_with_task(one, task))
    return [*joined, *(_from_task(task) for task in tasks if task["path"] not in named)]


def _with_task(one: Commitment, task: Mapping[str, Any]) -> Commitment:
    row = row_of(one)
    status = one.status if one.status is not CommitmentStatus.PENDING else _status_of(task)
    due = one.due or str(task["due"])
    read = commitment_from({**row, "status": str(status), "due": due, "task": task["path"]})
    assert read is not None
    return read


def _from_task(task: Mapping[str, Any]) -> Commitment:
    return Commitment(
        id=str(task["id"]),
        statement=str(task["claim"]),
        actor=str(task["actor"]) or "me",
        due=str(task["due"]),
        status=_status_of(task),
        source="corpus",
        task=str(task["path"]),
    )


def _status_of(task: Mapping[str, Any]) -> CommitmentStatus:
    return _OF_TASKS.get(str(task["taskStatus"]), CommitmentStatus.PENDING)


def list_commitments(house: Premises, *, everything: bool) -> dict[str, Any]:
    """The list, those that are open or all."""
    owed = commitments_of(house).look()
    shown = [one for one in owed.commitments if everything or one.status is CommitmentStatus.PENDING]
    return {
        "commitments": [row_of(one) for one in shown],
        "unreadable": owed.unreadable,
        "isDamaged": owed.is_damaged,
    }


def close_commitment(house: Premises, name: str, status: CommitmentStatus) -> dict[str, Any]:
    """Close or drop one.

    Raises:
        UsageError: None has that id.
    """
    return row_of(commitments_of(house).set_status(name, status))


def described_triage(triage: CommitmentTriage, *, unreadable: int = 0) -> dict[str, Any]:
    """A triage as its envelope holds it."""
    return {
        "categories": {str(category): [_item(one) for one in triage.of(category)] for category in Category},
        "warnings": list(triage.warnings),
        "unreadable": unreadable,
    }


def _item(one: Triaged) -> dict[str, Any]:
    action = {"action": str(one.action), "until": one.until.isoformat() if one.until else None, "why": one.why}
    return {**row_of(one.commitment), "category": str(one.category), "reason": one.reason, "suggested": action}
