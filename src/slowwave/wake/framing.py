"""Framing: what a model is asked about stands between two lines that nothing inside can imitate.

The random word is drawn when the question is asked, after what it encloses was written; where it stood in there all the
same, it is broken. As the night has it (``sleep``), for one text instead of a turn's many.
"""

import re

from slowwave.facts.limits import ASKED_CHARACTERS
from slowwave.facts.text import cut, showable

_NONCE = re.compile(r"[0-9a-f]{32,128}")


def framed(text: str, *, nonce: str, most: int = ASKED_CHARACTERS) -> str:
    """A text between its two lines, cut, its control characters made visible.

    Args:
        text: What somebody wrote; secrets are masked already.
        nonce: At least 32 hex digits that nobody can guess.
        most: Characters of the text that are shown.

    Raises:
        ValueError: The nonce could be guessed.
    """
    if not _NONCE.fullmatch(nonce):
        raise ValueError("the random word of a frame has at least 32 hex digits")
    broken = re.sub(re.escape(nonce), "…", "\n".join(map(showable, cut(text, most).split("\n"))), flags=re.IGNORECASE)
    return f"<<<noted {nonce}>>>\n{broken}\n<<<end of noted {nonce}>>>"
