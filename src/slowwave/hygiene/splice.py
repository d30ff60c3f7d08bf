"""Splicing: one value inside a record's bytes replaced, every other byte left as it is.

The bytes are looked at as Latin-1, so that a character is a byte and damaged UTF-8 elsewhere in the line stays what it
was; the standard library's decoder says where each value ends.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from slowwave.facts.refusal import SlowwaveError

Step = str | int
Span = tuple[int, int]
"""Start and end of a value."""
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


class _Node:
    """A step of ways that are walked together: those that end here, by their number, and those that go on."""

    __slots__ = ("below", "ends")

    def __init__(self) -> None:
        self.below: dict[Step, _Node] = {}
        self.ends: list[int] = []


def _tree_of(ways: Iterable[Sequence[Step]]) -> _Node:
    top = _Node()
    for number, way in enumerate(ways):
        node = top
        for step in way:
            node = node.below.setdefault(step, _Node())
        node.ends.append(number)
    return top


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
    return with_values(record, ((steps, value),))


def with_values(record: object, changes: Sequence[tuple[Sequence[Step], object]]) -> object:
    """The same with several values, none of them inside another."""
    return _replaced(record, _tree_of(steps for steps, _ in changes), [value for _, value in changes])


def _replaced(record: object, node: _Node, values: Sequence[object]) -> object:
    if node.ends:
        return values[node.ends[-1]]
    if isinstance(record, dict) and all(isinstance(step, str) for step in node.below):
        changed = {step: _replaced(record.get(step), below, values) for step, below in node.below.items()}
        return {**record, **changed}
    if isinstance(record, list) and all(isinstance(step, int) for step in node.below):
        below = node.below
        return [_replaced(each, below[at], values) if at in below else each for at, each in enumerate(record)]
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


def span_of(text: str, start: int, steps: Sequence[Step]) -> Span:
    """Where a value stands in a document decoded as Latin-1, from the place where its record begins.

    Of two members with one name the last counts, as it does for every reader of JSON.

    Raises:
        SpliceError: There is no such value.
    """
    return spans_of(text, start, (steps,))[0]


def spans_of(text: str, start: int, ways: Sequence[Sequence[Step]]) -> list[Span]:
    """Where several values stand; the record is walked once, however many there are.

    Raises:
        SpliceError: One of them is not there.
    """
    found: dict[int, Span] = {}
    _walk(text, _skip(text, start), _tree_of(ways), found)
    if len(found) < len(ways):
        missing = next(way for number, way in enumerate(ways) if number not in found)
        raise SpliceError(f"there is no value at {'/'.join(map(str, missing))}")
    return [found[number] for number in range(len(ways))]


def elements_of(text: str, at: int) -> list[int]:
    """Where each element of the list at a place begins; the list is walked once."""
    at = _opened(text, at, "[")
    starts: list[int] = []
    while text[at : at + 1] != "]":
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


def _walk(text: str, at: int, node: _Node, found: dict[int, Span]) -> int:
    """Take note of the values on the ways below a value; where it ends."""
    if not node.below:
        end = _end(text, at)
    elif text[at : at + 1] == "[":
        end = _walk_elements(text, at, node, found)
    else:
        end = _walk_members(text, at, node, found)
    found.update((number, (at, end)) for number in node.ends)
    return end


def _walk_members(text: str, at: int, node: _Node, found: dict[int, Span]) -> int:
    held: dict[str, dict[int, Span]] = {}
    at = _opened(text, at, "{")
    while text[at : at + 1] != "}":
        key, at = _decoded(text, at)
        at = _skip(text, _past(text, at, ":"))
        below = node.below.get(str(key))
        if below is None:
            end = _end(text, at)
        else:
            held[str(key)] = {}
            end = _walk(text, at, below, held[str(key)])
        at = _past_comma(text, end, "}")
    for each in held.values():
        found.update(each)
    return at + 1


def _walk_elements(text: str, at: int, node: _Node, found: dict[int, Span]) -> int:
    at, place = _opened(text, at, "["), 0
    while text[at : at + 1] != "]":
        below = node.below.get(place)
        end = _end(text, at) if below is None else _walk(text, at, below, found)
        at, place = _past_comma(text, end, "]"), place + 1
    return at + 1


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
