"""Claude Code: who speaks in each record, and which entries are one observation."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from slowwave.facts.evidence import Speaker
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.formats.claude_code import ClaudeCode
from slowwave.records.lines import Line

PLACE = Path("x.jsonl")
FORMAT = ClaudeCode()


def envelope(number: int) -> dict[str, Any]:
    """What every record of a message carries."""
    return {
        "uuid": f"u{number}",
        "parentUuid": None,
        "sessionId": "s",
        "timestamp": f"2026-01-02T03:04:{number % 60:02}.000Z",
        "isSidechain": False,
    }


def user(number: int, content: object, **more: object) -> dict[str, Any]:
    """A user record."""
    return {**envelope(number), "type": "user", "message": {"role": "user", "content": content}, **more}


def agent(number: int, *blocks: Mapping[str, Any], **more: object) -> dict[str, Any]:
    """A record of the agent."""
    return {**envelope(number), "type": "assistant", "message": {"id": "m", "content": list(blocks)}, **more}


def call(call_id: str, tool: str, **args: object) -> dict[str, Any]:
    """A block that calls a tool."""
    return {"type": "tool_use", "id": call_id, "name": tool, "input": args}


def result(call_id: str, content: object, **more: object) -> dict[str, Any]:
    """A block that holds a result."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def entries(*records: Mapping[str, Any]) -> list[Entry]:
    """The entries of these records, one a line."""
    lines = [Line(number, 0, 1, (record,)) for number, record in enumerate(records, 1)]
    return list(FORMAT.entries(lines))


def people(found: list[Entry]) -> list[str]:
    """What persons said, each thing once."""
    return [entry.text for entry in found if entry.is_person and entry.kind is EntryKind.TEXT and not entry.is_copy]


def test_prompt_is_a_persons_with_its_place_and_identity() -> None:
    """A typed prompt: text, user, its line, its moment, its id."""
    (entry,) = entries(user(1, "fix it"))
    assert (entry.speaker, entry.kind, entry.text, entry.line) == (Speaker.USER, EntryKind.TEXT, "fix it", 1)
    assert entry.ts is not None
    assert entry.ts.isoformat() == "2026-01-02T03:04:01+00:00"
    assert (entry.record_id, entry.fields) == ("u1", ("message.content",))


def test_blocks_of_the_agent_are_text_thought_and_call() -> None:
    """Each block of a message is an entry with the path of its text."""
    found = entries(
        agent(
            1,
            {"type": "thinking", "thinking": "hm", "signature": "x"},
            {"type": "text", "text": "on it"},
            call("c1", "Bash", command="go test", description="tests of everything there is"),
        )
    )
    assert [(entry.kind, entry.text, entry.fields[0]) for entry in found] == [
        (EntryKind.THINKING, "hm", "message.content[0].thinking"),
        (EntryKind.TEXT, "on it", "message.content[1].text"),
        (EntryKind.TOOL_CALL, "go test", "message.content[2].input.command"),
    ]
    assert {entry.speaker for entry in found} == {Speaker.AGENT}
    assert len({entry.origin for entry in found}) == 3
    assert found[2].args["description"].startswith("tests")


def test_result_knows_its_call_and_owns_its_second_copy() -> None:
    """A result is paired by id with the tool that was called, and owns ``toolUseResult`` beside it."""
    found = entries(
        agent(1, call("c1", "Bash", command="go test")),
        user(2, [result("c1", "Exit code 1\nFAIL", is_error=True)], toolUseResult="Error: Exit code 1\nFAIL"),
    )
    entry = found[1]
    assert (entry.speaker, entry.kind, entry.tool, entry.call_id) == (
        Speaker.TOOL,
        EntryKind.TOOL_RESULT,
        "Bash",
        "c1",
    )
    assert (entry.exit_status, entry.is_error, entry.is_rejected) == (1, True, False)
    assert entry.fields == ("message.content[0].content", "toolUseResult")


def test_results_of_one_record_do_not_share_what_stands_beside_them() -> None:
    """With two results in a record nobody knows whose ``toolUseResult`` is."""
    found = entries(user(1, [result("a", "one"), result("b", "two")], toolUseResult="one"))
    assert [entry.fields for entry in found] == [("message.content[0].content",), ("message.content[1].content",)]


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        ({"isMeta": True}, "reminder"),
        ({"isMeta": True, "sourceToolUseID": "t"}, "skill"),
        ({"isCompactSummary": True, "isVisibleInTranscriptOnly": True}, "compaction"),
        ({"isSidechain": True}, "prompt"),
        ({"origin": {"kind": "task-notification"}}, "notification"),
    ],
)
def test_flags_say_that_nobody_typed_a_text(flags: Mapping[str, object], reason: str) -> None:
    """Meta records, summaries, prompts of sub-agents and notifications are nobody's words."""
    (entry,) = entries(user(1, "Launching a skill", **flags))
    assert (entry.speaker, entry.injected) == (Speaker.SYSTEM, reason)
    assert not entry.is_person


def test_text_says_better_than_a_flag_why_it_is_injected() -> None:
    """A meta record that holds a skill's body is a skill."""
    (entry,) = entries(user(1, "Base directory for this skill: /x", isMeta=True))
    assert entry.injected == "skill"


def test_person_is_known_outright_in_newer_records() -> None:
    """``origin.kind`` human changes nothing about real words."""
    assert people(entries(user(1, "go on", origin={"kind": "human"}))) == ["go on"]


def test_sub_agent_speaks_aside() -> None:
    """What a sub-agent says is the agent's, aside; its prompt is nobody's."""
    found = entries(
        user(1, "Search for TODO", isSidechain=True, agentId="a"),
        agent(2, {"type": "text", "text": "Found three."}, isSidechain=True, agentId="a"),
    )
    assert [(entry.speaker, entry.is_sidechain) for entry in found] == [(Speaker.SYSTEM, True), (Speaker.AGENT, True)]


def test_message_of_a_sub_agent_repeated_in_its_parent_is_a_copy() -> None:
    """Progress repeats a sub-agent's messages: copies with the identity they have in the sub-agent's own file."""
    message = agent(9, {"type": "text", "text": "Found three."})
    (copy,) = entries({**envelope(1), "type": "progress", "data": {"type": "agent_progress", "message": message}})
    (own,) = entries(agent(9, {"type": "text", "text": "Found three."}, isSidechain=True))
    assert copy.is_copy
    assert copy.is_sidechain
    assert copy.origin == own.origin
    assert copy.fields == ("data.message.message.content[0].text",)


def test_other_progress_is_meta() -> None:
    """Running output of a command is bookkeeping."""
    (entry,) = entries({**envelope(1), "type": "progress", "data": {"type": "bash_progress", "output": "ok"}})
    assert (entry.kind, entry.injected) == (EntryKind.META, "progress")


@pytest.mark.parametrize(
    "record",
    [
        {"type": "a-type-from-a-later-release", "x": 1},
        {"silly": "this"},
        {"type": 7},
        {"type": "user", "message": "error"},
        {"type": "user", "message": {"content": None}},
        {"type": "assistant", "message": {"content": [7, None]}},
        {"type": "attachment"},
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": 7}},
        {"type": "progress", "data": None},
        {"type": "progress", "data": {"message": {"type": "user", "message": 3}}},
        {"type": "queue-operation", "operation": "enqueue", "content": None},
        {"type": "user", "message": {"content": [{"type": "tool_result"}]}, "toolUseResult": {"answers": 3}},
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "input": [1], "name": None}]}},
        {"uuid": 5, "timestamp": 5, "type": "system"},
        {},
    ],
)
def test_no_shape_of_a_record_stops_the_reader(record: Mapping[str, Any]) -> None:
    """Whatever a record holds, it is kept as at least one entry and its neighbours are read."""
    found = entries(user(1, "before"), record, user(3, "after"))
    assert people(found) == ["before", "after"]
    assert {entry.line for entry in found} == {1, 2, 3}


def test_repeated_record_is_a_copy() -> None:
    """The same id with the same content is one observation."""
    first, second = entries(user(1, "do it"), user(1, "do it"))
    assert (first.is_copy, second.is_copy) == (False, True)
    assert first.origin == second.origin


def test_other_words_under_a_used_id_are_their_own() -> None:
    """The same id with other content is another observation, with another identity."""
    first, second = entries(user(1, "do it"), user(1, "do it not"))
    assert not second.is_copy
    assert first.origin != second.origin


def test_equal_words_in_two_records_are_two_observations() -> None:
    """Saying the same twice counts twice."""
    first, second = entries(user(1, "do it"), user(2, "do it"))
    assert first.origin != second.origin
    assert not second.is_copy


def test_record_without_an_id_is_known_by_its_content() -> None:
    """Equal content gives an equal identity in any file; other content does not."""
    summary = {"type": "summary", "summary": "A title", "leafUuid": "x"}
    (first,) = entries(summary)
    (again,) = entries(dict(reversed(list(summary.items()))))
    (other,) = entries({**summary, "summary": "Another"})
    assert first.origin == again.origin != other.origin


def test_interruption_is_marked_and_nobodys_words() -> None:
    """The mark of an interruption points at corrections but is no quote of anybody."""
    (entry,) = entries(user(1, [{"type": "text", "text": "[Request interrupted by user]"}]))
    assert (entry.kind, entry.injected, entry.is_rejected) == (EntryKind.META, "interruption", True)


def test_hooks_and_bookkeeping_are_meta() -> None:
    """Attachments of hooks are the hook's, other records the harness's; titles keep their text."""
    hook = {**envelope(1), "type": "attachment", "attachment": {"type": "hook_success", "content": "be nice"}}
    title = {"type": "ai-title", "aiTitle": "Fix the build"}
    compact = {**envelope(3), "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}
    found = entries(hook, title, compact)
    assert [(entry.kind, entry.injected, entry.text) for entry in found] == [
        (EntryKind.META, "hook", "be nice"),
        (EntryKind.META, "harness", "Fix the build"),
        (EntryKind.META, "compaction", "Conversation compacted"),
    ]


@pytest.mark.parametrize("more", [{"isApiErrorMessage": True}, {}])
def test_made_up_message_of_the_cli_is_not_the_agents(more: Mapping[str, object]) -> None:
    """Messages that the program wrote itself, such as errors of the service, are the harness's."""
    record = agent(1, {"type": "text", "text": "No response requested."}, **more)
    if not more:
        record["message"]["model"] = "<synthetic>"
    (entry,) = entries(record)
    assert (entry.speaker, entry.injected) == (Speaker.SYSTEM, "harness")


def test_result_of_a_fetch_is_tainted() -> None:
    """The result of a fetching call carries foreign words; of another call it does not."""
    found = entries(
        agent(1, call("a", "WebFetch", url="https://e.org"), call("b", "Bash", command="ls")),
        user(2, [result("a", "page"), result("b", "files")]),
    )
    assert [entry.is_tainted for entry in found] == [False, False, True, False]


@pytest.mark.parametrize(
    ("records", "is_mine"),
    [
        ([user(1, "a")], True),
        ([{"type": "user", "timestamp": "t", "message": {"content": "hello"}}], True),
        ([{"type": "summary", "summary": "x", "leafUuid": "y"}], True),
        ([{"type": "file-history-snapshot", "messageId": "m", "snapshot": {}}, user(2, "a")], True),
        ([{"type": "user", "uuid": "u", "sessionId": "s", "message": {"role": "user", "parts": []}}], False),
        ([{**user(1, "a"), "sessionId": "session-5"}], False),
        ([{"type": "session_meta", "payload": {}}], False),
        ([{"type": "user", "content": "hi", "id": "1"}], False),
        ([{"type": "summary", "text": "x"}], False),
        ([{"foo": 1}, {"foo": 2}, user(3, "a")], False),
        ([{"foo": 1}, user(2, "a"), user(3, "b")], True),
        ([], False),
    ],
)
def test_format_is_told_by_content(records: list[Mapping[str, Any]], *, is_mine: bool) -> None:
    """The majority of records decides; agents that copied the envelope are not taken for Claude Code."""
    assert FORMAT.detect(PLACE, records) is is_mine
