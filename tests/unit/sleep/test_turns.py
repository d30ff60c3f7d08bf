"""Recorded turns: written whole for their owner alone, believed only to the last field, forgotten in time."""

import json
import stat
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_turns import NONCE

from slowwave.facts.ids import RunId
from slowwave.facts.limits import MOST_CLOCK_STEP_DAYS, TURN_DAYS
from slowwave.facts.usage import Usage
from slowwave.sleep.turn import TurnCall
from slowwave.sleep.turns import ANSWERED, TurnBook, TurnRecord, read_record

NOW = datetime(2026, 2, 1, 3, 30, tzinfo=UTC)
NIGHT = RunId("night-1")
BATCH, PROFILE = "b-0123456789ab", "model/1 made:one"


def called(name: str = "read_lines", arguments: str = '{"sessionId": "s-one"}') -> TurnCall:
    """A call that went well."""
    return TurnCall(name=name, arguments=arguments, is_error=False, reply_digest="0" * 64, reply_length=12)


def record(**changes: Any) -> TurnRecord:
    """A record of a turn that was answered."""
    made = TurnRecord(
        batch_id=BATCH,
        profile=PROFILE,
        run_id=NIGHT,
        moment=NOW,
        nonce=NONCE,
        policy="1" * 64,
        asked="made:one",
        calls=(called("list_sessions", "{}"), called(), called("submit_answer", '{"candidates": []}')),
        status=ANSWERED,
        usage=Usage(calls=3, input_tokens=900, output_tokens=40, micro_usd=17, seconds=1.25),
    )
    return replace(made, **changes)


def other(number: int, **changes: Any) -> TurnRecord:
    """A record of another batch."""
    return record(batch_id=f"b-{number:012x}", **changes)


@pytest.fixture
def book(tmp_path: Path) -> TurnBook:
    """An empty book."""
    return TurnBook(tmp_path / "runs")


def test_a_record_comes_back_as_it_was(book: TurnBook) -> None:
    """All of it, under its batch and profile and no other."""
    assert book.read(BATCH, PROFILE) is None
    assert book.records() == ()
    made = record(status="gave_up", message="The model said nothing, “really”.", keep=True)
    book.write(made)
    assert book.read(BATCH, PROFILE) == made
    assert book.read(BATCH, "agent/1") is None
    assert book.read("b-ffffffffffff", PROFILE) is None
    assert book.records() == (made,)


def test_a_later_record_takes_the_place_of_an_earlier_one(book: TurnBook) -> None:
    """One for each batch and profile."""
    book.write(record(status="unavailable"))
    book.write(record())
    book.write(record(profile="agent/1"))
    assert {one.profile: one.status for one in book.records()} == {PROFILE: ANSWERED, "agent/1": ANSWERED}


def test_a_record_is_its_owner_s_alone(book: TurnBook) -> None:
    """Nobody else may read it or its folder; nothing half written lies beside it."""
    path = book.write(record())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


def test_of_a_reply_nothing_but_digest_and_length_is_kept() -> None:
    """The reply is the transcript's own text."""
    _, call, *_ = record().written().splitlines()
    assert set(json.loads(call)) == {"type", "name", "arguments", "is_error", "reply_digest", "reply_length"}


TEXTS = st.text(st.characters(codec=None), max_size=20)


@given(name=TEXTS, arguments=TEXTS, message=TEXTS, seconds=st.floats(0, 1e9), keep=st.booleans())
def test_any_words_come_back(name: str, arguments: str, message: str, seconds: float, *, keep: bool) -> None:
    """Line ends of every kind, NUL, half a surrogate pair: whatever a caller can send."""
    made = record(calls=(called(name, arguments),), message=message, usage=Usage(seconds=seconds), keep=keep)
    assert read_record(made.written()) == made


def lines(change: Callable[[list[Any]], Any]) -> bytes:
    """The record's lines after a change."""
    read = [json.loads(line) for line in record().written().splitlines()]
    change(read)
    return "".join(json.dumps(line) + "\n" for line in read).encode()


DAMAGED: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"turn\n",
    "one line": b'{"type": "turn"}\n',
    "not text": b"\xff\xfe" + record().written(),
    "cut short": record().written()[:-2],
    "no end": b"".join(record().written().splitlines(keepends=True)[:-1]),
    "no head": b"".join(record().written().splitlines(keepends=True)[1:]),
    "a line of another file": record().written() + b"{}\n",
    "twice": record().written() * 2,
    "numbers for lines": b"1\n2\n",
    "deep nesting": b"[" * 100_000 + b"\n[]\n",
    "another format": lines(lambda read: read[0].update(format=2)),
    "another type": lines(lambda read: read[0].update(type="step")),
    "an unknown field": lines(lambda read: read[1].update(reply="the words")),
    "a missing field": lines(lambda read: read[0].pop("policy")),
    "a number as a batch": lines(lambda read: read[0].update(batch=7)),
    "no moment": lines(lambda read: read[0].update(moment="yesterday")),
    "a moment without zone": lines(lambda read: read[0].update(moment="2026-02-01T03:30:00")),
    "a guessable nonce": lines(lambda read: read[0].update(nonce="abc")),
    "one as a flag": lines(lambda read: read[0].update(keep=1)),
    "a text as a flag": lines(lambda read: read[1].update(is_error="no")),
    "a text as a length": lines(lambda read: read[1].update(reply_length="12")),
    "a length below nought": lines(lambda read: read[1].update(reply_length=-1)),
    "a call of another type": lines(lambda read: read[1].update(type="said")),
    "true as a count": lines(lambda read: read[-1]["usage"].update(calls=True)),
    "tokens below nought": lines(lambda read: read[-1]["usage"].update(input_tokens=-5)),
    "endless seconds": lines(lambda read: read[-1]["usage"].update(seconds=float("inf"))),
    "seconds that are no number": lines(lambda read: read[-1]["usage"].update(seconds=float("nan"))),
    "an unknown use": lines(lambda read: read[-1]["usage"].update(euros=1)),
    "no usage": lines(lambda read: read[-1].update(usage=None)),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_record_is_no_record(name: str, book: TurnBook) -> None:
    """It is neither read nor listed, and it goes with the next pruning, for it may hold somebody's words."""
    assert read_record(DAMAGED[name]) is None
    path = book.write(record())
    path.write_bytes(DAMAGED[name])
    assert book.read(BATCH, PROFILE) is None
    assert book.records() == ()
    assert book.prune(NOW, frozenset({NIGHT})) == 1
    assert not path.exists()


def test_a_record_in_another_s_place_is_not_believed(book: TurnBook) -> None:
    """Whoever moves files about gets no other batch's answer replayed."""
    place = book.write(record())
    place.write_bytes(other(1).written())
    assert book.read(BATCH, PROFILE) is None


@pytest.mark.parametrize("days", [0, TURN_DAYS])
def test_records_of_undecided_runs_and_of_none_stay_for_their_days(days: int, book: TurnBook) -> None:
    """A run whose proposals are all decided takes its record with it."""
    for number, run in enumerate((NIGHT, RunId(""), RunId("night-0"))):
        book.write(other(number, run_id=run))
    assert book.prune(NOW + timedelta(days=days), frozenset({NIGHT})) == 1
    assert {one.run_id for one in book.records()} == {NIGHT, ""}


@pytest.mark.parametrize(
    "away", [timedelta(days=TURN_DAYS, seconds=1), -timedelta(days=MOST_CLOCK_STEP_DAYS, seconds=1)]
)
def test_what_is_too_old_or_from_no_time_at_all_goes(away: timedelta, book: TurnBook) -> None:
    """Also where something is undecided, and where a wrong clock wrote it: it would never grow old."""
    book.write(other(1))
    book.write(other(2, run_id=RunId("")))
    assert book.prune(NOW + away, frozenset({NIGHT})) == 2
    assert book.records() == ()


def test_what_is_to_be_kept_stays(book: TurnBook) -> None:
    """The person asked for it."""
    book.write(record(keep=True))
    assert book.prune(NOW + timedelta(days=10 * TURN_DAYS), frozenset()) == 0
    assert len(book.records()) == 1


def test_there_may_be_no_folder_yet(book: TurnBook) -> None:
    """Nothing was recorded, nothing is to be removed."""
    assert book.prune(NOW, frozenset()) == 0
