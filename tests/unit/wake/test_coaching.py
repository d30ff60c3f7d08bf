"""Coaching: a pair of trait and goal is looked at once, until one of them changes; everything else is left alone."""

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

import pytest

from slowwave.disk.places import Places
from slowwave.facts.capture import Capture, FileClass, FollowUp
from slowwave.facts.limits import TRAITS_A_REFRESH
from slowwave.facts.refusal import UsageError
from slowwave.wake.coaching import nudges, pending, refresh
from slowwave.wake.goals import add_goal, finish_goal, read_goals
from slowwave.wake.judging import Goal, Judged, Relevance, Waits
from slowwave.wake.observations import NewTrait, Observations

NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


class Listening:
    """A judge that finds a trait relevant where it shares a word with the goal's title, and remembers what it heard."""

    name = "model test:one"

    def __init__(self, most: int = 1_000) -> None:
        self.heard: list[tuple[str, tuple[str, ...]]] = []
        self.most = most

    def relevance(self, observation: str, goals: Sequence[Goal]) -> tuple[Relevance, ...] | Waits:
        """One row a goal."""
        if len(self.heard) >= self.most:
            return Waits(code="budget_spent", message="the calls of wake are used")
        self.heard.append((observation, tuple(goal.id for goal in goals)))
        words = set(observation.lower().split())
        return tuple(
            Relevance(
                goal_id=goal.id,
                is_relevant=bool(words & set(goal.title.lower().split())),
                score=0.75,
                reason="they share a word",
                decided_by=self.name,
            )
            for goal in goals
        )

    def file_this(self, capture: Capture) -> Judged[FileClass] | Waits:
        """Not asked here."""
        raise AssertionError(capture)

    def durable(self, capture: Capture) -> Judged[bool] | Waits:
        """Not asked here."""
        raise AssertionError(capture)

    def follow_up(self, capture: Capture) -> Judged[FollowUp] | Waits:
        """Not asked here."""
        raise AssertionError(capture)

    def summarise(self, text: str) -> Judged[str] | Waits:
        """Not asked here."""
        raise AssertionError(text)


def free(command: str) -> AbstractContextManager[object]:
    """Nobody else writes here."""
    return nullcontext(command)


class Day:
    """Places with two goals and two traits."""

    def __init__(self, tmp_path: Path) -> None:
        self.places = Places(tmp_path / "data")
        self.observations = Observations(self.places, free, lambda: NOW)
        self.goal("Run a marathon")
        self.goal("Learn Spanish")
        self.trait("run early", "c-1")
        self.trait("learn slowly", "c-2")

    def goal(self, title: str) -> Goal:
        """Begin a goal."""
        return add_goal(self.places, free, lambda: NOW, title=title, description="")

    def trait(self, text: str, capture: str) -> None:
        """Add a trait."""
        self.observations.add([NewTrait(capture_id=capture, ts=NOW, text=text)])

    def refresh(self, judge: Listening) -> dict[str, int]:
        """Refresh, and what it counted."""
        return dict(refresh(self.places, free, lambda: NOW, observations=self.observations, judge=judge).counts)


def test_every_pair_is_looked_at_once(tmp_path: Path) -> None:
    """A second refresh asks nobody and writes nothing."""
    day, judge = Day(tmp_path), Listening()
    assert pending(day.places, day.observations) == 2
    assert day.refresh(judge) == {"examined": 4, "relevant": 2, "waiting": 0, "removedGoals": 0}
    assert judge.heard == [
        ("run early", ("learn-spanish", "run-a-marathon")),
        ("learn slowly", ("learn-spanish", "run-a-marathon")),
    ]
    written = day.places.coaching_map.stat().st_mtime_ns
    assert day.refresh(judge) == {"examined": 0, "relevant": 0, "waiting": 0, "removedGoals": 0}
    assert (len(judge.heard), day.places.coaching_map.stat().st_mtime_ns) == (2, written)


def test_the_map_explains_itself(tmp_path: Path) -> None:
    """Reason, score, who decided, and when; and what was held against which revision."""
    day = Day(tmp_path)
    day.refresh(Listening())
    tree = json.loads(day.places.coaching_map.read_text("utf-8"))
    assert tree["goals"]["run-a-marathon"]["observations"] == [
        {
            "trait_id": "c-1",
            "obs": "run early",
            "reason": "they share a word",
            "score": 0.75,
            "decided_by": "model test:one",
            "moment": "2026-11-02T09:00:00Z",
            "ts": NOW.isoformat(),
        }
    ]
    assert set(tree["examined"]["run-a-marathon"]["observations"]) == {"c-1", "c-2"}
    assert tree["examined"]["run-a-marathon"]["revision"] == read_goals(day.places).goals[1].revision


def test_only_what_changed_is_looked_at_again(tmp_path: Path) -> None:
    """A changed goal alone, an edited trait alone, a new trait alone."""
    day, judge = Day(tmp_path), Listening()
    day.refresh(judge)
    path = day.places.goals / "learn-spanish.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"title": "Learn to run"}), encoding="utf-8")
    judge.heard.clear()
    day.refresh(judge)
    assert judge.heard == [("run early", ("learn-spanish",)), ("learn slowly", ("learn-spanish",))]
    judge.heard.clear()
    day.observations.edit("c-2", "sleep long")
    day.trait("run at noon", "c-3")
    day.refresh(judge)
    assert [observation for observation, _ in judge.heard] == ["sleep long", "run at noon"]
    assert {nudge.goal_id: [row.trait_id for row in nudge.traits] for nudge in nudges(day.places)} == {
        "learn-spanish": ["c-1", "c-3"],
        "run-a-marathon": ["c-1", "c-3"],
    }


def test_what_is_gone_leaves_the_map(tmp_path: Path) -> None:
    """A reached goal and a dropped trait; the goal's file is kept under done."""
    day, judge = Day(tmp_path), Listening()
    day.refresh(judge)
    finish_goal(day.places, free, lambda: NOW, "learn-spanish")
    day.observations.drop("c-1")
    assert day.refresh(judge)["removedGoals"] == 1
    tree = json.loads(day.places.coaching_map.read_text("utf-8"))
    assert tree["goals"] == {"run-a-marathon": {"title": "Run a marathon", "observations": []}}
    assert set(tree["examined"]["run-a-marathon"]["observations"]) == {"c-2"}
    assert (day.places.goals.parent / "done" / "learn-spanish.json").exists()
    assert nudges(day.places) == ()


def test_a_spent_budget_leaves_the_rest_waiting(tmp_path: Path) -> None:
    """What was answered is kept; the next refresh goes on there."""
    day = Day(tmp_path)
    first = refresh(day.places, free, lambda: NOW, observations=day.observations, judge=Listening(most=1))
    assert (first.waiting, first.reason) == (1, "the calls of wake are used")
    judge = Listening()
    day.refresh(judge)
    assert [observation for observation, _ in judge.heard] == ["learn slowly"]


def test_a_refresh_is_bounded(tmp_path: Path) -> None:
    """More traits than one refresh takes wait for the next."""
    day, judge = Day(tmp_path), Listening()
    many = [NewTrait(capture_id=f"m-{n}", ts=NOW, text=f"trait {n}") for n in range(TRAITS_A_REFRESH)]
    day.observations.add(many)
    assert day.refresh(judge)["waiting"] == 2
    assert day.refresh(judge)["waiting"] == 0


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"goals": 3}', b'{"goals": {"a": {}}}', b"\xff"])
def test_a_damaged_map_is_kept_aside_and_made_anew(tmp_path: Path, content: bytes) -> None:
    """Everything is looked at again; nothing is lost."""
    day, judge = Day(tmp_path), Listening()
    day.places.coaching_map.parent.mkdir(parents=True)
    day.places.coaching_map.write_bytes(content)
    assert day.refresh(judge)["examined"] == 4
    kept = day.places.coaching_map.with_name("goal-identity-map.json.corrupt-20261102T090000Z")
    assert kept.read_bytes() == content


def test_keys_of_others_stay_in_the_map(tmp_path: Path) -> None:
    """What somebody else wrote beside ours is carried along."""
    day = Day(tmp_path)
    day.places.coaching_map.parent.mkdir(parents=True)
    day.places.coaching_map.write_text('{"note": "mine"}', encoding="utf-8")
    day.refresh(Listening())
    assert json.loads(day.places.coaching_map.read_text("utf-8"))["note"] == "mine"


def test_files_that_are_no_goals_are_told(tmp_path: Path) -> None:
    """Damaged, empty, not an object, a second with the same id, a link."""
    day = Day(tmp_path)
    for name, content in {"a": "{", "b": "[]", "c": "{}", "d": '{"id": "run-a-marathon", "title": "x"}'}.items():
        (day.places.goals / f"{name}.json").write_text(content, encoding="utf-8")
    (day.places.goals / "e.json").symlink_to(day.places.goals / "run-a-marathon.json")
    read = read_goals(day.places)
    assert sorted(fault.file for fault in read.faults) == [
        "a.json",
        "b.json",
        "c.json",
        "e.json",
        "run-a-marathon.json",
    ]
    assert len(read.goals) == 2


def test_a_goal_needs_a_title_of_its_own(tmp_path: Path) -> None:
    """An empty one and one that stands are refused; one without latin letters gets a name all the same."""
    day = Day(tmp_path)
    for title in ("  ", "run a MARATHON"):
        with pytest.raises(UsageError):
            day.goal(title)
    assert day.goal("日本語を学ぶ").id.startswith("goal-")
    with pytest.raises(UsageError):
        finish_goal(day.places, free, lambda: NOW, "nobody")
