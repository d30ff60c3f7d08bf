"""Which raw lines can hold a quote, decided on bytes, so that only those are decoded.

The sieve may let through too much, never too little. JSON has many spellings of one character, so a quote is looked
for by its longest runs of letters and digits, which every writer leaves as they are; a line in which such a character
is written as an escape, once or twice encoded, always passes. A quote without such a run is looked for by its longest
runs beyond ASCII, and any line with an escape beyond ASCII passes. A quote with neither lets every line through.
"""

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from slowwave.facts.limits import MOST_LINE_BYTES, SIEVE_RUNS

_PLAIN_RUN = re.compile(r"[A-Za-z0-9_]+")
_PLAIN_ESCAPE = re.compile(rb"\\u00(?:3[0-9]|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9Aa])")
_WIDE_RUN = re.compile("[^\x00-\x7f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ud800-\udfff\ufffd]+")
_WIDE_ESCAPE = re.compile(rb"\\u(?!00[0-7])[0-9A-Fa-f]{4}")


class Sieve:
    """Lets through every raw line that could hold one of the texts.

    Args:
        texts: The texts looked for; white space in them may stand for any other white space.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._passes_all = False
        self._has_plain = False
        self._has_wide = False
        wanted: dict[tuple[bytes, ...], None] = {}
        for text in texts:
            if runs := _longest(_PLAIN_RUN.findall(text)):
                self._has_plain = True
            elif runs := _longest(_WIDE_RUN.findall(text)):
                self._has_wide = True
            else:
                self._passes_all = True
            wanted[runs] = None
        self._wanted = tuple(wanted)

    def passes(self, line: bytes) -> bool:
        """Whether the line could hold one of the texts."""
        if self._passes_all or any(all(run in line for run in runs) for runs in self._wanted):
            return True
        if b"\\u" not in line:
            return False
        if self._has_plain and b"\\u00" in line and _PLAIN_ESCAPE.search(line):
            return True
        return self._has_wide and _WIDE_ESCAPE.search(line) is not None

    def lines(self, stream: BinaryIO, *, end: int | None = None) -> Iterator[int]:
        """Numbers, from 1, of the physical lines of a file that pass; bytes from ``end`` on are not looked at."""
        left = end
        number = 1
        is_inside = False
        while raw := stream.readline(MOST_LINE_BYTES if left is None else min(left, MOST_LINE_BYTES)):
            if left is not None:
                left -= len(raw)
            if not is_inside and self.passes(raw):
                yield number
            is_inside = not raw.endswith(b"\n")
            number += not is_inside


def _longest(runs: Iterable[str]) -> tuple[bytes, ...]:
    distinct = sorted(set(runs), key=lambda run: (-len(run), run))
    return tuple(run.encode("utf-8") for run in distinct[:SIEVE_RUNS])
