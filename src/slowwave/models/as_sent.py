"""Arguments as they were sent: what a model wrote, neither read nor mended before the toolbox judges it.

Some protocols carry the arguments of a call as an object inside the answer. Whoever reads such an answer keeps the last
of two equal keys and fails on a list, so that what is judged is not what was said. Here they become text before the
client library sees them, and an object that can be sent back where the turn goes on.
"""

import json
import math
import re
from collections.abc import Sequence
from typing import Any

from slowwave.facts.limits import JSON_DEPTH

_KEY = "as_sent"
"""The one member of the object that stands for arguments inside an answer until ``written`` takes them out."""
UNREADABLE = "not_valid_json"
"""Under which name a model sees its own arguments again where they were no object."""
_EACH = "*"
_PLACES: dict[str, tuple[str, ...]] = {
    "anthropic": ("content", _EACH, "input"),
    "gemini": ("candidates", _EACH, "content", "parts", _EACH, "functionCall", "args"),
    "bedrock": ("output", "message", "content", _EACH, "toolUse", "input"),
}
"""Where arguments stand in an answer as an object, by provider; all others send text."""
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Token(str):
    """A number, or what stands for one, as it was written."""

    __slots__ = ()


class _Pairs(list[tuple[str, Any]]):
    """An object with every member, a repeated one too."""

    __slots__ = ()


def kept_as_text(provider: str, content_type: str, content: bytes) -> bytes:
    """An answer in which the arguments of calls are text; one that cannot be read comes back as it is.

    Raises:
        RecursionError: It is nested deeper than can be read.
    """
    place = _PLACES.get(provider)
    if place is None:
        return content
    if content_type == "application/json":
        return _one(content, place)
    if content_type == "text/event-stream":
        return b"\n".join(_event(line, place) for line in content.split(b"\n"))
    return content


def _event(line: bytes, place: Sequence[str]) -> bytes:
    if not line.startswith(b"data:"):
        return line
    end = b"\r" if line.endswith(b"\r") else b""
    return b"data: " + _one(line.removeprefix(b"data:").strip(), place) + end


def _one(content: bytes, place: Sequence[str]) -> bytes:
    try:
        tree = json.loads(
            content, object_pairs_hook=_Pairs, parse_int=_Token, parse_float=_Token, parse_constant=_Token
        )
    except ValueError:
        return content  # the library will say so
    return _text(_replaced(tree, place)).encode("utf-8", "surrogatepass")


def _replaced(tree: Any, place: Sequence[str]) -> Any:
    """A tree with what stands at a place put away as text."""
    if not place:
        return _Pairs([(_KEY, _text(tree))])
    step, *rest = place
    if isinstance(tree, _Pairs):
        return _Pairs((key, _replaced(value, rest) if key == step else value) for key, value in tree)
    if isinstance(tree, list) and step == _EACH:
        return [_replaced(value, rest) for value in tree]
    return tree


def _text(tree: Any) -> str:
    """JSON of a tree, each member and each number as it was."""
    if isinstance(tree, _Pairs):
        return "{" + ",".join(f"{json.dumps(key)}:{_text(value)}" for key, value in tree) + "}"
    if isinstance(tree, list):
        return "[" + ",".join(_text(value) for value in tree) + "]"
    return str(tree) if isinstance(tree, _Token) else json.dumps(tree)


def written(arguments: object) -> str:
    """Arguments as the client library gives them, as the text that the model wrote; none at all are an empty object."""
    if isinstance(arguments, str):
        return arguments or "{}"
    if isinstance(arguments, dict) and isinstance(text := arguments.get(_KEY), str) and len(arguments) == 1:
        return text
    return json.dumps(arguments or {})


def sendable(arguments: str) -> dict[str, Any]:
    """Arguments as an object that every protocol can send back; whatever is none becomes text inside one."""
    try:
        tree = json.loads(arguments)
        if isinstance(tree, dict):
            return {clean(key): _clean_tree(value, JSON_DEPTH - 1) for key, value in tree.items()}
    except (ValueError, RecursionError):
        pass
    return {UNREADABLE: clean(arguments)}


def clean(text: str) -> str:
    """Text without halves of surrogate pairs, which nothing on the way can encode."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def _clean_tree(tree: Any, depth: int) -> Any:
    """A tree without numbers that are none, at most so deep.

    Raises:
        ValueError: It is deeper.
    """
    if depth <= 0 and isinstance(tree, dict | list):
        raise ValueError("nested too deep")
    if isinstance(tree, dict):
        return {clean(key): _clean_tree(value, depth - 1) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_clean_tree(value, depth - 1) for value in tree]
    if isinstance(tree, float) and not math.isfinite(tree):
        return str(tree)
    return clean(tree) if isinstance(tree, str) else tree
