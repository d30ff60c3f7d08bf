"""The grammar of one tag: a name, attributes by HTML's grammar, and where it ends.

Whether a tag ends well is known only at its end, and hostile text may begin one at every place. Each place between two
attributes from which no end was reached is remembered, so that none is tried twice and the work stays linear.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_NAME = re.compile(r"<(?P<slash>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*)(?=[ \t\n\f/>])")
_BETWEEN = re.compile(r"[ \t\n\f]*+(?:/(?!>)[ \t\n\f]*+)*+")
_END = re.compile(r"(?P<self>/?)>")
_ATTRIBUTE = re.compile(
    r"""(?P<name>[^\s"'<>/=]++)"""
    r"""(?:[ \t\n\f]*+=[ \t\n\f]*+(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'|(?P<bare>[^\s"'<>][^\s<>]*+)))?"""
)
_ADDRESS = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+>")


@dataclass(frozen=True, slots=True, kw_only=True)
class TagFound:
    """A tag in a text.

    Attributes:
        name: Lower case.
        is_closing: It begins with ``</``.
        is_self_closing: It ends with ``/>``.
        attributes: By lower-case name, the first of one name; a bare one is empty. Nothing in them is decoded.
        end: Behind its ``>``.
    """

    name: str
    is_closing: bool
    is_self_closing: bool
    attributes: Mapping[str, str]
    end: int


class TagGrammar:
    """Reads tags of one text, whichever their names."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._dead: set[tuple[int, int]] = set()

    def tag_at(self, at: int, end: int) -> TagFound | None:
        """The tag that begins with the ``<`` at a place and ends before ``end``; None where there is none."""
        found = _NAME.match(self._text, at, end)
        if found is None:
            return None
        attributes: dict[str, str] = {}
        tried: list[tuple[int, int]] = []
        place = found.end()
        while True:
            place = self._between(place, end)
            closed = _END.match(self._text, place, end)
            if closed is not None:
                return TagFound(
                    name=found["name"].lower(),
                    is_closing=bool(found["slash"]),
                    is_self_closing=bool(closed["self"]),
                    attributes=attributes,
                    end=closed.end(),
                )
            tried.append((place, end))
            read = None if tried[-1] in self._dead else _ATTRIBUTE.match(self._text, place, end)
            if read is None:
                self._dead.update(tried)
                return None
            value = read["double"] or read["single"] or read["bare"] or ""
            attributes.setdefault(read["name"].lower(), value)
            place = read.end()

    def address_at(self, at: int, end: int) -> int:
        """Where the address in angle brackets at a place ends; -1 where there is none."""
        found = _ADDRESS.match(self._text, at, end)
        return found.end() if found else -1

    def _between(self, at: int, end: int) -> int:
        found = _BETWEEN.match(self._text, at, end)
        return found.end() if found else at
