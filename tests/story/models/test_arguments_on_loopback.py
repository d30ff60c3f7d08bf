"""Arguments reach the contract as the model wrote them, over every protocol: nothing is mended on the way there."""

import json
import re
from pathlib import Path
from typing import cast

import pytest
from made_boxes import MadePurse, stopwatch
from made_evidence import GOOD, A, B
from made_protocols import Question, Spoken
from made_providers import KEY, PROVIDERS, MadeProvider, tool_calls
from made_turns import NONCE, SECRETS, evidence_reading, read_all

from slowwave.facts.limits import MOST_SUBMISSIONS
from slowwave.facts.refusal import Refusal
from slowwave.models.ask import Talk, converse
from slowwave.models.budget import Purse
from slowwave.models.prices import FREE
from slowwave.sleep.turn import Turn

WIRES = [(provider, stream) for provider in PROVIDERS for stream in (True, False)]
HONEST = json.dumps(
    {
        "candidates": [
            {
                "kind": "procedural",
                "claim": "The importer tests need the fixture server on port 8099.",
                "gist": "Start it first; in both sessions the importer could not connect without it.",
                "entities": [{"type": "command", "name": "pytest"}],
                "evidence": [{"sessionId": one, "quote": quote} for one, quote in GOOD],
            }
        ],
        "commitments": [],
        "readSessionIds": [A, B],
    }
)
BAD = {
    "repeated": '{"candidates": [], ' + HONEST[1:],
    "repeated deep": HONEST.replace('"gist"', '"kind": "semantic", "gist"'),
    "cut": HONEST[:-20],
    "list": "[1]",
    "text": '"hello"',
    "null": "null",
    "surrogate": HONEST.replace("Start it", "\\ud800 it"),
    "bare surrogate in a key": HONEST[:-1] + ', "\\udfff": 1}',
    "NaN": HONEST.replace('"candidates": [', '"candidates": [NaN, '),
    "infinite": HONEST[:-1] + ', "more": -Infinity}',
    "too large a number": HONEST[:-1] + ', "more": 1e999}',
    "too many digits": HONEST[:-1] + f', "more": {"9" * 5_000}}}',
    "deep": HONEST[:-1] + f', "more": {"[" * 200}{"]" * 200}}}',
}
BROKEN_ANSWERS = {"cut"}
"""Where the protocol has an object for arguments, these make the whole answer none."""


def fresh(root: Path) -> Turn:
    """A turn over the five sessions."""
    return Turn(evidence_reading(root), secrets=SECRETS, nonce=NONCE)


def judged(root: Path, arguments: str) -> tuple[Refusal, ...]:
    """What the contract says of an answer that nobody carried anywhere."""
    turn = fresh(root)
    read_all(turn)
    assert turn.call("submit_answer", arguments).is_error
    return turn.refusals


def led(made: MadeProvider, turn: Turn, provider: str, stream: bool) -> Talk:
    """A whole turn over the wire."""
    talk = converse(
        made.settings(provider, stream=stream),
        turn,
        instructions="You look after memories.",
        message="Here is a batch.",
        purse=cast("Purse", MadePurse()),
        price=FREE,
        key=KEY,
        sleeper=lambda _: None,
        stopwatch=stopwatch(),
    )
    assert made.strays == []
    return talk


def reads_then(arguments: str, question: Question) -> Spoken:
    """Reads both sessions, and then hands in what it was told to, again and again."""
    if question.number == 1:
        return tool_calls(("list_sessions", {}))
    if question.number == 2:
        return tool_calls(*(("read_lines", {"sessionId": one, "start": 1, "end": 100}) for one in (A, B)))
    return tool_calls(("submit_answer", arguments))


@pytest.mark.slow
@pytest.mark.parametrize(("provider", "stream"), WIRES)
def test_an_honest_answer_is_taken(tmp_path: Path, provider: str, stream: bool) -> None:
    """What the bad ones are made from is good, so that each is refused for its fault alone."""
    turn = fresh(tmp_path)
    with MadeProvider(lambda question: reads_then(HONEST, question)) as made:
        talk = led(made, turn, provider, stream)
    assert (talk.status, turn.refusals) == ("answered", ())


@pytest.mark.slow
@pytest.mark.parametrize(("provider", "stream"), WIRES)
@pytest.mark.parametrize("fault", BAD)
def test_what_is_no_answer_is_refused_as_it_was_written(
    tmp_path: Path, provider: str, stream: bool, fault: str
) -> None:
    """The same refusals as without a wire, four times, and each request after one could be made."""
    turn = fresh(tmp_path)
    with MadeProvider(lambda question: reads_then(BAD[fault], question)) as made:
        talk = led(made, turn, provider, stream)
        has_object = made.questions[0].protocol == "gemini" or (
            made.questions[0].protocol in ("anthropic", "bedrock") and not stream
        )
    if has_object and fault in BROKEN_ANSWERS:
        assert (talk.status, turn.submissions) == ("unavailable", 0)
        return
    assert (talk.status, turn.submissions) == ("refused", MOST_SUBMISSIONS), talk.message
    wanted = judged(tmp_path / "again", BAD[fault])
    assert {one.code for one in wanted} == {"schema"}
    got = [(one.code, one.path) for one in turn.refusals]
    assert got == [(one.code, one.path) for one in wanted] * MOST_SUBMISSIONS


@pytest.mark.slow
@pytest.mark.parametrize(("provider", "stream"), WIRES)
def test_half_a_character_in_prose_and_names_does_not_end_a_turn(tmp_path: Path, provider: str, stream: bool) -> None:
    """No encoding can send it back; it is replaced, and the turn goes on."""
    odd = "half \ud800 a character"

    def speaks(question: Question) -> Spoken:
        return tool_calls(("shell\ud800", {odd: odd}), text=odd) if question.number == 1 else refuses(question)

    def refuses(question: Question) -> Spoken:
        assert "\ufffd" in json.dumps([line.text for line in question.lines], ensure_ascii=False)
        return tool_calls(("submit_answer", "{}"))

    with MadeProvider(speaks) as made:
        talk = led(made, fresh(tmp_path), provider, stream)
        assert not re.search("[\ud800-\udfff]", json.dumps([q.body for q in made.questions], ensure_ascii=False))
    assert talk.status == "refused", talk.message


@pytest.mark.parametrize("stream", [True, False])
def test_what_cannot_be_sent_back_is_a_request_about_this_batch_that_cannot_be_made(
    tmp_path: Path, stream: bool
) -> None:
    """A call without a name stays before the library; it is the batch's own trouble, not the provider's."""
    with MadeProvider(lambda _: tool_calls(("", {}))) as made:
        talk = led(made, fresh(tmp_path), "bedrock", stream)
        assert len(made.questions) == 1
    assert talk.status == "bad_request"
    assert "makes no request" in talk.message


def test_an_answer_too_deep_to_read_is_about_this_batch(tmp_path: Path) -> None:
    """Asked again it would be the same; it may be paid for."""
    deep = "[" * 100_000 + "]" * 100_000
    with MadeProvider(lambda _: tool_calls(("submit_answer", deep))) as made:
        talk = led(made, fresh(tmp_path), "anthropic", stream=False)
    assert talk.status == "bad_request"
    assert talk.usage.tokens > 0
