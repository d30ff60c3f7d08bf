"""Attempts: sessions whose batch failed, so that a poisonous one is found and never stops the others.

A batch that failed by its own doing comes back in halves, until the session that does it stands alone; after three
failures alone it is set aside and reported, never dropped. An outage is counted and blames nobody. A session that grew
since then is a new one: its attempts are forgotten.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from slowwave.facts.ids import SessionId
from slowwave.facts.limits import FAILURES_ALONE
from slowwave.facts.refusal import Refusal
from slowwave.records.session import Session
from slowwave.sleep.batch_plan import BatchPlan
from slowwave.sleep.engine import Failure
from slowwave.sleep.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What was tried with one session: ``failures`` in all, ``alone`` of them by itself, ``size`` of the last batch.

    ``size`` is 0 as long as no failure was the batch's own doing; ``bytes`` is how long the session was, ``code`` why
    it failed last.
    """

    failures: int
    alone: int
    size: int
    bytes: int
    code: str


Attempts = Mapping[SessionId, Attempt]
"""Attempts by session; one without an entry never failed."""


def read_attempts(state: State, profile: str) -> Attempts:
    """Every attempt of one engine profile."""
    rows = state.connection.execute(
        "SELECT session_id, failures, alone, size, bytes, code FROM attempts WHERE profile = ?", (profile,)
    )
    return {
        SessionId(str(row["session_id"])): Attempt(
            failures=row["failures"], alone=row["alone"], size=row["size"], bytes=row["bytes"], code=row["code"]
        )
        for row in rows
    }


def most_together(session: Session, attempts: Attempts, most: int) -> int:
    """How many sessions may stand in a batch with this one: half of the batch that failed with it, else ``most``."""
    attempt = _standing(session, attempts)
    return min(most, max(1, attempt.size // 2)) if attempt is not None and attempt.size else most


def is_set_aside(session: Session, attempts: Attempts) -> bool:
    """Whether a session failed so often by itself that it is offered no more, unless it grows or a person asks."""
    attempt = _standing(session, attempts)
    return attempt is not None and attempt.alone >= FAILURES_ALONE


def _standing(session: Session, attempts: Attempts) -> Attempt | None:
    attempt = attempts.get(session.id)
    return attempt if attempt is not None and attempt.bytes == session.bytes else None


def note_failure(sql: sqlite3.Connection, plan: BatchPlan, failure: Failure, *, profile: str) -> None:
    """Count a failed batch on each of its new sessions, within the caller's transaction."""
    size = len(plan.new) if failure.blames_batch else 0
    for session in plan.new:
        length = sum(plan.ends[session])
        row = sql.execute(
            "SELECT failures, alone, size, bytes FROM attempts WHERE session_id = ? AND profile = ?", (session, profile)
        ).fetchone()
        before = row if row is not None and row["bytes"] == length else {"failures": 0, "alone": 0, "size": 0}
        sql.execute(
            "INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                session,
                profile,
                before["failures"] + 1,
                before["alone"] + (size == 1),
                size or before["size"],
                length,
                failure.code,
            ),
        )


def forgive_alone(sql: sqlite3.Connection, sessions: Iterable[SessionId], *, profile: str) -> None:
    """Take back what a night counted against sessions that failed by themselves, since everybody else failed alike."""
    sql.executemany(
        "UPDATE attempts SET alone = MAX(0, alone - 1) WHERE session_id = ? AND profile = ?",
        [(session, profile) for session in sessions],
    )


def why_aside(session: Session, attempts: Attempts) -> Refusal:
    """What the person is told about a session that was set aside."""
    attempt = attempts[session.id]
    return Refusal(
        code="set_aside",
        path=str(session.id),
        message=f"failed by itself {attempt.alone} times, last with {attempt.code}; "
        "`slowwave sleep --again` offers it once more",
    )


def forget_attempts(sql: sqlite3.Connection, sessions: Iterable[SessionId], *, profile: str) -> None:
    """A session that was read has no failures any more."""
    sql.executemany(
        "DELETE FROM attempts WHERE session_id = ? AND profile = ?", [(session, profile) for session in sessions]
    )


def profiles_tried(state: State) -> tuple[str, ...]:
    """Every engine profile that failed at some session."""
    return tuple(str(row[0]) for row in state.connection.execute("SELECT DISTINCT profile FROM attempts ORDER BY 1"))
