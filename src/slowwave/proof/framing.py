"""Framing: recorded text stands between two lines that nothing inside can imitate.

The lines carry a word that nobody could know when the recording was written: a turn draws one at random, a prompt made
once takes the digest of all it encloses. Were it to stand in the content all the same, it is broken there, visibly, and
counted.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

NONCE_BYTES = 16
"""128 random bits a turn: nobody guesses them, and no two turns share them."""

_NONCE = re.compile(r"[0-9a-f]{32,128}")


def make_nonce(draw: Callable[[int], bytes]) -> str:
    """The random word of a turn, from a source of randomness that gives so many bytes."""
    return draw(NONCE_BYTES).hex()


def is_nonce(text: str) -> bool:
    """Whether a text can be the random word of a turn: hex digits in lower case, enough of them."""
    return _NONCE.fullmatch(text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Framed:
    """Content between its two lines, and how often the random word had to be broken in it."""

    text: str
    breaks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Two lines made from a word of hex digits.

    Attributes:
        nonce: The word.
        what: What stands between the lines, in one word of ours.

    Raises:
        ValueError: The word is none that ``make_nonce`` gives; a short one could be guessed.
    """

    nonce: str
    what: str = "recorded"

    def __post_init__(self) -> None:
        """Hold the word to its form."""
        if not is_nonce(self.nonce):
            raise ValueError("the random word of a frame has at least 32 hex digits")

    @property
    def begin(self) -> str:
        """The line above what is framed."""
        return f"<<<{self.what} {self.nonce}>>>"

    @property
    def end(self) -> str:
        """The line below it."""
        return f"<<<end of {self.what} {self.nonce}>>>"

    def around(self, content: str) -> Framed:
        """Content between the two lines; where the random word stands in it, in any case, a dot breaks it."""
        broken, breaks = self._broken(content)
        return Framed(text=f"{self.begin}\n{broken}\n{self.end}", breaks=breaks)

    def _broken(self, content: str) -> tuple[str, int]:
        half = len(self.nonce) // 2
        # The second half is only looked at: occurrences that share digits are broken each by itself.
        found = re.compile(f"({self.nonce[:half]})(?={self.nonce[half:]})", re.IGNORECASE | re.ASCII)
        return found.subn(r"\1.", content)
