"""Whole JSON values: decoded and encoded by the fast library, for those above who must not know which one that is."""

import json
import re
from typing import Any

import orjson


def decode(raw: bytes | str) -> Any:
    """The value a JSON text holds; half a surrogate pair, which programs write, is kept as it is.

    Raises:
        ValueError: It holds none.
    """
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        text = raw if isinstance(raw, str) else raw.decode()
        if _HALF.search(text) is None:
            raise
    try:
        return _LENIENT.decode(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _refuse(name: str) -> Any:
    """No two readers agree what NaN and Infinity mean.

    Raises:
        ValueError: Always.
    """
    raise ValueError(f"{name} is no JSON")


def _number(digits: str) -> int | float:
    """A whole number; past 64 bits as a float, as the fast library has it."""
    return int(digits) if len(digits) <= _INT_DIGITS else float(digits)


_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_INT_DIGITS = 18  # always fit in 64 bits
_LENIENT = json.JSONDecoder(parse_constant=_refuse, parse_int=_number)


def encode(value: object) -> str:
    """A value as JSON with its keys in order: equal values give equal texts, whatever order they came in."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except (orjson.JSONEncodeError, RecursionError):
        return json.dumps(value, sort_keys=True, default=repr)
