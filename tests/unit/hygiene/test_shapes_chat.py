"""Chat Completions: what keeps the rules is taken, what breaks one is named, and the provider's library agrees."""

import asyncio
import copy
from typing import Any

import pytest
from hypothesis import given
from made_wires import Messages, chat_call, chat_lists, chat_result, history, parsed, placed, text
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from slowwave.hygiene.payloads import replaced
from slowwave.hygiene.shapes.chat import check
from slowwave.hygiene.shapes.defect import Code, new_defects

WIRE = "openai-chat"
QUESTION = {"role": "user", "content": "q"}


def found(*messages: Any) -> list[tuple[Code, str]]:
    """What the check says of a list."""
    return [(defect.code, defect.key) for defect in check(placed(list(messages)))]


def asking(*names: str, **more: Any) -> dict[str, Any]:
    """A message of the agent with calls."""
    return {"role": "assistant", "content": None, "tool_calls": [chat_call(name) for name in names], **more}


@given(chat_lists())
def test_what_is_taken_is_read_by_the_providers_own_library(messages: Messages) -> None:
    """A list that keeps the rules has no defect and parses, also with every result rewritten, in both its forms."""
    assert found(*messages) == []
    parsed(WIRE, messages)
    for is_list in (False, True):
        changed = copy.deepcopy(messages)
        for message in changed:
            if message["role"] == "tool":
                message["content"] = [text("[stub]")] if is_list else replaced(message["content"], "[stub]")
        assert new_defects(check(placed(messages)), check(placed(changed))) == ()
        parsed(WIRE, changed)


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([QUESTION, asking("a", "b"), chat_result("b"), chat_result("a"), QUESTION], []),
        ([QUESTION, asking("a"), chat_result("a"), asking("a"), chat_result("a")], []),  # ids begin anew
        ([QUESTION, asking("a", "b"), chat_result("a"), QUESTION], [(Code.PAIRING, "b")]),
        ([QUESTION, asking("a")], [(Code.PAIRING, "a")]),
        ([QUESTION, asking("a"), QUESTION, chat_result("a")], [(Code.PAIRING, "a"), (Code.ORDER, "a")]),
        ([QUESTION, chat_result("a")], [(Code.PAIRING, "a")]),
        ([QUESTION, {"role": "tool", "content": "x"}], [(Code.PAIRING, "[1]")]),
        ([QUESTION, asking("a"), chat_result("a"), chat_result("a")], [(Code.DUPLICATE_ID, "a")]),
        ([QUESTION, asking("a", "a"), chat_result("a")], [(Code.DUPLICATE_ID, "a")]),
        ([QUESTION, asking("")], [(Code.PAIRING, "[1].tool_calls[0]")]),
    ],
)
def test_calls_and_results(messages: Messages, expected: list[tuple[Code, str]]) -> None:
    """The calls of a message are answered right behind it, before anybody else speaks."""
    assert found(*messages) == expected


def test_functions_of_the_old_form_pair_by_name() -> None:
    """Before tools there were functions, one a message."""
    asked = {"role": "assistant", "content": None, "function_call": {"name": "run", "arguments": "{}"}}

    assert found(QUESTION, asked, {"role": "function", "name": "run", "content": "done"}) == []
    assert found(QUESTION, asked, QUESTION) == [(Code.PAIRING, "run")]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"role": "user"}, [(Code.EMPTY, "[0].content")]),
        ({"role": "user", "content": []}, [(Code.EMPTY, "[0].content")]),
        ({"role": "user", "content": 7}, [(Code.EMPTY, "[0].content")]),
        ({"role": "user", "content": ""}, []),
        ({"role": "user", "content": [{"type": "text"}]}, [(Code.EMPTY, "[0].content[0]")]),
        ({"role": "assistant", "content": None}, [(Code.EMPTY, "[0].content")]),
        ({"role": "assistant", "content": None, "refusal": "No."}, []),
        ({"role": "assistant", "content": "x", "tool_calls": []}, [(Code.EMPTY, "[0].tool_calls")]),
        ({"role": "narrator", "content": "x"}, [(Code.ROLE, "[0]")]),
    ],
)
def test_content_and_roles(message: dict[str, Any], expected: list[tuple[Code, str]]) -> None:
    """Content is there where it must be, and every role is one of the six."""
    assert found(message) == expected


def test_a_history_of_the_framework_keeps_the_rules() -> None:
    """What the agent framework writes for this provider from its own messages has no defect."""
    model = OpenAIChatModel("gpt-4o", provider=OpenAIProvider(api_key="made"))
    messages = asyncio.run(model._map_messages(history(), ModelRequestParameters()))

    assert found(*messages) == []
    parsed(WIRE, messages)
