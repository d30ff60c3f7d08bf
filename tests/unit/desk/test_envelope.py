"""The envelope: one line of JSON, whatever a command has to say."""

import json

from slowwave.desk.envelope import envelope, error_envelope
from slowwave.facts.memory import Kind
from slowwave.facts.refusal import UsageError


def test_an_answer_names_its_schema_and_type() -> None:
    """Data stands under ``data``; text of any script stays readable, and no line feed is raw."""
    text = envelope("search", {"hits": [{"claim": "größer\n→", "kind": Kind.SEMANTIC}]})
    assert "\n" not in text
    assert "größer" in text
    assert json.loads(text) == {
        "schema": "slowwave.search.v1",
        "type": "search",
        "data": {"hits": [{"claim": "größer\n→", "kind": "semantic"}]},
    }


def test_a_failure_has_code_message_and_hint() -> None:
    """Scripts rely on the code, people on the hint."""
    read = json.loads(error_envelope(UsageError("no phase is called x", hint="phases are: a")))
    assert read["schema"] == "slowwave.error.v1"
    assert read["type"] == "error"
    assert read["error"] == {"code": "usage", "message": "no phase is called x", "hint": "phases are: a"}
