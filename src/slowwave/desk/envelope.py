"""The one form in which commands answer scripts (spec 09), and the exit codes that go with it."""

import json
from typing import Any

from slowwave.facts.refusal import SlowwaveError


def envelope(kind: str, content: Any) -> str:
    """A command's answer as one line of JSON: ``schema``, ``type``, ``data``."""
    return json.dumps({"schema": f"slowwave.{kind}.v1", "type": kind, "data": content}, ensure_ascii=False, default=str)


def error_envelope(error: SlowwaveError) -> str:
    """A command's failure as one line of JSON, with its stable code and what to do; one schema for every command."""
    described = {"code": error.code, "message": error.message, "hint": error.hint}
    return json.dumps({"schema": "slowwave.error.v1", "type": "error", "error": described}, ensure_ascii=False)
