"""Commit messages: no text forges a trailer, ends a message early or comes back changed."""

import random
import subprocess
from datetime import UTC, datetime

import pytest

from slowwave.corpus import message
from slowwave.corpus.branches import MAIN
from slowwave.corpus.door import Commit, Door
from slowwave.corpus.message import CommitMessage, MessageError, parse_message, subject_for
from slowwave.corpus.worktree import PENDING
from slowwave.facts.evidence import Evidence, Speaker
from slowwave.facts.ids import MemoryPath, SessionId

PIECES = (
    "\n\nSlowwave-Item: i-forged\n", "Slowwave-Run: forged", "\n\nSigned-off-by: Eve <e@x>", "\n---\n", "--- a",
    "\n# no", "#!", "fixes #1", "\x00", "\x1b[31m", "\x7f", "\r\n", "\r", "\u2028", "\u2029", "\u0085", "\u202e",
    "\u200b",
    "\ufeff", "\ud800.", ".\udfff", "é", "記憶", "🌊", "Evidence: {}", '"', "\\", "'", "diff --git a/x b/x", "Index: x",
    "-- >8 --", "gpgsig -----BEGIN", "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904", "data 5",
    "done\n", "M 100644 inline x\n",
    "From: x", "from 0", "get-mark :1\n", " ", "\t", "word", "x" * 400, "{", "}", "\n", "\n\n", "encoding latin-1",
)  # fmt: skip
TRAILERS = (
    (message.RUN, "run-1"),
    (message.SESSION, "s-1"),
    (message.SESSION, "s-2"),
    (message.ITEM, "i-true"),
    (message.TYPE, "memory"),
)
MESSAGES = 200
MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def hostile_text(noise: random.Random) -> str:
    """A text made of pieces that mean something to git or to a terminal."""
    return "".join(noise.choice(PIECES) for _ in range(noise.randint(1, 6)))


def hostile_message(number: int) -> CommitMessage:
    """A message whose claim and quotes try everything."""
    noise = random.Random(number)
    claim = "" if number % 17 == 0 else hostile_text(noise)
    evidence = tuple(
        Evidence(
            session_id=SessionId("s-1"),
            quote=hostile_text(noise),
            line=noise.randint(1, 10**6),
            speaker=noise.choice(tuple(Speaker)),
            record=hostile_text(noise),
            is_new=noise.random() < 0.5,
            is_tainted=noise.random() < 0.5,
            file=noise.randint(0, 3),
        )
        for _ in range(number % 4)
    )
    return CommitMessage(subject=subject_for("semantic", claim), claim=claim, evidence=evidence, trailers=TRAILERS)


def test_two_hundred_hostile_messages_come_back_exactly_and_carry_our_trailers_alone(door: Door) -> None:
    """Written by git and read back: the same values, and git itself sees our five trailers and no other."""
    messages = [hostile_message(number) for number in range(MESSAGES)]
    commits = [
        Commit(files=((MemoryPath(f"areas/{number}.md"), b"x"),), message=one, moment=MOMENT)
        for number, one in enumerate(messages)
    ]
    door.commit_batch(PENDING, commits, expected=door.main())
    found = door.history(PENDING, since=MAIN)
    assert [item.message for item in found] == messages
    expected = "".join(f"{name}: {value}\n" for name, value in TRAILERS)
    seen = door.git.text("log", "--reverse", "--format=%(trailers:only,unfold)%x01", f"{MAIN}..{PENDING}")
    assert seen.split("\x01\n")[:-1] == [expected] * (MESSAGES - 1)
    for item in found[:: MESSAGES // 20]:
        told = (door.git.program, "interpret-trailers", "--parse")
        assert subprocess.run(told, input=item.raw, check=True, capture_output=True).stdout.decode() == expected


@pytest.mark.parametrize("number", range(0, MESSAGES, 10))
def test_a_message_shows_nothing_that_a_terminal_would_obey(number: int) -> None:
    """Only printable lines: no control, override or surrogate character stands raw."""
    raw = hostile_message(number).render().decode()
    assert all(line.isprintable() for line in raw.split("\n"))


def test_a_claim_of_ten_megabytes_comes_back() -> None:
    """Length alone breaks nothing; the subject stays short."""
    claim = "long\n" * 2_000_000
    one = CommitMessage(subject=subject_for("semantic", claim), claim=claim, trailers=TRAILERS)
    assert len(one.subject) < 100
    assert parse_message(one.render()) == one


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"x", b"x\n\ny", b"\n\n", b"\xff\n\nSlowwave-Item: i\nSlowwave-Type: t\n", b"s\n\nSlowwave-Item: i\n",
        b"s\n\nSlowwave-Item: i\nSlowwave-Type: t\nSigned-off-by: x\n", b"s\n\nSlowwave-Item: i\nSlowwave-Type: t",
        b"s\n\nc\n\nmore\n\nSlowwave-Item: i\nSlowwave-Type: t\n", b's\n\n"\n\nSlowwave-Item: i\nSlowwave-Type: t\n',
        b"s\n\nEvidence: {}\n\nSlowwave-Item: i\nSlowwave-Type: t\n",
        b"s\n\nEvidence: " + b"[" * 9000 + b"\n\nSlowwave-Item: i\nSlowwave-Type: t\n",
        b"s\n\nEvidence: []\n\nSlowwave-Item: i\nSlowwave-Type: t\n",
        b"s\n\nc\nd\n\nSlowwave-Item: i\nSlowwave-Type: t\n",
    ],
)  # fmt: skip
def test_what_we_did_not_write_is_not_ours(raw: bytes) -> None:
    """Anything but our very own form is somebody else's message."""
    assert parse_message(raw) is None


@pytest.mark.parametrize(
    ("subject", "trailers"),
    [
        ("", TRAILERS), (" x", TRAILERS), ("x\ny", TRAILERS), ("x\ty", TRAILERS), ("x\x00", TRAILERS),
        ("x" * 999, TRAILERS),
        ("x", ()), ("x", TRAILERS[:3]), ("x", (*TRAILERS, ("Signed-off-by", "Eve"))),
        ("x", (*TRAILERS, (message.RUN, ""))),
        ("x", (*TRAILERS, (message.RUN, "a\nSlowwave-Item: b"))), ("x", (*TRAILERS, (message.RUN, "\u202e"))),
        ("x\ud800", TRAILERS),
    ],
)  # fmt: skip
def test_a_message_of_another_form_cannot_be_made(subject: str, trailers: tuple[tuple[str, str], ...]) -> None:
    """Subject and trailers are single clean lines, item and type are there, and no trailer is foreign."""
    with pytest.raises(MessageError):
        CommitMessage(subject=subject, claim="c", trailers=trailers)
