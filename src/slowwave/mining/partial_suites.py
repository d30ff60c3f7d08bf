"""Lens "partial suite": one suite of tests passes, and another fails on the very same code.

Computed from the runs alone: nothing was changed between the two, and neither of them was narrowed to a few tests. So
the green one does not cover what the red one does.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from slowwave.facts.evidence import Quote
from slowwave.facts.memory import Entity, Kind
from slowwave.mining import failures, forms, programs, quoting, tables
from slowwave.mining.accounts import Account, account
from slowwave.mining.commands import Simple
from slowwave.mining.events import Event, Timeline
from slowwave.mining.finding import Finding, Part

LENS = "partial_suite"
ACCOUNT_REACH = 14  # entries behind the red run in which the agent speaks about it
Suite = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A green run and the red run behind it; ``names`` are how the two suites are started."""

    timeline: Timeline
    green: tuple[Event, Simple]
    red: tuple[Event, Simple]
    names: tuple[Suite, Suite]


def find(lines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """One finding for each pair of suites of which one was green while the other was red."""
    pairs: dict[tuple[Suite, Suite], list[Gap]] = {}
    for line in lines:
        for gap in _gaps(line):
            pairs.setdefault(gap.names, []).append(gap)
    return tuple(_finding(gaps) for names, gaps in sorted(pairs.items()) if names[::-1] not in pairs)


def _gaps(line: Timeline) -> Iterator[Gap]:
    green: tuple[Event, Simple, Suite] | None = None
    for event in line.events:
        run = next((command for command in event.simple if programs.is_test(command)), None)
        suite = _suite(run) if run is not None else ()
        if green and run and event.failure and suite and _is_other(green[2], suite) and not _is_planned(line, event):
            yield Gap(timeline=line, green=green[:2], red=(event, run), names=(green[2], suite))
        if run and event.has_passed and suite:
            green = (event, run, suite)
        elif event.is_change:
            green = None


def _suite(command: Simple) -> Suite:
    """How a whole suite is started: wrapper, program, words and flags; empty for a run that is narrowed."""
    taken = forms.form(command)
    narrow = tables.words("programs", "narrowing")
    is_narrow = any(word.split("=", 1)[0] in narrow for word in taken.args)
    names_file = any("/" in word.rstrip("./") or "::" in word for word in taken.words)
    return () if is_narrow or names_file else (taken.program, *taken.args)


def _is_other(green: Suite, red: Suite) -> bool:
    """Whether two suites of one program differ."""
    return green[0] == red[0] and green != red


def _is_planned(line: Timeline, event: Event) -> bool:
    return failures.is_planned(entry.text for entry in line.entries[max(0, event.at - 3) : event.at])


def _finding(gaps: Sequence[Gap]) -> Finding:
    green, red = (quoting.code(command.raw, 60) for command in (gaps[0].green[1], gaps[0].red[1]))
    sessions = len(Counter(gap.timeline.session.id for gap in gaps))
    told = next((said for gap in gaps if (said := _told(gap))), None)
    errors = [quoting.said(gap.red[0].failure.message) for gap in gaps[:3] if gap.red[0].failure]
    return Finding(
        lens=LENS,
        subject=f"suites {' '.join(gaps[0].names[0])} and {' '.join(gaps[0].names[1])}",
        kind=Kind.ERROR_PATTERN,
        claim=(
            f"A green {green} does not cover what {red} runs: on the same code the one passed and the other failed "
            f"({quoting.sessions_word(sessions)}); run both before calling the work done."
        ),
        gist=(
            f"{len(gaps)} times {green} had passed, nothing was changed, and {red} failed, for instance with "
            f"{quoting.listed(dict.fromkeys(errors))}. "
            + (f"The agent on it: {quoting.said(told.text, 110)}. " if told else "")
            + f"Take {green} for a first look only; what it skips is seen by {red} alone."
        ),
        entities=(
            Entity("command", gaps[0].green[1].raw[:100]),
            Entity("command", gaps[0].red[1].raw[:100]),
        ),
        quotes=_quotes(gaps),
        parts=(
            Part(name="green and red on the same code", value=5.6),
            Part(name="other sessions", value=min(2.4, 1.2 * (sessions - 1))),
            Part(name="agent says why", value=0.4 if told else 0.0),
        ),
    )


def _told(gap: Gap) -> Account | None:
    event, command = gap.red
    message = event.failure.message if event.failure else ""
    return account(gap.timeline, (event.at + 1, event.at + ACCOUNT_REACH), f"{message} {command.raw}")


def _quotes(gaps: Sequence[Gap]) -> tuple[Quote, ...]:
    quotes: list[Quote | None] = []
    for gap in gaps[:3]:
        session = gap.timeline.session.id
        told = _told(gap)
        quotes.append(quoting.raw_line(session, gap.red[0].failure.line if gap.red[0].failure else ""))
        quotes.append(quoting.raw_line(session, gap.red[1].raw.split("\n", 1)[0]))
        quotes.append(told.quote if told else None)
    return quoting.distinct(quotes)
