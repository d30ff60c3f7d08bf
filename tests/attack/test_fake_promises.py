"""Fake promises, each refused with its own code; honest answers, each accepted; and answers that are both."""

from pathlib import Path

import pytest
from made_evidence import (
    ASKED,
    COMMAND,
    FORK,
    GOOD,
    LATER,
    OLD,
    OUTPUT,
    PROMISE,
    QUOTE_PATH,
    SAID,
    THOUGHT,
    TWICE,
    A,
    B,
    C,
    judged,
    offered,
)
from made_fakes import ONE_COMMITMENT
from made_transcripts import ClaudeSession, answer, candidate, commitment

from slowwave.proof.batch import Batch, whole_batch


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """The made sessions."""
    return offered(tmp_path_factory.mktemp("sessions"))


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
