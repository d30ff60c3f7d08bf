"""Lens "slow command": a command outlives the call that started it, session after session, and has to be polled."""

from collections.abc import Sequence

from slowwave.facts.evidence import Quote
from slowwave.facts.memory import Entity, Kind
from slowwave.mining import forms, programs, quoting
from slowwave.mining.accounts import Account, account
from slowwave.mining.commands import Simple
from slowwave.mining.events import Event, Timeline
from slowwave.mining.finding import Finding, Part
from slowwave.records.entries import EntryKind

LENS = "tool_failure_sequence"
FEWEST_SESSIONS = 2
FEWEST_POLLS = 2  # in one run; a single poll is the normal case
Run = tuple[Timeline, Event]


def find(lines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """One finding for each command that had to be polled in two sessions or more, many times at least once."""
    runs: dict[str, list[Run]] = {}
    for line in lines:
        for event in line.events:
            if event.polls and event.simple and not _takes_time(event.simple[-1]):
                taken = forms.form(event.simple[-1])
                runs.setdefault(" ".join((taken.program, *taken.words[:1])), []).append((line, event))
    found = (_finding(name, those) for name, those in sorted(runs.items()) if _is_worth(those))
    return tuple(finding for finding in found if finding is not None)


def _takes_time(command: Simple) -> bool:
    """Whether everybody expects it to: tests, linters, installs, builds."""
    words = command.words[1:3]
    return (
        programs.is_test(command) or programs.is_lint(command) or any(w in {"build", "install", "run"} for w in words)
    )


def _is_worth(runs: Sequence[Run]) -> bool:
    sessions = {line.session.id for line, _ in runs}
    return len(sessions) >= FEWEST_SESSIONS and max(event.polls for _, event in runs) >= FEWEST_POLLS


def _finding(name: str, runs: Sequence[Run]) -> Finding | None:
    sessions = len({line.session.id for line, _ in runs})
    longest = max(runs, key=lambda run: run[1].polls)
    prints = _prints(longest)
    told = _told(runs)
    if told is None:
        return None
    what = f"; it prints {quoting.said(prints, 60)}" if prints else ""
    return Finding(
        lens=LENS,
        subject=f"slow {name}",
        kind=Kind.PROCEDURAL,
        claim=(
            f"{quoting.code(name)} outlives the call that starts it here ({sessions} sessions, up to "
            f"{longest[1].polls} polls{what}): give it a long yield and wait until it has ended before the next step."
        ),
        gist=(
            f"In {sessions} sessions the call came back while the process was still running and had to be polled with "
            f"{quoting.code(_poll_tool(longest))}, {sum(event.polls for _, event in runs)} times in all. "
            f"The agent on it: {quoting.said(told.text, 110)}. "
            "That is slowness, not failure: what it prints meanwhile is no error."
        ),
        entities=(Entity("command", name[:100]),),
        quotes=_quotes(runs, told),
        parts=(
            Part(name="polled in sessions", value=3.4 + min(1.6, 0.5 * sessions)),
            Part(name="agent explains", value=0.6),
        ),
    )


def _prints(run: Run) -> str:
    """What the command says of itself while it runs: the last line of its first output."""
    line, event = run
    first = next((e for e in line.entries[event.at + 1 :] if e.call_id == event.call.call_id), None)
    text = first.text.split("Output:", 1)[-1] if first and first.kind is EntryKind.TOOL_RESULT else ""
    lines = [part.strip() for part in text.split("\n") if part.strip()]
    return lines[0] if lines else ""


def _poll_tool(run: Run) -> str:
    line, event = run
    after = (e for e in line.entries[event.at + 1 :] if e.kind is EntryKind.TOOL_CALL and "session_id" in e.args)
    return next((entry.tool for entry in after), "a second call")


def _told(runs: Sequence[Run]) -> Account | None:
    for line, event in sorted(runs, key=lambda run: -run[1].polls):
        told = account(
            line, (event.at + 1, event.at + 20), f"{event.line} running still waiting finish", keys=("finish", "still")
        )
        if told:
            return told
    return None


def _quotes(runs: Sequence[Run], told: Account) -> tuple[Quote, ...]:
    quotes: list[Quote | None] = [told.quote]
    seen: set[str] = set()
    for line, event in runs:
        if line.session.id not in seen:
            seen.add(line.session.id)
            quotes.append(quoting.raw_line(line.session.id, event.simple[-1].raw.split("\n", 1)[0]))
            quotes.append(quoting.raw_line(line.session.id, _prints((line, event))))
    return quoting.distinct(quotes)
