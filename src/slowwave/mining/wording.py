"""Words that tell one subject from another: identifiers, content words, and how rare they are over sessions."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from slowwave.mining import tables

MOST_WORDS = 2_000  # of one text; the rest of a dump adds nothing to what it is about

_CODE = re.compile(r"`([^`\n]{1,80})`")
_NAME = re.compile(
    r"(?<![\w/.-])(?:"
    r"(?:\.{0,2}/)?[\w.-]+(?:/[\w.@-]+)+"  # a path
    r"|[\w-]+\.(?:go|py|rs|ts|tsx|js|jsx|md|toml|ya?ml|json|sh|sql|css|html?|c|h|cpp|java|kt|rb|swift|lock|mod|txt|cfg)"
    r"|--[a-z][\w-]+"  # a flag
    r"|[A-Za-z]\w*(?:\.\w+)+(?:\(\))?"  # a dotted name
    r"|[A-Za-z]+_\w+|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w*|[A-Z][A-Z0-9]{2,}(?:_[A-Z0-9]+)*"
    r"|(?:PR|MR)\s?#?\d+|#\d+"
    r")(?![\w/])"
)
_WORD = re.compile(r"[^\W\d_][\w'-]{2,}")
_PROSE_CODE = re.compile(r"^[A-Z]?[a-z]+(?: [a-z]+){2,}$")


def identifiers(text: str) -> tuple[str, ...]:
    """Names of things in a text, in order, each once: code in backticks, paths, flags, joined-up words."""
    names: dict[str, None] = {}
    for code in _CODE.finditer(text):
        name = code.group(1).strip()
        if len(name) > 1 and not _PROSE_CODE.match(name) and any(c.isalnum() for c in name):
            names.setdefault(name)
    for hit in _NAME.finditer(_CODE.sub(" ", text)):
        names.setdefault(hit.group().strip("."))
    return tuple(names)


def content_words(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, lower case, light endings off; at most ``MOST_WORDS`` are read."""
    found: set[str] = set()
    for count, hit in enumerate(_WORD.finditer(text.lower().replace("\u2019", "'"))):
        if count == MOST_WORDS:
            break
        word = hit.group().strip("'-")
        if word not in tables.words("stop_words", "words") and len(word) > 2:
            found.add(stem(word))
    return frozenset(found)


def stem(word: str) -> str:
    """A word without its commonest English endings, so that ``tests`` and ``test`` are one."""
    for ending in ("'s", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


@dataclass(frozen=True, slots=True)
class Rarity:
    """In how many sessions a word stands: what one session says often and others never is its subject."""

    sessions: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def over(cls, texts: Iterable[Iterable[str]]) -> "Rarity":
        """Counted over sessions, each given as its texts."""
        counts: Counter[str] = Counter()
        sessions = 0
        for session in texts:
            words: set[str] = set()
            for text in session:
                words |= content_words(text)
            counts.update(words)
            sessions += 1
        return cls(sessions, counts)

    def weight(self, word: str) -> float:
        """0 for a word of every session, 1 for one of a single session."""
        if self.sessions <= 1:
            return 1.0
        known = min(max(1, self.counts.get(word, 1)), self.sessions)
        return 1.0 - math.log(known) / math.log(self.sessions)

    def alike(self, one: frozenset[str], other: frozenset[str]) -> float:
        """How much of the smaller text's weight both share, 0 to 1."""
        smaller, larger = sorted((one, other), key=len)
        total = sum(0.2 + self.weight(word) for word in sorted(smaller))
        shared = sum(0.2 + self.weight(word) for word in sorted(smaller & larger))
        return shared / total if total else 0.0
