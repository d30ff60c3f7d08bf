"""Five made sessions, and the sentences in them, on which fake and honest evidence is tried."""

from pathlib import Path

from made_transcripts import ClaudeSession, CodexSession

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
PROMISE_QUOTE = "I will add a health check for the fixture server"
GOOD = ((A, SAID), (B, LATER))
FIRST = "candidates[0].evidence[0].quote"
SECOND = "candidates[0].evidence[1].quote"
EVIDENCE = "candidates[0].evidence"
QUOTE_PATH = "commitments[0].evidence.quote"


def offered(root: Path) -> Batch:
    """Five sessions: two of Claude Code, one of Codex, a fork of the first, one that is only context."""
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
