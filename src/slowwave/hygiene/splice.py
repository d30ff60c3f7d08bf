"""Splicing: one value inside a record's bytes replaced, every other byte left as it is.

The bytes are looked at as Latin-1, so that a character is a byte and damaged UTF-8 elsewhere in the line stays what it
was; the standard library's decoder says where each value ends.
"""

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from slowwave.facts.refusal import SlowwaveError

Step = str | int
Splice = tuple[int, int, bytes]
"""Start and end in the bytes, and what stands there instead."""

_DECODER = json.JSONDecoder(strict=False)
_STEP = re.compile(r'(?:^|\.)([^.\[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]')
_PLAIN_KEY = re.compile(r"[^.\[\]]+")
_BLANK = re.compile(r"[ \t\r\n]*")
_BYTE_ORDER_MARK = "\xef\xbb\xbf"


class SpliceError(SlowwaveError):
    """A value that was read cannot be found again in the bytes it came from."""

    code = "splice"


@lru_cache(maxsize=1_024)
def steps_of(path: str) -> tuple[Step, ...]:
    """A path such as ``message.content[0].text`` as keys and positions; empty for the record itself.

    A key with a sign of the path in it, or an empty one, stands in brackets as JSON: ``files["a.py"]``.
    """
    return tuple(
        name or (int(place) if place else str(json.loads(quoted))) for name, place, quoted in _STEP.findall(path)
    )


def texts_at(value: object, path: str) -> Iterator[tuple[str, str]]:
    """Path and text of every string below a value that stands at a path; each path leads back to its text."""
    open_nodes: list[tuple[str, object]] = [(path, value)]
    while open_nodes:
        at, node = open_nodes.pop()
        if isinstance(node, str):
            yield at, node
        elif isinstance(node, dict):
            open_nodes += reversed([(_below(at, key), child) for key, child in node.items()])
        elif isinstance(node, list):
            open_nodes += reversed([(f"{at}[{place}]", child) for place, child in enumerate(node)])


def _below(path: str, key: str) -> str:
    if _PLAIN_KEY.fullmatch(key):
        return f"{path}.{key}" if path else key
    return f"{path}[{json.dumps(key)}]"


def value_at(record: object, path: str) -> object:
    """The value at a path of a decoded record; None where there is none."""
    value = record
    for step in steps_of(path):
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def with_value(record: object, steps: Sequence[Step], value: object) -> object:
    """A copy of a decoded record with one value replaced; all that is not on its path is shared with the original."""
    if not steps:
        return value
    step, *rest = steps
    if isinstance(step, str) and isinstance(record, dict):
        return {**record, step: with_value(record.get(step), rest, value)}
    if isinstance(step, int) and isinstance(record, list):
        return [with_value(each, rest, value) if at == step else each for at, each in enumerate(record)]
    raise SpliceError("a path leads through a value that is neither an object nor a list")


def record_starts(text: str) -> list[int]:
    """Where each record of an undamaged line, decoded as Latin-1, begins; a line of glued records has several.

    Raises:
        SpliceError: The line holds something else than records.
    """
    at = _skip(text, len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0)
    starts: list[int] = []
    while at < len(text):
        starts.append(at)
        at = _skip(text, _end(text, at))
    return starts


def span_of(text: str, start: int, steps: Sequence[Step]) -> tuple[int, int]:
    """Where a value stands in a document decoded as Latin-1, from the place where its record begins.

    Of two members with one name the last counts, as it does for every reader of JSON.

    Raises:
        SpliceError: There is no such value.
    """
    at = _skip(text, start)
    for step in steps:
        at = _member(text, at, step) if isinstance(step, str) else _element(text, at, step)
    return at, _end(text, at)


def elements_of(text: str, at: int) -> list[int]:
    """Where each element of the list at a place begins; the list is walked once."""
    at = _opened(text, at, "[")
    starts: list[int] = []
    while text[at] != "]":
        starts.append(at)
        at = _past_comma(text, _end(text, at), "]")
    return starts


def encode(value: object, *, is_ascii: bool) -> bytes:
    """A value as JSON; escaped where the line around it is, and where half a surrogate pair stands in it."""
    try:
        return json.dumps(value, ensure_ascii=is_ascii, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def apply(raw: bytes, splices: Sequence[Splice]) -> bytes:
    """Bytes with replacements, which must not overlap."""
    pieces: list[bytes] = []
    at = 0
    for start, end, value in sorted(splices):
        pieces += (raw[at:start], value)
        at = end
    return b"".join([*pieces, raw[at:]])


def _member(text: str, at: int, name: str) -> int:
    at = _opened(text, at, "{")
    found = -1
    while text[at] != "}":
        key, at = _decoded(text, at)
        at = _skip(text, _past(text, at, ":"))
        if key == name:
            found = at
        at = _past_comma(text, _end(text, at), "}")
    if found < 0:
        raise SpliceError(f"there is no member {name!r}")
    return found


def _element(text: str, at: int, place: int) -> int:
    at = _opened(text, at, "[")
    for number in range(place + 1):
        if text[at] == "]":
            break
        if number == place:
            return at
        at = _past_comma(text, _end(text, at), "]")
    raise SpliceError(f"there is no element {place}")


def _opened(text: str, at: int, bracket: str) -> int:
    return _skip(text, _past(text, at, bracket))


def _past(text: str, at: int, sign: str) -> int:
    at = _skip(text, at)
    if text[at : at + 1] != sign:
        raise SpliceError(f"{sign!r} was expected at byte {at:,}")
    return at + 1


def _past_comma(text: str, at: int, close: str) -> int:
    at = _skip(text, at)
    return at if text[at : at + 1] == close else _skip(text, _past(text, at, ","))


def _end(text: str, at: int) -> int:
    return _decoded(text, at)[1]


def _decoded(text: str, at: int) -> tuple[object, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError) as error:
        raise SpliceError(f"no value can be read at byte {at:,}") from error


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
