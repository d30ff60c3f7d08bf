"""Codex rollouts: items in their envelope and bare; everything else is sent to nobody."""

from collections.abc import Callable
from typing import Any

import pytest
from made_wires import Messages, item_call, item_output, placed, thought

from slowwave.hygiene.shapes.codex import check
from slowwave.hygiene.shapes.defect import Code

AT = "2026-01-02T03:04:05Z"


def enveloped(item: Any) -> dict[str, Any]:
    """An item as it is written today."""
    return {"timestamp": AT, "type": "response_item", "payload": item}


def bare(item: Any) -> dict[str, Any]:
    """An item as it was written until August 2025."""
    return dict(item)


def found(*records: Any) -> list[tuple[Code, str, int]]:
    """What the check says of a rollout."""
    return [(defect.code, defect.key, defect.index) for defect in check(placed(list(records)))]


@pytest.mark.parametrize("form", [enveloped, bare])
@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([item_call("a"), item_output("a")], []),
        ([item_call("a")], [(Code.PAIRING, "a", 0)]),
        ([item_output("a")], [(Code.PAIRING, "a", 0)]),
        ([thought("r"), {"type": "ghost_snapshot"}, item_call("a"), item_output("a")], []),
        ([thought("r"), item_output("a"), item_call("a")], [(Code.ORDER, "r", 0), (Code.ORDER, "a", 2)]),
        ([{"type": "message", "role": "user", "content": []}], [(Code.EMPTY, "[0].content", 0)]),
    ],
)
def test_items_keep_the_rules_of_the_provider(
    form: Callable[[Any], dict[str, Any]], items: Messages, expected: list[tuple[Code, str, int]]
) -> None:
    """Both forms hold the same items."""
    assert found(*map(form, items)) == expected


def test_events_and_settings_are_no_items() -> None:
    """Second tellings, heads, states: none of them is sent."""
    others = [
        {"id": "s-1", "timestamp": AT, "instructions": None, "git": {}},
        {"record_type": "state"},
        {"timestamp": AT, "type": "session_meta", "payload": {"id": "s-1"}},
        {"timestamp": AT, "type": "turn_context", "payload": {"model": "gpt-5"}},
        {"timestamp": AT, "type": "event_msg", "payload": {"type": "exec_command_end", "call_id": "z"}},
        {"timestamp": AT, "type": "event_msg", "payload": {"type": "agent_message", "message": ""}},
    ]

    assert found(*others, enveloped(item_call("a")), *others, enveloped(item_output("a"))) == []


def test_a_compaction_ends_a_context() -> None:
    """A call that was open before it stays open, and its id may be used again behind it."""
    compacted = {"timestamp": AT, "type": "compacted", "payload": {"message": "", "replacement_history": []}}

    assert found(*map(enveloped, [item_call("a"), item_output("a")]), compacted, enveloped(item_call("a"))) == [
        (Code.PAIRING, "a", 3)
    ]
    assert found(enveloped(item_call("a")), compacted, enveloped(item_call("a")), enveloped(item_output("a"))) == [
        (Code.PAIRING, "a", 0)
    ]
