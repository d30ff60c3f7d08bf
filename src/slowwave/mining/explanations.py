"""Lens: an error line, and soon after it the agent's sentence that states its cause (study/mining-notes, 6)."""

from collections.abc import Sequence

from slowwave.facts.evidence import Quote
from slowwave.facts.memory import Kind
from slowwave.facts.text import cut, fold
from slowwave.mining import failures
from slowwave.mining.answers import Answer, leading, rank
from slowwave.mining.episodes import Episode, Talk
from slowwave.mining.events import Event, Timeline
from slowwave.mining.finding import Finding, Part
from slowwave.mining.telling import Story, tell
from slowwave.mining.wording import content_words

LENS = "explained_error"
REACH = 10  # entries after an error in which its cause is stated
FLOOR = 2.2  # worth of that sentence; an error has many that only go on
SEEN = 1.4  # what a worded failure is worth by itself
EVERYDAY = -1.2  # a failure that every code base has
LINE = 90  # characters of an error line in a claim
_CAUSES = frozenset({"cause", "diagnosis", "contrast"})


def find(talk: Talk, timelines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """The best explained error of each episode."""
    by_session = {timeline.session.id: (timeline, _failures(timeline)) for timeline in timelines}
    found: list[Finding] = []
    for episode in talk.episodes:
        if episode.session_id not in by_session or not episode.answers:
            continue
        timeline, failed = by_session[episode.session_id]
        events = [
            failed[place] for entry in episode.events if (place := (entry.file, entry.line, entry.part)) in failed
        ]
        stories = [story for event in events if (story := _story(talk, timeline, episode, event))]
        if stories:
            best = max(
                stories,
                key=lambda s: (
                    round(sum(p.value for p in (*s.parts, *s.answers[0].parts)), 6),
                    -s.answers[0].utterance.at,
                ),
            )
            found.append(tell(best, talk))
    return tuple(found)


def _failures(timeline: Timeline) -> dict[tuple[int, int, int], Event]:
    """The worded failures of a session by the place of their calls; planned ones are none."""
    return {
        (event.call.file, event.call.line, event.call.part): event
        for event in timeline.events
        if event.failure is not None
        and event.failure.is_worded
        and not failures.is_planned(entry.text for entry in timeline.entries[max(0, event.at - 3) : event.at])
    }


def _story(talk: Talk, timeline: Timeline, episode: Episode, event: Event) -> Story | None:
    failure, result = event.failure, event.result
    if failure is None or result is None:
        return None
    start = next(at for at in range(event.at, len(timeline.entries)) if timeline.entries[at] is result)
    near = {(e.file, e.line) for e in timeline.entries[start : start + REACH + 1]}
    said = [u for u in episode.answers if (u.entry.file, u.entry.line) in near]
    about = content_words(" ".join(failure.lines[:5]) + " " + event.line[:200])
    told = rank(episode, talk.rarity, utterances=said, about=about)
    ranked = leading([a for a in told if a.words & about and a.cues & _CAUSES])
    if not ranked or ranked[0].worth < FLOOR:
        return None
    line = fold(failure.line)
    return Story(
        lens=LENS,
        kind=Kind.ERROR_PATTERN,
        episode=episode,
        answers=(ranked[0], *_rest(episode, talk, ranked[0], about)),
        close=f" (one session; the error was “{cut(failure.message, LINE)}”)",
        short_close=" (one session)",
        parts=_parts(failure.message),
        quotes=(Quote(session_id=episode.session_id, quote=failure.line.strip()[:240].strip()),),
        context=(
            f"The error: “{cut(line, 110)}”.",
            f"It came from `{cut(fold(event.line), 100)}`." if event.line else "",
        ),
    )


def _parts(message: str) -> tuple[Part, ...]:
    parts = [Part(name="error", value=SEEN)]
    if failures.is_everyday(message):
        parts.append(Part(name="everyday", value=EVERYDAY))
    return tuple(parts)


def _rest(episode: Episode, talk: Talk, best: Answer, about: frozenset[str]) -> tuple[Answer, ...]:
    """Further sentences of the episode about the same error."""
    others = rank(episode, talk.rarity, about=about | best.words)
    return tuple(a for a in others if a.sentence.raw != best.sentence.raw and len(a.words & (about | best.words)) >= 3)[
        :6
    ]
