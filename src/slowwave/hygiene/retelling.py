"""Retelling: what is left of a payload, which lines of it stay and why."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.hygiene.detectors.noise import noise_lines
from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.items import Item
from slowwave.hygiene.names import Names
from slowwave.hygiene.scene import Scene, tokens_of

LONG_LINE = 160  # characters; a longer line is looked at in pieces, so that one name in it does not keep all of it
PIECE = 80  # characters of such a piece, cut where a word ends
ERROR_LINES = 12  # of the last error block that stay: a message with its place and a short trace
_WORD_END = re.compile(r"[\s,;{}\[\]()\"']")
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
    return Retold(
        lines=tuple((number, lines[number]) for number in sorted(kept)), total=len(lines), referenced=len(referenced)
    )


def pieces_of(text: str) -> list[str]:
    """The lines of a text, long ones in pieces that end where a word ends."""
    found: list[str] = []
    for line in text.split("\n"):
        if len(line) <= LONG_LINE:
            found.append(line)
            continue
        at = 0
        while len(line) - at > LONG_LINE:
            ended = _WORD_END.search(line, at + PIECE)
            if ended is None:
                break
            found.append(line[at : ended.end()])
            at = ended.end()
        found.append(line[at:])
    return found


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
