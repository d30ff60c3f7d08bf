"""Steps: what a night was about to do, written down before, with the commit it starts from, and its outcome after.

A step that was killed is planned again against the very commit it started from. The plan is pure, so it comes out the
same, and commits that already stand behind that commit are recognised as its own.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from slowwave.facts.ids import SessionId
from slowwave.facts.refusal import Refusal
from slowwave.sleep.plan import Night


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step as it was begun: its name, number, plan and the commit of ``pending`` it starts from."""

    name: str
    number: int
    base: str
    plan: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a step came to; read back when a resumed night passes it again.

    Attributes:
        counts: Named numbers.
        refusals: Everything refused or lost in it.
        read: Sessions to be marked.
        failure: Why nothing was heard about a batch; empty where it was answered.
        ends_asking: No further batch is to be asked about in this night.
    """

    counts: Mapping[str, int]
    refusals: tuple[Refusal, ...] = ()
    read: tuple[SessionId, ...] = ()
    failure: str = ""
    ends_asking: bool = False

    def written(self) -> str:
        """The outcome as JSON."""
        refusals = [{"code": r.code, "path": r.path, "message": r.message} for r in self.refusals]
        written = {"counts": dict(self.counts), "refusals": refusals, "read": self.read}
        return json.dumps({**written, "failure": self.failure, "ends_asking": self.ends_asking}, sort_keys=True)


def read_outcome(text: str) -> Outcome:
    """An outcome back from its JSON."""
    read: dict[str, Any] = json.loads(text)
    return Outcome(
        counts=read["counts"],
        refusals=tuple(Refusal(**r) for r in read["refusals"]),
        read=tuple(SessionId(session) for session in read["read"]),
        failure=read.get("failure", ""),
        ends_asking=read.get("ends_asking", False),
    )


def begin_step(night: Night, name: str, number: int, plan: str) -> Step:
    """Begin a step, or find it as it was begun before; durable on return, except in a dry run."""
    tip = night.tip()
    if night.options.dry_run:
        return Step(name=name, number=number, base=tip, plan=plan)
    row = night.state.connection.execute(
        "SELECT base, plan FROM steps WHERE run_id = ? AND name = ? AND number = ?", (night.record.run_id, name, number)
    ).fetchone()
    if row is not None and _still_stands(night, str(row[0]), tip, name):
        return Step(name=name, number=number, base=str(row[0]), plan=str(row[1]))
    with night.state.step() as sql:
        sql.execute(
            "INSERT OR REPLACE INTO steps (run_id, name, number, base, plan) VALUES (?, ?, ?, ?, ?)",
            (night.record.run_id, name, number, tip, plan),
        )
    return Step(name=name, number=number, base=tip, plan=plan)


def _still_stands(night: Night, base: str, tip: str, name: str) -> bool:
    """Whether nothing but this step's own commits came to ``pending`` since it was begun."""
    if base == tip:
        return True
    if not night.door.git.succeeds("merge-base", "--is-ancestor", base, tip):
        return False
    since = night.door.history(tip, since=base)
    return all(commit.run == night.record.run_id and commit.phase == name for commit in since)


def outcome_of(night: Night, name: str, number: int) -> Outcome | None:
    """What a step came to, if it was finished."""
    row = night.state.connection.execute(
        "SELECT outcome FROM steps WHERE run_id = ? AND name = ? AND number = ?", (night.record.run_id, name, number)
    ).fetchone()
    return read_outcome(str(row[0])) if row is not None and row[0] else None


@contextmanager
def ending(night: Night, step: Step, outcome: Outcome) -> Iterator[sqlite3.Connection]:
    """One transaction that records a step's outcome with whatever else the block writes."""
    with night.state.step() as sql:
        yield sql
        sql.execute(
            "UPDATE steps SET outcome = ? WHERE run_id = ? AND name = ? AND number = ?",
            (outcome.written(), night.record.run_id, step.name, step.number),
        )
