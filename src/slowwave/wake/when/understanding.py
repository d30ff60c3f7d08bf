"""Understanding: the time that a phrase or a sentence names (spec 05); our own grammar first, the library behind it."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, tzinfo

from slowwave.wake.when.answer import NO_TIME, Reason, When
from slowwave.wake.when.items import Clock, Day, Flag, Moment, Part, Run, Step
from slowwave.wake.when.lexer import clean
from slowwave.wake.when.library import by_library, tail_by_library
from slowwave.wake.when.resolve import resolve
from slowwave.wake.when.sayings import Clause, sayings_of, share_known

_SPOKEN = 0.25  # of a sentence's letters, known to one of our tables: it is in that language, and names no time
_MOST_RUNS = 40  # looked at in one text: who names more times than that asks for none


def understand(phrase: str, *, at: datetime, zone: tzinfo) -> When:
    """The time that a phrase names, seen from ``at`` in ``zone``; ``at`` without an offset is UTC. Never raises.

    What our own words do not cover is asked of the library, which reads a phrase only as a whole.
    """
    text = clean(phrase).strip()
    there = _there(at, zone)
    found = _said(text, there)
    if found.matched and (found.matched == text or share_known(text) > 0):
        return found
    instant = by_library(text, there)
    return When(instant=instant, reason=Reason.NONE, matched=text) if instant else found


def find_due(text: str, *, at: datetime, zone: tzinfo) -> When:
    """The time that a sentence names for what is to be done, as in "remind me to call Anna tomorrow at 9".

    Never raises. In languages that we have no words for, the library is asked about the sentence's ends alone.
    """
    cleaned = clean(text)
    there = _there(at, zone)
    found = _said(cleaned, there)
    if share_known(cleaned) > (0 if found.matched else _SPOKEN):
        return found
    other = tail_by_library(cleaned, there)
    return When(instant=other[0], reason=Reason.NONE, matched=other[1]) if other else found


def _there(at: datetime, zone: tzinfo) -> datetime:
    aware = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    try:
        return aware.astimezone(zone)
    except (OverflowError, ValueError):
        return aware


def _said(text: str, at: datetime) -> When:
    """What the likeliest language that finds anything says; instants are never past."""
    failed = NO_TIME
    for clauses in sayings_of(text):
        found = _best(tuple(_of_clauses(clauses, text, at)))
        if found.reason is not Reason.NO_TIME:
            return found
        failed = failed if failed.matched else found
    return failed


_RANK = {
    Reason.NONE: 0,
    Reason.RECURRING: 1,
    Reason.CONDITION: 2,
    Reason.AMBIGUOUS: 3,
    Reason.PAST: 4,
    Reason.NO_TIME: 5,
}


def _best(found: Sequence[When]) -> When:
    return min(found, key=lambda one: _RANK[one.reason], default=NO_TIME)


def _of_clauses(clauses: Sequence[Clause], text: str, at: datetime) -> Iterator[When]:
    for clause in clauses:
        yield _of_clause(clause, text, at)


def _of_clause(clause: Clause, text: str, at: datetime) -> When:
    runs = clause.runs[:_MOST_RUNS]
    recurring = next((run for run in runs if Flag(name="recurring") in run.items), None)
    if recurring is not None:
        return When(instant=None, reason=Reason.RECURRING, matched=_words(text, recurring.start, recurring.end))
    shifted = next((run for run in runs if Flag(name="shifted") in run.items), None)
    if shifted is not None and (
        len(runs) > 1 or len(shifted.items) > 1
    ):  # "an hour before the meeting tomorrow at 3": no sum that we do
        return When(instant=None, reason=Reason.AMBIGUOUS, matched=_words(text, shifted.start, runs[-1].end))
    named = _named(tuple(run for run in runs if run is not shifted), text, at)
    if named.instant is not None or clause.condition is None or (clause.is_soft and named.matched):
        return named
    return When(instant=None, reason=Reason.CONDITION, matched=_words(text, *clause.condition))


def _named(runs: Sequence[Run], text: str, at: datetime) -> When:
    """The fullest time of a clause that is still to come; a day and an hour that stand apart belong together."""
    whens: list[tuple[int, When]] = []
    if len(runs) > 1:
        runs = _completed(runs)
    for run in runs:
        answer = resolve(run.items, at)
        matched = _words(text, run.start, run.end)
        if isinstance(answer, Reason):
            whens.append((0, When(instant=None, reason=answer, matched=matched)))
        else:
            when = When(instant=answer.replace(microsecond=0), reason=Reason.NONE, matched=matched)
            whens.append((_fullness(run), when))
    return min(whens, key=lambda one: (_RANK[one[1].reason], -one[0]), default=(0, NO_TIME))[1]


def _completed(runs: Sequence[Run]) -> Sequence[Run]:
    """Two runs as one where one has only the day and the other only the hour."""
    day = next((run for run in runs if _has(run, Day) and not _has(run, Clock, Part, Moment, Step)), None)
    hour = next((run for run in runs if _has(run, Clock, Part) and not _has(run, Day, Moment, Step)), None)
    if day is None or hour is None or any(_has(run, Day) and _has(run, Clock, Part) for run in runs):
        return runs
    start, end = min(day.start, hour.start), max(day.end, hour.end)
    return (Run(items=day.items + hour.items, start=start, end=end, first=day.first, behind=day.behind),)


def _has(run: Run, *kinds: type) -> bool:
    return any(isinstance(item, kinds) for item in run.items)


def _fullness(run: Run) -> int:
    if _has(run, Moment, Step):
        return 3
    return (2 if _has(run, Day) else 0) + (1 if _has(run, Clock, Part) else 0)


def _words(text: str, start: int, end: int) -> str:
    return " ".join(text[start:end].split())
