"""Reading: which rows of the cue lists a text holds, and what they come to together.

A class is told less by one word than by who does what when: a past verb with a time behind it, somebody's name before
what is true of them, a part of the body that is one's own. These are put together here, the same for all languages.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from slowwave.facts.limits import JUDGED_CHARACTERS
from slowwave.wake.rules.lexicon import cues, first_names, language_of, no_names, plain, together, words_of

_CAPITAL = re.compile(r"(?<![\w.])([A-Z][a-z\u00df-\u00ff]{2,})(?:'s)?\b")
_SUBJECT_VERB = re.compile(
    r"([A-Z][a-z]{2,})(?<!s)(?:'s (?:wife|husband|son|daughter|team|dog|cat|mother|father|birthday|new|ex)|"
    r" (?:and [A-Z][a-z]+ |(?:has|hates|loves|likes|prefers|works|lives|speaks|plays|knows|said|says|wants|promised|"
    r"owes|thinks|believes|drinks|eats|studies|studied|told|called|asked|agreed|will|collects|teaches|reports|moved|can't|"
    r"doesn't|always|never|is (?:scared|allergic|married|the|a|an|bringing|going|arranging|coming|left|vegetarian|from|"
    r"in charge|good|very|extremely|getting|away|organi[sz]ing))\b))"
)
_SUBJECT = 30  # characters at the beginning within which whom a sentence is about is named
_SENTENCE = re.compile(r"(?:^|[.!?:;]\s+|\n)\W*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A text, read.

    Attributes:
        language: Whose cue list it was read with.
        shown: What it shows, each with the words that show it; empty words where it follows from others.
    """

    language: str
    shown: Mapping[str, str]

    def has(self, *names: str) -> bool:
        """Whether any of these is shown."""
        return any(name in self.shown for name in names)


@lru_cache(maxsize=64)
def read(text: str) -> Reading:
    """Read a text; only its beginning counts."""
    folded = plain(text)
    language = language_of(text[:JUDGED_CHARACTERS], folded)
    shown: dict[str, str] = {}
    for listed in (cues(language), cues("shared")):
        for name, pattern in listed.patterns.items():
            found = pattern.search(folded)
            if found is not None and name not in shown:
                shown[name] = found.group().strip()
    _name_people(text[:JUDGED_CHARACTERS], folded, language, shown)
    if "?" in folded:
        shown["question"] = "?"
    if len(words_of(folded)) <= 4:
        shown["short"] = ""
    for one in together():
        if one.holds(shown):
            shown[one.name] = ""
    return Reading(language=language, shown=shown)


def _name_people(text: str, folded: str, language: str, shown: dict[str, str]) -> None:
    """Note who is spoken of: by a common first name, or by a capital letter where the language keeps it for names."""
    names = first_names()
    at = next(((place, word) for place, word in _placed(folded) if word in names and _is_written(word, text)), None)
    if at is None and language != "de":
        at = _by_verb(text, shown) or _by_capital(text)
    if at is not None:
        shown["name"] = at[1]
    kin = cues(language).patterns["kin"].search(folded)
    starts = [place for place in (at[0] if at else None, kin.start() if kin else None) if place is not None]
    own = cues(language).patterns["i"].search(folded)
    first = min(starts, default=None)
    if first is not None:
        shown["other"] = shown.get("name", "") or (kin.group() if kin else "")
        if first <= _SUBJECT and (own is None or first <= own.start()):
            shown["other_first"] = ""
    if own is not None and own.start() <= _SUBJECT and (first is None or own.start() < first):
        shown["own_first"] = ""


def _placed(folded: str) -> list[tuple[int, str]]:
    return [(found.start(), found.group().removesuffix("'s")) for found in re.finditer(r"[\w']+", folded)]


def _is_written(name: str, text: str) -> bool:
    """Whether a name stands there as one: `will` and `mark` are verbs too, and names in lower case are rare but short.

    A capital letter is asked for, unless the whole text has none.
    """
    has_capitals = any(one.isupper() for one in text)
    return not has_capitals or re.search(rf"\b{name[:1].upper()}", plain_case(text)) is not None


def plain_case(text: str) -> str:
    """The text without accents, its capitals kept."""
    return text.translate(_ACCENTS)


_ACCENTS = str.maketrans("ÁÀÂÄÉÈÊËÍÎÓÔÖÚÜÑÇáàâäéèêëíîóôöúüñç", "AAAAEEEEIIOOOUUNCaaaaeeeeiiooouunc")


def _by_verb(text: str, shown: Mapping[str, str]) -> tuple[int, str] | None:
    """A capitalised first word before what only somebody does, unless we know it for a thing, is a name."""
    found = _SUBJECT_VERB.match(plain_case(text))
    if found is None:
        return None
    word = found.group(1).casefold()
    things = (shown.get(row, "") for row in ("work", "occasion", "body", "day", "recurring", "i", "we"))
    return None if word in no_names() or any(thing.startswith(word) for thing in things) else (0, word)


def _by_capital(text: str) -> tuple[int, str] | None:
    """A capitalised word inside a sentence, that is neither a day nor a tool we know, is a name more often than not."""
    for found in _CAPITAL.finditer(text):
        word = found.group(1).casefold()
        if not _SENTENCE.search(text[: found.start()]) and word not in no_names():
            return found.start(), word
    return None
