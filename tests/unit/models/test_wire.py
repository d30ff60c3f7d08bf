"""The three protocols of providers: which tools a request offers, and what a model would answer."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.models.recipe import Bait
from slowwave.models.wire import offered, reply

CALLS = (Bait(name="mcp__slowwave__list_sessions", arguments={}), Bait(name="Bash", arguments={"command": "x"}))
PATHS = ("/v1/messages", "/v1/responses", "/v1/chat/completions", "/m:generateContent", "/m:streamGenerateContent")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["tools", "name", "type", "function", "namespace", "x"]), inner, max_size=4)
    ),
    max_leaves=30,
)


@pytest.mark.parametrize(
    ("request_tree", "names"),
    [
        ({"tools": [{"name": "Bash", "input_schema": {}}]}, {"Bash"}),
        ({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}, {"web_search"}),
        ({"tools": [{"type": "function", "name": "shell"}]}, {"shell"}),
        ({"tools": [{"type": "function", "function": {"name": "shell"}}]}, {"shell"}),
        ({"tools": [{"type": "web_search"}, {"type": "image_generation"}]}, {"web_search", "image_generation"}),
        (
            {"tools": [{"type": "namespace", "name": "mcp__a", "tools": [{"name": "b"}, {"name": "c"}]}]},
            {"mcp__a__b", "mcp__a__c"},
        ),
        ({"input": [{"type": "additional_tools", "tools": [{"type": "custom", "name": "exec"}]}]}, {"exec"}),
        ({"tools": [{"functionDeclarations": [{"name": "f"}]}, {"googleSearch": {}}]}, {"f", "googleSearch"}),
        ({"tools": [{"functionDeclarations": [{"name": "f"}], "urlContext": {}}]}, {"f", "urlContext"}),
        ({"functions": [{"name": "old"}]}, {"old"}),
        ({"mcp_servers": [{"type": "url", "name": "elsewhere"}]}, {"elsewhere"}),
        ({"deep": [{"er": {"tools": [{"name": "hidden"}]}}]}, {"hidden"}),
        ({"tools": []}, set()),
        ({"messages": [{"content": "tools: Bash"}]}, set()),
        ([], set()),
        (None, set()),
    ],
)
def test_every_tool_is_seen_wherever_it_stands(request_tree: Any, names: set[str]) -> None:
    """As the providers' own clients write them, and one place nobody has heard of."""
    assert offered(request_tree) == names


@given(tree=JSON)
def test_any_request_can_be_looked_at(tree: Any) -> None:
    """No shape raises, and what comes back are names."""
    assert all(isinstance(name, str) for name in offered(tree))
    for path in PATHS:
        answered = reply(path, tree, CALLS)
        assert answered is not None
        assert answered[1]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("streams", [False, True])
def test_calls_and_their_end_are_answered_in_each_protocol(path: str, streams: bool) -> None:
    """With calls each is named with its arguments; without, the turn ends with a text."""
    with_calls = reply(path, {"model": "m", "stream": streams}, CALLS)
    without = reply(path, {"model": "m", "stream": streams}, ())
    assert with_calls is not None
    assert without is not None
    text = with_calls[1].decode()
    assert "list_sessions" in text
    assert "Bash" in text
    assert b"Bash" not in without[1]
    is_stream = "stream" in path or (streams and "generate" not in path)
    assert with_calls[0] == ("text/event-stream" if is_stream else "application/json")
    if is_stream:
        lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {")]
        assert all(isinstance(json.loads(line), dict) for line in lines)
    else:
        assert isinstance(json.loads(text), dict)


def test_a_server_s_tool_stands_in_its_name_space() -> None:
    """Where the protocol has name spaces, a tool is called in its own."""
    answered = reply("/v1/responses", {"model": "m"}, CALLS)
    assert answered is not None
    first, second = json.loads(answered[1])["output"]
    assert (first["namespace"], first["name"]) == ("mcp__slowwave", "list_sessions")
    assert "namespace" not in second


def test_a_router_gets_the_form_it_asks_for() -> None:
    """One that chooses a model first wants JSON."""
    answered = reply("/m:generateContent", {"generationConfig": {"responseMimeType": "application/json"}}, ())
    assert answered is not None
    text = json.loads(answered[1])["candidates"][0]["content"]["parts"][0]["text"]
    assert json.loads(text)["complexity_score"] == 1


def test_another_path_is_not_answered() -> None:
    """A probe plays providers, and nothing beside."""
    assert reply("/v1/models", {}, ()) is None
