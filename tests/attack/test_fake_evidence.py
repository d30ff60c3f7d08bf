"""Fake evidence: sixty and more ways to make a quote look real, each refused with its own code."""

import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from made_transcripts import ClaudeSession, CodexSession, answer, candidate, commitment

from slowwave.facts.answer import Answer, Proved
from slowwave.facts.ids import SessionId
from slowwave.facts.markers import MEMORY_BEGIN, MEMORY_END, NOTE_BEGIN, NOTE_END, STUB_BEGIN
from slowwave.proof.batch import Batch, whole_batch
from slowwave.proof.contract import check, parse_answer
from slowwave.records.secrets import Secrets

A = "aaaaaaaa-1111-4111-8111-111111111111"
B = "bbbbbbbb-2222-4222-8222-222222222222"
C = "019d0000-0000-7000-8000-00000000000c"
FORK = "ffffffff-3333-4333-8333-333333333333"
OLD = "eeeeeeee-4444-4444-8444-444444444444"

ASKED = "Please keep the importer tests on port 8099, the fixture server needs it."
SAID = "The importer tests fail because nothing listens on port 8099; I will start the fixture server first."
THOUGHT = "The naïve fix would be to mock the server, but the café sample needs the real one."
LATER = "Again the importer could not connect, so I started the fixture server and all tests passed."
OUTPUT = "ConnectionRefusedError: [Errno 111] connect to 127.0.0.1:8099 failed"
PROMISE = "I will add a health check for the fixture server by August 20, 2026."
COMMAND = "python tools/fixture_server.py --port 8099 --quiet"
MEMORY = "Start the fixture server on port 8099 before running the importer tests."
TOKEN = "gh" + "p_" + "Zk3vQ9xT" * 4 + "aB1c"
TWICE = "Retrying the fixture server handshake took two attempts."


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """Five sessions: two of Claude Code, one of Codex, a fork of the first, one that is only context."""
    root = tmp_path_factory.mktemp("sessions")
    first = ClaudeSession(A)
    first.user(ASKED)
    first.thinking(THOUGHT)
    first.call("t1", "Bash", {"command": COMMAND, "description": "Start the fixture server for the importer"})
    first.result("t1", OUTPUT, beside={"stdout": OUTPUT, "stderr": "", "interrupted": False, "isImage": False})
    first.agent(SAID)
    first.user(f"{MEMORY_BEGIN}\n- {MEMORY}\n{MEMORY_END}\nWhat next?")
    first.user(f"{NOTE_BEGIN}remember the quarterly import calendar{NOTE_END}", isMeta=True)
    first.agent(f"Here {STUB_BEGIN}forty lines of old build output] and on we go.")
    first.agent(TWICE)
    first.agent(TWICE)
    first.agent(f"The log shows {TOKEN} in clear text, that must go.")
    first.call("t2", "Task", {"description": "look", "prompt": "Find every caller of the import calendar module."})
    first.side_record(
        "a1",
        {"type": "user", "message": {"role": "user", "content": "Find every caller of the import calendar module."}},
    )
    report = "Only two callers use the calendar module directly."
    first.side_record(
        "a1",
        {
            "type": "assistant",
            "message": {"id": "m", "role": "assistant", "content": [{"type": "text", "text": report}]},
        },
    )
    first.result(
        "t2", report, beside={"status": "completed", "agentId": "a1", "content": [{"type": "text", "text": report}]}
    )
    first.record(
        {
            "type": "system",
            "subtype": "informational",
            "content": "Context left until auto-compact: twelve percent remaining",
        }
    )
    first.agent(PROMISE)
    second = ClaudeSession(B)
    second.user("Run the importer again, please, with the new sample files.")
    second.call("u1", "Bash", {"command": "pytest tests/importer -q"})
    second.result("u1", "2 failed, 40 passed in 3.11s: test_calendar and test_ports")
    second.agent(LATER)
    third = CodexSession(C)
    third.user("Check whether the nightly exporter still writes both files.")
    third.agent("The nightly exporter writes both files, I verified sizes and checksums.")
    third.run("c1", "ls -l export/nightly", "total 16 export-a.csv export-b.csv written at midnight")
    fork = ClaudeSession(FORK)
    fork.lines = [line.replace(f'"sessionId": "{A}"', f'"sessionId": "{FORK}"') for line in first.lines[:5]]
    fork.agent("After the fork we kept the port as it was.")
    old = ClaudeSession(OLD)
    old.user("An old session in which the port was chosen for the first time.")
    old.agent("We chose port 8099 since 8080 belongs to the proxy.")
    whole = whole_batch([s.write(root) for s in (first, second, third, fork, old)])
    marks = {**whole.new_from, SessionId(OLD): (10_000,)}
    return Batch(sessions=whole.sessions, new_from=marks, ends=whole.ends)


def judged(raw: bytes, batch: Batch) -> list[tuple[str, str]]:
    """The codes and paths an answer is refused with; none for an accepted one."""
    parsed = parse_answer(raw)
    outcome = check(parsed, batch, log=None, secrets=Secrets(deep=False)) if isinstance(parsed, Answer) else parsed
    return [] if isinstance(outcome, Proved) else [(refusal.code, refusal.path) for refusal in outcome]


GOOD = ((A, SAID), (B, LATER))
FIRST = "candidates[0].evidence[0].quote"
SECOND = "candidates[0].evidence[1].quote"
EVIDENCE = "candidates[0].evidence"

NOT_FOUND: dict[str, str] = {
    "invented": "The importer was rewritten in Rust last week.",
    "re-cased": SAID.upper(),
    "first letter re-cased": "the importer tests fail because nothing listens",
    "one letter changed": SAID.replace("fail", "fall"),
    "one word left out": SAID.replace(" nothing", ""),
    "ellipsis in the middle": SAID[:30] + "..." + SAID[50:],
    "joined from two lines": ASKED + " " + SAID,
    "joined from two lines with a newline": ASKED + "\n" + SAID,
    "end of one and start of the next": "the fixture server needs it. The naïve fix would be",
    "across fields of one call": COMMAND + " Start the fixture server for the importer",
    "across key and value": "command " + COMMAND,
    "from another session": LATER,
    "homoglyph": SAID.replace("a", "\N{CYRILLIC SMALL LETTER A}", 1),
    "greek homoglyph": SAID.replace("o", "\N{GREEK SMALL LETTER OMICRON}", 1),
    "zero-width space inside": SAID.replace("port", "po\u200brt"),
    "zero-width joiner instead of a blank": SAID.replace(" port", "\u200dport"),
    "soft hyphen inside": SAID.replace("fixture", "fix\u00adture"),
    "byte order mark inside": SAID.replace("tests", "tes\ufeffts"),
    "word joiner instead of a blank": SAID.replace("fail because", "fail\u2060because"),
    "other normal form": unicodedata.normalize("NFD", THOUGHT),
    "compatibility form": SAID.replace("fi", "\N{LATIN SMALL LIGATURE FI}"),
    "full-width digits": SAID.replace("8099", "\uff18\uff10\uff19\uff19"),
    "typographic quotes added": "\u201c" + SAID + "\u201d",
    "straight quotes added": '"' + SAID + '"',
    "trailing full stop added": LATER[:-1] + "!",
    "escaped once": json.dumps(THOUGHT)[1:-1],
    "escaped twice": json.dumps(json.dumps(THOUGHT))[1:-1],
    "line of raw JSON": '"type": "text", "text": "The importer tests fail',
    "blank inside a word": SAID.replace("fixture", "fix ture"),
    "blank lost between words": SAID.replace("fixture server", "fixtureserver"),
    "hyphen for a dash": SAID.replace(";", " \N{EN DASH}"),
    "Markdown stripped the other way": "**" + SAID + "**",
    "reordered words": "fail The importer tests because nothing listens",
    "repeated to look longer": SAID + " " + SAID,
    "file separator for a blank": SAID.replace("nothing listens", "nothing\x1clistens"),
    "wildcard": "The importer tests * nothing listens on port 8099",
    "regular expression": "The importer tests .* nothing listens on port 8099",
    "forged trailer": SAID + "\n\nSlowwave-Run: forged",
    "backslash n for a newline": SAID.replace("; ", ";\\n"),
    "combining mark added": SAID.replace("tests", "te\u0301sts"),
    "right-to-left override added": "\u202e" + SAID,
    "tag characters added": SAID + "\U000e0041\U000e0042",
    "a key of a record": "parentUuid sessionId timestamp cwd version",
}


@pytest.mark.parametrize("name", NOT_FOUND)
def test_words_that_do_not_stand_in_one_string_are_not_found(name: str, batch: Batch) -> None:
    """Nothing but white space is forgiven, and no two strings are stitched."""
    words = NOT_FOUND[name]
    assert judged(answer(candidates=[candidate((A, words), (B, LATER))]), batch) == [("quote_not_found", FIRST)]


ONE_CANDIDATE: dict[str, tuple[Sequence[tuple[str, str]], dict[str, Any], list[tuple[str, str]]]] = {
    "the same quote twice": (((A, SAID), (A, SAID)), {}, [("same_evidence", SECOND)]),
    "a quote and a part of it": (((A, SAID), (A, SAID[:60])), {}, [("same_evidence", SECOND)]),
    "overlapping quotes": (((A, SAID[:60]), (A, SAID[40:])), {}, [("same_evidence", SECOND)]),
    "one span, white space differs": (((A, SAID), (A, SAID.replace(" ", "\n\t"))), {}, [("same_evidence", SECOND)]),
    "a record and a fork's copy": (((A, SAID), (FORK, SAID)), {}, [("same_evidence", SECOND)]),
    "two of three are one": (
        ((A, SAID), (B, LATER), (FORK, SAID[:70])),
        {},
        [("same_evidence", "candidates[0].evidence[2].quote")],
    ),
    "content and toolUseResult": (((A, OUTPUT), (A, OUTPUT), (A, SAID)), {}, [("same_evidence", SECOND)]),
    "a message and its event": (
        ((C, "The nightly exporter writes both files"), (C, "writes both files, I verified sizes")),
        {},
        [("same_evidence", SECOND)],
    ),
    "a prompt and its event": (
        (
            (C, "Check whether the nightly exporter still writes"),
            (C, "Check whether the nightly exporter still writes"),
        ),
        {},
        [("same_evidence", SECOND)],
    ),
    "a sub-agent's last words and the parent's result": (
        ((A, "Only two callers use the calendar module"), (A, "Only two callers use the calendar module")),
        {},
        [("same_evidence", SECOND)],
    ),
    "a call's prompt and the sub-agent's first": (
        ((A, "Find every caller of the import calendar"), (A, "Find every caller of the import calendar")),
        {},
        [("same_evidence", SECOND)],
    ),
    "three times what was said twice": (
        ((A, TWICE), (A, TWICE), (A, TWICE)),
        {},
        [("same_evidence", "candidates[0].evidence[2].quote")],
    ),
    "one quote": (((A, SAID),), {}, [("too_few_quotes", EVIDENCE)]),
    "no quote": ((), {}, [("too_few_quotes", EVIDENCE)]),
    "nine quotes": (((A, SAID),) * 9, {}, [("too_much_evidence", EVIDENCE), ("same_evidence", SECOND)]),
    "a thousand quotes": (((A, SAID),) * 1_000, {}, [("too_much_evidence", EVIDENCE), ("same_evidence", SECOND)]),
    "a trivial quote": (((A, "8099"), (B, LATER)), {}, [("quote_trivial", FIRST)]),
    "a trivial quote in white space": (((A, "  8099 \n"), (B, LATER)), {}, [("quote_trivial", FIRST)]),
    "tool output only": (((A, OUTPUT), (B, "2 failed, 40 passed in 3.11s")), {}, [("tool_only_evidence", EVIDENCE)]),
    "tool output and harness text": (
        ((A, OUTPUT), (A, "Context left until auto-compact")),
        {},
        [("tool_only_evidence", EVIDENCE)],
    ),
    "a memory of ours and tool output": (
        ((A, MEMORY), (B, "2 failed, 40 passed in 3.11s")),
        {},
        [("tool_only_evidence", EVIDENCE)],
    ),
    "a note of ours and tool output": (
        ((A, "remember the quarterly import calendar"), (B, "2 failed, 40 passed in 3.11s")),
        {},
        [("tool_only_evidence", EVIDENCE)],
    ),
    "a hygiene stub and tool output": (
        ((A, "forty lines of old build output"), (B, "2 failed, 40 passed in 3.11s")),
        {},
        [("tool_only_evidence", EVIDENCE)],
    ),
    "context only": (
        ((OLD, "the port was chosen for the first time"), (OLD, "8080 belongs to the proxy")),
        {},
        [("no_new_evidence", EVIDENCE)],
    ),
    "context and a memory of ours": (
        ((OLD, "8080 belongs to the proxy"), (A, MEMORY)),
        {},
        [("no_new_evidence", EVIDENCE)],
    ),
    "a claim that repeats our memory": (((A, SAID), (A, ASKED)), {"claim": MEMORY}, [("no_new_evidence", EVIDENCE)]),
    "a preference nobody voiced": (
        GOOD,
        {"claim": "The user prefers port 8099 for fixtures."},
        [("speaker_mismatch", EVIDENCE)],
    ),
    "a preference by entity": (
        GOOD,
        {"entities": [{"type": "person", "name": "user"}]},
        [("speaker_mismatch", EVIDENCE)],
    ),
    "a preference by entity in capitals": (
        GOOD,
        {"entities": [{"type": "Person", "name": "User"}]},
        [("speaker_mismatch", EVIDENCE)],
    ),
    "a preference from a memory": (
        ((A, MEMORY), (B, LATER)),
        {"claim": "The user wants the fixture server started first."},
        [("speaker_mismatch", EVIDENCE)],
    ),
    "a whole secret": (((A, f"The log shows {TOKEN}"), (B, LATER)), {}, [("masked_secret", FIRST)]),
    "a part of a secret": (((A, f"The log shows {TOKEN[:12]}"), (B, LATER)), {}, [("masked_secret", FIRST)]),
    "the tail of a secret": (
        ((A, f"{TOKEN[-9:]} in clear text, that must go"), (B, LATER)),
        {},
        [("masked_secret", FIRST)],
    ),
    "the mask of a secret": (
        ((A, "The log shows [secret:github-token] in"), (B, LATER)),
        {},
        [("masked_secret", FIRST)],
    ),
    "a secret in the claim": (GOOD, {"claim": f"The token is {TOKEN}."}, [("masked_secret", "candidates[0].claim")]),
    "a mask in the gist": (GOOD, {"gist": "It is [secret:github-token]."}, [("masked_secret", "candidates[0].gist")]),
    "a session outside the batch": (
        (("99999999-9999-4999-8999-999999999999", SAID), (B, LATER)),
        {},
        [("unknown_session", "candidates[0].evidence[0].sessionId")],
    ),
    "a session by its path": (
        ((f"../{A}", SAID), (B, LATER)),
        {},
        [("unknown_session", "candidates[0].evidence[0].sessionId")],
    ),
    "a session in capitals": (
        ((A.upper(), SAID), (B, LATER)),
        {},
        [("unknown_session", "candidates[0].evidence[0].sessionId")],
    ),
    "a sub-agent's file by its own name": (
        (("agent-a1", "Only two callers use the calendar module"), (B, LATER)),
        {},
        [("unknown_session", "candidates[0].evidence[0].sessionId")],
    ),
}


@pytest.mark.parametrize("name", ONE_CANDIDATE)
def test_a_candidate_with_such_evidence_is_refused(name: str, batch: Batch) -> None:
    """Each trick has its code and the path of the offender, and nothing else is said."""
    quotes, changes, expected = ONE_CANDIDATE[name]
    assert judged(answer(candidates=[candidate(*quotes, **changes)]), batch) == expected


PROMISE_QUOTE = "I will add a health check for the fixture server"
QUOTE_PATH = "commitments[0].evidence.quote"

ONE_COMMITMENT: dict[str, tuple[dict[str, Any], list[tuple[str, str]]]] = {
    "the user's promise in the agent's words": (
        commitment(A, PROMISE_QUOTE, actor="user"),
        [("speaker_mismatch", QUOTE_PATH)],
    ),
    "the agent's promise in the user's words": (commitment(A, ASKED), [("speaker_mismatch", QUOTE_PATH)]),
    "a promise in a tool result": (commitment(A, OUTPUT), [("speaker_mismatch", QUOTE_PATH)]),
    "a promise in a call": (commitment(A, COMMAND), [("speaker_mismatch", QUOTE_PATH)]),
    "a promise in a memory": (commitment(A, MEMORY, actor="user"), [("speaker_mismatch", QUOTE_PATH)]),
    "a promise in a sub-agent's prompt": (
        commitment(A, "Find every caller of the import calendar", actor="user"),
        [("speaker_mismatch", QUOTE_PATH)],
    ),
    "a date that is not quoted": (
        commitment(A, PROMISE_QUOTE, dueHint="2026-08-20"),
        [("due_not_in_quote", "commitments[0].dueHint")],
    ),
    "another day": (commitment(A, PROMISE, dueHint="2026-08-21"), [("due_not_in_quote", "commitments[0].dueHint")]),
    "another year": (commitment(A, PROMISE, dueHint="2027-08-20"), [("due_not_in_quote", "commitments[0].dueHint")]),
    "an invented promise": (commitment(A, "I will rewrite the importer in Rust."), [("quote_not_found", QUOTE_PATH)]),
    "a secret in the statement": (
        commitment(A, PROMISE_QUOTE, statement=f"Rotate {TOKEN}"),
        [("masked_secret", "commitments[0].statement")],
    ),
    "a promise too small": (commitment(A, "I will"), [("quote_trivial", QUOTE_PATH)]),
}


@pytest.mark.parametrize("name", ONE_COMMITMENT)
def test_such_a_commitment_is_refused(name: str, batch: Batch) -> None:
    """A promise is its speaker's own words, and its date stands in them."""
    made, expected = ONE_COMMITMENT[name]
    assert judged(answer(commitments=[made]), batch) == expected


HONEST: dict[str, bytes] = {
    "two sessions": answer(candidates=[candidate(*GOOD)], read=[A, B, A]),
    "white space differs": answer(
        candidates=[candidate((A, "\n " + SAID.replace(" ", " \u00a0\t") + " "), (B, LATER))]
    ),
    "two sentences of one record": answer(
        candidates=[
            candidate(
                (A, "The importer tests fail because nothing listens"), (A, "I will start the fixture server first.")
            )
        ]
    ),
    "words that were said twice": answer(candidates=[candidate((A, TWICE), (A, TWICE))]),
    "a thought and a call": answer(candidates=[candidate((A, THOUGHT), (A, COMMAND))]),
    "a call with its output": answer(candidates=[candidate((A, OUTPUT), (A, COMMAND))]),
    "a sub-agent's words under its parent": answer(
        candidates=[candidate((A, "callers use the calendar module directly"), (B, LATER))]
    ),
    "context with something new": answer(candidates=[candidate((OLD, "8080 belongs to the proxy"), (A, SAID))]),
    "a preference in the user's words": answer(
        candidates=[candidate((A, ASKED), (A, SAID), claim="The user wants the importer tests on port 8099.")]
    ),
    "a fork's copy beside another record": answer(candidates=[candidate((FORK, SAID), (B, LATER))]),
    "a promise with its date": answer(commitments=[commitment(A, PROMISE, dueHint="2026-08-20")]),
    "what another person owes": answer(commitments=[commitment(A, OUTPUT, actor="other")]),
    "a person's prompt as the user's promise": answer(commitments=[commitment(A, ASKED, actor="user")]),
    "somebody else's mask": answer(candidates=[candidate(*GOOD, gist="The value is REDACTED in the log.")]),
    "a glued field": answer(
        candidates=[
            candidate((C, "export-a.csv export-b.csv written at midnight"), (C, "I verified sizes and checksums"))
        ]
    ),
    "nothing at all": answer(),
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_answer_is_accepted(name: str, batch: Batch) -> None:
    """The same contract lets every honest form through."""
    assert judged(HONEST[name], batch) == []


def test_at_least_sixty_attacks_are_tried() -> None:
    """The table keeps its size."""
    assert len(NOT_FOUND) + len(ONE_CANDIDATE) + len(ONE_COMMITMENT) >= 60


def test_all_refusals_come_together_in_the_order_of_the_answer(batch: Batch) -> None:
    """One faulty part refuses the whole answer, and every fault is named."""
    raw = answer(
        candidates=[candidate(*GOOD), candidate((A, "It was never said like this."), (B, LATER)), candidate((A, SAID))],
        commitments=[commitment(A, OUTPUT)],
        read=[A, "nowhere"],
    )
    assert judged(raw, batch) == [
        ("quote_not_found", "candidates[1].evidence[0].quote"),
        ("too_few_quotes", "candidates[2].evidence"),
        ("speaker_mismatch", QUOTE_PATH),
        ("unknown_session", "readSessionIds[1]"),
    ]


def test_an_unreadable_session_is_no_evidence(tmp_path: Path) -> None:
    """A file that went away since it was listed costs its quotes, not the command."""
    made = ClaudeSession(A)
    made.agent(SAID)
    session = made.write(tmp_path)
    batch = whole_batch([session])
    session.path.unlink()
    raw = answer(candidates=[candidate((A, SAID), (A, LATER))])
    assert [code for code, _ in judged(raw, batch)] == ["quote_not_found", "quote_not_found"]


def test_a_session_swapped_for_a_link_is_not_followed(tmp_path: Path) -> None:
    """A transcript that became a link to another file proves nothing."""
    made = ClaudeSession(A)
    made.agent(SAID)
    session = made.write(tmp_path / "sessions")
    outside = tmp_path / "outside.jsonl"
    session.path.rename(outside)
    session.path.symlink_to(outside)
    raw = answer(candidates=[candidate((A, SAID[:50]), (A, SAID[55:]))])
    assert [code for code, _ in judged(raw, whole_batch([session]))] == ["quote_not_found", "quote_not_found"]
