"""How a value is written in front matter: plain where every YAML reader sees the same string, quoted otherwise."""

import json
import re
from collections.abc import Iterable

_PLAIN = re.compile(r"[^\W_][\w./@+-]*(?::[\w./@+-]+)*(?: [\w./@+-]+)*")
_TYPED = re.compile(r"[0-9][0-9_.:eTZ+-]*|0[xo][0-9a-f_]+|true|false|yes|no|on|off|null|y|n", re.IGNORECASE)
_BREAKS = re.compile("[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")

Value = str | tuple[str, ...] | None
"""A field as text: one scalar, a list, or nothing at all."""


def quote(text: str) -> str:
    """One string as a YAML scalar that reads back as exactly this string, on one line.

    Words are written plain; what another YAML reader would take for a number, a date, a truth value or syntax is
    written in double quotes with JSON's escapes, which YAML shares.
    """
    if _PLAIN.fullmatch(text) and not _TYPED.fullmatch(text):
        return text
    return _BREAKS.sub(lambda m: f"\\u{ord(m.group()):04x}", json.dumps(text, ensure_ascii=False))


def quote_list(texts: Iterable[str]) -> str:
    """Strings as a list on one line, so that a change of the list is a change of one line."""
    return "[" + ", ".join(quote(text) for text in texts) + "]"


def field_line(key: str, value: str | tuple[str, ...], *, is_plain: bool = False) -> str:
    """One front-matter line without its line end; ``is_plain`` writes numbers, dates and words as they are."""
    if isinstance(value, tuple):
        return f"{key}: {quote_list(value)}"
    return f"{key}: {value if is_plain else quote(value)}"
