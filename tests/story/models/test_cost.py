"""``slowwave cost``: every call with its reason, what is left, and nothing made by looking."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from made_nights import NOW, Place, fingerprint, large_session, write_all

from slowwave.desk.screens.cost import cost_lines
from slowwave.disk.config import ModelSettings
from slowwave.facts.limits import MOST_COST_CALLS
from slowwave.facts.usage import Usage
from slowwave.models.budget import Budget, Reservation
from slowwave.models.prices import Price

PRICE = Price(input=Decimal(1), output=Decimal(5), cache_read=Decimal("0.1"), cache_write=Decimal(1))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A home and a folder of transcripts."""
    made = Place(tmp_path)
    yield made
    made.close()


class Till:
    """Makes calls in the ledger of a place."""

    def __init__(self, place: Place) -> None:
        self.now = NOW
        self.requests = 0
        place.home.mkdir(exist_ok=True)
        self.budget = Budget(place.home / "budget.db", clock=lambda: self.now, zone=UTC, settings=ModelSettings())

    def reserve(self, consumer: str = "night", run: str = "night-1", model: str = "m-1") -> Reservation:
        """A call that is begun."""
        phase = "trace_consolidation" if consumer == "night" else ""
        purse = self.budget.purse(consumer, run_id=run, reason="batch b-1", phase=phase)
        self.requests += 1
        why = f"request {self.requests}"
        granted = purse.reserve(model=model, input_tokens=20_000, output_tokens=1_000, price=PRICE, reason=why)
        assert isinstance(granted, Reservation)
        return granted

    def call(self, consumer: str = "night", run: str = "night-1", model: str = "m-1") -> None:
        """A call that is over."""
        used = Usage(input_tokens=10_000, cache_read_tokens=4_000, output_tokens=500, seconds=1.5)
        self.budget.reconcile(self.reserve(consumer, run, model), used, status="answered")


def configure(place: Place, *, model: str = "claude-sonnet-5-5") -> None:
    """A model in the settings."""
    for name, value in (("provider", "anthropic"), ("model", model)):
        assert place.run("config", "set", f"models.{name}", value).status == 0


def text_of(place: Place, *words: str) -> str:
    """What a person sees."""
    told = place.run("cost").content
    lines = cost_lines(told, with_calls="--calls" in words, with_prices="--prices" in words)
    return "\n".join(line.plain if hasattr(line, "plain") else str((line.columns, line.rows)) for line in lines)


def test_without_a_home_it_says_so_and_makes_none(place: Place) -> None:
    """Nothing was asked, nothing is made, and that is no error."""
    ran = place.run("cost", "--days", "30", "--calls", "--prices")
    assert ran.status == 0, ran.err
    assert ran.content["everAsked"] is False
    assert ran.content["calls"] == []
    assert [pool["consumer"] for pool in ran.content["consumers"]] == ["night", "wake", "hygiene"]
    assert not place.home.exists()
    assert "No model was ever asked" in text_of(place)


def test_looking_makes_no_ledger(place: Place) -> None:
    """Neither ``cost`` nor the state screen nor the doctor makes ``budget.db``."""
    configure(place)
    for words in (("cost",), (), ("doctor",)):
        assert place.run(*words).status == 0
    assert not (place.home / "budget.db").exists()


def test_every_call_is_told_with_its_reason_and_summed_up(place: Place) -> None:
    """By day, phase, model and run; the newest call first."""
    till = Till(place)
    till.now = NOW - timedelta(days=1)
    till.call()
    till.now = NOW
    till.call(run="night-2")
    till.call("wake", run="task-1", model="m-2")
    told = place.run("cost").content
    newest = told["calls"][0]
    assert (newest["consumer"], newest["run"], newest["model"]) == ("wake", "task-1", "m-2")
    assert newest["reason"] == "batch b-1: request 3"
    assert newest["status"] == "answered"
    assert (newest["inputTokens"], newest["cacheReadTokens"], newest["outputTokens"]) == (10_000, 4_000, 500)
    assert newest["usd"] == pytest.approx(0.0089)
    assert newest["seconds"] == 1.5
    assert told["moreCalls"] == 0
    shown = text_of(place, "--calls")
    assert all(f"batch b-1: request {number}" in shown for number in (1, 2, 3))
    assert "batch b-1" not in text_of(place)
    assert [(row["day"], row["calls"]) for row in told["byDay"]] == [("2026-02-01", 2), ("2026-01-31", 1)]
    phases = {(row["consumer"], row["phase"], row["calls"]) for row in told["byPhase"]}
    assert phases == {("night", "trace_consolidation", 2), ("wake", "wake", 1)}
    assert {(row["model"], row["calls"]) for row in told["byModel"]} == {("m-1", 2), ("m-2", 1)}
    assert {(row["run"], row["calls"]) for row in told["byRun"]} == {("night-1", 1), ("night-2", 1), ("task-1", 1)}
    for group in ("byDay", "byPhase", "byModel", "byRun"):
        assert sum(row["usd"] for row in told[group]) == pytest.approx(told["total"]["usd"])
    assert told["total"]["tokens"] == 31_500
    only = place.run("cost", "--days", "1").content
    assert only["total"]["calls"] == 2


def test_what_is_left_is_told_for_each_consumer_and_for_all(place: Place) -> None:
    """A call that goes on counts in full; the day opens again at local midnight."""
    till = Till(place)
    till.call()
    till.reserve()
    told = place.run("cost").content
    night = told["consumers"][0]
    assert night["left"]["calls"] == night["caps"]["calls"] - 2
    assert night["left"]["tokens"] == night["caps"]["tokens"] - 10_500 - 21_000
    assert night["spent"]["usd"] == pytest.approx(0.0089 + 0.025)
    assert told["money"] == {"cap": 2.0, "spent": pytest.approx(0.0339), "left": pytest.approx(1.9661)}
    assert told["consumers"][1]["left"]["usd"] == pytest.approx(1.9661)
    assert told["calls"][0]["status"] == "reserved"
    assert "its process died" in text_of(place, "--calls")


def test_the_day_is_the_one_of_the_persons_zone(place: Place) -> None:
    """At half past three in UTC it is still yesterday in Los Angeles."""
    assert place.run("config", "set", "wake.timezone", "America/Los_Angeles").status == 0
    told = place.run("cost").content
    assert told["today"] == "2026-01-31"
    assert told["opensAgain"] == "2026-02-01T00:00-08:00"


def test_prices_are_told_with_their_date(place: Place) -> None:
    """Of the configured model; unknown is said plainly, with what to do."""
    assert "No model is configured" in text_of(place, "--prices")
    configure(place)
    told = place.run("cost").content
    assert told["prices"]["asOf"] == "2026-11-30"
    assert told["prices"]["price"]["input"] == 2.0
    assert "2 sent, 10 answered" in text_of(place, "--prices")
    configure(place, model="unheard-of")
    assert place.run("cost").content["prices"]["price"] is None
    assert "models.input_price" in text_of(place, "--prices")


def test_more_calls_than_one_answer_holds_are_counted(place: Place) -> None:
    """The answer is bounded and says how many more there are."""
    till = Till(place)
    row = till.reserve().id
    with till.budget.ledger.step() as sql:
        sql.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
            " INSERT INTO calls SELECT i + 10, day, moment, consumer, phase, run_id, reason, model, status, 1, 0, 0, 0,"
            " 1, 1, 1, 1 FROM calls, n WHERE id = ?",
            (MOST_COST_CALLS + 4, row),
        )
    told = place.run("cost").content
    assert len(told["calls"]) == MOST_COST_CALLS
    assert told["moreCalls"] == 5
    assert told["total"]["calls"] == MOST_COST_CALLS + 5


@pytest.mark.parametrize("days", ["0", "-3", "401"])
def test_days_that_nobody_keeps_are_refused(place: Place, days: str) -> None:
    """A usage error, with the bound."""
    ran = place.run("cost", "--days", days)
    assert (ran.status, ran.code) == (2, "usage")


def test_a_home_that_may_only_be_read_is_told_of(place: Place) -> None:
    """Looking changes not one byte."""
    Till(place).call()
    assert place.run("config", "set", "models.stream", "true").status == 0
    before = fingerprint(place.home)
    for path in (place.home, *place.home.iterdir()):
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        ran = place.run("cost", "--calls")
    finally:
        for path in (place.home, *place.home.iterdir()):
            path.chmod(0o700 if path.is_dir() else 0o600)
    assert ran.status == 0, ran.err
    assert ran.content["total"]["calls"] == 1
    assert fingerprint(place.home) == before


def test_a_damaged_ledger_is_said_by_all_who_look(place: Place) -> None:
    """``cost`` fails with its code, the state screen shows a line, the doctor finds damage; nothing is written."""
    configure(place)
    ledger = place.home / "budget.db"
    ledger.write_bytes(b"no database at all, " * 60)
    ran = place.run("cost")
    assert (ran.status, ran.code) == (1, "budget_unreadable")
    state = place.run()
    assert state.status == 0
    assert "nothing is asked" in state.content["budget"]["unreadable"]
    doctor = place.run("doctor")
    assert doctor.status == 4
    assert "budget_damaged" in {finding["code"] for finding in doctor.content["findings"]}
    assert ledger.read_bytes() == b"no database at all, " * 60


def test_the_state_screen_has_one_line_of_the_budget(place: Place) -> None:
    """Only where a model is configured."""
    till = Till(place)
    till.call()
    assert place.run().content["budget"] is None
    configure(place)
    budget = place.run().content["budget"]
    assert budget["calls"] == 1
    assert budget["usd"] == pytest.approx(0.0089)
    assert budget["left"]["calls"] == 399
    doctor = place.run("doctor")
    assert "budget" in {finding["code"] for finding in doctor.content["findings"]}


def test_a_moment_far_in_the_future_is_another_day(place: Place) -> None:
    """``--at`` is the present; what was spent long ago is not of it."""
    Till(place).call()
    ran = place.run("cost", "--at", datetime(2027, 1, 1, tzinfo=UTC).isoformat())
    assert ran.content["total"]["calls"] == 0
    assert ran.content["everAsked"] is True


@pytest.mark.parametrize("code", ["budget_unreadable", "newer_format"])
def test_a_closed_ledger_costs_a_night_its_model_and_nothing_else(place: Place, code: str) -> None:
    """Nobody is asked, nothing is marked, the file is left alone, the night goes on; put aside, one begins anew."""
    write_all(place.transcripts, [large_session(1), large_session(2)])
    place.house.initialise(transcripts=(place.transcripts,))
    token = place.house.renew_token()
    ledger = place.home / "budget.db"
    if code == "newer_format":
        Till(place).budget.ledger.connection.execute("PRAGMA user_version = 99")
    else:
        ledger.write_bytes(b"no ledger at all " * 500)
    before = ledger.read_bytes()
    place.close()
    configure(place)
    assert place.run("consent", "give", "--yes-i-am-a-person", token).status == 0
    ran = place.run("sleep", "--engine", "model")
    assert ran.status == 0, ran.err
    phases = {phase["name"]: phase for phase in ran.content["phases"]}
    assert phases["trace_consolidation"]["status"] == "degraded"
    assert {refusal["code"] for refusal in phases["trace_consolidation"]["refusals"]} == {code}
    assert phases["report"]["status"] == "done"
    assert ledger.read_bytes() == before
    assert place.house.describe()["waiting"] == 2
    ledger.unlink()
    assert place.run("cost").content["everAsked"] is False
