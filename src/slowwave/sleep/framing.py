"""Framing: what a tool returns stands between two lines that nothing inside can imitate.

Each turn draws a random word of its own, after everything it frames was written, so that no recording can hold it. Were
it to stand in the content all the same, it is broken there, visibly, and counted.
"""

from dataclasses import dataclass

NONCE_BYTES = 16
"""128 random bits a turn: nobody guesses them, and no two turns share them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The two lines of one turn, made from its random word of hex digits."""

    nonce: str

    @property
    def begin(self) -> str:
        """The line above recorded text."""
        return f"<<<recorded {self.nonce}>>>"

    @property
    def end(self) -> str:
        """The line below it."""
        return f"<<<end of recorded {self.nonce}>>>"

    def around(self, content: str) -> str:
        """Content between the two lines; where the random word itself stands in it, it is broken with a dot."""
        half = len(self.nonce) // 2
        broken = content.replace(self.nonce, f"{self.nonce[:half]}.{self.nonce[half:]}") if self.nonce else content
        return f"{self.begin}\n{broken}\n{self.end}"
