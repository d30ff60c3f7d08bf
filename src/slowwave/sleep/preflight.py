"""Phase 1, preflight: is everything there and in order? A failure here stops the night before it touches anything."""

from collections.abc import Mapping

from slowwave.facts.refusal import SlowwaveError
from slowwave.sleep.items import undecided_runs
from slowwave.sleep.pending import tidy_pending
from slowwave.sleep.plan import Night, PhaseResult
from slowwave.sleep.state import State
from slowwave.sleep.turns import TurnBook

PHASE = "preflight"


class SourceEmptiedError(SlowwaveError):
    """A folder that held sessions at the last night holds none now (law 16)."""

    code = "source_emptied"


def preflight(night: Night) -> PhaseResult:
    """Compare sources with the last night, bring ``pending`` onto today's ``main``.

    Raises:
        SourceEmptiedError: A source that held sessions is empty; the person must say that this is right.
    """
    check_sources(night.state, night.roots, accept_empty=night.options.accept_empty)
    if night.options.dry_run:
        return PhaseResult(counts={"sources": len(night.roots), **_skipped(night)})
    with night.writing("sleep"):
        tidied = tidy_pending(night.state, night.door)
    with night.state.step() as sql:
        sql.execute("DELETE FROM sources")
        sql.executemany("INSERT INTO sources VALUES (?, ?)", sorted(night.roots.items()))
    turns = TurnBook(night.home.runs).prune(night.present, undecided_runs(night.state) | {night.record.run_id})
    return PhaseResult(
        counts={
            "sources": len(night.roots),
            "turns_removed": turns,
            "items_adopted": tidied.adopted,
            "items_released": tidied.released_items,
            "sessions_released": tidied.released_sessions,
            **_skipped(night),
        },
        refusals=tidied.refusals,
    )


def _skipped(night: Night) -> dict[str, int]:
    return {f"skipped_{reason}": count for reason, count in sorted(night.skipped.items())}


def check_sources(state: State, roots: Mapping[str, int], *, accept_empty: bool) -> None:
    """Stop when a source that held sessions holds none; one that is no longer configured does not count.

    Args:
        state: What the last night saw.
        roots: Sessions found under each source now.
        accept_empty: The person said that this is right.

    Raises:
        SourceEmptiedError: One is empty now.
    """
    if accept_empty:
        return
    before = dict(state.connection.execute("SELECT root, sessions FROM sources").fetchall())
    emptied = sorted(root for root, sessions in before.items() if sessions and roots.get(str(root)) == 0)
    if emptied:
        raise SourceEmptiedError(
            f"{emptied[0]} held {before[emptied[0]]} sessions at the last night and holds none now",
            hint="if that is right, run the night with --accept-empty; if not, bring the folder back",
        )
