"""Where folded words stand in a decoded string: white-space runs are equal, nothing else is forgiven."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from slowwave.facts.limits import SIEVE_RUNS, SPOTS_A_STRING, SURROUNDINGS_CHARACTERS
from slowwave.facts.text import WHITE_SPACE, fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What is looked for: a text folded, with its longest runs between blanks for a quick first look."""

    folded: str
    longest: tuple[str, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        runs = sorted(set(self.folded.split(" ")), key=lambda run: (-len(run), run))
        object.__setattr__(self, "longest", tuple(runs[:SIEVE_RUNS]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A half-open range of a decoded string, in its own code points, and the folded words around it."""

    start: int
    end: int
    before: str
    after: str


class DecodedText:
    """A decoded string that is searched for several texts; it is folded once, and only if a first look finds any."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._folded: str | None = None

    def spots(self, words: Words) -> tuple[Spot, ...]:
        """Where the words stand, in order; overlapping occurrences count each, at most ``SPOTS_A_STRING``."""
        if not words.folded or not all(run in self._text for run in words.longest):
            return ()
        if self._folded is None:
            self._folded = fold(self._text)
        starts = tuple(self._starts(words.folded))
        if not starts:
            return ()
        length = len(words.folded)
        lasts = [start + length - 1 for start in starts]
        firsts_there = _unfolded(self._text, starts)
        lasts_there = _unfolded(self._text, lasts)
        return tuple(
            Spot(
                start=there,
                end=last + 1,
                before=self._folded[max(0, start - SURROUNDINGS_CHARACTERS) : start],
                after=self._folded[start + length : start + length + SURROUNDINGS_CHARACTERS],
            )
            for start, there, last in zip(starts, firsts_there, lasts_there, strict=True)
        )

    def _starts(self, folded_words: str) -> Iterator[int]:
        text = self._folded or ""
        at = text.find(folded_words)
        for _ in range(SPOTS_A_STRING):
            if at < 0:
                return
            yield at
            at = text.find(folded_words, at + 1)


def _unfolded(text: str, offsets: Sequence[int]) -> list[int]:
    """Offsets in a folded text, ascending and none on a blank, as offsets in the text itself."""
    found: list[int] = []
    removed = 0
    wanted = iter(offsets)
    offset = next(wanted, None)
    for run in WHITE_SPACE.finditer(text):
        while offset is not None and offset + removed < run.start():
            found.append(offset + removed)
            offset = next(wanted, None)
        if offset is None:
            return found
        removed += run.end() - run.start() - (1 if run.start() else 0)
    while offset is not None:
        found.append(offset + removed)
        offset = next(wanted, None)
    return found
