"""Whose words may carry a finding: a person's own, the agent's own, and nobody's twice."""

import re
from dataclasses import replace

from slowwave.facts.evidence import Speaker
from slowwave.facts.limits import TAINT_RUN_CHARACTERS
from slowwave.facts.text import fold
from slowwave.mining.sentences import Sentence
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.recording import Recording
from slowwave.records.taint import ForeignWords

_PLACEHOLDER = "No response requested"  # what Claude Code writes where the agent said nothing
_BRIEF = re.compile(
    r"\A\s*(?:#+\s*)?(?:review task|you are not alone"
    r"|you are (?:a|an|the) [\w -]{0,40}(?:agent|reviewer|worker|subagent)"
    r"|review the (?:current|following) (?:branch|changes|code changes|diff))",
    re.IGNORECASE,
)


def order(recording: Recording) -> tuple[str, str]:
    """For sorting sessions: by their start, then by id."""
    started = recording.session.started
    return (started.isoformat() if started else "", recording.session.id)


def without_copies(recording: Recording, seen: set[str]) -> Recording:
    """The recording without copies, those of entries of earlier sessions too; what it tells is added to ``seen``."""
    entries = tuple(e for e in recording.entries if not e.is_copy and not (e.origin and e.origin in seen))
    seen.update(e.origin for e in entries)
    return replace(recording, entries=entries)


def is_orchestrated(recording: Recording) -> bool:
    """Whether another agent's brief began the session."""
    if recording.session.relation == "subagent":
        return True
    first = next((e for e in recording.entries if is_turn(e) or e.injected == "prompt"), None)
    return first is not None and (first.injected == "prompt" or _BRIEF.match(first.text) is not None)


def is_persons(entry: Entry) -> bool:
    """A person's own words that may carry a finding: typed, not a copy, not planted."""
    return entry.is_person and not entry.is_copy and not entry.is_tainted and bool(entry.text.strip())


def is_agents(entry: Entry) -> bool:
    """The agent's own words that may carry a finding; of a tainted message only its ``own_sentences`` do."""
    return (
        entry.speaker is Speaker.AGENT
        and entry.kind is EntryKind.TEXT
        and not (entry.injected or entry.is_copy or entry.is_sidechain)
        and not entry.text.startswith(_PLACEHOLDER)
    )


def is_spoken(entry: Entry) -> bool:
    """Whether a person or the agent said it."""
    return is_persons(entry) or is_agents(entry)


def is_turn(entry: Entry) -> bool:
    """Whether a person takes the word with it."""
    return is_persons(entry) and entry.kind is not EntryKind.TOOL_CALL


def own_sentences(sentences: tuple[Sentence, ...], fetched: ForeignWords) -> tuple[Sentence, ...]:
    """The sentences of a tainted message that repeat nothing fetched; one too short to tell is not the agent's own."""
    told = ((sentence, fold(sentence.raw)) for sentence in sentences)
    return tuple(s for s, text in told if len(text) >= TAINT_RUN_CHARACTERS and not fetched.are_in(text))
