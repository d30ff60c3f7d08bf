"""Arguments of calls: whatever is wrong with them is answered with a code, the place, and what to change."""

import json
from pathlib import Path

import pytest
from made_transcripts import ClaudeSession
from made_turns import NONCE, SECRETS, refused, scanned

from slowwave.facts import limits
from slowwave.sleep.tool_specs import LIST, READ, SEARCH
from slowwave.sleep.turn import Turn


@pytest.fixture
def turn(tmp_path: Path) -> Turn:
    """A turn over one session of three lines and a side file, whose index was called."""
    session = ClaudeSession("s-one")
    for number in range(3):
        session.user(f"Sentence number {number}.")
    session.side_record("a1", {"type": "user", "message": {"role": "user", "content": "Look at the side."}})
    session.write(tmp_path)
    made = Turn(scanned(tmp_path), secrets=SECRETS, nonce=NONCE)
    made.call(LIST, "{}")
    return made


WRONG: dict[str, tuple[str, str, tuple[str, str]]] = {
    "no JSON": (SEARCH, "phrase: zebra", ("schema", "arguments")),
    "blanks": (READ, "  ", ("schema", "arguments")),
    "a list": (SEARCH, "[1]", ("schema", "arguments")),
    "half a surrogate pair": (SEARCH, '{"sessionId": "s-one", "phrase": "\ud800"}', ("schema", "arguments")),
    "deep nesting": (READ, "[" * 5_000, ("schema", "arguments")),
    "not a number": (READ, '{"sessionId": "s-one", "start": NaN, "end": 2}', ("schema", "arguments")),
    "too many bytes": (SEARCH, '{"phrase": "' + "x" * limits.MOST_ARGUMENT_BYTES + '"}', ("schema", "arguments")),
    "an argument for the index": (LIST, '{"project": "zoo"}', ("schema", "arguments")),
    "a list for the index": (LIST, "[]", ("schema", "arguments")),
    "an unknown key": (SEARCH, '{"sessionId": "s-one", "phrase": "a", "regex": true}', ("schema", "regex")),
    "a key twice": (SEARCH, '{"sessionId": "s-one", "phrase": "a", "phrase": "b"}', ("schema", "phrase")),
    "a missing key": (READ, '{"sessionId": "s-one", "start": 1}', ("schema", "end")),
    "a number as text": (READ, '{"sessionId": "s-one", "start": "1", "end": 2}', ("schema", "start")),
    "true as a number": (READ, '{"sessionId": "s-one", "start": true, "end": 2}', ("schema", "start")),
    "half a line": (READ, '{"sessionId": "s-one", "start": 1.5, "end": 2}', ("schema", "start")),
    "a number without end": (READ, '{"sessionId": "s-one", "start": 1, "end": 1e999}', ("schema", "end")),
    "a number as a flag": (SEARCH, '{"sessionId": "s-one", "phrase": "a", "ignoreCase": 1}', ("schema", "ignoreCase")),
    "a number as a phrase": (SEARCH, '{"sessionId": "s-one", "phrase": 8099}', ("schema", "phrase")),
    "an empty phrase": (SEARCH, '{"sessionId": "s-one", "phrase": ""}', ("bound", "arguments")),
    "too long a phrase": (
        SEARCH,
        json.dumps({"sessionId": "s-one", "phrase": "x" * (limits.PHRASE_CHARACTERS + 1)}),
        ("bound", "arguments"),
    ),
    "too many places": (SEARCH, '{"sessionId": "s-one", "phrase": "a", "maxHits": 51}', ("bound", "arguments")),
    "too much around": (SEARCH, '{"sessionId": "s-one", "phrase": "a", "context": 401}', ("bound", "arguments")),
    "too many lines": (READ, '{"sessionId": "s-one", "start": 1, "end": 101}', ("bound", "arguments")),
    "lines backwards": (READ, '{"sessionId": "s-one", "start": 2, "end": 1}', ("bound", "arguments")),
    "line nought": (READ, '{"sessionId": "s-one", "start": 0, "end": 1}', ("bound", "arguments")),
    "a line behind the last": (READ, '{"sessionId": "s-one", "start": 4, "end": 4}', ("bound", "arguments")),
    "a file too many": (READ, '{"sessionId": "s-one", "start": 1, "end": 1, "file": 2}', ("bound", "arguments")),
    "a file below nought": (READ, '{"sessionId": "s-one", "start": 1, "end": 1, "file": -1}', ("bound", "arguments")),
    "too wide": (READ, '{"sessionId": "s-one", "start": 1, "end": 1, "width": 2001}', ("bound", "arguments")),
    "column nought": (READ, '{"sessionId": "s-one", "start": 1, "end": 1, "column": 0}', ("bound", "arguments")),
    "another session": (SEARCH, '{"sessionId": "s-three", "phrase": "a"}', ("unknown_session", "sessionId")),
    "a path": (READ, '{"sessionId": "../s-one", "start": 1, "end": 1}', ("unknown_session", "sessionId")),
    "an unknown tool": ("bash", '{"command": "id"}', ("unknown_tool", "tool")),
    "a tool in capitals": (LIST.upper(), "{}", ("unknown_tool", "tool")),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_call_is_answered_with_what_to_change(name: str, turn: Turn) -> None:
    """An error with a code, the place and a sentence; nothing was looked at, and nothing is framed."""
    tool, arguments, expected = WRONG[name]
    reply = turn.call(tool, arguments)
    assert refused(reply) == [expected]
    assert NONCE not in reply.text
    assert turn.log.touched == set()
    assert not turn.is_over


def test_all_faults_of_one_call_come_together(turn: Turn) -> None:
    """Each with its place, so that one more call will do."""
    assert refused(turn.call(SEARCH, '{"maxHits": "all", "file": 1}')) == [
        ("schema", "file"),
        ("schema", "sessionId"),
        ("schema", "phrase"),
        ("schema", "maxHits"),
    ]


def test_a_whole_number_may_be_written_with_a_point(turn: Turn) -> None:
    """JSON knows one kind of number; some models write all of theirs like this."""
    assert not turn.call(READ, '{"sessionId": "s-one", "start": 1.0, "end": 2.0}').is_error


def test_no_arguments_at_all_are_an_empty_object(turn: Turn) -> None:
    """As some callers send a call that needs none."""
    assert not turn.call(LIST, "").is_error
    assert refused(turn.call(SEARCH, "")) == [("schema", "sessionId"), ("schema", "phrase")]
