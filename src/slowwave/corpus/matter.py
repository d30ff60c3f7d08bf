"""A memory file as text: front matter, its keys with the lines they stand on, and what follows.

Files belong to people. An edit of one key changes that key's line; order, comments, line ends and keys that nobody
here knows stay as they were, byte for byte.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from slowwave.corpus.fault import fault
from slowwave.corpus.keys import Field, read_fields
from slowwave.corpus.scalars import Value, field_line
from slowwave.facts.limits import FRONT_MATTER_CHARACTERS, MOST_MEMORY_BYTES

_FENCE = re.compile(r"---[ \t]*(?:\r?\n|\Z)")
PLAIN_KEYS = frozenset(
    {"kind", "status", "created", "updated", "confidence", "importance", "content_hash", "event_at", "valid_from"}
    | {"valid_until", "last_seen", "seen_count", "task_status", "due"}
)
"""Keys whose values are numbers, moments or fixed words; they are written without quotes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A file taken apart; joined again, ``lines`` and ``rest`` are the file but for a byte-order mark.

    Attributes:
        lines: The lines between the two ``---``, each with its line end.
        fields: Keys in file order.
        rest: What follows the closing ``---`` line.
        opening: The opening ``---`` line, with a byte-order mark where there was one.
        closing: The closing one.
    """

    lines: tuple[str, ...]
    fields: Mapping[str, Field]
    rest: str
    opening: str
    closing: str


def take_apart(content: bytes, path: str) -> Page:
    """Split a file and read its keys.

    Raises:
        FormatError: It is too large, not UTF-8, has no front matter, or front matter outside the subset above.
    """
    if len(content) > MOST_MEMORY_BYTES:
        raise fault(path, "too_large", f"the file is larger than {MOST_MEMORY_BYTES} bytes")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise fault(path, "unparseable", "the file is not UTF-8 text") from None
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    opening = _FENCE.match(text, len(mark))
    if opening is None:
        raise fault(path, "unparseable", "the first line must be ---, and the front matter follows it")
    lines, end = _matter_lines(text, opening.end(), path)
    closing = _FENCE.match(text, end)
    if closing is None:
        raise fault(path, "unparseable", "no line --- ends the front matter")
    return Page(
        lines=lines,
        fields=MappingProxyType(read_fields(lines, path)),
        rest=text[closing.end() :],
        opening=text[: opening.end()],
        closing=closing.group(),
    )


def edit_keys(content: bytes, changes: Mapping[str, Value], *, path: str = "the file") -> bytes:
    """The file with some keys changed, added (at the end) or removed (``None``); every other byte stays.

    Raises:
        FormatError: The file is no memory file.
    """
    page = take_apart(content, path)
    end = "\r\n" if page.opening.endswith("\r\n") else "\n"
    lines: list[str | None] = list(page.lines)
    added: list[str] = []
    for key, value in changes.items():
        field = page.fields.get(key)
        text = None if value is None else field_line(key, value, is_plain=key in PLAIN_KEYS) + end
        if field is not None:
            lines[field.first : field.last] = [text] + [None] * (field.last - field.first - 1)
        elif text is not None:
            added.append(text)
    kept = [line for line in lines if line is not None]
    return "".join([page.opening, *kept, *added, page.closing, page.rest]).encode("utf-8", "replace")


def _matter_lines(text: str, start: int, path: str) -> tuple[tuple[str, ...], int]:
    """The lines up to the closing fence, and where that begins."""
    lines: list[str] = []
    at = start
    while at < len(text) and _FENCE.match(text, at) is None:
        close = text.find("\n", at) + 1 or len(text)
        lines.append(text[at:close])
        at = close
        if at - start > FRONT_MATTER_CHARACTERS:
            raise fault(path, "too_large", f"the front matter is longer than {FRONT_MATTER_CHARACTERS} characters")
    return tuple(lines), at
