"""Names: no word that tells something apart may leave the window for good.

Of everything that a rewrite would take out, a line stays when it holds a name that stands nowhere else in what
remains: a word of five letters or more, a word with a digit in it, or one put together of parts. So an id, a host, a
figure or a term that somebody may come back to is always still there, whoever wrote it and whether or not any rule
foresaw it.
"""

import re
from collections.abc import Iterable, Sequence

LEAST_LETTERS = 5  # of a plain word; shorter ones are the same in every text
LEAST_COMPOUND = 4  # characters of a word put together of parts, such as ``a/b.c`` or ``ioLog``
MOST_NAMES = 1_500_000  # kept at once, some 120 MB; what does not fit is not taken out at all
_INNER = b"_-./@#"
_ENDS = b"_-./@#"
_KEPT = bytes(c for c in range(256) if (chr(c).isascii() and chr(c).isalnum()) or c >= 0x80 or c in _INNER)
_BLANKS = bytes.maketrans(bytes(c for c in range(256) if c not in _KEPT), b" " * (256 - len(_KEPT)))
LINE_NUMBER = re.compile(r"^\s*\d+(?:→|\t|:|\| ?| {2,})", re.MULTILINE)
_DIGIT = re.compile(rb"\d")
_COMPOUND = re.compile(rb"[a-z][A-Z]|.[_\-./@#].")


def names_of(text: str) -> set[bytes]:
    """The names in a text, in the form in which they are compared.

    Numbers of lines before a file's lines are none; a plain word is one word however it is capitalised.
    """
    raw = LINE_NUMBER.sub("", text).encode("utf-8", "replace").translate(_BLANKS)
    found = set()
    for piece in set(raw.split()):
        word = piece.strip(_ENDS)
        if len(word) > 1 and (_DIGIT.search(word) or (len(word) >= LEAST_COMPOUND and _COMPOUND.search(word))):
            found.add(word)
        elif len(word) >= LEAST_LETTERS:
            found.add(word.lower())
    return found


class Names:
    """The names that stand in what remains.

    Of a name that stands only in items that are looked at, the newest of them keeps it, whole or trimmed. That does
    not depend on what becomes of the others, so that a second look finds the same and changes nothing.
    """

    def __init__(self) -> None:
        self._held: set[bytes] = set()

    @property
    def is_full(self) -> bool:
        """Whether no more can be remembered."""
        return len(self._held) >= MOST_NAMES

    def add(self, texts: Iterable[str]) -> None:
        """Remember the names of texts that remain."""
        for text in texts:
            if not self.is_full:
                self._held |= names_of(text)

    def lines_to_keep(self, lines: Sequence[str]) -> list[int]:
        """Which lines of the next older item hold a name that stands in nothing newer and in nothing that remains."""
        if self.is_full:
            return list(range(len(lines)))
        whole = names_of("\n".join(lines))
        new = whole - self._held
        self._held |= whole
        kept: list[int] = []
        for number, line in enumerate(lines):
            if not new:
                break
            found = names_of(line) & new
            if found:
                kept.append(number)
                new -= found
        return kept
