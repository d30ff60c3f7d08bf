"""Codex: one utterance for a message and its event, results with their status, and whose history a file holds."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from slowwave.facts.evidence import Speaker
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.formats.codex import Codex
from slowwave.records.lines import Line

PARENT = "019d7d08-46c9-7f73-affe-4e6ca9852d56"
FORMAT = Codex()


def record(kind: str, **payload: object) -> dict[str, Any]:
    """A record of the envelope form."""
    return {"timestamp": "2026-04-11T20:16:20.376Z", "type": kind, "payload": payload}


def item(kind: str, **payload: object) -> dict[str, Any]:
    """An item of the conversation."""
    return record("response_item", type=kind, **payload)


def event(kind: str, **payload: object) -> dict[str, Any]:
    """An event beside it."""
    return record("event_msg", type=kind, **payload)


def message(role: str, *texts: str) -> dict[str, Any]:
    """A message item."""
    name = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": name, "text": text} for text in texts])


def meta(session: str, **payload: object) -> dict[str, Any]:
    """The header of a session."""
    return record("session_meta", id=session, timestamp="2026-04-11T14:53:07.660Z", **payload)


def shell(call_id: str, command: str) -> dict[str, Any]:
    """A call of the shell."""
    return item("function_call", name="exec_command", arguments=f'{{"cmd":"{command}"}}', call_id=call_id)


def entries(*records: Mapping[str, Any]) -> list[Entry]:
    """The entries of these records, one a line."""
    lines = [Line(number, 0, 1, (held,)) for number, held in enumerate(records, 1)]
    return list(FORMAT.entries(lines))


def spoken(found: list[Entry], speaker: Speaker) -> list[str]:
    """What somebody said, each thing once."""
    return [
        entry.text
        for entry in found
        if entry.speaker is speaker and entry.kind is EntryKind.TEXT and not entry.is_copy and not entry.injected
    ]


@pytest.mark.parametrize("is_event_first", [True, False])
def test_message_and_its_event_are_one_utterance(*, is_event_first: bool) -> None:
    """Whichever comes second is the copy, with the identity of the first."""
    pair = [event("user_message", message="fix it\n"), message("user", "fix it")]
    first, second = entries(*(pair if is_event_first else reversed(pair)))
    assert (first.is_copy, second.is_copy) == (False, True)
    assert first.origin == second.origin


def test_same_words_said_twice_are_two_utterances() -> None:
    """Two messages and their two events count as two."""
    found = entries(
        message("user", "continue"),
        event("user_message", message="continue"),
        message("user", "continue"),
        event("user_message", message="continue"),
    )
    assert spoken(found, Speaker.USER) == ["continue", "continue"]
    assert len({entry.origin for entry in found}) == 2


def test_event_alone_counts() -> None:
    """An older build wrote some words as events only."""
    assert spoken(entries(event("agent_message", message="Done.")), Speaker.AGENT) == ["Done."]


def test_what_stands_in_user_messages_unasked_is_nobodys() -> None:
    """Context, instructions and all of a developer's messages are injected."""
    found = entries(
        message("user", "<environment_context>\n</environment_context>"),
        message("user", "# AGENTS.md instructions for /x"),
        message("developer", "You are now in default mode"),
    )
    assert [entry.injected for entry in found] == ["context", "instructions", "instructions"]
    assert spoken(found, Speaker.USER) == []


def test_request_behind_the_editors_context_is_one_utterance_with_its_event() -> None:
    """The wrapped request and the wrapped event repeat each other piece by piece."""
    text = "# Context from my IDE setup:\n\n## My request for Codex:\nrename it\n"
    assert spoken(entries(message("user", text), event("user_message", message=text)), Speaker.USER) == ["rename it\n"]


def test_call_has_its_command_and_its_result_the_status() -> None:
    """Arguments are decoded, the result is paired by id and its status read."""
    output = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nFAIL"
    call, result = entries(shell("c", "go test"), item("function_call_output", call_id="c", output=output))
    assert (call.text, call.tool, call.args) == ("go test", "exec_command", {"cmd": "go test"})
    assert (result.tool, result.exit_status, result.is_error) == ("exec_command", 2, True)
    assert result.fields == ("payload.output",)


def test_output_in_its_older_wrapper_is_unwrapped() -> None:
    """Output and exit status stood as JSON in a string."""
    output = '{"output":"bash: rg: command not found\\n","metadata":{"exit_code":127}}'
    (result,) = entries(item("function_call_output", call_id="c", output=output))
    assert (result.text, result.exit_status) == ("bash: rg: command not found\n", 127)


def test_end_of_a_command_and_its_output_are_one_result() -> None:
    """``exec_command_end`` and ``function_call_output`` of one call are one observation."""
    found = entries(
        shell("c", "ls"),
        event("exec_command_end", call_id="c", aggregated_output="a", exit_code=0, command=["bash", "-lc", "ls"]),
        item("function_call_output", call_id="c", output="Process exited with code 0\nOutput:\na"),
    )
    assert [entry.is_copy for entry in found] == [False, False, True]
    assert found[1].origin == found[2].origin
    assert (found[1].exit_status, found[1].text) == (0, "a")


def test_failed_patch_is_an_error() -> None:
    """A patch says outright whether it could be applied."""
    (end,) = entries(event("patch_apply_end", call_id="c", stdout="", stderr="no such file", success=False))
    assert (end.is_error, end.text) == (True, "no such file")


@pytest.mark.parametrize("output", ["exec command rejected by user", "aborted by user after 3.1s"])
def test_refused_command_is_no_failure(output: str) -> None:
    """A command that a person refused or stopped did not fail."""
    (result,) = entries(item("function_call_output", call_id="c", output=output))
    assert (result.is_rejected, result.is_error) == (True, False)


def test_command_in_a_script_is_the_text_of_the_call() -> None:
    """Newer builds call the shell from a script."""
    script = 'const r = await tools.exec_command({"cmd":"go vet ./..."});\ntext(r.output);'
    (call,) = entries(item("custom_tool_call", name="exec", input=script, call_id="c"))
    assert call.text == "go vet ./..."
    assert call.args == {"input": script}


def test_thoughts_are_read_once() -> None:
    """A summary of reasoning and its event are one thought; encrypted reasoning is empty."""
    found = entries(
        event("agent_reasoning", text="**Looking**"),
        item("reasoning", summary=[{"type": "summary_text", "text": "**Looking**"}], encrypted_content="x"),
        item("reasoning", summary=[], encrypted_content="y"),
    )
    assert [(entry.kind, entry.text, entry.is_copy) for entry in found] == [
        (EntryKind.THINKING, "**Looking**", False),
        (EntryKind.THINKING, "**Looking**", True),
        (EntryKind.THINKING, "", False),
    ]


def test_foreign_words_that_arrive_by_polling_are_tainted() -> None:
    """A fetch that runs on is polled by another call: its output is foreign all the same."""
    found = entries(
        shell("a", "gh pr view 12"),
        item("function_call_output", call_id="a", output="Process running with session ID 77\nOutput:\n"),
        item("function_call", name="write_stdin", arguments='{"session_id":77,"chars":""}', call_id="b"),
        item("function_call_output", call_id="b", output="Output:\nplease run this"),
        item("function_call", name="write_stdin", arguments='{"session_id":78,"chars":""}', call_id="c"),
        item("function_call_output", call_id="c", output="Output:\nfine"),
    )
    assert [entry.is_tainted for entry in found] == [False, True, False, True, False, False]


def test_compaction_and_bookkeeping_are_meta() -> None:
    """Replaced history, token counts and contexts are nobody's words."""
    found = entries(
        record("compacted", message="", replacement_history=[{"type": "message", "role": "user", "content": []}]),
        event("token_count", info=None),
        record("turn_context", cwd="/x"),
        record("from_a_later_release", x=1),
    )
    assert {entry.kind for entry in found} == {EntryKind.META}
    assert found[0].injected == "compaction"


def test_interrupted_turn_is_marked() -> None:
    """An aborted turn points at a correction."""
    (entry,) = entries(event("turn_aborted", reason="interrupted"))
    assert (entry.injected, entry.is_rejected) == ("interruption", True)


@pytest.mark.parametrize(
    "odd",
    [
        {"type": "response_item"},
        {"type": "response_item", "payload": 7},
        item("message", role="user", content=None),
        item("message", role="user", content=[None, 7, {"text": 3}]),
        item("message", role=None, content="plain"),
        item("function_call", name=None, arguments=None, call_id=None),
        item("function_call", name="x", arguments="[not json", call_id="c"),
        item("function_call_output", call_id="c", output={"content": "x", "success": True}),
        item("function_call_output", call_id="c", output=[{"type": "input_image"}]),
        item("reasoning", summary="x", content=7),
        event("exec_command_end", call_id=5, exit_code="1"),
        event("mcp_tool_call_end", call_id="c", result={"Ok": {"content": [{"text": "x"}]}}),
        record("session_meta", id=7),
        record("session_meta", id="not-a-uuid", source="cli"),
        event("task_started", turn_id=9),
        {},
    ],
)
def test_no_shape_of_a_record_stops_the_reader(odd: Mapping[str, Any]) -> None:
    """Whatever a record holds, it is kept as at least one entry and its neighbours are read."""
    found = entries(message("user", "before"), odd, message("user", "after"))
    assert spoken(found, Speaker.USER)[0] == "before"
    assert spoken(found, Speaker.USER)[-1] == "after"
    assert {entry.line for entry in found} == {1, 2, 3}


@pytest.mark.parametrize(
    ("records", "is_mine"),
    [
        ([meta(PARENT), message("user", "x")], True),
        ([event("token_count"), item("reasoning")], True),
        ([{"type": "response_item"}], False),
        ([{"type": "user", "payload": {}}], False),
        ([], False),
    ],
)
def test_format_is_told_by_content(records: list[Mapping[str, Any]], *, is_mine: bool) -> None:
    """Known types with a payload; a chunk without a header is recognised too."""
    assert FORMAT.detect(Path("full.jsonl.001"), records) is is_mine
