"""Payloads of tool results: the words in whatever shape a format keeps them, and the same shape with other words."""

import json
from typing import Any

from slowwave.records.formats.tools import unwrap_output

_IMAGES = frozenset({"image", "input_image", "image_url", "document", "input_file", "file"})
_TEXTS = ("text", "input_text", "output_text")
_REFERENCE = "tool_reference"


def payload_text(value: object) -> str:
    """The words of a payload: a text, the texts of a list of parts, or the output inside a text that holds JSON."""
    if isinstance(value, str):
        return unwrap_output(value)[0] if value.startswith("{") else value
    if isinstance(value, list):
        return "\n".join(text for part in value if (text := _part_text(part)) is not None)
    if isinstance(value, dict):
        inner = value.get("output", value.get("content"))
        return payload_text(inner) if isinstance(inner, str | list) else ""
    return ""


def count_images(value: object) -> int:
    """How many pictures and files stand in a payload."""
    if not isinstance(value, list):
        return 0
    return sum(isinstance(part, dict) and part.get("type") in _IMAGES for part in value)


def is_reference(value: object) -> bool:
    """Whether a payload names tools instead of holding output."""
    return isinstance(value, list) and any(isinstance(part, dict) and part.get("type") == _REFERENCE for part in value)


def is_plain(value: object) -> bool:
    """Whether every part of a payload is of a form we understand."""
    if isinstance(value, str):
        return True
    if isinstance(value, list):
        known = _IMAGES | set(_TEXTS)
        return all(isinstance(part, str) or (isinstance(part, dict) and part.get("type") in known) for part in value)
    return isinstance(value, dict) and isinstance(value.get("output", value.get("content")), str | list)


def replaced(value: object, text: str) -> object:
    """A payload of the same shape that holds only ``text``."""
    if isinstance(value, str):
        return _rewrapped(value, text)
    if isinstance(value, list):
        return [_text_part(value, text)]
    if isinstance(value, dict):
        key = "output" if "output" in value else "content"
        return {**value, key: replaced(value.get(key), text)}
    return text


def _part_text(part: object) -> str | None:
    text = part.get("text") if isinstance(part, dict) else part
    return text if isinstance(text, str) else None


def _rewrapped(value: str, text: str) -> str:
    """A text that holds ``{"output": ..., "metadata": ...}`` keeps that form and its exit code."""
    if value.startswith("{") and unwrap_output(value)[0] is not value:
        held: dict[str, Any] = json.loads(value)
        return json.dumps({**held, "output": text}, ensure_ascii=False, separators=(",", ":"))
    return text


def _text_part(parts: list[Any], text: str) -> object:
    """One part for all of them, of their kind; a cache point on any of them stays."""
    if parts and all(isinstance(part, str) for part in parts):
        return text
    held = [part for part in parts if isinstance(part, dict)]
    kinds = [part.get("type") for part in held]
    kind = next((kind for kind in kinds if kind in _TEXTS), None)
    if kind is None:
        kind = "input_text" if {"input_image", "input_file"} & set(kinds) else "text"
    point = next((part["cache_control"] for part in held if part.get("cache_control")), None)
    return {"type": kind, "text": text, **({"cache_control": point} if point else {})}
