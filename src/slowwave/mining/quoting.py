"""Quotes taken raw from what entries say, and pieces of text made fit for a claim."""

import re
from collections.abc import Iterable

from slowwave.facts.evidence import Quote
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import MOST_QUOTES
from slowwave.facts.text import fold
from slowwave.proof.triviality import is_trivial

QUOTE_LENGTH = 300  # of a quote we take; longer ones are hard to read in a review
FRAGMENT_LENGTH = 100  # of a fragment inside a claim; the corpus refuses runs of 120 (spec 02)
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def raw_line(session: SessionId, line: str) -> Quote | None:
    """A quote of one line, its ends trimmed, or its beginning when it is long; None when it proves nothing."""
    text = line.strip()[:QUOTE_LENGTH].rstrip()
    if is_trivial(text):
        return None
    return Quote(session_id=session, quote=text)


def distinct(quotes: Iterable[Quote | None], most: int = MOST_QUOTES) -> tuple[Quote, ...]:
    """The quotes in their order, none of them inside another of its session, at most ``most``."""
    kept: list[tuple[SessionId, str]] = []
    out: list[Quote] = []
    for quote in quotes:
        if quote is None or len(out) == most:
            continue
        text = fold(quote.quote)
        if any(session == quote.session_id and (text in other or other in text) for session, other in kept):
            continue
        kept.append((quote.session_id, text))
        out.append(quote)
    return tuple(out)


def fragment(text: str, most: int = FRAGMENT_LENGTH) -> str:
    """A piece of somebody's text for a claim: one line, no colours, cut at a word."""
    folded = fold(_ANSI.sub("", text))
    if len(folded) <= most:
        return folded
    cut = folded[: most - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > most // 2 else cut).rstrip(" ,;:.-") + "…"


def said(text: str, most: int = FRAGMENT_LENGTH) -> str:
    """A fragment in quotation marks that do not clash with its own."""
    piece = fragment(text, most).replace('"', "'")
    return f'"{piece}"'


def code(text: str, most: int = FRAGMENT_LENGTH) -> str:
    """A command, path or name in backticks."""
    return "`" + fragment(text, most).replace("`", "'") + "`"


def listed(names: Iterable[str]) -> str:
    """Names as a sentence lists them: ``a``, ``a and b``, ``a, b and c``."""
    all_names = list(names)
    return (
        all_names[0]
        if len(all_names) == 1
        else ", ".join(all_names[:-1]) + " and " + all_names[-1]
        if all_names
        else ""
    )


def sessions_word(count: int) -> str:
    """``one session`` or ``3 sessions``."""
    return "one session" if count == 1 else f"{count} sessions"
