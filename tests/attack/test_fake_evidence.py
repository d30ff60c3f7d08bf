"""Fake evidence: forty ways to make a candidate look proved, each refused with its own code."""

from collections.abc import Sequence
from typing import Any

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
    OUTPUT,
    SAID,
    SECOND,
    TOKEN,
    TWICE,
    A,
    B,
    C,
    judged,
    offered,
)
from made_transcripts import answer, candidate

from slowwave.proof.batch import Batch


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """The made sessions."""
    return offered(tmp_path_factory.mktemp("sessions"))


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


def test_at_least_thirty_five_tricks_are_tried() -> None:
    """The table keeps its size."""
    assert len(ONE_CANDIDATE) >= 35
