"""Commitments: ``data/assistant/commitments.json``, a list that people edit too; each capture stands in it once.

Records of others, their keys, and records that cannot be read stay as they are. A file that is no list at all is kept
aside before the next record is written.
"""

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any

from slowwave.disk.durable import keep_damaged, make_folder, read_whole, write_atomic
from slowwave.disk.places import Places
from slowwave.facts.capture import Capture
from slowwave.facts.commitment import Commitment, CommitmentStatus
from slowwave.facts.ids import digest
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import UsageError
from slowwave.facts.text import fold, normal
from slowwave.wake.holding import Hold

_ID_DIGITS = 12
_WORD = re.compile(r"[\w'\u2019-]+")
_STATUSES = {
    "pending": CommitmentStatus.PENDING,
    "open": CommitmentStatus.PENDING,
    "proposed": CommitmentStatus.PENDING,
    "done": CommitmentStatus.DONE,
    "dropped": CommitmentStatus.DROPPED,
    "dismissed": CommitmentStatus.DROPPED,
}
"""Every word for a status, of commitments and of tasks."""
_SURE = {"rules": 0.7}  # how sure rules are; a model that was asked about this very capture counts more
_ASKED = 0.85


@dataclass(frozen=True, slots=True, kw_only=True)
class Owed:
    """The list as it stands: what could be read, and how many records could not."""

    commitments: tuple[Commitment, ...]
    unreadable: int = 0
    is_damaged: bool = False


class Commitments:
    """The list of one home.

    Args:
        places: The files of the day.
        hold: The lock of the day.
        clock: The present.
    """

    def __init__(self, places: Places, hold: Hold, clock: Clock) -> None:
        self._places = places
        self._hold = hold
        self._clock = clock

    def look(self) -> Owed:
        """All of it, with what could not be read."""
        rows = self._rows()
        if rows is None:
            return Owed(commitments=(), is_damaged=True)
        read = [commitment_from(row) for row in rows]
        return Owed(commitments=tuple(one for one in read if one is not None), unreadable=read.count(None))

    def read(self) -> tuple[Commitment, ...]:
        """Every commitment that can be read, in the list's order."""
        return self.look().commitments

    def add(self, commitments: Sequence[Commitment]) -> tuple[str, ...]:
        """Write those whose capture is not in the list; for each ``added`` or ``known``, in order."""
        if not commitments:
            return ()
        with self._hold("commitments"):
            rows = self._rows()
            if rows is None:
                self._keep_aside()
                rows = []
            known = {str(row.get("capture_id", "")) for row in rows if isinstance(row, dict)} - {""}
            outcomes = []
            for one in commitments:
                outcomes.append("known" if one.capture_id and one.capture_id in known else "added")
                if outcomes[-1] == "added":
                    known.add(one.capture_id)
                    rows.append(row_of(one))
            if "added" in outcomes:
                self._write(rows)
        return tuple(outcomes)

    def set_status(self, name: str, status: CommitmentStatus) -> Commitment:
        """Close or drop one, by its id or the only beginning of one.

        Raises:
            UsageError: None has that id, or several begin so.
        """
        return self._change(name, lambda one: replace(one, status=status))

    def set_task(self, name: str, task: str) -> Commitment:
        """Say which task of the corpus stands for the same.

        Raises:
            UsageError: None has that id, or several begin so.
        """
        return self._change(name, lambda one: replace(one, task=task))

    def _change(self, name: str, change: Callable[[Commitment], Commitment]) -> Commitment:
        with self._hold("commitments"):
            rows = self._rows() or []
            read = [(at, one) for at, row in enumerate(rows) if (one := commitment_from(row)) is not None]
            found = [pair for pair in read if pair[1].id == name] or [
                p for p in read if name and p[1].id.startswith(name)
            ]
            if len(found) != 1:
                problem = "is ambiguous" if found else "does not exist"
                raise UsageError(f"commitment {name} {problem}", hint="`slowwave commitments list` shows their ids")
            at, one = found[0]
            changed = change(one)
            rows[at] = {**rows[at], "status": str(changed.status), "task": changed.task}
            self._write(rows)
        return changed

    def _rows(self) -> list[Any] | None:
        """The records; None where the file is no list of any."""
        content = read_whole(self._places.commitments)
        if content is None or not content.strip():
            return []
        try:
            return rows_in(json.loads(content))
        except (ValueError, RecursionError):
            return None

    def _write(self, rows: Sequence[Any]) -> None:
        make_folder(self._places.commitments.parent)
        text = json.dumps(rows, ensure_ascii=False, indent=2)
        write_atomic(self._places.commitments, text.encode("utf-8", "replace") + b"\n")

    def _keep_aside(self) -> None:
        path = self._places.commitments
        keep_damaged(path, read_whole(path) or b"", self._clock())


def rows_in(tree: object) -> list[Any]:
    """The records of a file: a list, or an object that holds one under ``commitments``.

    Raises:
        ValueError: It is neither.
    """
    rows = tree.get("commitments") if isinstance(tree, dict) else tree
    if isinstance(rows, list):
        return rows
    raise ValueError("a list of commitments was expected")


def commitment_from(row: object) -> Commitment | None:
    """A record as a commitment; None where it states nothing. What is missing or of another type has its default."""
    if not isinstance(row, dict):
        return None
    statement = _text(row, "statement")
    if not fold(statement):
        return None
    own = "k-" + digest(fold(statement), _text(row, "ts"))[:_ID_DIGITS]
    confidence = row.get("confidence")
    is_number = isinstance(confidence, int | float) and not isinstance(confidence, bool)
    return Commitment(
        id=_text(row, "id") or own,
        ts=_text(row, "ts"),
        statement=statement,
        actor=_text(row, "actor") or "me",
        due=_due(row),
        priority=_text(row, "priority").strip().lower() or "normal",
        blocking=row.get("blocking") is True,
        confidence=min(1.0, max(0.0, float(confidence))) if is_number and confidence is not None else 1.0,
        status=_STATUSES.get(_text(row, "status").strip().lower(), CommitmentStatus.PENDING),
        source=_text(row, "source"),
        capture_id=_text(row, "capture_id"),
        task=_text(row, "task"),
    )


def _due(row: Mapping[str, Any]) -> str:
    """As written; something else than a text is unreadable, which is not the same as none."""
    due = row.get("due")
    if due is None or due == "":
        return ""
    return due if isinstance(due, str) else json.dumps(due, default=str)


def row_of(one: Commitment) -> dict[str, Any]:
    """A commitment as its record."""
    return {
        "id": one.id,
        "ts": one.ts,
        "statement": one.statement,
        "actor": one.actor,
        "due": one.due or None,
        "priority": one.priority,
        "blocking": one.blocking,
        "confidence": one.confidence,
        "status": str(one.status),
        "source": one.source,
        "capture_id": one.capture_id,
        "task": one.task or None,
    }


def commitment_of(capture: Capture, due: datetime | None, *, decided_by: str) -> Commitment:
    """What a follow-up that was judged a commitment says: how much it matters and who waits, by its words."""
    text = " ".join(["", *_WORD.findall(normal(fold(capture.text))), ""])
    named = next((name for name in ("critical", "high", "low") if _says(text, name)), "normal")
    return Commitment(
        id="k-" + digest(capture.id)[:_ID_DIGITS],
        ts=capture.ts.isoformat(),
        statement=fold(capture.text),
        due=due.isoformat() if due else "",
        priority=named,
        blocking=_says(text, "blocking"),
        confidence=_SURE.get(decided_by.partition(" ")[0], _ASKED),
        source=capture.source,
        capture_id=capture.id,
    )


def _says(text: str, name: str) -> bool:
    return any(f" {words} " in text for words in _words()[name])


@cache
def _words() -> Mapping[str, Sequence[str]]:
    read = tomllib.loads(files("slowwave.wake").joinpath("commitment_words.toml").read_text("utf-8"))
    return {name: tuple(normal(one) for one in words) for name, words in read.items()}


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""
