"""Every string of a decoded record with its path, in order, without recursion."""

from collections.abc import Iterator

import orjson

from slowwave.facts.limits import JSON_DEPTH
from slowwave.records.recovery import depth

_LEAST_JSON = 2  # characters: "{}"


def strings_of(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Path and text of every string value; paths look like ``message.content[0].text``."""
    open_nodes: list[tuple[str, object]] = [(path, value)]
    while open_nodes:
        at, node = open_nodes.pop()
        if isinstance(node, str):
            yield at, node
        elif isinstance(node, dict):
            children = [(f"{at}.{key}" if at else key, child) for key, child in node.items()]
            open_nodes += reversed(children)
        elif isinstance(node, list):
            open_nodes += reversed([(f"{at}[{index}]", child) for index, child in enumerate(node)])


def held_json(text: str) -> object | None:
    """The object or list that a string holds as JSON, or None."""
    if len(text) < _LEAST_JSON or text[0] not in "{[" or text.rstrip()[-1] not in "}]":
        return None
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict | list) and depth(value, JSON_DEPTH) <= JSON_DEPTH else None
