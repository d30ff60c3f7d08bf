"""JSON from a stranger: read strictly, with nothing repaired and nothing silently dropped.

Python's reader keeps the last of two equal keys, takes NaN for a number, guesses UTF-16 and dies on deep nesting. An
answer that relies on any of these is refused instead, so that what was checked is what was meant.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass

from slowwave.facts.limits import JSON_DEPTH

_BRACKETS_OUTSIDE_STRINGS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonObject:
    """An object with its members, and the keys that occurred more than once."""

    members: dict[str, "JsonValue"]
    repeated: tuple[str, ...]


JsonValue = JsonObject | list["JsonValue"] | str | int | float | bool | None


class BadJsonError(ValueError):
    """The bytes are not JSON that may be read; the message is one sentence for the person who sent them."""


def read_json(raw: bytes, *, most_bytes: int) -> JsonValue:
    """One JSON value from UTF-8 bytes; a byte order mark is accepted.

    Raises:
        BadJsonError: Too large, not UTF-8, nested deeper than ``JSON_DEPTH``, or not one JSON value.
    """
    if len(raw) > most_bytes:
        raise BadJsonError(f"The text has {len(raw):,} bytes; at most {most_bytes:,} are read.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadJsonError(f"The text is not UTF-8 (byte {error.start}); write it as UTF-8.") from None
    if _depth(text) > JSON_DEPTH:
        raise BadJsonError(f"The text is nested deeper than {JSON_DEPTH} levels.")
    try:
        value: JsonValue = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise BadJsonError(
            f"The text is not one JSON value ({error.msg}, line {error.lineno} column {error.colno})."
        ) from None
    except BadJsonError:
        raise
    except ValueError:
        raise BadJsonError("The text holds a number with too many digits.") from None
    return value


def has_surrogate(text: str) -> bool:
    """Whether a text holds half of a surrogate pair, which no UTF-8 file can store."""
    return _SURROGATE.search(text) is not None


def _depth(text: str) -> int:
    depth = deepest = 0
    for found in _BRACKETS_OUTSIDE_STRINGS.finditer(text):
        bracket = found.group()
        if bracket in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif bracket in "]}":
            depth -= 1
    return deepest


def _object(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    members = dict(pairs)
    repeated: tuple[str, ...] = ()
    if len(members) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        repeated = tuple(key for key, count in counts.items() if count > 1)
    return JsonObject(members=members, repeated=repeated)


def _refuse_constant(name: str) -> JsonValue:
    raise BadJsonError(f"The text holds {name}, which is no JSON number.")
