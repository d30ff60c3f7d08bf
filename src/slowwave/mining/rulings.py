"""Lens: a person lays down how it is done here and says why, or has to say it again in another session.

The words are the person's; what the agent says of them in its answer only completes the sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from slowwave.facts.memory import Kind
from slowwave.mining import speech
from slowwave.mining.answers import Answer, is_prose, rank
from slowwave.mining.episodes import Episode, Talk
from slowwave.mining.finding import Finding, Part
from slowwave.mining.lexicon import load
from slowwave.mining.ruling_claims import Ruling, tell_ruling
from slowwave.mining.sentences import Sentence
from slowwave.mining.wording import content_words, identifiers

LENS = "stated_constraint"
TURN_CHARACTERS = 600  # a longer turn is a report, a paste or a plan
SENTENCES = 6
SHORT = 60  # characters up to which a sentence needs no small words
LONGEST = 150  # characters of a sentence that rules; a longer one was written, not said
WORDS = 4  # content words below which nothing is ruled
RULE, REASON = 2.0, 2.0
REFUSED = 1.5
FULL, FULLNESS = 8, 0.6  # content words from which a ruling explains itself, and what that adds
NAMED = 0.4  # a thing that it names, twice at most
TAKEN_UP = 1.0  # the agent repeats it in words of its own
AGAIN = 2.4  # what each further session adds in which it is said
MOST_AGAIN = 4.0
ANSWERS = 6  # messages after a ruling in which the agent takes it up
ALIKE = 0.3  # likeness from which two turns rule the same
RARE = 0.45
FEW = 3  # sessions up to which no word can be told to be rare; there the plain share of words counts
ALIKE_OF_FEW = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ruled:
    """A turn that rules, with the sentences that do it; a refusal alone rules too, but is not firm."""

    episode: Episode
    rule: Sentence
    reason: Sentence | None
    words: frozenset[str]
    is_firm: bool


def find(talk: Talk) -> tuple[Finding, ...]:
    """One finding for each ruling; the same ruling of several sessions is one."""
    ruled = [r for e in talk.episodes if e.session_id not in talk.orchestrated and (r := _read(e))]
    found: list[Finding] = []
    told: set[int] = set()
    for at in range(len(ruled)):
        if at in told:
            continue
        group = _group(talk, ruled, at, told)
        told.update(group)
        found.append(_finding(talk, [ruled[n] for n in group]))
    return tuple(found)


def _group(talk: Talk, ruled: Sequence[_Ruled], at: int, told: set[int]) -> list[int]:
    """All turns that rule the same as one, directly or through another of them; every turn is joined once."""
    group = [at]
    for known in group:
        group += [
            n for n in range(len(ruled)) if n not in told and n not in group and _is_same(talk, ruled[known], ruled[n])
        ]
    return group


def _read(episode: Episode) -> _Ruled | None:
    text = episode.turn.entry.text
    if len(text) > TURN_CHARACTERS or speech.is_paste(text) or speech.is_relayed(text):
        return None
    table = load("rulings")
    spoken = [s for s in episode.turn.sentences[:SENTENCES] if not s.text.endswith("?") and _is_said(s.text)]
    is_firm = table.has(text, "denied") or table.has(text, "rule")
    denies = episode.is_refusal or table.has(text, "denied")
    rules = [
        s
        for s in spoken
        if len(s.text) <= LONGEST and (denies or table.has(s.text, "rule")) and len(content_words(s.text)) >= 2
    ]
    if not rules or len(content_words(text)) < WORDS:
        return None
    rule = max(rules, key=lambda s: (table.has(s.text, "strong"), len(content_words(s.text)), -s.order))
    reasons = [s for s in spoken if table.has(s.text, "reason")]
    reason = max(reasons, key=lambda s: (s is not rule, len(content_words(s.text)), -s.order), default=None)
    return _Ruled(episode=episode, rule=rule, reason=reason, words=content_words(text), is_firm=is_firm)


def _is_said(text: str) -> bool:
    """Whether a person said it in words; their short sentences often lack the small ones."""
    return len(text) < SHORT or is_prose(text)


def _is_same(talk: Talk, one: _Ruled, other: _Ruled) -> bool:
    shared = one.words & other.words
    if len(shared) < 2:
        return False
    if talk.rarity.sessions <= FEW:
        return len(shared) >= ALIKE_OF_FEW * min(len(one.words), len(other.words))
    is_rare = any(talk.rarity.weight(word) >= RARE for word in shared)
    return is_rare and talk.rarity.alike(one.words, other.words) >= ALIKE


def _finding(talk: Talk, same: Sequence[_Ruled]) -> Finding:
    best = _fullest(same)
    echo, support = _echo(talk, best), _support(best)
    sessions = len({r.episode.session_id for r in same})
    finding = tell_ruling(
        Ruling(
            lens=LENS,
            kind=Kind.PRECEDENT,
            said=tuple(
                (r.episode, r.rule, r.reason) for r in (best, *(r for r in same if r.episode is not best.episode))
            ),
            echo=echo,
            support=support,
            sessions=sessions,
            parts=_parts(best, same, is_taken_up=echo is not None or bool(support)),
        )
    )
    if sessions == 1 and not (best.reason and best.is_firm) and not finding.dropped:
        return replace(finding, dropped="said once, and no rule with a reason")
    return finding


def _parts(best: _Ruled, same: Sequence[_Ruled], *, is_taken_up: bool) -> tuple[Part, ...]:
    sessions = len({r.episode.session_id for r in same})
    names = min(2, len(identifiers(best.episode.turn.entry.text)))
    values = {
        "rule": RULE,
        "reason": REASON if best.reason is not None else 0.0,
        "refusal": REFUSED if any(r.episode.is_refusal for r in same) else 0.0,
        "taken up": TAKEN_UP if is_taken_up else 0.0,
        "full": FULLNESS if len(best.words) >= FULL else 0.0,
        "names": NAMED * names,
        "again": min(MOST_AGAIN, AGAIN * (sessions - 1)),
    }
    return tuple(Part(name=name, value=value) for name, value in values.items() if value)


def _fullest(same: Sequence[_Ruled]) -> _Ruled:
    """The time the ruling was said best, with a reason of another time where it has none of its own."""
    best = max(same, key=_fullness)
    if best.reason is None or best.reason is best.rule:
        others = [r.reason for r in same if r.reason is not None and r.reason is not r.rule]
        best = replace(best, reason=max(others, key=lambda s: (len(s.text), s.text), default=best.reason))
    return best


def _fullness(ruled: _Ruled) -> tuple[bool, bool, bool, int]:
    has_own_reason = ruled.reason is not None and ruled.reason is not ruled.rule
    return (has_own_reason, ruled.reason is not None, load("rulings").has(ruled.rule.text, "strong"), len(ruled.words))


def _echo(talk: Talk, ruled: _Ruled) -> Answer | None:
    """The agent's sentence that says the ruling in its own words."""
    found = [a for a in rank(ruled.episode, talk.rarity, about=ruled.words) if len(a.words & ruled.words) >= 2]
    good = [
        a
        for a in found
        if talk.rarity.alike(a.words, ruled.words) >= ALIKE
        and a.worth > 0.0
        and not a.cues & {"change", "status", "hedge", "conditional", "deictic"}
    ]
    return good[0] if good else None


def _support(ruled: _Ruled) -> str:
    """The agent's sentence that shares most words with the ruling, raw; two at least, or it is about something else."""
    sentences = [s for utterance in ruled.episode.answers[:ANSWERS] for s in utterance.sentences]
    best = max(sentences, key=lambda s: len(content_words(s.text) & ruled.words), default=None)
    return best.raw if best and len(content_words(best.text) & ruled.words) >= 2 else ""
