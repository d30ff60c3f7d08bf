"""Counting by shape comes to what reading comes to."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from slowwave.records.formats import FORMATS
from slowwave.records.lines import read_lines
from slowwave.records.shortcuts import ASK, CALL, COPY, META, NAMES, RESULT, SAID, THOUGHT, shortcut

PUBLIC = {"claude-code": "claude-code", "codex": "codex"}


def counted(path: Path, agent: str, *, is_short: bool) -> Counter[object]:
    """Entries of a file by speaker and kind, copies apart."""
    answer, read = shortcut(agent), FORMATS[agent].reader().read
    seen: Counter[object] = Counter()
    with path.open("rb") as stream:
        for line in read_lines(stream):
            for record in line.records:
                kind = answer(record) if is_short else ASK
                if kind == COPY:
                    seen["copy"] += 1
                elif kind != ASK:
                    seen[NAMES[kind]] += 1
                else:
                    seen.update("copy" if draft.is_copy else (draft.speaker, draft.kind) for draft in read(record))
    return seen


@pytest.mark.parametrize("agent", PUBLIC)
def test_every_public_file_counts_the_same_both_ways(shared: Path, agent: str) -> None:
    """Whether most records are judged by their shape or all are read."""
    files = sorted((shared / "transcripts" / PUBLIC[agent]).rglob("*.jsonl"))
    assert files
    for path in files:
        assert counted(path, agent, is_short=True) == counted(path, agent, is_short=False), path.name


def test_what_may_hold_a_persons_words_is_always_read() -> None:
    """Prompts, refused calls, answers to questions, queued words and sub-agents' messages."""
    ask = shortcut("claude-code")
    refused = {"type": "tool_result", "tool_use_id": "c", "content": "The user doesn't want", "is_error": True}
    answered = {"type": "tool_result", "tool_use_id": "c", "content": "Answered"}
    records: list[dict[str, Any]] = [
        {"type": "user", "message": {"content": "hello"}},
        {"type": "user", "message": {"content": [{"type": "text", "text": "hello"}]}},
        {"type": "user", "message": {"content": [refused]}, "toolUseResult": {"x": 1}},
        {"type": "user", "message": {"content": [answered]}, "toolUseResult": {"answers": {"a": "b"}}},
        {"type": "user", "message": {"content": [answered]}, "toolUseResult": "Error: said"},
        {"type": "queue-operation", "operation": "enqueue", "content": "later"},
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "now"}},
        {"type": "progress", "data": {"message": {"type": "user"}}},
        {"type": "assistant", "message": {"content": "text"}},
        {"type": "assistant", "message": {"model": "<synthetic>", "content": [{"type": "text", "text": "x"}]}},
    ]
    assert [ask(record) for record in records] == [ASK] * len(records)


def test_plain_records_are_told_by_their_shape() -> None:
    """One answer for each kind, and a second record of one id is a copy."""
    ask = shortcut("claude-code")
    block = {"type": "tool_result", "tool_use_id": "c", "content": "ok"}
    kinds = [
        ask({"type": "assistant", "uuid": "1", "message": {"content": [{"type": "thinking", "thinking": "x"}]}}),
        ask({"type": "assistant", "uuid": "2", "message": {"content": [{"type": "tool_use", "id": "c"}]}}),
        ask({"type": "assistant", "uuid": "3", "message": {"content": [{"type": "text", "text": "x"}]}}),
        ask({"type": "user", "uuid": "4", "message": {"content": [block]}, "toolUseResult": {"stdout": "ok"}}),
        ask({"type": "system", "uuid": "5"}),
        ask({"type": "system", "uuid": "5"}),
    ]
    assert kinds == [THOUGHT, CALL, SAID, RESULT, META, COPY]


def test_an_output_and_its_event_are_one_result() -> None:
    """Whichever comes second is the copy; the next pair is another result."""
    ask = shortcut("codex")
    output = {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "c", "output": "x"}}
    event = {"type": "event_msg", "payload": {"type": "exec_command_end", "call_id": "c"}}
    assert [ask(record) for record in (event, output, output, event)] == [RESULT, COPY, RESULT, COPY]
    assert ask({"type": "event_msg", "payload": {"type": "user_message", "message": "hi"}}) == ASK
    assert ask({"type": "event_msg", "payload": {"type": "token_count"}}) == META
