"""The receipt of reading: what an answer claims is held against the log of calls."""

import json
from pathlib import Path

import pytest
from made_transcripts import ClaudeSession, answer, candidate

from slowwave.facts.answer import Answer, Proved
from slowwave.facts.ids import SessionId
from slowwave.proof.contract import Batch, ReadLog, check, parse_answer, parse_log, whole_batch
from slowwave.records.secrets import Secrets

A, B = "session-a", "session-b"
INDEX = ("list_sessions", None, True)
QUOTED = answer(candidates=[candidate((A, "the first sentence of it"), (B, "the second sentence of it"))], read=[A, B])


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """Two sessions of one sentence each."""
    root = tmp_path_factory.mktemp("sessions")
    first, second = ClaudeSession(A), ClaudeSession(B)
    first.agent("This is the first sentence of it.")
    second.agent("This is the second sentence of it.")
    return whole_batch([first.write(root), second.write(root)])


def log(*calls: tuple[str, str | None, bool]) -> ReadLog:
    """A log as a file of it would read."""
    parsed = parse_log(json.dumps([{"tool": tool, "sessionId": s, "ok": ok} for tool, s, ok in calls]).encode())
    assert isinstance(parsed, ReadLog)
    return parsed


def codes(raw: bytes, batch: Batch, calls: ReadLog | None) -> list[tuple[str, str]]:
    """Codes and paths of what is refused."""
    parsed = parse_answer(raw)
    assert isinstance(parsed, Answer)
    outcome = check(parsed, batch, log=calls, secrets=Secrets(deep=False))
    return [] if isinstance(outcome, Proved) else [(refusal.code, refusal.path) for refusal in outcome]


def test_an_answer_that_read_what_it_says_is_accepted(batch: Batch) -> None:
    """A search or a read each touch a session; without a log everything counts as read."""
    assert codes(QUOTED, batch, log(INDEX, ("search_transcript", A, True), ("read_lines", B, True))) == []
    assert codes(QUOTED, batch, None) == []


@pytest.mark.parametrize(
    "calls",
    [
        [INDEX, ("read_lines", A, True)],
        [INDEX, ("read_lines", A, True), ("read_lines", B, False)],
        [INDEX, ("read_lines", A, True), ("submit_answer", B, True)],
        [INDEX, ("read_lines", A, True), ("list_sessions", B, True)],
        [INDEX, ("read_lines", A, True), ("read_lines", B.upper(), True)],
    ],
)
def test_what_was_not_read_can_neither_be_cited_nor_claimed(
    batch: Batch, calls: list[tuple[str, str | None, bool]]
) -> None:
    """Only a successful search or read of that very session counts."""
    assert codes(QUOTED, batch, log(*calls)) == [
        ("cited_session_unread", "candidates[0].evidence[1].sessionId"),
        ("unread_session_claimed", "readSessionIds[1]"),
    ]


@pytest.mark.parametrize(
    "calls",
    [[], [("read_lines", A, True), INDEX], [("list_sessions", None, False)], [("list_session", None, True)]],
)
def test_the_index_is_called_first(batch: Batch, calls: list[tuple[str, str | None, bool]]) -> None:
    """Even an empty answer rests on the index."""
    assert ("list_sessions_not_called", "log") in codes(answer(), batch, log(*calls))


def test_a_failed_call_of_the_index_may_be_repeated(batch: Batch) -> None:
    """It was called first, and it was got."""
    assert codes(answer(), batch, log(("list_sessions", None, False), INDEX)) == []


def test_a_session_may_be_cited_without_being_claimed(batch: Batch) -> None:
    """Leaving it out brings it back on a later night, and costs nothing else."""
    raw = QUOTED.replace(f'"{A}", "{B}"'.encode(), b"")
    assert codes(raw, batch, log(INDEX, ("read_lines", A, True), ("read_lines", B, True))) == []


def test_a_repeated_claim_is_collapsed(batch: Batch) -> None:
    """One session, one claim."""
    parsed = parse_answer(answer(read=[B, A, B, B]))
    assert isinstance(parsed, Answer)
    outcome = check(parsed, batch, log=None, secrets=Secrets(deep=False))
    assert isinstance(outcome, Proved)
    assert outcome.read_session_ids == (SessionId(B), SessionId(A))


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (b"nothing", "log"),
        (b"{}", "log"),
        (b"[1]", "log[0]"),
        (b'[{"tool": "read_lines", "sessionId": "s"}]', "log[0].ok"),
        (b'[{"tool": "read_lines", "ok": 1, "sessionId": "s"}]', "log[0].ok"),
        (b'[{"tool": 1, "ok": true}]', "log[0].tool"),
        (b'[{"tool": "x", "ok": true, "sessionId": 7}]', "log[0].sessionId"),
        (b'[{"tool": "x", "ok": true, "why": 7}]', "log[0].why"),
    ],
)
def test_a_faulty_log_is_refused_with_its_fault(raw: bytes, path: str) -> None:
    """A log is held to its form as an answer is."""
    parsed = parse_log(raw)
    assert isinstance(parsed, tuple)
    assert [(fault.code, fault.path) for fault in parsed] == [("schema", path)]


def test_quotes_behind_the_end_of_the_batch_are_not_there(tmp_path: Path) -> None:
    """A session is read up to the byte that was there when the batch was made."""
    made = ClaudeSession(A)
    made.agent("This is the first sentence of it.")
    end = len(made.lines[0].encode()) + 1
    made.agent("This is the second sentence of it.")
    session = made.write(tmp_path)
    batch = Batch(sessions={session.id: session}, new_from={session.id: (1,)}, ends={session.id: (end,)})
    raw = answer(candidates=[candidate((A, "the first sentence of it"), (A, "the second sentence of it"))])
    assert codes(raw, batch, None) == [("quote_not_found", "candidates[0].evidence[1].quote")]
