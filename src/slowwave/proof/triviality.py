"""When a quote is too small to prove anything: few words and few characters, after white space is folded."""

import re

from slowwave.facts.limits import TRIVIAL_CHARACTERS, TRIVIAL_WORDS
from slowwave.facts.text import fold

# Han with its extensions and compatibility forms, kana, Hangul: scripts in which a character says what a word does.
CJK = re.compile(
    "[\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3131-\u318e\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U000323af]"
)
"""A character that says what a word does."""
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


def is_trivial(quote: str) -> bool:
    """Whether a quote has fewer than three words and fewer than 16 characters."""
    folded = fold(quote)
    return len(folded) < TRIVIAL_CHARACTERS and count_words(folded) < TRIVIAL_WORDS


def count_words(folded: str) -> int:
    """Words between blanks that hold a letter or digit; each CJK character is a word of its own."""
    characters = len(CJK.findall(folded))
    rest = CJK.sub(" ", folded).split(" ")
    return characters + sum(1 for word in rest if _LETTER_OR_DIGIT.search(word))
