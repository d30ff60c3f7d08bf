"""Fake evidence handed in after an honest reading: each refused whole with its code, then mended within four tries."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from made_evidence import (
    ASKED,
    EVIDENCE,
    FIRST,
    FORK,
    GOOD,
    LATER,
    MEMORY,
    OLD,
    PROMISE_QUOTE,
    QUOTE_PATH,
    SAID,
    A,
    B,
)
from made_fakes import NOT_FOUND, ONE_CANDIDATE, ONE_COMMITMENT
from made_forms import HONEST, Codes, forms, one, promise
from made_transcripts import answer, candidate, commitment
from made_turns import NONCE, SECRETS, evidence_reading, read_all, refused, say

from slowwave.facts.answer import Proved
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import MOST_SUBMISSIONS
from slowwave.proof.framing import Frame
from slowwave.sleep.engine import Reading
from slowwave.sleep.instructions import instructions
from slowwave.sleep.turn import Turn

LINKED = "The voucher mailer runs before the ledger is locked at midnight."
NOTHING = Proved(candidates=(), commitments=(), read_session_ids=())


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    """The made sessions."""
    made = evidence_reading(tmp_path_factory.mktemp("sessions"))
    memory = {"path": "projects/invented/x.md", "kind": "semantic", "status": "active", "claim": LINKED}
    return replace(made, linked={SessionId(A): (memory,)})


@pytest.fixture
def turn(reading: Reading) -> Turn:
    """A turn after an honest reading."""
    made = Turn(reading, secrets=SECRETS, nonce=NONCE)
    read_all(made)
    return made


def fakes() -> Iterator[tuple[str, str, Codes]]:
    """Every fake of evidence, quote and promise that the contract is tried with."""
    for name, (quotes, changes, codes) in ONE_CANDIDATE.items():
        yield name, one(*quotes, **changes), codes
    for name, words in NOT_FOUND.items():
        yield name, one((A, words), (B, LATER)), [("quote_not_found", FIRST)]
    for name, (made, codes) in ONE_COMMITMENT.items():
        yield name, promise(made), codes


def seen() -> Iterator[tuple[str, str, Codes]]:
    """Words that the caller was shown, but that nobody said in a session."""
    policy = next(line for line in instructions().splitlines() if len(line) > 60)
    words = {
        "the instructions": policy[:200],
        "the turn's message": "Look into every session, then hand in one answer with submit_answer",
        "the frame": Frame(nonce=NONCE).begin,
        "the broken frame": f"<<<end of recorded {NONCE[:16]}.{NONCE[16:]}>>>",
        "the index of sessions": f'{{"id":"{A}","agent":"claude-code"',
        "a key of the index": '"linkedMemories":[],"lines"',
        "a shown line's frame": '"speaker":"agent","text":"The importer tests fail',
        "a description of a tool": "Lines count from 1. At most 100 lines",
        "a linked memory": LINKED,
        "a refusal": "This quote does not stand in the session it cites",
        "its own claim": "Tests of the importer need the fixture server on port 8099.",
    }
    for name, text in words.items():
        yield f"from {name}", one((A, text), (B, LATER)), [("quote_not_found", FIRST)]


def evidence_of_others() -> Iterator[tuple[str, str, Codes]]:
    """Words that stand in a session, but are not what they are taken for."""
    yield (
        "a sub-agent's id",
        one(("a1", SAID), (B, LATER)),
        [("unknown_session", "candidates[0].evidence[0].sessionId")],
    )
    yield (
        "the fork for its parent",
        one((FORK, ASKED), (FORK, MEMORY)),
        [("quote_not_found", "candidates[0].evidence[1].quote")],
    )
    yield (
        "a linked claim as a preference",
        one((A, MEMORY), (B, LATER), entities=[{"type": "person", "name": "user"}]),
        [("speaker_mismatch", EVIDENCE)],
    )
    yield "a memory promised", promise(commitment(A, MEMORY)), [("speaker_mismatch", QUOTE_PATH)]
    yield (
        "an agent's promise dated by us",
        promise(commitment(A, PROMISE_QUOTE, dueHint="2026-08-20")),
        [("due_not_in_quote", "commitments[0].dueHint")],
    )
    yield "an old promise of another", promise(commitment(OLD, PROMISE_QUOTE)), [("quote_not_found", QUOTE_PATH)]
    yield (
        "a claim of an unknown session",
        answer(candidates=[candidate(*GOOD)], read=[A, "nobody"]).decode(),
        [("unknown_session", "readSessionIds[1]")],
    )
    yield "a claim of a path", answer(read=["../../etc/passwd"]).decode(), [("unknown_session", "readSessionIds[0]")]


ATTACKS = [*fakes(), *seen(), *evidence_of_others(), *forms()]
CITED_A, CITED_B = "candidates[0].evidence[0].sessionId", "candidates[0].evidence[1].sessionId"
UNREAD: dict[str, tuple[tuple[tuple[str, str], ...], Codes]] = {
    "nothing was called": (
        (),
        [
            ("list_sessions_not_called", "log"),
            ("cited_session_unread", CITED_A),
            ("cited_session_unread", CITED_B),
            ("unread_session_claimed", "readSessionIds[0]"),
            ("unread_session_claimed", "readSessionIds[1]"),
        ],
    ),
    "the index alone": (
        (("list_sessions", "{}"),),
        [
            ("cited_session_unread", CITED_A),
            ("cited_session_unread", CITED_B),
            ("unread_session_claimed", "readSessionIds[0]"),
            ("unread_session_claimed", "readSessionIds[1]"),
        ],
    ),
    "one of two": (
        (("list_sessions", "{}"), ("read_lines", say(sessionId=A, start=1, end=1))),
        [("cited_session_unread", CITED_B), ("unread_session_claimed", "readSessionIds[1]")],
    ),
    "a look that was refused": (
        (
            ("list_sessions", "{}"),
            ("search_transcript", say(sessionId=A, phrase="port")),
            ("read_lines", say(sessionId=B, start=1, end=1_000)),
        ),
        [("cited_session_unread", CITED_B), ("unread_session_claimed", "readSessionIds[1]")],
    ),
    "a fork read for its parent": (
        (
            ("list_sessions", "{}"),
            ("read_lines", say(sessionId=FORK, start=1, end=9)),
            ("read_lines", say(sessionId=B, start=1, end=9)),
        ),
        [("cited_session_unread", CITED_A), ("unread_session_claimed", "readSessionIds[0]")],
    ),
    "looks before the index": (
        (
            ("read_lines", say(sessionId=A, start=1, end=9)),
            ("read_lines", say(sessionId=B, start=1, end=9)),
        ),
        [
            ("list_sessions_not_called", "log"),
            ("cited_session_unread", CITED_A),
            ("cited_session_unread", CITED_B),
            ("unread_session_claimed", "readSessionIds[0]"),
            ("unread_session_claimed", "readSessionIds[1]"),
        ],
    ),
    "an index that was refused": (
        (("list_sessions", '{"all": true}'), ("read_lines", say(sessionId=A, start=1, end=9))),
        [
            ("list_sessions_not_called", "log"),
            ("cited_session_unread", CITED_A),
            ("cited_session_unread", CITED_B),
            ("unread_session_claimed", "readSessionIds[0]"),
            ("unread_session_claimed", "readSessionIds[1]"),
        ],
    ),
}


def refuse_then_take(turn: Turn, fake: str, codes: Codes) -> None:
    """Nothing of a fake is kept, the caller is told where each fault is; the mended answer ends the turn."""
    tries = turn.submissions
    reply = turn.call("submit_answer", fake)
    assert refused(reply) == codes
    assert not reply.ends_turn
    assert json.loads(reply.text)["triesLeft"] == MOST_SUBMISSIONS - tries - 1
    before = turn.verdict()
    assert before.proved == NOTHING
    assert before.failure is not None
    assert [(one.code, one.path) for one in before.refusals] == codes
    read_all(turn)
    assert turn.call("submit_answer", HONEST).ends_turn
    after = turn.verdict()
    assert after.failure is None
    assert (len(after.proved.candidates), len(after.proved.commitments)) == (1, 1)
    assert after.refusals == before.refusals
    assert (after.counts["candidates"], after.counts["candidates_unproved"]) == (1, 0)


@pytest.mark.parametrize(("name", "fake", "codes"), ATTACKS, ids=[name for name, _, _ in ATTACKS])
def test_a_fake_is_refused_whole_and_the_mended_answer_taken(name: str, fake: str, codes: Codes, turn: Turn) -> None:
    """After an honest reading, whatever is fake about the answer."""
    refuse_then_take(turn, fake, codes)


@pytest.mark.parametrize("name", UNREAD)
def test_a_true_answer_is_refused_where_nothing_was_read(name: str, reading: Reading) -> None:
    """What the log of calls does not bear out, and nothing else; read after all, the same words are taken."""
    calls, codes = UNREAD[name]
    turn = Turn(reading, secrets=SECRETS, nonce=NONCE)
    for tool, arguments in calls:
        turn.call(tool, arguments)
    refuse_then_take(turn, one(*GOOD), codes)


def test_a_fake_is_refused_on_the_last_try_too(turn: Turn) -> None:
    """The fourth refusal ends the turn, and a true answer comes too late."""
    for number in range(MOST_SUBMISSIONS):
        reply = turn.call("submit_answer", one((A, SAID.upper()), (B, LATER)))
        assert refused(reply) == [("quote_not_found", FIRST)]
        assert reply.ends_turn is (number == MOST_SUBMISSIONS - 1)
    late = turn.call("submit_answer", HONEST)
    assert refused(late) == [("turn_over", "turn")]
    verdict = turn.verdict()
    assert verdict.proved == NOTHING
    assert verdict.failure is not None
    assert verdict.failure.code == "answer_refused"


def test_a_byte_order_mark_is_no_fault(turn: Turn) -> None:
    """It is a spelling of nothing, and forgiven before the first brace alone."""
    assert turn.call("submit_answer", "\ufeff" + HONEST).ends_turn
    assert turn.verdict().failure is None


def test_more_than_a_hundred_fakes_are_tried_and_each_code_is_met(capsys: pytest.CaptureFixture[str]) -> None:
    """The table by code; every code of the contract stands in it."""
    told = [codes for _, _, codes in ATTACKS] + [codes for _, codes in UNREAD.values()]
    counts = Counter(code for codes in told for code in {code for code, _ in codes})
    with capsys.disabled():
        print(f"\n{len(told)} fakes in a turn: " + ", ".join(f"{code} {n}" for code, n in counts.most_common()))
    assert len(told) >= 100
    assert set(counts) == {
        "schema", "unknown_session", "quote_not_found", "too_few_quotes", "too_much_evidence", "same_evidence",
        "quote_trivial", "tool_only_evidence", "no_new_evidence", "speaker_mismatch", "masked_secret",
        "due_not_in_quote", "unread_session_claimed", "cited_session_unread", "list_sessions_not_called",
    }  # fmt: skip
