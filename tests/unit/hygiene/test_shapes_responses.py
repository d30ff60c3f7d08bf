"""Responses: what keeps the rules is taken, what breaks one is named, and the provider's library agrees."""

import asyncio
import copy
from typing import Any

import pytest
from hypothesis import given
from made_wires import Messages, history, item_call, item_lists, item_output, parsed, placed, thought
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.openai import OpenAIResponsesModel, OpenAIResponsesModelSettings
from pydantic_ai.providers.openai import OpenAIProvider

from slowwave.hygiene.payloads import replaced
from slowwave.hygiene.shapes.defect import Code, new_defects
from slowwave.hygiene.shapes.responses import check

WIRE = "openai-responses"
QUESTION = {"role": "user", "content": "q"}
ANSWER = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a", "annotations": []}]}
CUSTOM = item_call("a", is_custom=True)


def found(*items: Any) -> list[tuple[Code, str]]:
    """What the check says of a list."""
    return [(defect.code, defect.key) for defect in check(placed(list(items)))]


@given(item_lists())
def test_what_is_taken_is_read_by_the_providers_own_library(items: Messages) -> None:
    """A list that keeps the rules has no defect and parses, also with every output rewritten, in both its forms."""
    assert found(*items) == []
    parsed(WIRE, items)
    for is_list in (False, True):
        changed = copy.deepcopy(items)
        for item in changed:
            if "output" in item:
                part = [{"type": "input_text", "text": "[stub]"}]
                item["output"] = part if is_list else replaced(item["output"], "[stub]")
        assert new_defects(check(placed(items)), check(placed(changed))) == ()
        parsed(WIRE, changed)


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([item_call("a"), item_call("b"), item_output("b"), QUESTION, item_output("a")], []),
        ([item_call("a")], [(Code.PAIRING, "a")]),
        ([item_output("a")], [(Code.PAIRING, "a")]),
        ([item_output("a"), item_call("a")], [(Code.ORDER, "a")]),
        ([item_call("a"), item_output("a"), item_output("a")], [(Code.DUPLICATE_ID, "a")]),
        ([item_call("a"), item_call("a"), item_output("a")], [(Code.DUPLICATE_ID, "a")]),
        ([CUSTOM, item_output("a", is_custom=True)], []),
        ([CUSTOM, item_output("a")], [(Code.PAIRING, "a")]),
        ([{"type": "local_shell_call", "call_id": "a", "id": "i"}, item_output("a")], []),
        ([{"type": "function_call", "name": "run"}], [(Code.PAIRING, "[0]")]),
        ([{"type": "function_call_output", "output": "x"}], [(Code.PAIRING, "[0]")]),
        ([{"type": "tool_search_call"}, {"type": "tool_search_output"}], []),
        ([{"type": "mcp_approval_request", "id": "m"}], []),
        ([{"type": "mcp_approval_response", "approval_request_id": "m"}], [(Code.PAIRING, "m")]),
    ],
)
def test_calls_and_outputs(items: Messages, expected: list[tuple[Code, str]]) -> None:
    """A call is answered by an output of its kind, anywhere behind it, once."""
    assert found(*items) == expected


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([thought("r"), ANSWER], []),
        ([thought("r"), thought("s"), item_call("a"), item_output("a")], []),
        ([thought("r"), {"type": "web_search_call", "id": "w"}], []),
        ([thought("r"), QUESTION], [(Code.ORDER, "r")]),
        ([item_call("a"), thought("r"), item_output("a")], [(Code.ORDER, "r")]),
        ([thought("r")], [(Code.ORDER, "r")]),
        ([{"type": "reasoning", "summary": []}, QUESTION], [(Code.ORDER, "[0]")]),
    ],
)
def test_reasoning_stands_before_what_it_led_to(items: Messages, expected: list[tuple[Code, str]]) -> None:
    """Reasoning without what follows it is refused by the provider."""
    assert found(*items) == expected


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([{"role": "user"}], [(Code.EMPTY, "[0].content")]),
        ([{"role": "user", "content": []}], [(Code.EMPTY, "[0].content")]),
        ([{"role": "tool", "content": "x"}], [(Code.ROLE, "[0]")]),
        ([{"role": "user", "content": [{"type": "input_text"}]}], [(Code.EMPTY, "[0].content[0]")]),
        ([item_call("a"), item_output("a", None)], [(Code.EMPTY, "[1].output")]),
        ([item_call("a"), item_output("a", [])], [(Code.EMPTY, "[1].output")]),
        ([item_call("a"), item_output("a", "")], []),
        ([item_call("a"), item_output("a", [{"type": "text", "text": "x"}])], [(Code.ROLE, "[1].output[0]")]),
    ],
)
def test_content_and_roles(items: Messages, expected: list[tuple[Code, str]]) -> None:
    """Something stands where something must, in a form that an input has."""
    assert found(*items) == expected


def test_what_the_provider_holds_is_said_and_not_judged() -> None:
    """A continued response, and items by reference: an output may answer a call that is not here."""
    assert found({**QUESTION, "previous_response_id": "resp_1"}, item_output("a")) == [
        (Code.SERVER_HELD, "previous_response_id")
    ]
    assert found({"type": "item_reference", "id": "fc_1"}, item_output("a")) == []


def test_a_history_of_the_framework_keeps_the_rules() -> None:
    """What the agent framework writes for this provider from its own messages has no defect."""
    model = OpenAIResponsesModel("gpt-5", provider=OpenAIProvider(api_key="made"))
    mapped = model._map_messages(history(), OpenAIResponsesModelSettings(), ModelRequestParameters())
    items = asyncio.run(mapped)[1]

    assert found(*items) == []
    parsed(WIRE, items)
