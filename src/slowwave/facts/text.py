"""Small pure functions over text: folding white space, cutting, making it safe to show."""

import re
import unicodedata

WHITE_SPACE = re.compile("[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
"""Unicode's White_Space; Python's ``\\s`` also takes the separators U+001C to U+001F."""
_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_ELLIPSIS = "…"
_BLANK_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Fillers that count as letters, marks or symbols and show nothing."""
_INVISIBLE = ("Cc", "Cf", "Cs", "Zs", "Zl", "Zp")
"""Categories of characters that show nothing: controls, formats, halves of pairs, separators."""


def fold(text: str) -> str:
    """The text with every run of Unicode white space as one blank, none at the ends."""
    return WHITE_SPACE.sub(" ", text).strip(" ")


def cut(text: str, most: int) -> str:
    """At most ``most`` characters, at a word's end where one is near, an ellipsis in place of the rest."""
    if len(text) <= most:
        return text
    kept = text[: most - 1]
    space = kept.rfind(" ")
    if space > most * 2 // 3:
        kept = kept[:space]
    return kept.rstrip(" ,;:.-") + _ELLIPSIS


def showable(text: str) -> str:
    """The text for a terminal or log: control, override and zero-width characters become visible pictures."""
    return _UNSAFE.sub(lambda m: _picture(m.group()), text)


def _picture(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return f"\\u{code:04x}"


def is_visible(text: str) -> bool:
    """Whether any character of a text shows something: white space, zero-width marks, tags and fillers do not."""
    return any(_shows(character) for character in text)


def _shows(character: str) -> bool:
    if character.isascii():
        return "!" <= character <= "~"
    if unicodedata.category(character) in _INVISIBLE or character in _BLANK_LETTERS:
        return False
    return not ("\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef")


def has_unsafe(text: str) -> bool:
    """Whether a text holds control, bidirectional-override or zero-width characters (tab and newline are fine)."""
    return _UNSAFE.search(text) is not None


def normal(text: str, most: int = 4_096) -> str:
    """Case-folded NFKC for comparison, capped first: NFKC on 160,000 combining marks takes half a minute."""
    return unicodedata.normalize("NFKC", text[:most]).casefold()
