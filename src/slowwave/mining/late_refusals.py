"""Lens "green, then refused": build and tests pass, and a lint gate refuses the very same work.

Once a project: the rules it refuses by change from session to session, that it refuses after green tests does not.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from slowwave.facts.evidence import Quote, Speaker
from slowwave.facts.memory import Entity, Kind
from slowwave.mining import failures, programs, quoting, tables
from slowwave.mining.accounts import account
from slowwave.mining.events import Event, Timeline
from slowwave.mining.finding import Finding, Part
from slowwave.records.entries import EntryKind

LENS = "green_then_refused"
MOST_RULES = 5  # named in a claim
PASTED_LINES = 60  # of a person's message that are looked at for a linter's lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A refusal by a linter: where, by which rules, and the green test run before it."""

    timeline: Timeline
    at: int
    command: str
    rules: tuple[str, ...]
    line: str
    green: Event | None


def find(lines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """One finding a project that was green before it was refused; work trees that run one gate are one project."""
    projects: dict[str, list[Gate]] = {}
    homes: dict[str, str] = {}
    for line in lines:
        for gate in (*_gates(line), *_pasted(line)):
            project = line.session.project
            home = homes.setdefault(gate.command, project) if gate.command else project
            projects.setdefault(home, []).append(gate)
    return tuple(_finding(name, gates) for name, gates in sorted(projects.items()) if any(g.green for g in gates))


def rules_of(line: str) -> tuple[str, ...]:
    """Names of the rules one line of output refuses by."""
    found = tables.pattern("rules", "lines").search(line[: failures.LINE_CHARACTERS])
    names = [name for name in found.groups() if name] if found else []
    return tuple(name for name in names if name.lower() not in tables.words("rules", "not_rules"))


def _gates(line: Timeline) -> Iterator[Gate]:
    green: Event | None = None
    for event in line.events:
        lint = next((command for command in event.simple if programs.is_lint(command)), None)
        if lint is not None and event.failure is not None and event.result is not None:
            found = [(text, rules_of(text)) for text in event.result.text.split("\n")[: failures.HEAD_LINES]]
            rules = tuple(dict.fromkeys(rule for _, named in found for rule in named))
            if rules:
                first = next(text for text, named in found if named)
                yield Gate(timeline=line, at=event.at, command=lint.raw, rules=rules, line=first, green=green)
        elif lint is None and event.has_passed and any(programs.is_test(command) for command in event.simple):
            green = event


def _pasted(line: Timeline) -> Iterator[Gate]:
    """What a person pasted from a gate that refused."""
    for at, entry in enumerate(line.entries):
        if entry.kind is not EntryKind.TEXT or entry.speaker is Speaker.AGENT or entry.injected not in {"", "pasted"}:
            continue
        found = [(text, rules_of(text)) for text in entry.text.split("\n")[:PASTED_LINES]]
        rules = tuple(dict.fromkeys(rule for _, named in found for rule in named))
        if rules:
            first = next(text for text, named in found if named)
            before = [e for e in line.events if e.at < at and e.has_passed and any(map(programs.is_test, e.simple))]
            yield Gate(timeline=line, at=at, command="", rules=rules, line=first, green=before[-1] if before else None)


def _finding(project: str, gates: Sequence[Gate]) -> Finding:
    late = [gate for gate in gates if gate.green]
    sessions = len({gate.timeline.session.id for gate in late})
    command = _command(gates)
    # A rule is told only of the command that refused by it; what was pasted names no command and joins where none ran.
    of_command = [gate for gate in gates if gate.command == command] or gates
    rules = [rule for rule, _ in Counter(r for gate in of_command for r in gate.rules).most_common(MOST_RULES)]
    parts = [Part(name="refused after green tests", value=4.6)]
    parts += [Part(name="occasions", value=min(2.4, 0.8 * (len(late) - 1)))] if len(late) > 1 else []
    parts += [Part(name="sessions", value=min(2.8, 1.4 * (sessions - 1)))] if sessions > 1 else []
    return Finding(
        lens=LENS,
        subject=f"lint after green {project}",
        kind=Kind.ERROR_PATTERN,
        claim=_claim(command, rules, late, sessions),
        gist=_gist(rules, late, sessions),
        entities=(Entity("command", command), *(Entity("concept", rule) for rule in rules)),
        quotes=_quotes(gates),
        parts=tuple(parts),
    )


def _command(gates: Sequence[Gate]) -> str:
    """The gate's command as it is run most often."""
    named = Counter(gate.command for gate in gates if gate.command)
    return min(named, key=lambda name: (-named[name], len(name), name)) if named else "the linter"


def _claim(command: str, rules: Sequence[str], late: Sequence[Gate], sessions: int) -> str:
    gate = quoting.code(command, 60) if command != "the linter" else command
    named = quoting.listed([f"`{rule}`" for rule in rules])
    often = (
        f"in {sessions} sessions" if sessions > 1 else "more than once in one session" if len(late) > 1 else "seen once"
    )
    return (
        f"Code whose build and tests pass still fails {gate} here ({often}; {named}): "
        "run lint, test files included, before committing or calling the work done."
    )


def _gist(rules: Sequence[str], late: Sequence[Gate], sessions: int) -> str:
    text = [
        (
            f"{_times(len(late))} in {quoting.sessions_word(sessions)} the tests had passed and "
            f"the lint gate then refused the same work; the rules were {quoting.listed(rules)}."
        )
    ]
    for gate in late[:3]:
        text.append(f"One refusal: {quoting.said(failures.bare(gate.line), 110)}.")
        told = account(gate.timeline, (gate.at, gate.at + 14), gate.line, keys=("lint", *gate.rules))
        if told:
            text.append(f"The agent on it: {quoting.said(told.text, 110)}.")
    text.append(
        "Green tests say nothing about the gate, so run both, and expect one more edit after the first green run."
    )
    return " ".join(text)


def _times(count: int) -> str:
    return {1: "Once", 2: "Twice"}.get(count, f"{count} times")


def _quotes(gates: Sequence[Gate]) -> tuple[Quote, ...]:
    """For each refusal its line and what the agent said to it; sessions take turns, so that each is seen."""
    turns: list[list[Quote | None]] = []
    for gate in gates:
        told = account(gate.timeline, (gate.at, gate.at + 14), gate.line, keys=("lint", *gate.rules))
        green = (
            account(gate.timeline, (gate.green.at, gate.at), "tests pass passed green", keys=("tests", "vet"))
            if gate.green
            else None
        )
        session = gate.timeline.session.id
        turns.append(
            [quoting.raw_line(session, gate.line), told.quote if told else None, green.quote if green else None]
        )
    seen: set[str] = set()
    first: list[Quote | None] = []
    rest: list[Quote | None] = []
    for gate, quotes in zip(gates, turns, strict=True):
        into = rest if gate.timeline.session.id in seen else first
        seen.add(gate.timeline.session.id)
        into += quotes[:2]
        rest += [*quotes[2:], quoting.raw_line(gate.timeline.session.id, gate.command)]
    return quoting.distinct([*first, *rest])
