"""Wires: one course of work, read from every form in which it may be written, is the same course of work."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from small_contexts import MAKERS, Beat, anthropic, bash, call, claude_code, codex, notice, responses, say, user

from slowwave.hygiene.context import Context
from slowwave.hygiene.document import of_messages, read_document
from slowwave.hygiene.items import Kind, Role
from slowwave.hygiene.reading import read_context
from slowwave.hygiene.wires import WIRES, detect_wire

BEATS = [
    user("Look at the cart."),
    say("I look."),
    bash("ls shop", "cart.py\npay.py"),
    notice("The list of things to do is empty."),
    call("Read", "def total(): ...", file_path="/shop/cart.py"),
    say("It is short."),
    user("Good."),
]


def _context(beats: Sequence[Beat], wire: str) -> Context:
    return read_context(read_document(MAKERS[wire](beats)))


def _of_lines(records: Sequence[Mapping[str, Any]]) -> Context:
    return read_context(read_document(b"".join(json.dumps(record).encode() + b"\n" for record in records)))


def _kinds(context: Context) -> list[tuple[Kind, str]]:
    return [(item.kind, item.call_id or item.injected) for item in context.items]


@pytest.mark.parametrize("wire", MAKERS)
def test_the_same_things_are_seen_in_every_wire(wire: str) -> None:
    """Kinds, words, tools, arguments, who typed what and what belongs together."""
    context = _context(BEATS, wire)
    shown = list(context.window())
    assert [item.kind.value for item in shown] == [
        "user", "assistant", "call", "result", "notice", "call", "result", "assistant", "user",
    ]  # fmt: skip
    assert [context.text(item) for item in shown if item.kind is not Kind.CALL] == [
        "Look at the cart.",
        "I look.",
        "cart.py\npay.py",
        "<system-reminder>The list of things to do is empty.</system-reminder>",
        "def total(): ...",
        "It is short.",
        "Good.",
    ]
    assert [item.tool for item in shown if item.kind is Kind.RESULT] == ["Bash", "Read"]
    assert [dict(item.args) for item in shown if item.kind is Kind.CALL] == [
        {"command": "ls shop"},
        {"file_path": "/shop/cart.py"},
    ]
    assert [item.is_person for item in shown] == [True, *[False] * 7, True]
    assert [shown[number].group for number in (3, 6)] == [shown[number].group for number in (2, 5)]
    assert not any(group.is_open for group in context.groups)
    assert [context.items[number].kind for number in context.turns] == [Kind.USER, Kind.USER]


def test_digests_and_tokens_are_those_of_the_words_in_every_wire() -> None:
    """An item pinned in one form is pinned in each."""
    seen = {
        wire: [(item.digest, item.tokens, item.characters) for item in _context(BEATS, wire).window()]
        for wire in MAKERS
    }
    assert len({str(rows) for rows in seen.values()}) == 1


def test_a_form_is_told_by_its_records_and_not_by_their_order() -> None:
    """Agents' own forms are asked first, but never for the messages of one list."""
    assert list(WIRES)[:3] == ["claude-code", "codex", "codex-legacy"]
    records = [json.loads(line) for line in claude_code(BEATS).splitlines()]
    found = detect_wire(records)
    assert found is not None
    assert found.name == "claude-code"
    assert detect_wire(records, is_list=True) is None
    assert detect_wire([]) is None
    assert detect_wire([{"a": 1}]) is None


# Claude Code


def test_a_reply_over_several_lines_is_one_group() -> None:
    """They share the id of the message, whatever stands between them."""
    records = [json.loads(line) for line in claude_code(BEATS).splitlines()]
    for number in (1, 2):
        records[number]["message"]["id"] = "msg_same"
    context = _of_lines(records)
    assert [item.group for item in context.items[:4]] == [0, 1, 1, 1]


def test_bookkeeping_is_no_item_and_progress_is_a_second_telling() -> None:
    """Titles, queues and snapshots take no room in the window, nor does a sub-agent's message told by its parent."""
    records = [json.loads(line) for line in claude_code(BEATS).splitlines()]
    inner = {**records[2], "uuid": "inner"}
    inner["message"] = {**inner["message"], "content": [{**inner["message"]["content"][0], "id": "toolu_inner"}]}
    records[3:3] = [
        {"type": "ai-title", "aiTitle": "The cart", "sessionId": "s"},
        {"type": "file-history-snapshot", "snapshot": {}, "messageId": "m"},
        {"type": "progress", "uuid": "p", "sessionId": "s", "data": {"message": inner}},
        {"type": "permission-mode", "permissionMode": "plan", "sessionId": "s"},
    ]
    context = _of_lines(records)
    assert _kinds(context)[3] == (Kind.ECHO, "toolu_inner")
    assert len(context.items) == len(_context(BEATS, "claude-code").items) + 1
    assert [context.roles[index] for index in (3, 4, 5, 6)] == [Role.NONE] * 4


def test_queued_words_are_typed_once() -> None:
    """They are queued, attached and perhaps sent: three tellings, one turn."""
    records = [json.loads(line) for line in claude_code([user("Look."), say("Hm.")]).splitlines()]
    records += [
        {"type": "queue-operation", "operation": "enqueue", "content": "And the docs too.", "sessionId": "s"},
        {
            "type": "attachment",
            "uuid": "a",
            "sessionId": "s",
            "attachment": {"type": "queued_command", "prompt": "And the docs too.", "commandMode": "prompt"},
        },
    ]
    context = _of_lines(records)
    assert len(context.turns) == 2
    assert sum(item.is_person for item in context.items) == 3
    assert {context.text(item) for item in context.items if item.is_person} == {"Look.", "And the docs too."}


def test_a_compaction_begins_the_window_anew() -> None:
    """The boundary itself and the summary behind it are shown, and pinned as what they are."""
    records = [json.loads(line) for line in claude_code(BEATS).splitlines()]
    records[4:4] = [
        {"type": "system", "subtype": "compact_boundary", "content": "Compacted", "uuid": "b", "sessionId": "s"},
        {**records[0], "uuid": "c", "isCompactSummary": True, "message": {"role": "user", "content": "So far: much."}},
    ]
    context = _of_lines(records)
    shown = list(context.window())
    assert [(item.kind, item.index) for item in shown[:2]] == [(Kind.SUMMARY, 5), (Kind.NOTICE, 6)]
    assert len(shown) < len(context.items)


def test_an_error_of_the_service_is_no_reply() -> None:
    """The program says it in the agent's place."""
    records = [json.loads(line) for line in claude_code(BEATS).splitlines()]
    records[1]["isApiErrorMessage"] = True
    assert [item.kind for item in _of_lines(records).items][:2] == [Kind.USER, Kind.CALL]


def test_the_words_of_a_brief_are_no_persons() -> None:
    """A sub-agent's conversation in the same file is marked, and nobody typed in it."""
    records = [json.loads(line) for line in claude_code(BEATS).splitlines()]
    for record in records:
        record["isSidechain"] = True
    context = _of_lines(records)
    assert all(item.is_sidechain for item in context.items)
    assert not any(item.is_person for item in context.items)
    assert context.items[0].kind is Kind.USER  # in a person's place: pinned


# Codex


def test_events_are_second_tellings_of_items() -> None:
    """They are told apart from what a model is shown, and joined to the call they tell of."""
    context = _context([user("Look."), bash("ls", "a\nb")], "codex")
    assert [item.kind for item in context.items] == [Kind.USER, Kind.CALL, Kind.RESULT, Kind.ECHO]
    result = context.items[2]
    assert list(context.echoes_of(result)) == [context.items[3]]
    assert context.tokens == sum(item.tokens for item in context.items[:3])


def test_a_compacted_rollout_begins_anew() -> None:
    """What stands before it is in no window."""
    records = [json.loads(line) for line in codex(BEATS).splitlines()]
    records.insert(5, {"timestamp": "2026-05-04T09:30:00Z", "type": "compacted", "payload": {"message": "So far"}})
    context = _of_lines(records)
    assert next(iter(context.window())).kind is Kind.SUMMARY
    assert all(item.index >= 5 for item in context.window())


@pytest.mark.parametrize("make", [responses, None], ids=["responses", "codex"])
def test_nobody_waits_for_a_search_that_the_provider_ran(make: Any) -> None:
    """It has no output of its own; the calls beside it in the reply are not held open by it."""
    search = {
        "type": "web_search_call",
        "id": "ws_1",
        "status": "completed",
        "action": {"type": "search", "query": "x"},
    }
    if make is not None:
        items = make([user("Look."), bash("ls", "a"), say("Done.")])
        items.insert(1, search)
        context = read_context(of_messages(items))
    else:
        records = [json.loads(line) for line in codex([user("Look."), bash("ls", "a"), say("Done.")]).splitlines()]
        records.insert(3, {"timestamp": "2026-05-04T09:30:00Z", "type": "response_item", "payload": search})
        context = _of_lines(records)
    found = next(item for item in context.items if item.tool == "web_search")
    assert found.is_server
    assert not any(group.is_open for group in context.groups)


@pytest.mark.parametrize("wire", ["codex", "openai-responses"])
def test_encrypted_reasoning_comes_back_as_it_was(wire: str) -> None:
    """It is opaque, and takes no room that anybody could save."""
    thought = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "Z2VoZWlt"}
    items = [*responses(BEATS[:3])[:1], thought, *responses(BEATS[:3])[1:]]
    if wire == "codex":
        head = [json.loads(line) for line in codex([]).splitlines()]
        stamp = {"timestamp": "2026-05-04T09:30:00Z", "type": "response_item"}
        context = _of_lines([*head, *({**stamp, "payload": item} for item in items)])
    else:
        context = read_context(of_messages(items))
    (found,) = (item for item in context.items if item.kind is Kind.THINKING)
    assert found.is_opaque
    assert found.group == context.items[found.number + 1].group


# Message lists


def test_what_the_application_says_is_system_text() -> None:
    """In every list, by whichever role it is told."""
    lists: list[list[dict[str, Any]]] = [
        [{"role": "system", "content": "Be brief."}, *anthropic(BEATS)],
        [{"role": "developer", "content": "Be brief."}, {"role": "user", "content": "Hm."}],
        [{"type": "message", "role": "developer", "content": "Be brief."}, *responses(BEATS)],
    ]
    for messages in lists:
        context = read_context(of_messages(messages))
        assert (context.items[0].kind, context.text(context.items[0])) == (Kind.SYSTEM, "Be brief.")
        assert not context.items[0].is_person


def test_calls_that_begin_to_count_anew_belong_to_their_own_results() -> None:
    """Some programs name the first call of every reply the same."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Look."}]
    for path, told in (("/a.py", "first"), ("/b.py", "second"), ("/c.py", "third")):
        called = {"name": "Read", "arguments": json.dumps({"file_path": path})}
        messages.append({"role": "assistant", "tool_calls": [{"id": "call_0", "type": "function", "function": called}]})
        messages.append({"role": "tool", "tool_call_id": "call_0", "content": told})
    del messages[4]  # the second was never answered
    context = read_context(of_messages(messages))
    results = [item for item in context.items if item.kind is Kind.RESULT]
    calls = [context.call_of(item) for item in results]
    assert [dict(each.args)["file_path"] for each in calls if each is not None] == ["/a.py", "/c.py"]
    assert [group.is_open for group in context.groups] == [False, False, True, False]
    assert len({item.id for item in context.items}) == len(context.items)


def test_parts_of_a_message_are_items_of_one_group() -> None:
    """An old call, custom tools, refusals and parts in any number."""
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": [{"type": "text", "text": "Look."}, {"type": "image_url", "image_url": {}}]},
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "I look."}, {"type": "refusal", "refusal": "Not there."}],
            "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "sh", "input": "ls"}}, "no call", {}],
            "function_call": {"name": "old", "arguments": "{bad"},
        },
        {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "a"}]},
        {"role": "function", "name": "old", "content": "b"},
        {"role": "stranger", "content": "?"},
    ]
    context = read_context(of_messages(messages))
    assert [(item.kind.value, item.group) for item in context.items] == [
        ("user", 0), ("assistant", 1), ("assistant", 1), ("call", 1), ("call", 1), ("result", 1), ("result", 1),
    ]  # fmt: skip
    assert [item.tool for item in context.items[3:]] == ["sh", "old", "sh", "old"]
    assert context.roles[4] is Role.NONE


def test_a_search_of_the_messages_api_is_the_providers() -> None:
    """Call and result come back as they were, in one group with the reply."""
    messages = anthropic([user("Look."), say("Done.")])
    messages.insert(
        1,
        {
            "role": "assistant",
            "content": [
                {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "x"}},
                {"type": "web_search_tool_result", "tool_use_id": "s", "content": [{"type": "text", "text": "found"}]},
                {"type": "tool_use", "id": "t", "name": "Bash", "input": {}},
            ],
        },
    )
    context = read_context(of_messages(messages))
    assert [(item.kind.value, item.is_server) for item in context.items[1:4]] == [
        ("call", True),
        ("result", True),
        ("call", False),
    ]
    assert context.roles[1] is Role.ASSISTANT
    assert context.groups[context.items[1].group].is_open  # the last call of the three has not come back
