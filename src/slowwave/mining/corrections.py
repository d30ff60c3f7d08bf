"""Lens: a person corrects, questions or reports, and the agent's answer says what is so.

Trigger and answer stand in one episode; without an answer over the floor nothing is said (study/mining-notes, 7).
"""

from dataclasses import replace

from slowwave.facts.evidence import Quote
from slowwave.facts.memory import Kind
from slowwave.mining import speech, tables
from slowwave.mining.answers import Answer, leading, rank
from slowwave.mining.episodes import Episode, Talk
from slowwave.mining.finding import Finding, Part
from slowwave.mining.lexicon import load
from slowwave.mining.refused_steps import refused_step
from slowwave.mining.telling import Story, tell, turn_first
from slowwave.mining.threads import quote
from slowwave.mining.wording import content_words

LENS = "correction"
FLOOR = 1.3  # worth an answer needs, whatever the trigger
TRIGGER_MOST = 3.6
SECOND_CUE = 0.5  # what every further kind of cue adds
REFUSAL = 2.2  # a refused call: the strongest pointer to a correction
FIRST_TURN = 0.6  # share of a cue's weight in a session's first turn, where most turns are orders
READ_CHARACTERS = 700  # of a turn; cues far inside a pasted text are not the person's tone
ADMISSION = 1.6
CONCEDED = 0.8  # the agent gives the person right
LONG_TURN = 1_200  # characters from which a turn is a paste or a specification

RELATED_WORDS = 2  # in common with the turn
RELATED_LIKENESS = 0.4  # part of the worth; a short turn shares little
OVERTAKEN = 0.5  # share of a later turn's words that stand in the message it denies

_DIRECT = ("surprise", "denial", "repeat", "redirection", "report")


def find(talk: Talk) -> tuple[Finding, ...]:
    """A finding, kept or dropped, for every turn that corrects, questions or reports."""
    found: list[Finding] = []
    for at, episode in enumerate(talk.episodes):
        if episode.session_id in talk.orchestrated or speech.is_relayed(episode.turn.entry.text):
            continue
        parts = trigger(episode)
        ranked = leading(_fitting(episode, rank(episode, talk.rarity))) if parts else ()
        if not ranked or ranked[0].worth < FLOOR:
            continue
        finding = tell(_story(episode, ranked, parts), talk)
        if not finding.dropped and _is_overtaken(talk, at, ranked[0]):
            finding = replace(finding, dropped="a later correction overtakes it")
        found.append(finding)
    return tuple(found)


def _fitting(episode: Episode, ranked: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """The answers with one in front that is about what a redirecting turn is about; where none is, nothing fits."""
    text = episode.turn.entry.text[:READ_CHARACTERS]
    if speech.is_empty(text) or load("turns").has(text, "report", "surprise"):
        return ranked
    first = next((a for a in ranked if is_related(a, episode)), None)
    return (first, *(a for a in ranked if a is not first)) if first else ()


def is_related(answer: Answer, episode: Episode) -> bool:
    """Whether an answer is about what the person spoke of: two words in common, or much of the shorter one."""
    likeness = next((part.value for part in answer.parts if part.name == "likeness"), 0.0)
    common = (answer.words & episode.words) - tables.words("stop_words", "tone")
    return len(common) >= RELATED_WORDS or (bool(common) and likeness >= RELATED_LIKENESS)


def trigger(episode: Episode) -> tuple[Part, ...]:
    """What a turn shows: refusal and cues, named; empty for a turn that shows nothing."""
    text = episode.turn.entry.text[:READ_CHARACTERS]
    cues = [cue for cue in load("turns").matches(text) if cue.name in _DIRECT]
    names = {cue.name for cue in cues}
    if "report" in names and load("turns").has(text, "assent"):
        cues = [cue for cue in cues if cue.name != "report"]
        names.discard("report")
    weight = max((cue.weight for cue in cues), default=0.0) + SECOND_CUE * max(0, len(names) - 1)
    if episode.number == 0 and "report" not in names and not episode.is_refusal:
        weight *= FIRST_TURN
    if len(episode.turn.entry.text) > LONG_TURN:
        weight *= FIRST_TURN
    refusal = REFUSAL if episode.is_refusal and len(content_words(text)) >= 3 else 0.0
    if not weight and not refusal:
        return ()
    limit = min(TRIGGER_MOST, weight)
    parts = [
        Part(name="trigger", value=round(limit, 2)),
        Part(name="refusal", value=refusal),
        Part(name="conceded", value=CONCEDED if _is_conceded(episode) else 0.0),
    ]
    return tuple(part for part in parts if part.value)


def _is_conceded(episode: Episode) -> bool:
    """Whether the agent's first words give the person right."""
    first = episode.answers[0].sentences[:1] if episode.answers else ()
    return any(load("answers").has(sentence.text, "concession") for sentence in first)


def _story(episode: Episode, ranked: tuple[Answer, ...], parts: tuple[Part, ...]) -> Story:
    text = episode.turn.entry.text[:READ_CHARACTERS]
    names = {cue.name for cue in load("turns").matches(text)}
    words = speech.whole(episode.turn.entry.text)
    admitted = admission(episode, ranked[0])
    lead, close, kind = _frame(episode, names, words, is_answered=is_related(ranked[0], episode))
    if admitted:
        parts = (*parts, Part(name="admission", value=ADMISSION))
        close = f" (one session; the agent owned the mistake{f' when the user said {words}' if words else ''})"
        lead, kind = "", Kind.AGENT_INSIGHT
    return Story(
        lens=LENS,
        kind=kind,
        episode=episode,
        answers=ranked,
        lead=lead,
        close=close,
        short_close=" (one session)" if close and not admitted and "denial" not in names else close,
        parts=parts,
        quotes=(turn_first(episode), *admitted),
        context=("The user said: " + "; ".join(speech.pieces(episode.turn)),),
    )


def _frame(episode: Episode, names: set[str], words: str, *, is_answered: bool) -> tuple[str, str, Kind]:
    """How the claim opens and ends, and its kind, by what the turn shows.

    Words that do not fit whole, and words about something else, are left out.
    """
    if episode.is_refusal:
        verb = "asked" if words.endswith("?”") else "said"
        said = f" and {verb} {words}" if words else ""
        return f"In one session the user refused {refused_step(episode)}{said}: ", "", Kind.PRECEDENT
    if not is_answered or not words or speech.is_empty(episode.turn.entry.text):
        return "", " (one session)", Kind.SEMANTIC
    if "surprise" in names or "denial" in names:
        verb = "asked" if words.rstrip("”").endswith("?") or "surprise" in names else "objected"
        return "", f" (one session; the user had {verb} {words})", Kind.ERROR_PATTERN
    if "redirection" in names and "report" not in names:
        return f"In one session the user corrected the agent with {words}: ", "", Kind.PRECEDENT
    return "", f" (one session; the report was {words})", Kind.ERROR_PATTERN


def admission(episode: Episode, answer: Answer) -> tuple[Quote, ...]:
    """The sentence in which the message that holds the answer owns a mistake, as a quote."""
    owned = next((s for s in answer.utterance.sentences if load("answers").has(s.text, "admission")), None)
    return (quote(episode.session_id, owned.raw),) if owned else ()


def _is_overtaken(talk: Talk, at: int, answer: Answer) -> bool:
    """Whether a later turn of the session denies or takes back what the message with the answer says."""
    spoken = content_words(answer.utterance.entry.text)
    for later in talk.episodes[at + 1 :]:
        if later.session_id != talk.episodes[at].session_id:
            return False
        if load("turns").has(later.turn.entry.text[:READ_CHARACTERS], "denial", "undoing"):
            words = later.words
            if words and talk.rarity.alike(words, words & spoken) * len(words & spoken) / len(words) >= OVERTAKEN:
                return True
    return False
