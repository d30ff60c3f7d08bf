"""Recognising what is known: exact by content, near by wording, with a veto where a fact differs.

Near means: most words are the same, a third of the neighbourhoods of words too (so that "the client signs for the
server" is not "the server signs for the client"), and ``veto`` finds nothing that differs. Only claims are compared;
a gist may tell the same thing with other numbers of sessions. Tasks are never compared with memories.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from rapidfuzz import fuzz

from slowwave.corpus.format import content_hash
from slowwave.corpus.promises import same_promise
from slowwave.corpus.veto import differs
from slowwave.corpus.words import stems
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Kind, Memory, Status

__all__ = ["Duplicate", "Known", "same_promise"]

NEAR = 92.0
"""Least similarity of the sorted words, of 100. Measured on ``tests/unit/corpus/pairs.tsv`` (24 paraphrases, 44 pairs
of different facts): paraphrases that keep their words stand at 100, the nearest different fact that no veto catches
(one claim narrows the other by a clause) at 89."""
_SHARED_PAIRS = 1 / 3
"""Least share of word pairs in common: exchanged roles keep a quarter or less, a clause moved to the front 40 %."""
_MOST_VETOES = 64  # candidates looked at closely; a template filled a thousand times costs no more than this


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """A known memory that says the same; ``score`` is 0 to 100, and 100 for an exact one."""

    path: MemoryPath
    kind: Literal["exact", "near"]
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    path: MemoryPath
    claim: str
    sorted_words: str
    pairs: int
    is_active: bool


class Known:
    """The memories there are, for comparison; grows with ``add`` and holds claims and numbers, no bodies."""

    def __init__(self, memories: Mapping[MemoryPath, Memory]) -> None:
        self._by_hash: dict[str, MemoryPath] = {}
        self._entries: list[_Entry] = []
        self._postings: dict[str, array[int]] = {}
        ordered = sorted(memories.items(), key=lambda item: (item[1].status is not Status.ACTIVE, item[0]))
        for path, memory in ordered:
            self.add(path, memory)

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, path: MemoryPath, memory: Memory) -> None:
        """Count one more memory as known; tasks are left out."""
        if memory.kind is Kind.TASK:
            return
        self._by_hash.setdefault(content_hash(memory.claim, memory.body), path)
        content = stems(memory.claim)
        pairs = _pairs(content)
        for pair in pairs:
            self._postings.setdefault(pair, array("I")).append(len(self._entries))
        self._entries.append(
            _Entry(
                path=path,
                claim=memory.claim,
                sorted_words=" ".join(sorted(content)),
                pairs=len(pairs),
                is_active=memory.status is Status.ACTIVE,
            )
        )

    def find(self, claim: str, body: str) -> Duplicate | None:
        """The known memory that says the same, the most alike first; ``None`` when it is new."""
        exact = self._by_hash.get(content_hash(claim, body))
        if exact is not None:
            return Duplicate(path=exact, kind="exact", score=100.0)
        content = stems(claim)
        sorted_words = " ".join(sorted(content))
        scored = [
            (fuzz.ratio(sorted_words, entry.sorted_words, score_cutoff=NEAR), entry)
            for entry in self._neighbours(_pairs(content))
        ]
        close = sorted(
            (pair for pair in scored if pair[0] >= NEAR),
            key=lambda pair: (-pair[0], not pair[1].is_active, pair[1].path),
        )
        for score, entry in close[:_MOST_VETOES]:
            if differs(claim, entry.claim) is None:
                return Duplicate(path=entry.path, kind="near", score=round(score, 1))
        return None

    def _neighbours(self, pairs: Iterable[str]) -> Iterable[_Entry]:
        """Entries that share at least a third of the smaller number of word pairs."""
        mine = tuple(pairs)
        shared: Counter[int] = Counter()
        for pair in mine:
            shared.update(self._postings.get(pair, ()))
        for number, count in shared.items():
            entry = self._entries[number]
            if count >= _SHARED_PAIRS * min(len(mine), entry.pairs):
                yield entry


def _pairs(content: tuple[str, ...]) -> tuple[str, ...]:
    """Neighbouring words, each pair once; a single word stands for itself."""
    if len(content) < 2:
        return content
    return tuple(dict.fromkeys(f"{one} {two}" for one, two in pairwise(content)))
