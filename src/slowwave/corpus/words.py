"""Words of a claim for comparison: folded, split at what is no letter or digit, English endings taken off."""

import re
from functools import lru_cache

from slowwave.corpus.lexicon import lexicon
from slowwave.facts.text import normal

_IDEOGRAPHS = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
IDEOGRAPH = re.compile(f"[{_IDEOGRAPHS}]")
"""A letter of a script that writes no blanks between words; each stands as a word of its own."""
_WORD = re.compile(f"[{_IDEOGRAPHS}]|(?:(?![{_IDEOGRAPHS}])[^\\W_])+(?:'(?=t\\b)t)?")
_POSSESSIVE = re.compile(r"'s\b")
_ENDINGS = ("ingly", "edly", "ing", "ies", "ed", "es", "s", "ly")


def words(text: str) -> tuple[str, ...]:
    """Every word, folded, in order."""
    return tuple(_WORD.findall(_POSSESSIVE.sub("", normal(text.replace("\u2019", "'")))))


@lru_cache(maxsize=16_384)  # a corpus says the same words again and again
def stem(word: str) -> str:
    """The word without an English ending; short words and other scripts stay."""
    if len(word) < 5 or not word.isascii():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            kept = word[: -len(ending)] + ("y" if ending == "ies" else "")
            return kept.removesuffix("e") if len(kept) > 3 else kept
    return word.removesuffix("e")


def stems(text: str) -> tuple[str, ...]:
    """Stems of the words that carry content, in order; all words where none does."""
    every = words(text)
    known = lexicon()
    kept = tuple(known.numbers.get(word) or stem(word) for word in every if word not in known.fillers)
    return kept or tuple(stem(word) for word in every)
