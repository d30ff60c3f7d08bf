"""Renaming: a fork carries another session id wherever a record carries it as its own, and differs in nothing else."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from small_contexts import SESSION, bash, claude_code, codex, lines, say, user

from slowwave.hygiene.document import read_document
from slowwave.hygiene.reading import read_context
from slowwave.hygiene.renaming import renamed
from slowwave.hygiene.rewrite import rewrite

BEATS = [user("Look."), bash("ls", lines(9)), say("Done.")]
OLD_CODEX = (
    b'{"id":"11111111-2222-4333-8444-555555555555","timestamp":"2025-08-01T09:00:00Z","instructions":null}\n'
    b'{"record_type":"state"}\n'
    b'{"type":"message","role":"user","content":[{"type":"input_text","text":"Look."}]}\n'
    b'{"type":"function_call","name":"shell","arguments":"{\\"command\\":[\\"ls\\"]}","call_id":"call_1"}\n'
    b'{"type":"function_call_output","call_id":"call_1","output":"a\\nb"}\n'
)


def _renamed(raw: bytes, old: str = SESSION, new: str = "99999999-0000-4000-8000-000000000000") -> bytes:
    return b"".join(rewrite(read_document(raw), (), rename=(old, new)))


@pytest.mark.parametrize("make", [claude_code, codex, lambda _: OLD_CODEX], ids=["claude-code", "codex", "codex-old"])
def test_a_fork_carries_another_session_id_and_differs_in_nothing_else(make: Any) -> None:
    """The id is changed wherever a record carries it; the way back gives the bytes back."""
    raw: bytes = make(BEATS)
    told = _renamed(raw)
    assert SESSION.encode() not in told
    assert told == raw.replace(SESSION.encode(), b"99999999-0000-4000-8000-000000000000")
    back = _renamed(told, "99999999-0000-4000-8000-000000000000", SESSION)
    assert back == raw


@pytest.mark.parametrize(
    "record",
    [
        {"sessionId": "S", "message": {"content": [{"input": {"sessionId": "S", "id": "S"}}]}, "id": "S"},
        {"sessionId": "S", "toolUseResult": {"sessions": [{"id": "S", "session_id": "S"}]}},
        {"sessionId": "S", "text": 'it said "sessionId":"S" and \\"sessionId\\":\\"S\\"'},
        {"type": "response_item", "payload": {"id": "S", "arguments": '{"sessionId":"S"}', "session_id": "S"}},
        {"type": "session_meta", "payload": {"id": "S", "session_id": "S", "forked_from_id": "S", "git": {"id": "S"}}},
        {"type": "event_msg", "payload": {"type": "thread_name_updated", "thread_id": "S", "id": "S"}},
        {"session_id": "S", "sessionId": "other", "parentSessionId": "S"},
        {"id": "S", "instructions": None, "timestamp": "x", "more": {"id": "S"}},
        {"id": "S", "type": "message"},
    ],
)
def test_only_a_record_s_own_session_id_is_changed(record: dict[str, Any]) -> None:
    """Not a call's argument, not a tool's answer, not the name of another session, not words in a text."""
    own: dict[str, Sequence[str]] = {
        "session_meta": ("payload.id", "payload.session_id"),
        "event_msg": ("payload.thread_id",),
        "response_item": (),
        "message": (),
    }
    fields = own.get(record.get("type", ""), ("id",) if "instructions" in record else ("sessionId", "session_id"))
    expected = json.loads(json.dumps(record))
    for field in fields:
        *way, last = field.split(".")
        place = expected
        for step in way:
            place = place[step]
        if place.get(last) == "S":
            place[last] = "T"
    for separators in ((",", ":"), (", ", ": ")):
        line = json.dumps(record, separators=separators).encode() + b"\n"
        assert renamed(line, "S", "T") == json.dumps(expected, separators=separators).encode() + b"\n"


def test_of_two_session_ids_in_a_file_the_last_one_is_its_own() -> None:
    """A resumed session begins with the records of the one before."""
    first = claude_code([user("Before.")]).replace(SESSION.encode(), b"00000000-0000-4000-8000-00000000000a")
    raw = first + claude_code(BEATS)
    assert read_context(read_document(raw)).session == SESSION
    assert _renamed(raw).count(b"00000000-0000-4000-8000-00000000000a") == 1


def test_damaged_and_glued_lines_are_renamed_where_they_can_be_read() -> None:
    """Every record on a line; of a torn one the members that can be seen."""
    first, second, *_ = claude_code(BEATS).splitlines()
    assert renamed(first + second + b"\n", SESSION, "T") == (first + second + b"\n").replace(SESSION.encode(), b"T")
    torn = second[:-40] + first + b"\n"
    assert renamed(torn, SESSION, "T") == torn.replace(SESSION.encode(), b"T")
    marked = b"\xef\xbb\xbf" + first + b"\r\n"
    assert renamed(marked, SESSION, "T") == marked.replace(SESSION.encode(), b"T")
    twice = b'{"sessionId":"S","sessionId":"S","a":1}\n'
    assert json.loads(renamed(twice, "S", "T"))["sessionId"] == "T"
