"""Whole JSON values: decoded and encoded by the fast library, for those above who must not know which one that is."""

import json
from typing import Any

import orjson


def decode(raw: bytes | str) -> Any:
    """The value a JSON text holds.

    Raises:
        ValueError: It holds none.
    """
    return orjson.loads(raw)


def encode(value: object) -> str:
    """A value as JSON with its keys in order: equal values give equal texts, whatever order they came in."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except (orjson.JSONEncodeError, RecursionError):
        return json.dumps(value, sort_keys=True, default=repr)
