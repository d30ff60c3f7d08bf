"""Repeatable chance: numbers, picks and ids that follow from a seed alone."""

import hashlib
import string
from collections.abc import Sequence
from datetime import datetime

LETTERS = string.ascii_letters + string.digits
CAPITALS = string.ascii_uppercase + "234567"


class Dice:
    """A row of throws that is the same each time for the same seed."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._thrown = 0

    def _throw(self) -> bytes:
        self._thrown += 1
        return hashlib.sha256(f"{self._seed}#{self._thrown}".encode()).digest()

    def number(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both possible."""
        return low + int.from_bytes(self._throw()[:8], "big") % (high - low + 1)

    def pick(self, choices: Sequence[str]) -> str:
        """One of the choices."""
        return choices[self.number(0, len(choices) - 1)]

    def letters(self, count: int, alphabet: str = LETTERS) -> str:
        """A word of ``count`` characters of an alphabet."""
        throws = b"".join(self._throw() for _ in range(-(-count // 32)))
        return "".join(alphabet[throw % len(alphabet)] for throw in throws[:count])

    def hexes(self, count: int) -> str:
        """A word of ``count`` hexadecimal digits, at most 64."""
        return self._throw().hex()[:count]

    def uuid(self) -> str:
        """An id in the shape of a random UUID (version 4)."""
        return _dashed(self.hexes(12) + "4" + self.hexes(3) + "a" + self.hexes(15))

    def timed_uuid(self, moment: datetime) -> str:
        """An id in the shape of a UUID that begins with its moment (version 7)."""
        return _dashed(f"{int(moment.timestamp() * 1_000):012x}7{self.hexes(3)}b{self.hexes(15)}")


def _dashed(digits: str) -> str:
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:32]))
