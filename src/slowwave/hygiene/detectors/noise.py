"""``noise``: progress bars, colours for a terminal and the same line over and over, which say nothing to a reader."""

import re
from collections.abc import Iterator, Sequence

from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.scene import Scene

LEAST_CHARACTERS = 1_000  # of an output that is looked at
LEAST_SHARE = 0.2  # of its characters that are noise; less is not worth touching it
MOST_CHARACTERS = 4_000_000  # of one output that is looked at
_ESCAPE = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]")
_BAR = re.compile(r"[#=\u2588\u2591\u2593>.-]{10}|\d%|\d(?: ?[kKMG]i?B| of |/)\d?")
_NUMBERS = re.compile(r"\d+")
_RUNS = re.compile(r"[#=\u2588\u2591\u2593>. -]{2,}")


def find_noise(scene: Scene) -> Iterator[Hit]:
    """Outputs of which a fifth or more is noise."""
    for item in scene.results:
        if item.is_stub or not LEAST_CHARACTERS <= item.characters <= MOST_CHARACTERS:
            continue
        text = scene.context.text(item)
        lines = text.split("\n")
        if not _may_be_noisy(text):
            continue
        noisy = noise_lines(lines)
        lost = sum(len(lines[number]) + 1 for number in noisy)
        if lost >= LEAST_SHARE * len(text):
            evidence = {"noisy_lines": len(noisy), "characters": lost}
            yield Hit(item=item.number, detector=Detector.NOISE, evidence=evidence, only_noise=True)


def _may_be_noisy(text: str) -> bool:
    """Whether a look at every line can find enough: some are equal but for their digits, or a terminal was meant."""
    if "\x1b" in text or "\r" in text:
        return True
    shapes = text.encode("utf-8", "surrogatepass").translate(None, b"0123456789").split(b"\n")
    return len(set(shapes)) <= len(shapes) * (1 - LEAST_SHARE / 2)


def noise_lines(lines: Sequence[str]) -> set[int]:
    """Which lines say nothing: a line told before but for its numbers, progress with a newer state behind it."""
    found: set[int] = set()
    last = ""
    last_number = -1
    for number, line in enumerate(lines):
        plain = _ESCAPE.sub("", line).strip()
        shape = _RUNS.sub(" ", _NUMBERS.sub("0", plain)).strip()
        if not shape and last_number == number - 1 and not last:
            found.add(number)
        elif shape and shape == last:
            is_progress = plain != _ESCAPE.sub("", lines[last_number]).strip()
            if not is_progress:
                found.add(number)
            elif _BAR.search(plain) or "\r" in line:
                found.add(last_number)
        last, last_number = shape, number
    return found
