"""The record of nights: begun before anything is done, finished last, found again after a crash."""

import json
from dataclasses import dataclass
from datetime import datetime

from slowwave.facts.ids import RunId
from slowwave.facts.moment import parse, stamp
from slowwave.sleep.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class NightRecord:
    """One night as it was begun.

    Attributes:
        run_id: ``night-`` and its moment; a second night of one second gets an ordinal.
        moment: The night's present: every date it writes is this one, also after a crash.
        profile: Engine profile whose watermarks it moves.
        engine: Name of the engine that the person chose.
        phases: Names of the phases asked for; empty for all.
        again: Consolidated sessions are offered again.
        since: With ``again``, only sessions that ended on this day or later; empty for all.
        any_marks: What any engine consolidated counts as consolidated.
        is_first: No session had been consolidated by this profile before it.
    """

    run_id: RunId
    moment: datetime
    profile: str
    engine: str = "mined"
    phases: tuple[str, ...] = ()
    again: bool = False
    since: str = ""
    any_marks: bool = False
    is_first: bool = False


def unfinished(state: State) -> NightRecord | None:
    """The night that was begun and not finished, if any."""
    row = state.connection.execute(
        "SELECT run_id, moment, profile, options FROM runs WHERE status = 'running' ORDER BY moment LIMIT 1"
    ).fetchone()
    return _record(tuple(row)) if row else None


def is_first_night(state: State, profile: str) -> bool:
    """Whether this profile has consolidated no session yet."""
    return state.connection.execute("SELECT 1 FROM marks WHERE profile = ? LIMIT 1", (profile,)).fetchone() is None


def begin(
    state: State,
    *,
    moment: datetime,
    profile: str,
    phases: tuple[str, ...] = (),
    again: bool = False,
    since: str = "",
    any_marks: bool = False,
    engine: str = "mined",
) -> NightRecord:
    """Begin a night; durable on return."""
    with state.step() as sql:
        # What finished nights were about to do is of no use any more.
        sql.execute("DELETE FROM steps WHERE run_id IN (SELECT run_id FROM runs WHERE status = 'done')")
        is_first = is_first_night(state, profile)
        base = "night-" + stamp(moment).replace("-", "").replace(":", "").lower()
        taken = {str(row[0]) for row in sql.execute("SELECT run_id FROM runs WHERE run_id LIKE ?", (base + "%",))}
        run_id = base
        ordinal = 2
        while run_id in taken:
            run_id = f"{base}-{ordinal}"
            ordinal += 1
        options = {
            "phases": list(phases),
            "again": again,
            "since": since,
            "engine": engine,
            "any_marks": any_marks,
            "is_first": is_first,
        }
        sql.execute(
            "INSERT INTO runs (run_id, moment, profile, options, status) VALUES (?, ?, ?, ?, 'running')",
            (run_id, stamp(moment), profile, json.dumps(options)),
        )
    return NightRecord(
        run_id=RunId(run_id),
        moment=moment,
        profile=profile,
        engine=engine,
        phases=phases,
        again=again,
        since=since,
        any_marks=any_marks,
        is_first=is_first,
    )


def abandon(state: State, run_id: RunId) -> None:
    """Forget a night that was stopped before it had begun any step: the next one starts afresh, at its own moment."""
    with state.step() as sql:
        sql.execute(
            "DELETE FROM runs WHERE run_id = ? AND status = 'running'"
            " AND NOT EXISTS (SELECT 1 FROM steps WHERE steps.run_id = runs.run_id)",
            (run_id,),
        )


def finish(state: State, run_id: RunId, report: str) -> None:
    """End a night with its report."""
    with state.step() as sql:
        sql.execute("UPDATE runs SET status = 'done', report = ? WHERE run_id = ?", (report, run_id))


def last_report(state: State) -> str:
    """The report of the last finished night as JSON; empty before the first."""
    row = state.connection.execute(
        "SELECT report FROM runs WHERE status = 'done' ORDER BY moment DESC, run_id DESC LIMIT 1"
    ).fetchone()
    return str(row[0]) if row else ""


def _record(row: tuple[str, str, str, str]) -> NightRecord:
    run_id, moment, profile, options = row
    when = parse(moment)
    assert when is not None
    read = json.loads(options)
    return NightRecord(
        run_id=RunId(run_id),
        moment=when,
        profile=profile,
        phases=tuple(read["phases"]),
        again=bool(read["again"]),
        since=str(read.get("since", "")),
        engine=str(read.get("engine", "mined")),
        any_marks=bool(read.get("any_marks", False)),
        is_first=bool(read["is_first"]),
    )
