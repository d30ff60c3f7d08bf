"""Commitments: work that a person or the agent said they will do and that the session leaves behind.

They are rare, so the rules name the few shapes that hold (study/mining-notes, "Commitments are rare"): a person's own
first person with a work verb; the agent's word where it stops and waits; an act the agent announces in its last
message and that no later command performs. Everything else that says "I'll" is done at once and forgotten.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.facts.answer import Commitment
from slowwave.facts.evidence import Quote
from slowwave.facts.limits import MOST_COMMITMENTS, STATEMENT_CHARACTERS
from slowwave.facts.text import cut
from slowwave.mining import compose, phrasing, promised_work, rewording, speech
from slowwave.mining.episodes import Episode, Talk, Utterance
from slowwave.mining.lexicon import load
from slowwave.mining.resolution import is_performed, is_resolved
from slowwave.mining.sentences import Sentence
from slowwave.mining.wording import content_words
from slowwave.records.entries import EntryKind

TURN_CHARACTERS = 1_500  # a longer turn is a paste, a plan or a brief, and its first person is anybody's
QUOTE = 250
LAST_MESSAGES = 3  # of a session: what is announced there and not done stays undone

PERSONS = 0.8  # a person's own first person with a work verb
SMALL = 0.55  # talk, or work whose object nobody can tell later: under the bar of what becomes a task
ISSUE = 0.7  # a person has an issue opened for what "we need to" do
WAITS = 0.75  # the agent names an act and waits for the person's word
ENDS = 0.75  # the session ends before the announced act
DEFERRED = 0.75  # the agent stops and names when it will go on
FOLLOWS_UP = 0.5  # a follow-up somebody may or may not do

_DATE = re.compile(r"\b(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))\b")
_WAIT = re.compile(
    r"\s*[—\u2013;,-]?\s*(?:just )?(?:let me know|tell me|say|ping me) when\b.*$"
    r"|\s*[—\u2013;,-]?\s*when(?:ever)? you(?:'re| are) ready\b.*$",
    re.IGNORECASE,
)
_ACT = re.compile(r"\b(?:then |and )?i(?:'ll| will) (?:then |now |also )?(.*)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Promise:
    """A sentence that promises, before it is told."""

    episode: Episode
    utterance: Utterance
    sentence: Sentence
    actor: str
    confidence: float
    statement: str


def find(talk: Talk) -> tuple[Commitment, ...]:
    """The commitments of some talk, most certain first; usually none."""
    promises: list[_Promise] = []
    for episode in talk.episodes:
        if episode.session_id not in talk.orchestrated:
            promises += [*_persons(episode), *_agents(episode)]
    found = [_commitment(talk, promise) for promise in _once(promises)]
    return tuple(sorted(found, key=lambda c: (-c.confidence, c.evidence.session_id, c.statement)))[:MOST_COMMITMENTS]


def _persons(episode: Episode) -> list[_Promise]:
    """What the person says they will do themselves, or has written down as still to do."""
    text = episode.turn.entry.text
    if len(text) > TURN_CHARACTERS or speech.is_paste(text):
        return []
    found = []
    table = load("promises")
    for sentence in episode.turn.sentences:
        if not _is_real(sentence.text) or len(content_words(sentence.text)) < 2:
            continue
        is_own = table.has(sentence.text, "person")
        if is_own or table.has(sentence.text, "issue"):
            told = promised_work.own_words(sentence.text) if is_own else promised_work.told(sentence.text)
            about = promised_work.antecedent(episode, sentence, told)
            sure = PERSONS if is_own else ISSUE
            if promised_work.is_small(told, sentence.text) or (about is None):
                sure = SMALL
            note = "the user said they would" if is_own else "an issue was asked for it"
            told = f"{told} ({note}{f', about {about}' if about else ''})"
            found.append(_promise(episode, episode.turn, sentence, by=("user", sure), told=told))
    return found


def _agents(episode: Episode) -> list[_Promise]:
    """What the agent leaves open where it stops: words it waits for, follow-ups, an act the session ends before."""
    found: list[_Promise] = []
    if not episode.answers or episode.answers[-1].entry.is_tainted:
        return found
    last = episode.answers[-1]
    table = load("promises")
    if not any(
        e.kind is EntryKind.TOOL_CALL and (e.file, e.line) > (last.entry.file, last.entry.line) for e in episode.events
    ):
        for sentence in last.sentences:
            if not _is_real(sentence.text):
                continue
            if table.has(sentence.text, "deferred"):
                told = f"{promised_work.told(sentence.text)} (the agent put it off)"
                found.append(_promise(episode, last, sentence, by=("agent", DEFERRED), told=told))
            elif table.has(sentence.text, "waiting"):
                found.append(
                    _promise(episode, last, sentence, by=("agent", WAITS), told=_waiting(episode, sentence.text))
                )
            elif table.has(sentence.text, "follow_up"):
                told = f"Follow up: {compose.lowered(phrasing.telling(sentence.text))}"
                found.append(_promise(episode, last, sentence, by=("agent", FOLLOWS_UP), told=told))
    if episode.is_last:
        found += _unperformed(episode)
    return found


def _unperformed(episode: Episode) -> list[_Promise]:
    """Acts announced in the session's last messages that no later command performs."""
    for utterance in reversed(episode.answers[-LAST_MESSAGES:]):
        for sentence in utterance.sentences:
            if (
                load("promises").has(sentence.text, "act")
                and _is_real(sentence.text)
                and not is_performed(episode, utterance, sentence.text)
            ):
                act = _ACT.search(sentence.text.replace("\u2019", "'"))
                told = phrasing.telling(act.group(1)) if act else phrasing.telling(sentence.text)
                subject = speech.said(episode.turn.entry.text, most=80)
                told = f"{compose.raised(told)}: announced for {subject}, and the session ended before it"
                return [_promise(episode, utterance, sentence, by=("agent", ENDS), told=told)]
    return []


def _is_real(text: str) -> bool:
    """Whether a sentence can promise: no question, no condition, nothing done at once."""
    table = load("promises")
    asks = text.rstrip().endswith(("?", ":"))
    return not asks and not table.has(text, "unreal") and not table.has(text, "now")


def _waiting(episode: Episode, text: str) -> str:
    """What the agent will do at the person's word."""
    plain = promised_work.told(_WAIT.sub("", text.replace("\u2019", "'")))
    subject = speech.said(episode.turn.entry.text, most=80)
    return f"{plain}: the agent waits for the user's word (about {subject})"


def _promise(
    episode: Episode, utterance: Utterance, sentence: Sentence, *, by: tuple[str, float], told: str
) -> _Promise:
    actor, confidence = by
    return _Promise(
        episode=episode,
        utterance=utterance,
        sentence=sentence,
        actor=actor,
        confidence=confidence,
        statement=cut(told, STATEMENT_CHARACTERS - 1),
    )


def _once(promises: Sequence[_Promise]) -> list[_Promise]:
    """One promise for each sentence; where a session says the same twice, the later."""
    kept: list[_Promise] = []
    for promise in reversed(promises):
        words = content_words(promise.sentence.text)
        if not any(
            promise.episode.session_id == k.episode.session_id
            and len(words & content_words(k.sentence.text)) * 3 >= 2 * max(1, len(words))
            for k in kept
        ):
            kept.append(promise)
    return kept[::-1]


def _commitment(talk: Talk, promise: _Promise) -> Commitment:
    raw = promise.sentence.raw
    kept = raw if len(raw) <= QUOTE else rewording.cut_clause(raw, QUOTE)
    due = _DATE.search(kept)
    return Commitment(
        statement=promise.statement,
        actor=promise.actor,
        due_hint=due.group(1) if due else None,
        evidence=Quote(session_id=promise.episode.session_id, quote=kept),
        confidence=promise.confidence,
        resolved=is_resolved(talk, promise.episode, promise.utterance, promise.sentence.text),
    )
