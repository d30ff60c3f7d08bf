"""Faults of form, gathered: all of them together, a bounded number, each with the path of the offender."""

import re
from collections.abc import Collection

from slowwave.facts.limits import MOST_FAULTS
from slowwave.facts.refusal import Refusal
from slowwave.proof.json_text import JsonObject, JsonValue, has_surrogate

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_SHAPES = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", type(None): "null"}


class Faults:
    """Every fault found while one answer is read; reading goes on after a fault so that all come back at once."""

    def __init__(self) -> None:
        self._listed: list[Refusal] = []
        self._count = 0

    def add(self, path: str, message: str) -> None:
        """Note one fault; past ``MOST_FAULTS`` they are only counted."""
        self._count += 1
        if len(self._listed) < MOST_FAULTS:
            self._listed.append(Refusal(code="schema", path=path, message=message))

    def refusals(self) -> tuple[Refusal, ...]:
        """All faults in the order of the answer; a last one tells how many were not listed."""
        unlisted = self._count - len(self._listed)
        if not unlisted:
            return tuple(self._listed)
        rest = Refusal(code="schema", path="answer", message=f"{unlisted:,} more faults of form are not listed.")
        return (*self._listed, rest)


def read_object(
    value: JsonValue, path: str, faults: Faults, *, required: Collection[str], optional: Collection[str] = ()
) -> dict[str, JsonValue] | None:
    """The members of an object that has the required keys and no unknown or repeated one; ``None`` for no object."""
    where = path or "answer"
    if not isinstance(value, JsonObject):
        faults.add(where, f"This must be an object with {_listed(required)}, not {_shape(value)}.")
        return None
    for key in value.repeated:
        faults.add(below(path, key), "This key occurs more than once; keep one.")
    for key in value.members:
        if key not in required and key not in optional:
            faults.add(
                below(path, key), f"This field is unknown here; only {_listed([*required, *optional])} may stand."
            )
    for key in required:
        if key not in value.members:
            faults.add(below(path, key), "This field is required and missing.")
    return value.members


def read_list(members: dict[str, JsonValue], key: str, path: str, faults: Faults) -> list[JsonValue]:
    """The list under a key; empty where it is missing (already a fault) or no list."""
    if key not in members:
        return []
    value = members[key]
    if isinstance(value, list):
        return value
    faults.add(below(path, key), f"This must be a list, not {_shape(value)}.")
    return []


def read_text(members: dict[str, JsonValue], key: str, path: str, faults: Faults, *, most: int | None) -> str:
    """The text under a key: at least one character that is not blank, at most ``most`` code points."""
    if key not in members:
        return ""
    value, where = members[key], below(path, key)
    if not isinstance(value, str):
        faults.add(where, f"This must be a text, not {_shape(value)}.")
        return ""
    if has_surrogate(value):
        faults.add(where, "This text holds half of a surrogate pair; write whole characters.")
        return ""
    if most is not None and not value.strip():
        faults.add(where, "This text is blank; write at least one character.")
    if most is not None and len(value) > most:
        faults.add(where, f"This text has {len(value):,} characters; at most {most:,} are allowed.")
    return value


def read_choice(members: dict[str, JsonValue], key: str, path: str, faults: Faults, *, choices: Collection[str]) -> str:
    """One of a closed set of words; the first of them where the value is faulty."""
    value = members.get(key)
    if isinstance(value, str) and value in choices:
        return value
    if key in members:
        faults.add(below(path, key), f"This must be one of {_listed(choices)}.")
    return next(iter(choices))


def read_flag(members: dict[str, JsonValue], key: str, path: str, faults: Faults) -> bool:
    """True or false; a number or a word is neither."""
    value = members.get(key)
    if not isinstance(value, bool) and key in members:
        faults.add(below(path, key), f"This must be true or false, not {_shape(value)}.")
    return value is True


def read_share(members: dict[str, JsonValue], key: str, path: str, faults: Faults) -> float:
    """A number from 0 to 1; true, false and numbers in quotation marks are no numbers."""
    value = members.get(key)
    if key not in members:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float):
        faults.add(below(path, key), f"This must be a number from 0 to 1, not {_shape(value)}.")
        return 0.0
    if not 0 <= value <= 1:
        faults.add(below(path, key), "This number must lie between 0 and 1.")
        return 0.0
    return float(value)


def below(path: str, key: str) -> str:
    """The path of a member; a key that is no plain word is shown as ``?``, for it is the stranger's own text."""
    shown = key if _PLAIN_KEY.fullmatch(key) else "?"
    return f"{path}.{shown}" if path else shown


def _listed(words: Collection[str]) -> str:
    return ", ".join(words)


def _shape(value: JsonValue) -> str:
    return "an object" if isinstance(value, JsonObject) else _SHAPES[type(value)]
