"""Where folded words stand in a decoded string: white-space runs are equal, nothing else is forgiven."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from slowwave.facts.text import WHITE_SPACE, fold

_MOST_SPOTS = 32  # spots looked at in one string; eight quotes need eight, and none may be long enough to block more
_FIRST_LOOK = 4  # runs that must be there before a text is folded
SURROUNDINGS = 80  # characters kept on either side of a quote: enough to tell a copy from the same words elsewhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What is looked for: a text folded, with its longest runs between blanks for a quick first look."""

    folded: str
    longest: tuple[str, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        runs = sorted(set(self.folded.split(" ")), key=lambda run: (-len(run), run))
        object.__setattr__(self, "longest", tuple(runs[:_FIRST_LOOK]))


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
        """Where the words stand, in order; overlapping occurrences count each, at most ``_MOST_SPOTS``."""
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
                before=self._folded[max(0, start - SURROUNDINGS) : start],
                after=self._folded[start + length : start + length + SURROUNDINGS],
            )
            for start, there, last in zip(starts, firsts_there, lasts_there, strict=True)
        )

    def _starts(self, folded_words: str) -> Iterator[int]:
        text = self._folded or ""
        at = text.find(folded_words)
        for _ in range(_MOST_SPOTS):
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
