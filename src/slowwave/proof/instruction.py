"""Law 11: a claim that tells an agent to ignore, reveal, disable, exfiltrate or trust never lands without a person.

Claims are read with a versioned lexicon, one table a language: a rule names a verb, an object that must follow it
within a few characters, and is not applied where the verb is directly negated ("never reveal the token" is advice).
Objects are those of an attack on an agent, so that "ignore the lint warning" or "disable the cache in tests" pass. The
lexicon errs on the side of showing a claim to a person; it never drops one.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from slowwave.facts.text import has_unsafe
from slowwave.proof.encodings import decodings
from slowwave.proof.lexicons import latinised, plain, tables

LEXICON_VERSION = 2
"""Kept with what was judged, so that a later lexicon can judge again."""

_TAGS = re.compile("[\U000e0000-\U000e007f]")
_SPACED_OUT = re.compile(r"(?<!\S)(?:[^\W\d_] ){5,}[^\W\d_](?!\S)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    name: str
    pattern: re.Pattern[str]


def instruction_shaped(text: str) -> str | None:
    """What a claim seems to order an agent to do (``ignore``, ``reveal`` ...), or None for an ordinary one.

    Besides the five verbs of the law: ``conceal`` from a person, ``seize`` the agent's task, ``execute`` fetched code,
    ``markup`` that a page would run or fetch, a ``link`` to another host, ``hidden`` characters or an order in
    another spelling, such as base64.
    """
    read = plain(text)
    if has_unsafe(text) or _TAGS.search(text) or _SPACED_OUT.search(read):
        return "hidden"
    found = _order_in(read)
    if found is None and any(_order_in(plain(decoded)) for decoded in decodings(text)):
        return "hidden"
    return found


def _order_in(read: str) -> str | None:
    spellings = (read,) if read.isascii() else (read, latinised(read))
    return next((rule.name for rule in _rules() for spelled in spellings if rule.pattern.search(spelled)), None)


@cache
def _rules() -> tuple[_Rule, ...]:
    return tuple(
        _Rule(name=rule["name"], pattern=_pattern(rule, table))
        for table in tables("instruction")
        for rule in table["rules"]
    )


def _pattern(rule: dict[str, Any], table: dict[str, Any]) -> re.Pattern[str]:
    """The rule as one pattern; every gap is bounded, so that reading stays linear."""
    start, stop = (r"(?<!\w)", r"(?!\w)") if table["has_blanks"] else ("", "")
    if "patterns" in rule:
        return re.compile("|".join(f"(?:{pattern})" for pattern in rule["patterns"]))
    negated = "".join(rf"(?<!{re.escape(word)} )" for word in table["negations"]) if table["has_blanks"] else ""
    verbs = "|".join(rule["verbs"])
    objects = "|".join(rule["objects"])
    return re.compile(rf"{start}{negated}(?:{verbs}){stop}.{{0,{rule['gap']}}}?{start}(?:{objects}){stop}", re.DOTALL)
