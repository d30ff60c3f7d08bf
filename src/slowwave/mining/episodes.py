"""A session as episodes: what a person said, and all that happened until they spoke again."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from slowwave.facts.evidence import Speaker
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import TAINT_RUN_CHARACTERS
from slowwave.facts.text import fold
from slowwave.mining.lexicon import load
from slowwave.mining.sentences import Sentence, split
from slowwave.mining.wording import Rarity, content_words
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.recording import Recording

REFUSAL_REACH = 5  # records after a refused call in which a turn still speaks about it
ASIDE_CHARACTERS = 160  # a queued remark no longer than this speaks about the work going on

_PLACEHOLDER = "No response requested"  # what Claude Code writes where the agent said nothing
_BRIEF = re.compile(
    r"\A\s*(?:#+\s*)?(?:review task|you are not alone"
    r"|you are (?:a|an|the) [\w -]{0,40}(?:agent|reviewer|worker|subagent)"
    r"|review the (?:current|following) (?:branch|changes|code changes|diff)|implement the following plan)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """What somebody said in one entry, as sentences.

    Attributes:
        entry: Where it stands.
        at: Position of the entry in its recording.
        sentences: Its sentences.
    """

    entry: Entry
    at: int
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One person's turn and what followed it.

    Attributes:
        session_id: The session.
        number: Which turn of the session, from 0.
        turn: The person's words.
        asides: Short remarks a person queued while the agent worked.
        before: What the agent said last before the turn.
        answers: What the agent said until the next turn, in order; nothing injected, copied or tainted.
        events: All entries until the next turn, calls and results too.
        is_refusal: The turn refuses a call: it stands in the rejection or shortly after one.
        refused: The call that was refused.
        is_last: No turn follows.
    """

    session_id: SessionId
    number: int
    turn: Utterance
    asides: tuple[Utterance, ...] = ()
    before: Utterance | None = None
    answers: tuple[Utterance, ...] = ()
    events: tuple[Entry, ...] = ()
    is_refusal: bool = False
    refused: Entry | None = None
    is_last: bool = False

    @property
    def words(self) -> frozenset[str]:
        """Content words of the person's turn and remarks."""
        return content_words(" ".join([self.turn.entry.text, *(aside.entry.text for aside in self.asides)]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """All sessions of a batch as episodes.

    Attributes:
        episodes: In the order of the recordings.
        rarity: How rare words are over the sessions.
        words: Content words of each session's own talk, for finding where a subject returns.
        orchestrated: Sessions that another agent's brief began: their turns are no person's.
    """

    episodes: tuple[Episode, ...]
    rarity: Rarity
    words: dict[SessionId, frozenset[str]]
    orchestrated: frozenset[SessionId]


def listen(recordings: Sequence[Recording]) -> Talk:
    """The talk of some recordings."""
    episodes: list[Episode] = []
    words: dict[SessionId, frozenset[str]] = {}
    orchestrated: set[SessionId] = set()
    seen: set[str] = set()
    for recording in (_without(one, seen) for one in sorted(recordings, key=_order)):
        spoken = [e.text for e in recording.entries if _is_spoken(e)]
        words[recording.session.id] = content_words("\n".join(spoken))
        if is_orchestrated(recording):
            orchestrated.add(recording.session.id)
        episodes += _episodes(recording)
    return Talk(
        episodes=tuple(episodes),
        rarity=Rarity.over(([" ".join(sorted(found))] for _, found in sorted(words.items()))),
        words=words,
        orchestrated=frozenset(orchestrated),
    )


def _order(recording: Recording) -> tuple[str, str]:
    started = recording.session.started
    return (started.isoformat() if started else "", recording.session.id)


def _without(recording: Recording, seen: set[str]) -> Recording:
    """The recording without copies, those of entries of earlier sessions too; what it tells is added to ``seen``."""
    entries = tuple(e for e in recording.entries if not e.is_copy and not (e.origin and e.origin in seen))
    seen.update(e.origin for e in entries)
    return replace(recording, entries=entries)


def is_orchestrated(recording: Recording) -> bool:
    """Whether another agent's brief began the session."""
    if recording.session.relation == "subagent":
        return True
    first = next((e for e in recording.entries if _is_turn(e) or e.injected == "prompt"), None)
    return first is not None and (first.injected == "prompt" or _BRIEF.match(first.text) is not None)


def is_persons(entry: Entry) -> bool:
    """A person's own words that may carry a finding: typed, not a copy, not planted."""
    return entry.is_person and not entry.is_copy and not entry.is_tainted and bool(entry.text.strip())


def is_agents(entry: Entry) -> bool:
    """The agent's own words that may carry a finding; of a tainted message only some sentences do (``_own``)."""
    return (
        entry.speaker is Speaker.AGENT
        and entry.kind is EntryKind.TEXT
        and not (entry.injected or entry.is_copy or entry.is_sidechain)
        and not entry.text.startswith(_PLACEHOLDER)
    )


def _is_spoken(entry: Entry) -> bool:
    return is_persons(entry) or is_agents(entry)


def _is_turn(entry: Entry) -> bool:
    return is_persons(entry) and entry.kind is not EntryKind.TOOL_CALL


def _is_aside(entry: Entry, turns: int) -> bool:
    return turns > 0 and entry.via == "queued" and len(entry.text) <= ASIDE_CHARACTERS and not _is_sharp(entry.text)


def _is_sharp(text: str) -> bool:
    """Whether a queued remark corrects: then it is a turn of its own."""
    return load("turns").has(text, "denial", "repeat", "redirection", "surprise")


def _episodes(recording: Recording) -> list[Episode]:
    entries = [e for e in recording.entries if e.file == 0]
    starts = [i for i, e in enumerate(entries) if _is_turn(e)]
    turns = [i for n, i in enumerate(starts) if not _is_aside(entries[i], n)]
    episodes: list[Episode] = []
    for number, start in enumerate(turns):
        end = turns[number + 1] if number + 1 < len(turns) else len(entries)
        refused = _refused(entries, start)
        episodes.append(
            Episode(
                session_id=recording.session.id,
                number=number,
                turn=_utterance(entries, start),
                asides=tuple(_utterance(entries, i) for i in starts if start < i < end),
                before=_last_answer(entries, turns[number - 1] if number else 0, start),
                answers=tuple(_utterance(entries, i) for i in range(start + 1, end) if is_agents(entries[i])),
                events=tuple(entries[start + 1 : end]),
                is_refusal=entries[start].via == "rejection" or refused is not None,
                refused=refused,
                is_last=number + 1 == len(turns),
            )
        )
    return episodes


def _utterance(entries: Sequence[Entry], at: int) -> Utterance:
    sentences = split(entries[at].text)
    if entries[at].is_tainted:
        sentences = _own(sentences, [e.text for e in entries[:at] if e.is_tainted and e.kind is EntryKind.TOOL_RESULT])
    return Utterance(entry=entries[at], at=at, sentences=sentences)


def _own(sentences: tuple[Sentence, ...], fetched: Sequence[str]) -> tuple[Sentence, ...]:
    """The sentences of a tainted message that repeat nothing of what was fetched before it."""
    sources = [fold(text) for text in fetched]
    return tuple(s for s in sentences if not any(_repeats(fold(s.raw), source) for source in sources))


def _repeats(text: str, source: str) -> bool:
    run = min(TAINT_RUN_CHARACTERS, len(text))
    return any(text[at : at + run] in source for at in range(len(text) - run + 1))


def _last_answer(entries: Sequence[Entry], start: int, end: int) -> Utterance | None:
    for at in range(end - 1, start - 1, -1):
        if is_agents(entries[at]) and len(entries[at].text) > 1:
            return _utterance(entries, at)
    return None


def _refused(entries: Sequence[Entry], start: int) -> Entry | None:
    """The call whose rejection stands at the turn or in the few records before it."""
    for at in range(start, max(-1, start - REFUSAL_REACH - 1), -1):
        entry = entries[at]
        if at < start and is_persons(entry):
            return None
        if entry.is_rejected or (at == start and entry.via == "rejection"):
            return _call_of(entries, entry, at)
    return None


def _call_of(entries: Sequence[Entry], result: Entry, at: int) -> Entry:
    """The call a rejection belongs to; the rejection itself where no call is recorded."""
    for i in range(at, max(-1, at - 40), -1):
        call = entries[i]
        if call.kind is EntryKind.TOOL_CALL and (not result.call_id or call.call_id == result.call_id):
            return call
    return result
