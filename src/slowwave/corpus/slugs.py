"""Slugs: readable file names from any text in any script, safe on every file system."""

import hashlib
import re
import unicodedata

from slowwave.facts.limits import COMPONENT_BYTES, SLUG_CHARACTERS
from slowwave.facts.text import normal

_TEXT_CHARACTERS = 1_024  # normalising is bounded by what is put in; a slug shows far less
_MOST_MARKS = 3  # marks on one letter: Arabic and Vietnamese need two, a tower of them is a prank
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0")  # letters by their category, nothing to the eye
_WITHIN_WORDS = frozenset("'\u2019\u200c\u200d")  # apostrophes and joiners: dropped, and the word goes on
_SELECTORS = re.compile("[\ufe00-\ufe0f\u180b-\u180d\u180f\U000e0100-\U000e01ef]")
_SUFFIX_BYTES = len(b"-99-0123456789.md")  # what an ordinal and the extension may add to a slug
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}
    | {f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"}
)


def slug(text: str, *, fallback: str = "note") -> str:
    """A name of letters, digits and single hyphens: lower case, NFC, at most 80 characters and 183 bytes.

    Letters of every script stay as they are. A text without any letter or digit (emoji, punctuation) becomes the
    fallback word and a digest, so that two such texts get two names.
    """
    capped = _SELECTORS.sub("", text[:_TEXT_CHARACTERS])
    words = _words(unicodedata.normalize("NFC", _without_towers(capped).lower()))
    found = _cut_words(words)
    if not found:
        return f"{fallback}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    return f"{found}-{fallback}" if is_device(found) else found


def is_device(name: str) -> bool:
    """Whether Windows takes a file name for a device, with or without an extension."""
    return name.partition(".")[0].rstrip(" ").casefold() in _DEVICES


def path_key(path: str) -> str:
    """Paths with equal keys are one file on some file system: case and Unicode form do not tell them apart."""
    return normal(path)


def _without_towers(text: str) -> str:
    """The text without combining marks past the third on a letter."""
    kept: list[str] = []
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= _MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def _words(text: str) -> list[str]:
    """Runs of letters, digits and the marks that stand on them."""
    words: list[list[str]] = [[]]
    for character in text:
        category = unicodedata.category(character)
        is_letter = category in {"Ll", "Lu", "Lt", "Lo", "Lm", "Nd", "Nl", "No"} and character not in _BLANK_LETTERS
        if is_letter or (category in {"Mn", "Mc"} and words[-1]):
            words[-1].append(character)
        elif character not in _WITHIN_WORDS and words[-1]:
            words.append([])
    return ["".join(word) for word in words if word]


def _cut_words(words: list[str]) -> str:
    """As many whole words as fit; the first is cut where it alone is too long."""
    kept = ""
    for word in words:
        longer = f"{kept}-{word}" if kept else word
        if _fits(longer):
            kept = longer
            continue
        return kept or _cut_letters(word)
    return kept


def _cut_letters(word: str) -> str:
    kept = word[:SLUG_CHARACTERS]
    while not _fits(kept):
        kept = kept[:-1]
    return kept


def _fits(text: str) -> bool:
    return len(text) <= SLUG_CHARACTERS and len(text.encode()) <= COMPONENT_BYTES - _SUFFIX_BYTES
