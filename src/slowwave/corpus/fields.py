"""Front-matter values as types: each key's string becomes what a memory holds, or a fault with a code.

Reading forgives what a person's hand leaves out: a missing key takes its default, and where a memory cannot do
without it, the fault is named and the rest still read.
"""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import TypeVar

from slowwave.corpus.keys import Field
from slowwave.facts.limits import ENTITY_CHARACTERS
from slowwave.facts.memory import Entity
from slowwave.facts.moment import parse as parse_moment
from slowwave.facts.refusal import Refusal
from slowwave.facts.text import has_unsafe

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands for a moment that a file does not say; the file has a fault then."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_ENTITY_TYPE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,31}")
_NOTHING = frozenset({"", "~", "null"})
_Word = TypeVar("_Word", bound=StrEnum)


def parse_entity(text: str) -> Entity | None:
    """A reference ``type:name``; a name without a type is ``unknown:name``; ``None`` where it cannot be one.

    A type is 2 to 32 letters, digits, ``_`` or ``-``, so that a drive letter is none; the name keeps its case.
    """
    text = text.strip()
    if not text or len(text) > ENTITY_CHARACTERS or has_unsafe(text) or "\n" in text:
        return None
    kind, colon, name = text.partition(":")
    if not colon or _ENTITY_TYPE.fullmatch(kind) is None:
        return Entity("unknown", text)
    return Entity(kind, name.strip()) if name.strip() else None


class Values:
    """Reads typed values out of the fields of one file and gathers the faults."""

    def __init__(self, fields: Mapping[str, Field], path: str) -> None:
        self._fields = fields
        self._path = path
        self.faults: list[Refusal] = []

    def fault(self, code: str, message: str) -> None:
        """Note one more thing that is wrong."""
        self.faults.append(Refusal(code=code, path=self._path, message=message))

    def text(self, key: str, default: str = "") -> str:
        """A string; empty where the key is absent."""
        field = self._fields.get(key)
        if field is None:
            return default
        if isinstance(field.value, str):
            return field.value
        self.fault("unparseable", f"{key} must be one value, not a list")
        return default

    def required(self, key: str) -> str:
        """A string the file cannot do without."""
        found = self.text(key)
        if not found:
            self.fault("missing_key", f"the front matter lacks {key}")
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings; a single value counts as a list of one."""
        field = self._fields.get(key)
        if field is None:
            return ()
        if isinstance(field.value, tuple):
            return tuple(text for text in field.value if text)
        if field.value is None:
            self.fault("unparseable", f"{key} must be a list of words")
            return ()
        return () if field.value in _NOTHING else (field.value,)

    def word(self, key: str, words: type[_Word], default: _Word) -> _Word:
        """One of a closed set of words; the fault is ``unknown_<key>``."""
        found = self.text(key)
        if not found:
            return default
        try:
            return words(found)
        except ValueError:
            self.fault(f"unknown_{key}", f"{key} must be one of {', '.join(words)}")
            return default

    def moment(self, key: str) -> datetime | None:
        """A moment in UTC, or ``None`` where the key is absent or unreadable."""
        found = self.text(key)
        if found in _NOTHING:
            return None
        moment = parse_moment(found)
        if moment is None:
            self.fault("bad_date", f"{key} must be a moment such as 2026-01-31T08:30:00Z")
        return moment

    def day(self, key: str) -> date | None:
        """A calendar day, or ``None``."""
        found = self.text(key)
        if found in _NOTHING:
            return None
        try:
            if _DAY.fullmatch(found):
                return date.fromisoformat(found)
        except ValueError:
            pass
        self.fault("bad_date", f"{key} must be a day such as 2026-01-31")
        return None

    def number(self, key: str, default: float, *, least: float, most: float) -> float:
        """A number within bounds."""
        found = self.text(key)
        if found in _NOTHING:
            return default
        try:
            number = float(found)
        except ValueError:
            number = least - 1
        if least <= number <= most:
            return number
        self.fault("bad_number", f"{key} must be a number from {least:g} to {most:g}")
        return default

    def count(self, key: str, default: int, *, least: int, most: int) -> int:
        """A whole number within bounds."""
        found = self.number(key, default, least=least, most=most)
        if found == int(found):
            return int(found)
        self.fault("bad_number", f"{key} must be a whole number")
        return default

    def entities(self, key: str) -> tuple[Entity, ...]:
        """References; each that is none costs a fault."""
        found: list[Entity] = []
        for text in self.texts(key):
            entity = parse_entity(text)
            if entity is None:
                self.fault("bad_entity", f"an entity must be written type:name, at most {ENTITY_CHARACTERS} characters")
            else:
                found.append(entity)
        return tuple(found)
