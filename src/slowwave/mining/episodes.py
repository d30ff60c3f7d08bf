"""A session as episodes: what a person said, and all that happened until they spoke again."""

from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.facts.ids import SessionId
from slowwave.facts.text import fold
from slowwave.mining.lexicon import load
from slowwave.mining.sentences import Sentence, split
from slowwave.mining.voices import (
    is_agents,
    is_orchestrated,
    is_persons,
    is_spoken,
    is_turn,
    order,
    own_sentences,
    without_copies,
)
from slowwave.mining.wording import Rarity, content_words
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.recording import Recording
from slowwave.records.taint import ForeignWords

REFUSAL_REACH = 5  # records after a refused call in which a turn still speaks about it
ASIDE_CHARACTERS = 160  # a queued remark no longer than this speaks about the work going on


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
    for recording in (without_copies(one, seen) for one in sorted(recordings, key=order)):
        spoken = [e.text for e in recording.entries if is_spoken(e)]
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


def _is_aside(entry: Entry, turns: int) -> bool:
    return turns > 0 and entry.via == "queued" and len(entry.text) <= ASIDE_CHARACTERS and not _is_sharp(entry.text)


def _is_sharp(text: str) -> bool:
    """Whether a queued remark corrects: then it is a turn of its own."""
    return load("turns").has(text, "denial", "repeat", "redirection", "surprise")


def _episodes(recording: Recording) -> list[Episode]:
    entries = [e for e in recording.entries if e.file == 0]
    starts = [i for i, e in enumerate(entries) if is_turn(e)]
    turns = [i for n, i in enumerate(starts) if not _is_aside(entries[i], n)]
    heard = _hear(entries)
    episodes: list[Episode] = []
    for number, start in enumerate(turns):
        end = turns[number + 1] if number + 1 < len(turns) else len(entries)
        refused = _refused(entries, start)
        episodes.append(
            Episode(
                session_id=recording.session.id,
                number=number,
                turn=heard[start],
                asides=tuple(heard[i] for i in starts if start < i < end),
                before=_last_answer(heard, turns[number - 1] if number else 0, start),
                answers=tuple(heard[i] for i in range(start + 1, end) if is_agents(entries[i])),
                events=tuple(entries[start + 1 : end]),
                is_refusal=entries[start].via == "rejection" or refused is not None,
                refused=refused,
                is_last=number + 1 == len(turns),
            )
        )
    return episodes


def _hear(entries: Sequence[Entry]) -> dict[int, Utterance]:
    """What persons and the agent said, by position, in one pass; of a tainted message its own sentences."""
    heard: dict[int, Utterance] = {}
    fetched = ForeignWords()
    for at, entry in enumerate(entries):
        if entry.is_tainted and entry.kind is EntryKind.TOOL_RESULT:
            fetched.add(fold(entry.text))
        elif is_turn(entry) or is_agents(entry):
            sentences = split(entry.text)
            own = own_sentences(sentences, fetched) if entry.is_tainted else sentences
            heard[at] = Utterance(entry=entry, at=at, sentences=own)
    return heard


def _last_answer(heard: dict[int, Utterance], start: int, end: int) -> Utterance | None:
    """The last thing the agent said within a range of positions."""
    said = (heard[at] for at in range(end - 1, start - 1, -1) if at in heard and is_agents(heard[at].entry))
    return next((utterance for utterance in said if len(utterance.entry.text) > 1), None)


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
