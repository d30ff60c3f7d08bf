"""Keys of a front matter, read from the small part of YAML that the format allows.

Strings, lists of strings, and nested values of other people's keys that are only walked over: no anchors, aliases or
tags, no key twice, one key a line. Every scalar stays the string it was written as.
"""

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass

import yaml

from slowwave.corpus.fault import fault
from slowwave.corpus.scalars import Value

_LOADER: type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_ODD_BREAK = re.compile("\r(?!\n)|[\x85\u2028\u2029]")
_MOST_DEPTH = 8  # nobody's notes nest deeper


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One key of the front matter.

    Attributes:
        key: The key.
        value: Its value; ``None`` for one that nests.
        texts: Every scalar below the key, nested ones too.
        first: First of the lines it stands on, counted in the front matter from 0.
        last: The line after its last one.
    """

    key: str
    value: Value
    texts: tuple[str, ...]
    first: int
    last: int


def read_fields(lines: tuple[str, ...], path: str) -> dict[str, Field]:
    """The keys of front-matter lines, in their order.

    Raises:
        FormatError: The lines are outside the subset; the error names ``path``.
    """
    text = "".join(lines)
    if _ODD_BREAK.search(text):
        raise fault(path, "unparseable", "the front matter holds a line break that is not a line feed")
    try:
        return _Reader(text, lines, path).fields()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" near line {mark.line + 2}" if mark is not None else ""
        raise fault(path, "unparseable", f"the front matter is not YAML{where}") from None


class _Reader:
    """Walks the events of one front matter; no recursion, and nothing is built that was not asked for."""

    def __init__(self, text: str, lines: tuple[str, ...], path: str) -> None:
        self._events = yaml.parse(text, Loader=_LOADER)
        self._lines = lines
        self._path = path
        self._starts: list[int] = []

    def fields(self) -> dict[str, Field]:
        values: dict[str, tuple[Value, tuple[str, ...]]] = {}
        key: str | None = None
        self._expect_mapping()
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            if key is None:
                key = self._key(event, values)
                continue
            values[key] = self._value(event)
            key = None
        if any(isinstance(event, yaml.DocumentStartEvent) for event in self._events):
            raise fault(self._path, "unparseable", "the front matter holds more than one document")
        return self._placed(values)

    def _expect_mapping(self) -> None:
        for event in self._events:
            if isinstance(event, yaml.MappingStartEvent) and not event.flow_style:
                self._refuse_extras(event)
                return
            if not isinstance(event, yaml.StreamStartEvent | yaml.DocumentStartEvent):
                break
        raise fault(self._path, "unparseable", "the front matter must hold one `key: value` a line")

    def _key(self, event: yaml.Event, seen: Container[str]) -> str:
        self._refuse_extras(event)
        if not isinstance(event, yaml.ScalarEvent) or _line_and_column(event)[1]:
            raise fault(self._path, "unparseable", "a key of the front matter must begin its line")
        line, _ = _line_and_column(event)
        if event.value in seen:
            raise fault(self._path, "duplicate_key", f"the key on line {line + 2} stands twice")
        self._starts.append(line)
        return event.value

    def _value(self, event: yaml.Event) -> tuple[Value, tuple[str, ...]]:
        """A scalar or a list of scalars with its texts; what nests deeper is somebody else's and only walked over."""
        self._refuse_extras(event)
        if isinstance(event, yaml.ScalarEvent):
            return event.value, (event.value,)
        depth = 1
        items: list[str] = []
        is_list = isinstance(event, yaml.SequenceStartEvent)
        for inner in self._events:
            self._refuse_extras(inner)
            if isinstance(inner, yaml.SequenceStartEvent | yaml.MappingStartEvent):
                depth += 1
                is_list = False
            elif isinstance(inner, yaml.SequenceEndEvent | yaml.MappingEndEvent):
                depth -= 1
            elif isinstance(inner, yaml.ScalarEvent):
                items.append(inner.value)
            if not depth:
                break
            if depth > _MOST_DEPTH:
                raise fault(self._path, "unparseable", f"the front matter nests deeper than {_MOST_DEPTH}")
        texts = tuple(items)
        return (texts if is_list else None), texts

    def _refuse_extras(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise fault(self._path, "unparseable", "YAML anchors and aliases are not part of the format")
        if getattr(event, "tag", None) is not None:
            raise fault(self._path, "unparseable", "YAML tags are not part of the format")

    def _placed(self, values: Mapping[str, tuple[Value, tuple[str, ...]]]) -> dict[str, Field]:
        ends = [*self._starts[1:], len(self._lines)]
        placed: dict[str, Field] = {}
        for (key, (value, texts)), first, end in zip(values.items(), self._starts, ends, strict=True):
            last = end
            while last > first + 1 and _is_aside(self._lines[last - 1]):
                last -= 1
            placed[key] = Field(key=key, value=value, texts=texts, first=first, last=last)
        return placed


def _line_and_column(event: yaml.Event) -> tuple[int, int]:
    """Where an event begins, both from 0; the parser marks every event it reads from text."""
    mark = event.start_mark
    return (mark.line, mark.column) if mark is not None else (0, 0)


def _is_aside(line: str) -> bool:
    """Whether a line is blank or a comment: it belongs to nobody and stays when a key beside it is edited."""
    bare = line.strip()
    return not bare or bare.startswith("#")
