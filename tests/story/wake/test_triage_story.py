"""Triage over a real home: every tag to its place, fifty a run, rejects kept, crashes and lost books without a loss."""

import json
import shutil
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from made_days import NOON, Day, capture, mixed

from slowwave.facts.capture import Capture, FileClass, FollowUp, Tag
from slowwave.facts.limits import CAPTURES_A_TICK
from slowwave.wake.judging import Goal, Judged, Relevance, Waits
from slowwave.wake.rules.judge import RulesJudge


@pytest.fixture
def day(tmp_path: Path) -> Day:
    """A home at noon."""
    return Day.at(tmp_path)


def counts(tick: object, name: str = "capture_triage") -> dict[str, int]:
    """What a sub-task counted."""
    assert isinstance(tick, dict)
    return next(dict(row["counts"]) for row in tick["subTasks"] if row["name"] == name)


def test_each_tag_lands_where_the_seed_wants_it(day: Day) -> None:
    """And the state says how far it went, in the seed's words."""
    day.put(
        [
            capture("f-1", Tag.FILE_THIS, "We decided to keep the old parser"),
            capture("o-1", Tag.OBSERVATION, "I have always been an early riser"),
            capture("o-2", Tag.OBSERVATION, "I am at the airport right now"),
            capture("u-1", Tag.FOLLOW_UP, "remind me in two hours to call the bank"),
            capture("u-2", Tag.FOLLOW_UP, "I promised Bob the report by Friday"),
            capture("n-1", Tag.NOTE_TO_SELF, "the lamp flickers"),
            capture("a-1", Tag.ASK_NEXT_SESSION, "does the cache expire?"),
        ]
    )
    tick = day.tick()
    places = day.home.day
    page = places.daily.read_text("utf-8")
    assert "## Decisions\n\n- 12:00 We decided to keep the old parser <!-- f-1 -->" in page
    assert "## Session Notes\n\n- 12:00 the lamp flickers <!-- n-1 -->" in page
    assert [json.loads(row)["capture_id"] for row in places.observations.read_text("utf-8").splitlines()] == ["o-1"]
    refused = json.loads(places.refused_observations.read_text("utf-8"))
    assert (refused["capture_id"], refused["decided_by"]) == ("o-2", "rules")
    assert day.reminders() == ["u-1"]
    owed = json.loads(places.commitments.read_bytes())
    assert [(row["capture_id"], row["status"]) for row in owed] == [("u-2", "pending")]
    assert set(day.landed()) == {"f-1", "o-1", "o-2", "u-1", "u-2", "n-1"}
    state = day.state()
    assert state["last_triage"] == {
        "file": "2026-03-03.jsonl",
        "offset": 7,
        "ts": "2026-03-03T12:00:00+00:00",
    }
    assert state["stats"] == {
        "captures_triaged": 7,
        "observations_added": 1,
        "commitments_extracted": 1,
        "reminders_created": 1,
        "coaching_refreshes": 0,
    }
    assert counts(tick)["captures_triaged"] == 7


def test_fifty_are_taken_a_run_and_the_rest_waits(day: Day) -> None:
    """Rejects and duplicates do not count among them."""
    day.put([mixed(n) for n in range(120)])
    day.put([b"no json\n", b"\n", mixed(3)])
    seen = []
    for _ in range(3):
        seen.append(counts(day.tick())["captures_triaged"])
        day.now += timedelta(seconds=300)
    assert seen == [50, 50, 20]
    assert CAPTURES_A_TICK == 50
    landed = day.landed()
    assert set(landed.values()) == {1}
    assert len(day.known()) == 120


def test_lines_that_are_no_captures_are_kept_with_reasons_and_stop_nothing(day: Day) -> None:
    """Each once, also where the file is read again; blank ones are counted alone."""
    day.put(
        [
            b"not json\n",
            b"[1]\n",
            b"\n",
            b'{"tag": "file-this", "text": "no moment"}\n',
            b'{"tag": "diary", "text": "x", "ts": "2026-03-03T12:00:00+00:00"}\n',
            b"x" * 1_100_000 + b"\n",
            json.dumps(capture("d-1").decode().strip()).encode() + b"\n",
        ]
    )
    tick = day.tick()
    assert counts(tick) == {"rejected": 5, "blank": 1, "captures_triaged": 1}
    rows = [json.loads(row) for row in day.home.day.rejected.read_text("utf-8").splitlines()]
    assert [(row["line"], row["reason"]) for row in rows] == [
        (1, "malformed"),
        (2, "non_object"),
        (4, "invalid"),
        (5, "invalid"),
        (6, "too_long"),
    ]
    assert all(set(row) == {"file", "line", "reason", "sha256", "head"} for row in rows)
    assert all(len(row["head"]) <= 200 for row in rows)
    day.home.day.loop_state.unlink()
    day.tick()
    assert len(day.home.day.rejected.read_text("utf-8").splitlines()) == 5
    assert day.landed() == Counter({"d-1": 1})


def test_missed_days_are_made_up_oldest_first(day: Day) -> None:
    """Files that nobody read are read in the order of their days; a backfilled line bears its date."""
    for back in (3, 1, 2):
        moment = NOON - timedelta(days=back)
        day.put([capture(f"b-{back}", ts=moment)], day=moment.date().isoformat())
    day.put([capture("b-0")])
    day.tick()
    page = day.home.day.daily.read_text("utf-8")
    order = [page.index(f"<!-- b-{n} -->") for n in (3, 2, 1, 0)]
    assert order == sorted(order)
    assert "(2026-02-28)" in page
    assert day.state()["last_triage"]["file"] == "2026-03-03.jsonl"


def test_a_lost_state_or_a_lost_book_doubles_nothing(day: Day) -> None:
    """All files are read again; destinations and book know what they hold. The counters go on."""
    day.put([mixed(n) for n in range(40)])
    day.tick()
    before = day.landed()
    day.home.day.loop_state.write_bytes(b"{ damaged")
    tick = day.tick()
    assert counts(tick)["duplicates"] == 40
    assert day.landed() == before
    assert day.state()["stats"]["captures_triaged"] == 40
    assert tick["warnings"]
    reminders = len(day.reminders())
    day.home.wake_db.unlink()
    day.home.day.loop_state.unlink()
    day.now += timedelta(minutes=5)
    day.tick()
    assert day.landed() == before
    assert len(day.reminders()) == reminders


def test_an_unread_capture_that_is_late_becomes_a_reminder_at_once(day: Day) -> None:
    """Due before it was triaged: said to be late, not dropped."""
    day.put([capture("l-1", Tag.FOLLOW_UP, "remind me in two hours to call Anna", ts=NOON - timedelta(hours=5))])
    day.tick()
    assert day.reminders() == ["l-1"]
    assert day._column("SELECT is_late FROM reminders") == ["1"]


class Bounded:
    """A judge with a budget of so many answers, that counts them as a model would."""

    name = "model test:one"

    def __init__(self, most: int) -> None:
        self.rules = RulesJudge()
        self.most = most
        self.asked: list[str] = []

    def _spent(self, capture: Capture) -> Waits | None:
        if len(self.asked) >= self.most:
            return Waits(code="budget_spent", message="the calls of wake are used")
        self.asked.append(capture.id)
        return None

    def file_this(self, capture: Capture) -> Judged[FileClass] | Waits:
        """As the rules, while the budget lasts."""
        return self._spent(capture) or self.rules.file_this(capture)

    def durable(self, capture: Capture) -> Judged[bool] | Waits:
        """As the rules, while the budget lasts."""
        return self._spent(capture) or self.rules.durable(capture)

    def follow_up(self, capture: Capture) -> Judged[FollowUp] | Waits:
        """As the rules, while the budget lasts."""
        return self._spent(capture) or self.rules.follow_up(capture)

    def relevance(self, observation: str, goals: Sequence[Goal]) -> tuple[Relevance, ...] | Waits:
        """As the rules."""
        return self.rules.relevance(observation, goals)

    def summarise(self, text: str) -> Judged[str] | Waits:
        """As the rules."""
        return self.rules.summarise(text)


def test_a_spent_budget_lets_pass_what_needs_nobody_and_keeps_the_rest_in_order(day: Day) -> None:
    """What waited is taken first when a new day opens."""
    day.put([mixed(n) for n in range(25)])
    judge = Bounded(4)
    tick = day.tick(engine=judge)
    assert counts(tick)["waiting"] == 11
    assert judge.asked == ["m-0", "m-1", "m-2", "m-5"]
    notes = {f"m-{n}" for n in range(25) if n % 5 == 3}
    assert notes <= set(day.landed())
    day.put([mixed(n) for n in range(25, 30)])
    day.now += timedelta(days=1)
    judge = Bounded(100)
    day.tick(engine=judge)
    assert judge.asked[:3] == ["m-6", "m-7", "m-10"]
    assert len(judge.asked) == 11 + 3
    assert set(day.landed().values()) == {1}
    assert len(day.known()) == 30


def test_an_answer_that_was_paid_for_is_not_asked_for_twice(day: Day, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash in mid-run keeps what was answered; the next run carries it out and asks only the rest."""
    day.put([mixed(n) for n in range(10)])

    class Dying(Bounded):
        def follow_up(self, capture: Capture) -> Judged[FollowUp] | Waits:
            if len(self.asked) >= 4:
                raise KeyboardInterrupt
            return super().follow_up(capture)

    paid = RulesJudge.file_this

    def by_model(self: RulesJudge, one: Capture) -> Judged[FileClass]:
        found = paid(self, one)
        return Judged(value=found.value, decided_by="model test:one", reason=found.reason)

    monkeypatch.setattr(RulesJudge, "file_this", by_model)
    with pytest.raises(KeyboardInterrupt):
        day.tick(engine=Dying(100))
    assert [name for name, status in day.known().items() if status == "decided"] == ["m-0", "m-5"]
    judge = Bounded(100)
    day.tick(engine=judge)
    assert "m-0" not in judge.asked
    assert "m-5" not in judge.asked
    assert set(day.landed().values()) == {1}


def test_the_seeds_own_state_goes_on_where_it_stood(day: Day) -> None:
    """Three lines are read, the fourth is new; earlier files stay as they are; counters go on from the seed's."""
    day.put([capture(f"s-{n}") for n in range(4)])
    day.put([capture("old")], day="2026-03-01")
    places = day.home.day
    places.loop_state.parent.mkdir(parents=True)
    seed = {
        "version": 1,
        "last_triage": {"file": "2026-03-03.jsonl", "offset": 3, "ts": "2026-03-03T11:00:00+00:00"},
        "stats": {"captures_triaged": 227, "observations_added": 16},
    }
    places.loop_state.write_text(json.dumps(seed), encoding="utf-8")
    day.tick()
    assert day.landed() == Counter({"s-3": 1})
    assert day.state()["stats"]["captures_triaged"] == 228


def test_a_copy_of_a_home_goes_on_alone(day: Day, tmp_path: Path) -> None:
    """Nothing in the state says where the home lies."""
    day.put([mixed(n) for n in range(5)])
    day.tick()
    shutil.copytree(day.home.root, tmp_path / "copy")
    copy = Day(type(day.home)(tmp_path / "copy"), datetime(2026, 3, 3, 13, 0, tzinfo=UTC))
    copy.put([mixed(n) for n in range(5, 7)])
    assert counts(copy.tick())["captures_triaged"] == 2
