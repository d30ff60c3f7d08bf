"""The agent's own account of an event: the sentence near it that shares its rare words."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from slowwave.facts.evidence import Quote
from slowwave.mining import quoting
from slowwave.mining.answers import is_tellable
from slowwave.mining.events import Timeline
from slowwave.mining.sentences import Sentence, split
from slowwave.mining.wording import content_words

FEWEST_WORDS = 4  # content words outside code; with fewer it is a heading or a command
LONGEST = 280  # characters of a sentence that can still be read at once


_CODE = re.compile(r"`[^`\n]{1,200}`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One sentence: as it reads, as it stands in the record, and at which entry."""

    text: str
    quote: Quote
    at: int


def account(line: Timeline, reach: tuple[int, int], about: str, *, keys: Iterable[str] = ()) -> Account | None:
    """The agent's sentence within a range of entries that tells most of something; None when none does.

    Args:
        line: The session.
        reach: First entry, and the one behind the last.
        about: Text whose words the sentence must share: an error, a command.
        keys: Words that weigh more, such as what was new in the command that worked.
    """
    words = content_words(about)
    keyed = frozenset(key.lower() for key in keys)
    best: tuple[float, Account] | None = None
    for at in range(max(0, reach[0]), min(reach[1], len(line.entries))):
        for entry in line.talk(at, at + 1):
            for sentence in split(entry.text):
                value = _value(sentence, words, keyed)
                quote = quoting.raw_line(line.session.id, sentence.raw) if value > 0 else None
                if quote and (best is None or value > best[0]):
                    best = (value, Account(text=sentence.text, quote=quote, at=at))
    return best[1] if best else None


def _value(sentence: Sentence, words: frozenset[str], keys: frozenset[str]) -> float:
    """Shared words by the share they make, keys threefold, half for narration; 0 for what cannot stand."""
    own = content_words(_CODE.sub(" ", sentence.text))
    keyed = sum(key in sentence.text.lower() for key in keys)
    shared = len(content_words(sentence.text) & words)
    if shared + 2 * keyed < 2 or len(sentence.text) > LONGEST or len(own) < FEWEST_WORDS:
        return 0.0
    if sentence.text.endswith((":", "?")):
        return 0.0
    value = (shared + 2 * keyed) / (6 + len(own))
    return value if is_tellable(sentence.text) else value / 2
