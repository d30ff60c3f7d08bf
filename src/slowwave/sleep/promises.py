"""Promises between phases: commitments that phase 12 accepted and phase 13 turns into tasks.

Kept in ``state.db`` until a task carries them, so that a crash between the two phases loses none; their quotes are
removed as soon as a commit message holds them.
"""

import json
import sqlite3
from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import date

from slowwave.facts.answer import ProvedCommitment
from slowwave.facts.evidence import Evidence, Speaker
from slowwave.facts.ids import RunId, SessionId, digest
from slowwave.facts.text import fold, normal
from slowwave.sleep.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """One accepted commitment, waiting or settled; ``source_key`` recognises it across nights."""

    source_key: str
    run_id: RunId
    statement: str
    actor: str
    due: date | None
    resolved: bool
    project: str
    evidence: Evidence


def promise_of(proved: ProvedCommitment, *, run_id: RunId, project: str) -> Promise:
    """A proved commitment as a promise; the key comes from its words and whose they are."""
    commitment = proved.commitment
    return Promise(
        source_key=digest("promise", normal(fold(commitment.statement)), commitment.actor, str(commitment.resolved)),
        run_id=run_id,
        statement=fold(commitment.statement),
        actor=commitment.actor,
        due=date.fromisoformat(commitment.due_hint) if commitment.due_hint else None,
        resolved=commitment.resolved,
        project=project,
        evidence=proved.evidence,
    )


def put_promises(sql: sqlite3.Connection, promises: Iterable[Promise]) -> None:
    """Keep new promises within the caller's transaction; one that is known is left as it stands."""
    sql.executemany(
        "INSERT OR IGNORE INTO promises"
        " (source_key, run_id, statement, actor, due, resolved, project, evidence, status)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting')",
        [_row(promise) for promise in promises],
    )


def _row(promise: Promise) -> tuple[str | int, ...]:
    return (
        promise.source_key,
        promise.run_id,
        promise.statement,
        promise.actor,
        promise.due.isoformat() if promise.due else "",
        int(promise.resolved),
        promise.project,
        _written(promise.evidence),
    )


def known_keys(state: State) -> frozenset[str]:
    """Keys of all promises that are waiting or settled."""
    return frozenset(str(row[0]) for row in state.connection.execute("SELECT source_key FROM promises"))


def waiting_promises(state: State) -> tuple[Promise, ...]:
    """Promises that no task carries yet, oldest night first."""
    rows = state.connection.execute(
        "SELECT source_key, run_id, statement, actor, due, resolved, project, evidence FROM promises"
        " WHERE status = 'waiting' ORDER BY run_id, rowid"
    )
    return tuple(
        Promise(
            source_key=str(r[0]),
            run_id=RunId(str(r[1])),
            statement=str(r[2]),
            actor=str(r[3]),
            due=date.fromisoformat(r[4]) if r[4] else None,
            resolved=bool(r[5]),
            project=str(r[6]),
            evidence=_read(str(r[7])),
        )
        for r in rows
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What became of a promise, and the item that carries it now; empty for none."""

    source_key: str
    reason: str
    item: str = ""


def settle(sql: sqlite3.Connection, settled: Iterable[Settled]) -> None:
    """Mark promises as dealt with; their quotes are dropped here."""
    sql.executemany(
        "UPDATE promises SET status = 'settled', reason = ?, item = ?, evidence = '' WHERE source_key = ?",
        [(one.reason, one.item, one.source_key) for one in settled],
    )


def release(sql: sqlite3.Connection, lost: Container[str]) -> None:
    """Forget settled promises whose task or closure is among lost items; they may be made again."""
    rows = sql.execute("SELECT source_key, item FROM promises WHERE status = 'settled'").fetchall()
    sql.executemany("DELETE FROM promises WHERE source_key = ?", [(row[0],) for row in rows if row[1] in lost])


def _written(evidence: Evidence) -> str:
    return json.dumps(
        {
            "session_id": evidence.session_id,
            "quote": evidence.quote,
            "line": evidence.line,
            "speaker": evidence.speaker,
            "record": evidence.record,
            "is_tainted": evidence.is_tainted,
            "file": evidence.file,
        }
    )


def _read(text: str) -> Evidence:
    read = json.loads(text)
    return Evidence(
        session_id=SessionId(read["session_id"]),
        quote=read["quote"],
        line=read["line"],
        speaker=Speaker(read["speaker"]),
        record=read["record"],
        is_tainted=read["is_tainted"],
        file=read["file"],
    )
