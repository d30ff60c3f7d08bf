"""Lens "guarded command": a hook or another guard stops calls, and says why.

Two occasions make a rule of the house; what the agent's own host forbids everywhere is left to the host.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from slowwave.facts.evidence import Quote
from slowwave.facts.memory import Entity, Kind
from slowwave.mining import forms, quoting, tables
from slowwave.mining.accounts import account
from slowwave.mining.commands import program_name
from slowwave.mining.events import Event, Timeline
from slowwave.mining.finding import Finding, Part

LENS = "guarded_command"
FEWEST_TIMES = 2
READ_CHARACTERS = 1_500  # of a result; a guard speaks first
MOST_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """One stopped call: who stopped it, what it was, why, and the line that says so."""

    timeline: Timeline
    event: Event
    guard: str
    command: str
    why: str
    line: str


def find(lines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """One finding for each guard that stopped two calls or more."""
    guards: dict[str, list[Stop]] = {}
    for line in lines:
        for stop in _stops(line):
            guards.setdefault(stop.guard, []).append(stop)
    return tuple(_finding(stops) for _, stops in sorted(guards.items()) if len(stops) >= FEWEST_TIMES)


def _stops(line: Timeline) -> Iterator[Stop]:
    refusals = tables.pattern("guards", "refusals")
    for event in line.events:
        if event.failure is None or event.result is None or not event.simple:
            continue
        text = event.result.text[:READ_CHARACTERS]
        for part in text.split("\n"):
            hit = refusals.search(part)
            if hit is None:
                continue
            found = {name: value for name, value in hit.groupdict().items() if value}
            guard = next((value for name, value in found.items() if not name.endswith("_why")), "")
            why = next((value for name, value in found.items() if name.endswith("_why")), "") or _reason(text)
            yield Stop(
                timeline=line,
                event=event,
                guard=program_name(guard.strip()),
                command=_name(event),
                why=why.strip(),
                line=part,
            )
            break


def _reason(text: str) -> str:
    reasons = tables.pattern("guards", "reasons")
    return next((hit.group(1) for part in text.split("\n") if (hit := reasons.match(part))), "")


def _name(event: Event) -> str:
    """The stopped command as its program and first words."""
    command = event.simple[0]
    taken = forms.form(command)
    flag = next((word for word in command.words[1:] if word.startswith("--") and len(word) < 20), "")
    return " ".join(part for part in (program_name(taken.program), *taken.words[:1], flag) if len(part) < 60)


def _finding(stops: Sequence[Stop]) -> Finding:
    sessions = len({stop.timeline.session.id for stop in stops})
    commands = list(dict.fromkeys(stop.command for stop in stops))
    named = quoting.listed([quoting.code(command, 40) for command in commands[:MOST_NAMED]])
    why = next((stop.why for stop in stops if stop.why), "")
    reason = f" ({quoting.said(why)})" if why else ""
    return Finding(
        lens=LENS,
        subject=f"guard {stops[0].guard}",
        kind=Kind.ERROR_PATTERN,
        claim=(
            f"The guard {quoting.code(stops[0].guard, 40)} stops {named} here{reason}: "
            "do not retry, take the way it names or ask."
        ),
        gist=(
            f"It stopped {len(stops)} calls in {quoting.sessions_word(sessions)}. "
            + " ".join(f"For {quoting.code(s.command, 40)}: {quoting.said(s.why or s.line)}." for s in stops[:4])
            + " Plan for it, because another spelling of the same command is stopped as well."
        ),
        entities=(Entity("service", stops[0].guard[:80]), *(Entity("command", c) for c in commands[:MOST_NAMED])),
        quotes=_quotes(stops),
        parts=(
            Part(name="stopped calls", value=4.6 + min(1.2, 0.4 * len(stops))),
            Part(name="sessions", value=min(1.2, 0.6 * (sessions - 1))),
            Part(name="says why", value=0.6 if why else 0.0),
        ),
    )


def _quotes(stops: Sequence[Stop]) -> tuple[Quote, ...]:
    quotes: list[Quote | None] = []
    for stop in stops[:4]:
        session = stop.timeline.session.id
        quotes.append(quoting.raw_line(session, stop.event.simple[0].raw.split("\n", 1)[0]))
        quotes.append(quoting.raw_line(session, stop.why if len(stop.why) > len(stop.line) // 2 else stop.line))
        near = account(stop.timeline, (stop.event.at + 1, stop.event.at + 10), f"{stop.command} {stop.why}")
        quotes.append(near.quote if near else None)
    return quoting.distinct(quotes)
