"""Lens "refused call": a person refuses the same kind of call in two sessions or more.

The reason is often given in one of them only; without any reason in a person's own words nothing is said, because what
a person does not want must be told by that person.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from slowwave.facts.evidence import Quote, Speaker
from slowwave.facts.memory import Entity, Kind
from slowwave.mining import forms, programs, quoting
from slowwave.mining.events import Event, Timeline
from slowwave.mining.finding import Finding, Part
from slowwave.mining.lexicon import load
from slowwave.mining.sentences import split
from slowwave.records.entries import Entry, EntryKind

LENS = "refused_call"
FEWEST_SESSIONS = 2
SENTENCES = 12  # of a person's reason that are looked at
REASON_REACH = 5  # records after a refusal in which a person's turn is its reason
_CONVERSATION = frozenset({"askuserquestion", "exitplanmode", "enterplanmode", "todowrite", "task", "agent", "skill"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One refused call, and the words in which the person gave a reason."""

    timeline: Timeline
    event: Event
    reason: Entry | None


def find(lines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """One finding for each kind of call that was refused in two sessions or more."""
    kinds: dict[str, list[Refusal]] = {}
    for line in lines:
        if not line.is_orchestrated:
            for kind, refusal in _refusals(line):
                kinds.setdefault(kind, []).append(refusal)
    return tuple(_finding(kind, group) for kind, group in sorted(kinds.items()) if _is_worth(group))


def kind_of(line: Timeline, event: Event) -> str:
    """What kind of call it is: a command with its words, an edit of a file; empty for talk between agent and person."""
    if event.call.tool.lower() in _CONVERSATION:
        return ""
    if event.edits:
        return f"edit {line.relative(event.edits[0].path)}"
    command = next((c for c in event.simple if not programs.is_in(c, "readers")), None)
    if command is None:
        return "" if event.line else event.call.tool
    taken = forms.form(command)
    return " ".join((*taken.wrapper, taken.program, *taken.words[: 1 if taken.program == "git" else 2]))


def _refusals(line: Timeline) -> Iterator[tuple[str, Refusal]]:
    for event in line.events:
        kind = kind_of(line, event) if event.is_rejected else ""
        if kind and event.result is not None:
            yield kind, Refusal(timeline=line, event=event, reason=_reason(line, event, event.result))


def _reason(line: Timeline, event: Event, result: Entry) -> Entry | None:
    """The person's words in the refusal, or in their turn within the next records."""
    start = next(at for at in range(event.at, len(line.entries)) if line.entries[at] is result)
    for entry in line.entries[start : start + 12]:
        if entry.line > result.line + REASON_REACH:
            return None
        if entry.kind is EntryKind.TEXT and entry.speaker is Speaker.USER and not entry.injected:
            return entry
    return None


def _is_worth(group: Sequence[Refusal]) -> bool:
    has_reason = any(refusal.reason for refusal in group)
    return has_reason and len({refusal.timeline.session.id for refusal in group}) >= FEWEST_SESSIONS


def _finding(kind: str, group: Sequence[Refusal]) -> Finding:
    sessions = len({refusal.timeline.session.id for refusal in group})
    reasons = [refusal for refusal in group if refusal.reason]
    words = [_said(refusal) for refusal in reasons]
    what = f"edits of {quoting.code(kind[5:])}" if kind.startswith("edit ") else quoting.code(kind)
    claim = f"The user refuses {what} ({sessions} sessions), saying {words[0]}; ask before trying it, or do without it."
    return Finding(
        lens=LENS,
        subject=f"refused {kind}",
        kind=Kind.PRECEDENT,
        claim=claim,
        gist=(
            f"The call was refused {len(group)} times in {sessions} sessions. "
            f"In the user's words: {quoting.listed(dict.fromkeys(words[:3]))}. "
            "Do not offer it again as the obvious next step; say what it is for and wait for a yes."
        ),
        entities=(Entity("command" if not kind.startswith("edit ") else "file", kind.removeprefix("edit ")[:100]),),
        quotes=_quotes(group),
        parts=(
            Part(name="refused in sessions", value=4.5 + min(2.0, 0.5 * sessions)),
            Part(name="reasons given", value=min(1.5, 0.5 * len(reasons))),
        ),
    )


def _said(refusal: Refusal) -> str:
    """The person's sentence that gives the reason, else their longest: a bare no is not why."""
    text = refusal.reason.text if refusal.reason else ""
    sentences = split(text)[:SENTENCES]
    told = max(sentences, key=lambda s: (load("rulings").has(s.text, "reason"), len(s.text), -s.order), default=None)
    return quoting.said(told.text if told else text)


def _quotes(group: Sequence[Refusal]) -> tuple[Quote, ...]:
    quotes: list[Quote | None] = []
    for refusal in sorted(group, key=lambda r: r.reason is None):
        session = refusal.timeline.session.id
        if refusal.reason:
            quotes.append(quoting.raw_line(session, _first_line(refusal.reason.text)))
        command = refusal.event.line or (refusal.event.edits[0].new if refusal.event.edits else refusal.event.call.text)
        quotes.append(quoting.raw_line(session, _first_line(command)))
    return quoting.distinct(quotes)


def _first_line(text: str) -> str:
    return next((line for line in text.split("\n") if line.strip()), "")
