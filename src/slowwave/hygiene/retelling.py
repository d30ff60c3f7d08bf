"""Retelling: what is left of a payload, which lines of it stay and why."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.hygiene.detectors.noise import noise_lines
from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.items import Item
from slowwave.hygiene.names import LINE_NUMBER, Names
from slowwave.hygiene.scene import Scene, tokens_of
from slowwave.hygiene.stubs import gap

LONG_LINE = 160  # characters; a longer line is looked at in pieces, so that one name in it does not keep all of it
PIECE = 80  # characters of such a piece, cut where a word ends
ERROR_LINES = 12  # of the last error block that stay: a message with its place and a short trace
_NUMBER_CHARACTERS = 200  # behind a cut that are looked at for a line's number; blanks may stand before it
_WORD_END = re.compile(r"[\s,;{}\[\]()\"']", re.ASCII)  # what ends a name as well, and nothing else
_ERROR = re.compile(r"(?i)\b(?:error|exception|traceback|panic|fatal|failed|failure)\b|✗|✘|FAIL")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retold:
    """What stays of a payload.

    Attributes:
        lines: Numbers and words of the lines that stay.
        total: How many there were.
        referenced: How many of them stay because somebody came back to a word in them.
    """

    lines: tuple[tuple[int, str], ...]
    total: int
    referenced: int


def retell(scene: Scene, item: Item, hit: Hit, names: Names | None) -> Retold:
    """What stays of a result.

    Args:
        scene: The context.
        item: The result.
        hit: What is to go, and what is to stay of it in any case.
        names: The names that remain elsewhere; None where the request is to be carried out as it is.
    """
    lines = pieces_of(scene.context.text(item))
    kept = _asked_lines(lines, item, hit)
    referenced = _referenced(scene, item, lines)
    kept |= referenced
    if names is not None:
        kept |= set(names.lines_to_keep(lines))
    if kept:
        kept |= _short_gaps(lines, kept)
    return Retold(
        lines=tuple((number, lines[number]) for number in sorted(kept)), total=len(lines), referenced=len(referenced)
    )


def pieces_of(text: str) -> list[str]:
    """The lines of a text, long ones in pieces that end where a word ends.

    No piece begins like a line of a file with its number before it: the number would count as none of the words.
    """
    found: list[str] = []
    for line in text.split("\n"):
        at = 0
        ended = _end_of_piece(line, at)
        while ended:
            found.append(line[at:ended])
            at, ended = ended, _end_of_piece(line, ended)
        found.append(line[at:])
    return found


def _end_of_piece(line: str, at: int) -> int:
    """Where the piece that begins at a place ends; 0 where the rest of the line is short enough, or one word."""
    if len(line) - at <= LONG_LINE:
        return 0
    ends = (found.end() for found in _WORD_END.finditer(line, at + PIECE))
    return next((end for end in ends if LINE_NUMBER.match(line[end : end + _NUMBER_CHARACTERS]) is None), 0)


def _short_gaps(lines: Sequence[str], kept: set[int]) -> set[int]:
    """Lines between those that stay which are not longer than what would tell that they are missing.

    So a text in which more lines stay is never shorter than one in which fewer do.
    """
    found: set[int] = set()
    expected = 0
    for number in [*sorted(kept), len(lines)]:
        missing = range(expected, number)
        told = gap(len(missing))
        if len(missing) <= len(told) and sum(_size(lines[at]) + 1 for at in missing) <= len(told) + 1:
            found.update(missing)
        expected = number + 1
    return found


def _size(line: str) -> int:
    return len(line) if line.isascii() else len(line.encode("utf-8", "surrogatepass"))


def _asked_lines(lines: Sequence[str], item: Item, hit: Hit) -> set[int]:
    count = len(lines)
    if hit.only_noise:
        gone = noise_lines(lines) if hit.detector is Detector.NOISE else set[int]()
        return set(range(count)) - gone
    kept = set(range(min(hit.head, count))) | set(range(max(0, count - hit.tail), count))
    if hit.words:
        kept |= {number for number, line in enumerate(lines) if any(word in line for word in hit.words)}
    if item.is_error and hit.detector is not Detector.ASKED:
        kept |= _error_block(lines)
    return kept


def _error_block(lines: Sequence[str]) -> set[int]:
    """The last lines that tell of an error, with what follows them."""
    last = next((number for number in range(len(lines) - 1, -1, -1) if _ERROR.search(lines[number])), None)
    return set() if last is None else set(range(max(0, last - 2), min(len(lines), last + ERROR_LINES)))


def _referenced(scene: Scene, item: Item, lines: Sequence[str]) -> set[int]:
    """Lines with a distinctive token that a person or the agent used for the first time after this result."""
    uses, first = scene.uses, item.number
    return {
        number for number, line in enumerate(lines) if any(uses.get(token, -1) > first for token in tokens_of(line))
    }
