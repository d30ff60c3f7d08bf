"""What a promise promises: the work in words that stand alone, and whether it is more than talk."""

import re

from slowwave.facts.text import fold
from slowwave.mining import compose, phrasing, rewording, speech
from slowwave.mining.episodes import Episode
from slowwave.mining.lexicon import load
from slowwave.mining.sentences import Sentence
from slowwave.mining.wording import content_words, identifiers

MOST = 180  # characters of the work in a statement
ABOUT = 90  # of the sentence that says what ``that`` is

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_REFUSED = re.compile(
    r"^(?:no|don'?t|do not|not) (?P<what>[\w -]{2,40}?)[,.;:]+ "
    r"(?:i'll|i will|i'm going to) (?:do|handle) (?:that|it|this)\b",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"^\w+(?: \w+)? (?:it|them|(?:that|this|those|these|one)(?:$|[,.;]"
    r"| (?:as|in|on|at|by|to|for|from|with|when|once|after|later|tonight|tomorrow|today|soon|next)\b))(?!\w)"
    r"|\b(?:that|this|those|these) (?P<noun>[a-z]{3,})",
    re.IGNORECASE,
)


def told(text: str) -> str:
    """The work of a promise without its first person, large letter first."""
    plain = load("promises").strip(text.replace("\u2019", "'"), "opener")
    return compose.raised(rewording.unrun(phrasing.telling(plain) or plain, MOST) or fold(plain)[:MOST])


def own_words(text: str) -> str:
    """A person's promise as work; in their own words where it does not begin with what they will do."""
    refused = _REFUSED.match(text.replace("\u2019", "'"))
    if refused:
        return compose.raised(fold(f"{refused.group('what')}{text[refused.end() :]}").rstrip(" .!"))
    plain = told(text)
    return plain if len(content_words(plain)) * 2 > len(content_words(text)) else speech.said(text, most=150)


def is_small(work: str, text: str) -> bool:
    """Whether it is a word with somebody, done in the next conversation: no date, nothing named, no further work."""
    is_talk = load("promises").has(work, "talk")
    return is_talk and not (_DATE.search(text) or identifiers(work) or load("promises").has(work, "and work"))


def antecedent(episode: Episode, sentence: Sentence, work: str) -> str | None:
    """What a leaning word of the work stands for, quoted: the nearest sentence before that shares its noun.

    Empty where nothing leans, or only on a noun; None for a bare ``that`` that no sentence of the turn explains.
    """
    leaning = _LEANING.search(work)
    if leaning is None:
        return ""
    earlier = [s for s in episode.turn.sentences if s.order < sentence.order]
    noun = content_words(leaning.group("noun") or "")
    if noun and episode.before is not None:
        earlier = [*episode.before.sentences, *earlier]
    for other in reversed(earlier):
        words = rewording.head(fold(other.text).rstrip(" .,;:"), ABOUT)
        if words and noun <= content_words(words) and len(content_words(words)) > 1:
            return f"“{words}”"
    return "" if noun else None
