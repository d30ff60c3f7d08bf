"""Codex before the envelope: bare items, one time, no ids."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from slowwave.records.entries import Entry, EntryKind
from slowwave.records.formats.codex_legacy import CodexLegacy
from slowwave.records.lines import Line

FORMAT = CodexLegacy()
HEADER: dict[str, Any] = {"id": "s1", "timestamp": "2025-08-27T11:35:50.557Z", "instructions": None, "git": {}}
STATE = {"record_type": "state"}


def message(role: str, text: str) -> dict[str, Any]:
    """A bare message."""
    return {"type": "message", "id": None, "role": role, "content": [{"type": "input_text", "text": text}]}


def call(call_id: str, command: str) -> dict[str, Any]:
    """A bare call of the shell."""
    arguments = f'{{"command":["bash","-lc","{command}"]}}'
    return {"type": "function_call", "name": "shell", "arguments": arguments, "call_id": call_id}


def entries(*records: Mapping[str, Any]) -> list[Entry]:
    """The entries of these records, one a line."""
    return list(FORMAT.entries([Line(number, 0, 1, (held,)) for number, held in enumerate(records, 1)]))


def test_old_session_is_read_without_times() -> None:
    """Only the header has a time; words, commands and results are read all the same."""
    found = entries(
        HEADER,
        STATE,
        message("user", "fix it"),
        call("c", "ls"),
        {"type": "function_call_output", "call_id": "c", "output": '{"output":"a","metadata":{"exit_code":0}}'},
        message("assistant", "Done."),
    )
    assert [(entry.kind, entry.text) for entry in found[2:]] == [
        (EntryKind.TEXT, "fix it"),
        (EntryKind.TOOL_CALL, "ls"),
        (EntryKind.TOOL_RESULT, "a"),
        (EntryKind.TEXT, "Done."),
    ]
    assert [entry.ts is None for entry in found] == [False] + [True] * 5
    assert found[2].fields == ("content[0].text",)
    assert found[4].exit_status == 0


def test_sessions_do_not_share_identities() -> None:
    """Equal words in two sessions are two observations, repeated words in one session as well."""
    first = entries(HEADER, message("user", "go"), message("user", "go"))
    other = entries({**HEADER, "id": "s2"}, message("user", "go"))
    assert len({entry.origin for entry in [*first[1:], *other[1:]]}) == 3


@pytest.mark.parametrize(
    ("records", "is_mine"),
    [
        ([HEADER, message("user", "x"), STATE], True),
        ([message("user", "x"), STATE], True),
        ([{**message("user", "x"), "uuid": "u"}], False),
        ([{"type": "message", "id": "1", "parentId": "0", "role": "user"}], False),
        ([{"type": "session", "id": "x", "timestamp": "t", "cwd": "/"}], False),
        ([], False),
    ],
)
def test_format_is_told_by_content(records: list[Mapping[str, Any]], *, is_mine: bool) -> None:
    """Bare items without a time of their own are of this form; items with an envelope are not."""
    assert FORMAT.detect(Path("x"), records) is is_mine
