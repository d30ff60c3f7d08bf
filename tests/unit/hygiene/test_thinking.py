"""Thinking: which models bind a thought to what stands before it, and what each policy does about it."""

import json
from typing import Any, get_args

import pytest
from anthropic.types.beta import BetaThinkingConfigAdaptiveParam
from anthropic.types.model import Model
from hypothesis import given
from hypothesis import strategies as st
from made_wires import Session, agent, call, placed, result, text, user
from pydantic import TypeAdapter

from slowwave.hygiene.context import Context
from slowwave.hygiene.document import of_messages, read_document
from slowwave.hygiene.reading import read_context
from slowwave.hygiene.shapes import claude_code
from slowwave.hygiene.stubs import thinking_stub
from slowwave.hygiene.thinking import (
    Policy,
    Thought,
    is_binding,
    model_name,
    refusal,
    settings,
    thinking_rule,
    to_strip,
)

BINDING = (
    "claude-fable-5-1",
    "claude-fable-5-2",
    "claude-mythos-5-1",
    "claude-mythos-5-2",
    "claude-opus-5-5",
    "claude-sonnet-5-5",
    "claude-haiku-5-5",
)
NEW, OLD = "claude-opus-5-5", "claude-opus-5"
THOUGHT = {"type": "thinking", "thinking": "", "signature": "c2ln"}


@pytest.mark.parametrize("model", BINDING)
@pytest.mark.parametrize(
    "spelling", ["{}", "anthropic/{}", "us.anthropic.{}-v1:0", "{}-20261001", "{}@20261001", "{}[1m]"]
)
def test_models_that_bind_are_known_however_they_are_spelled(model: str, spelling: str) -> None:
    """Routes, regions, dates, versions and windows are no part of a name."""
    assert model_name(spelling.format(model)) == model
    assert is_binding(spelling.format(model))


@pytest.mark.parametrize(
    "model",
    [
        "claude-v1", "claude-2.1", "claude-instant-1.2", "claude-3-haiku-20240307", "claude-3-5-sonnet-latest",
        "anthropic/claude-3.7-sonnet:thinking", "claude-sonnet-4-20250514", "claude-4-sonnet", "claude-opus-4-1",
        "eu.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-opus-4.8-fast", "claude-mythos-preview", "claude-opus-5",
        "claude-sonnet-5", "claude-fable-5", "claude-mythos-5", "claude-fable-5[1m]", "<synthetic>",
    ],
)  # fmt: skip
def test_models_from_before_do_not_bind(model: str) -> None:
    """What was published before the check stays free; what no model said is bound to nothing."""
    assert not is_binding(model)


@pytest.mark.parametrize("model", ["gpt-5.6-sol", "o3", "o4-mini", "openai/gpt-6", "gemini-3-pro-preview", "glm-4.6"])
def test_other_makers_do_not_bind(model: str) -> None:
    """Their encrypted reasoning comes back as it was, whatever stands before it."""
    assert not is_binding(model)


@pytest.mark.parametrize(
    "model", ["", "claude-haiku-5", "claude-opus-6", "claude-fable-5-3", "claude-opus-5-5-1", "made"]
)
def test_what_nobody_knows_counts_as_binding(model: str) -> None:
    """A later model breaks nothing; there never was a claude-haiku-5."""
    assert is_binding(model)


def test_every_model_of_the_providers_library_is_known() -> None:
    """The library lists its models: those with the check are binding, all others are from before it."""
    listed = [name for part in get_args(Model) for name in get_args(part)]

    assert len(listed) > len(BINDING)
    assert sorted(name for name in listed if is_binding(name)) == sorted(BINDING)


def test_auto_refuses_before_a_bound_thought_and_says_both_ways_out() -> None:
    """Behind the last bound thought all is free."""
    thoughts = (Thought(index=2, model=OLD), Thought(index=5, model=NEW), Thought(index=8, model=OLD))

    said = refusal(Policy.AUTO, thoughts, 3)
    assert "[5]" in said
    assert "--thinking strip" in said
    assert "--thinking server" in said
    assert refusal(Policy.AUTO, thoughts, 6) == ""
    assert refusal(Policy.AUTO, (Thought(index=5, model=NEW, is_signed=False),), 3) == ""


def test_refuse_takes_every_signed_thought_as_bound() -> None:
    """Whatever its model."""
    thoughts = (Thought(index=5, model=OLD), Thought(index=8, model=OLD, is_signed=False))

    assert "[5]" in refusal(Policy.REFUSE, thoughts, 3)
    assert refusal(Policy.REFUSE, thoughts, 6) == ""


def test_strip_takes_all_behind_the_first_change_or_none() -> None:
    """Leaving one out between others would break those behind it; where none is bound nothing is broken."""
    thoughts = (Thought(index=2, model=NEW), Thought(index=5, model=OLD), Thought(index=8, model=NEW))

    assert to_strip(thoughts, 3) == thoughts[1:]
    assert to_strip(thoughts, 9) == ()
    assert to_strip(thoughts[:2], 3) == ()
    assert refusal(Policy.STRIP, thoughts, 3) == ""
    assert "[5]" in refusal(Policy.STRIP, thoughts, 5)


def test_server_refuses_nothing_and_its_settings_are_the_providers_own() -> None:
    """The provider's library takes them as they are printed."""
    told = json.loads(json.dumps(settings()))

    assert refusal(Policy.SERVER, (Thought(index=5, model=NEW),), 3) == ""
    assert TypeAdapter(BetaThinkingConfigAdaptiveParam).validate_python(told["thinking"]) == told["thinking"]
    assert told["headers"] == {"anthropic-beta": "thinking-binding-controls-2026-08-01"}


ROWS = st.lists(
    st.builds(Thought, index=st.integers(0, 20), model=st.sampled_from([OLD, NEW, ""]), is_signed=st.booleans()),
    max_size=6,
)


@given(ROWS, st.integers(0, 20))
def test_after_strip_nothing_bound_stands_behind_the_change(thoughts: list[Thought], first: int) -> None:
    """What auto refuses is exactly what strip has work with, and its work is enough."""
    gone = to_strip(thoughts, first)
    kept = [thought for thought in thoughts if thought not in gone]

    assert bool(refusal(Policy.AUTO, thoughts, first)) == bool(gone)
    assert refusal(Policy.AUTO, kept, first) == ""


def session(model: str) -> Session:
    """A question, a thought with a call, its result, and a second reply with a thought."""
    made = Session()
    made.user("Which files are there?")
    made.agent(THOUGHT, model=model)
    made.agent(call("a"), model=model)
    made.user(result("a"))
    made.agent({"type": "redacted_thinking", "data": "eA=="}, reply="m-2", model=model)
    made.agent(text("Two."), reply="m-2", model=model)
    return made


def context(records: list[dict[str, Any]]) -> Context:
    """Records as a context."""
    return read_context(read_document(b"".join(json.dumps(record).encode() + b"\n" for record in records)))


def test_a_session_is_held_against_its_own_models() -> None:
    """Redacted thoughts count; the model is the record's own."""
    assert "[4]" in thinking_rule(context(session(NEW).records), Policy.AUTO).refusal(3)
    assert thinking_rule(context(session(OLD).records), Policy.AUTO).refusal(3) == ""
    assert thinking_rule(context(session(OLD).records), Policy.REFUSE).refusal(3) != ""
    assert thinking_rule(context(session(NEW).records), Policy.AUTO).refusal(5) == ""


def test_what_stands_before_a_compaction_is_bound_to_nothing() -> None:
    """It is sent to nobody any more, and the thoughts behind it are bound to what it left."""
    made = session(NEW)
    made.bare(type="system", subtype="compact_boundary", uuid="b-1", parentUuid=None)
    made.user("This session is continued.", parent="b-1", isCompactSummary=True)
    made.agent(THOUGHT, reply="m-3", model=NEW)
    rule = thinking_rule(context(made.records), Policy.AUTO)

    assert rule.refusal(3) == ""
    assert [thought.index for thought in rule.thoughts] == [8]


def test_a_sub_agents_thoughts_are_bound_to_its_own_conversation() -> None:
    """A change in the conversation itself breaks none of them."""
    made = session(OLD)
    made.user("Look into it.", isSidechain=True)
    made.agent(THOUGHT, reply="m-9", model=NEW, isSidechain=True)
    rule = thinking_rule(context(made.records), Policy.AUTO)

    assert rule.refusal(3) == ""
    assert rule.refusal(6) != ""


def test_removals_leave_a_session_that_keeps_its_shape() -> None:
    """Lists without their thoughts, one a record; one that would be empty says what stood there."""
    made = session(NEW)
    stub = text(thinking_stub())
    edits = thinking_rule(context(made.records), Policy.STRIP).removals(3)

    assert [(edit.index, edit.field, edit.value) for edit in edits] == [(4, "message.content", [stub])]
    made.records[4]["message"]["content"] = [stub]
    assert claude_code.check(placed(made.records)) == ()
    assert thinking_rule(context(made.records), Policy.AUTO).refusal(3) == ""
    assert thinking_rule(context(made.records), Policy.AUTO).removals(3) == ()


def test_a_list_of_messages_names_its_model_in_the_request_or_nowhere() -> None:
    """Where nothing says whose thoughts they are they count as bound."""
    messages = [user("q"), agent(THOUGHT, call("a")), user(result("a")), agent(THOUGHT, text("Two."))]
    asked = read_document(json.dumps({"model": OLD, "messages": messages}).encode())
    rule = thinking_rule(read_context(of_messages(messages)), Policy.STRIP)

    assert thinking_rule(read_context(asked), Policy.AUTO).refusal(2) == ""
    assert thinking_rule(read_context(of_messages(messages)), Policy.AUTO).refusal(2) != ""
    assert [(edit.index, edit.field, edit.value) for edit in rule.removals(2)] == [(3, "content", [text("Two.")])]


@pytest.mark.parametrize("policy", list(Policy))
def test_settings_are_told_for_server_alone(policy: Policy) -> None:
    """And only where a thought is bound."""
    assert bool(thinking_rule(context(session(NEW).records), policy).settings) is (policy is Policy.SERVER)
    assert thinking_rule(context(session(OLD).records), policy).settings == {}


def test_other_makers_lists_have_no_thoughts() -> None:
    """Reasoning of other makers is opaque, which others look after."""
    items: list[dict[str, Any]] = [
        {"role": "user", "content": "q"},
        {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "x"},
    ]
    rule = thinking_rule(read_context(of_messages(items, wire="openai-responses")), Policy.REFUSE)

    assert rule.refusal(0) == ""
