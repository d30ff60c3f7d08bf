"""The built-in judge: the same words get the same answer, and hard cases get the right one."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from slowwave.facts.capture import Capture, FileClass, FollowUp, Section, Tag
from slowwave.facts.limits import MOST_SUMMARY_CHARACTERS, REASON_CHARACTERS
from slowwave.facts.text import has_unsafe
from slowwave.wake.classifying import Classified, classify
from slowwave.wake.judging import RULES, Goal, Judged
from slowwave.wake.rules.judge import RulesJudge
from slowwave.wake.rules.relevance import bearing, stem
from slowwave.wake.rules.summary import summarise

SAID = datetime(2026, 5, 4, 9, tzinfo=UTC)
JUDGE = RulesJudge()


def said(tag: Tag, text: str) -> Capture:
    """A capture."""
    return Capture(id="c", ts=SAID, tag=tag, text=text, source="made")


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Dentist tomorrow at nine", FileClass.SCHEDULE),
        ("Went to the dentist yesterday", FileClass.EVENT),
        ("Tom is allergic to cats", FileClass.PEOPLE),
        ("My headache is back", FileClass.HEALTH),
        ("We decided to rewrite the importer", FileClass.DECISION),
        ("The importer fails on large files", FileClass.PROJECT),
        ("I prefer green tea", FileClass.PREFERENCE),
        ("Morgen um neun Zahnarzt", FileClass.SCHEDULE),
        ("Hemos decidido cambiar de proveedor", FileClass.DECISION),
    ],
)
def test_what_a_note_is_about(text: str, about: FileClass) -> None:
    """Who does what when decides, not one word."""
    found = JUDGE.file_this(said(Tag.FILE_THIS, text))
    assert (found.value, found.decided_by) == (about, RULES)
    assert found.reason
    assert found.score is not None
    assert 0 < found.score <= 1


@pytest.mark.parametrize(
    ("text", "is_trait"),
    [
        ("I am a patient person", True),
        ("I am always patient with children", True),
        ("I am impatient today", False),
        ("Tom is a patient person", False),
        ("My wife says I am patient", False),
        ("Am I a patient person?", False),
        ("The user is a patient person", False),
        ("I used to be shy as a child", False),
        ("Ich trinke nie Kaffee", True),
        ("Hoy estoy cansada", False),
    ],
)
def test_a_trait_is_asserted_by_its_writer_and_lasts(text: str, is_trait: bool) -> None:
    """Now, once, others and questions are none."""
    assert JUDGE.durable(said(Tag.OBSERVATION, text)).value is is_trait


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Remind me on Friday to call Anna", FollowUp.REMINDER),
        ("Water the flowers on Sunday", FollowUp.REMINDER),
        ("I promised Anna to call on Friday", FollowUp.COMMITMENT),
        ("I owe Tom a beer", FollowUp.COMMITMENT),
        ("Tom promised to call me on Friday", FollowUp.NOTE),
        ("Look into better bike lights some day", FollowUp.NOTE),
    ],
)
def test_what_a_follow_up_asks_for(text: str, kind: FollowUp) -> None:
    """Owed by the writer, wanted at a time, or neither."""
    assert JUDGE.follow_up(said(Tag.FOLLOW_UP, text)).value is kind


@pytest.mark.parametrize(
    "text",
    ["?", "\N{SNOWMAN}" * 10, "\x1b[31mred", "\ud800", "x" * 500_000, "1" * 50_000, "a " * 100_000, "昨日、会議"],
)
def test_any_text_is_judged(text: str) -> None:
    """Nothing is raised, and what is kept is bounded and harmless."""
    for tag in (Tag.FILE_THIS, Tag.OBSERVATION, Tag.FOLLOW_UP):
        found = classify(said(tag, text), JUDGE, zone=UTC)
        assert isinstance(found, Classified)
        assert isinstance(found.judged, Judged)
        assert len(found.judged.reason) <= REASON_CHARACTERS
        assert not has_unsafe(found.reason)
    assert not has_unsafe(summarise(text))


def test_where_each_kind_goes() -> None:
    """A reminder without a time is a note, with the reason; a commitment keeps its day."""
    found = classify(said(Tag.FOLLOW_UP, "Remind me to buy a lamp"), JUDGE, zone=UTC)
    assert isinstance(found, Classified)
    assert (found.kind, found.due, found.due_reason) == (FollowUp.NOTE, None, "no_time")
    assert found.destination is not None
    assert found.destination.section is Section.FOLLOW_UPS
    owed = classify(said(Tag.FOLLOW_UP, "I promised Anna the slides by Friday"), JUDGE, zone=UTC)
    assert isinstance(owed, Classified)
    assert owed.kind is FollowUp.COMMITMENT
    assert owed.due is not None
    assert owed.due.date().isoformat() == "2026-05-08"


def test_a_trait_bears_on_a_goal_that_shares_its_words() -> None:
    """Folded to stems, with the shared word as the reason; a theme alone decides nothing."""
    run = Goal(id="run", title="Run a marathon", description="Train four times a week, sleep enough", revision="1")
    cook = Goal(id="cook", title="Learn to cook", description="One new dish a week", revision="1")
    rows = JUDGE.relevance("I enjoy running alone", (run, cook))
    assert [(one.goal_id, one.is_relevant) for one in rows] == [("run", True), ("cook", False)]
    assert "run" in rows[0].reason
    assert rows[1].reason == "they share no word"
    assert bearing("I get migraines", run).is_relevant is False
    assert stem("running") == stem("runs") == stem("run")


DAY = """# Monday
## Running Summary
Old words that must not come back.
## Events
- 09:10 Budget meeting with the bank <!-- a1 -->
- 10:00 The bank wants a second budget <!-- a2 -->
## Decisions
- 11:00 We take the smaller budget <!-- a3 -->
## Follow-ups
- 12:00 Send the bank the figures <!-- a4 -->
- [x] 12:05 Something done
"""


def test_a_day_is_summed_up_in_its_own_lines() -> None:
    """Events, decisions, what is open, the theme; no ids, no hours, nothing done, no former summary."""
    assert summarise(DAY) == (
        "Key events: Budget meeting with the bank; The bank wants a second budget. "
        "Decisions: We take the smaller budget. Open items: Send the bank the figures. "
        "Theme of the day: budget, bank."
    )
    assert summarise("## Events\n\n") == ""
    long = "## Notes\n" + "".join(f"- 09:00 word{n} and much more {'x' * 500}\n" for n in range(500))
    assert len(summarise(long)) <= MOST_SUMMARY_CHARACTERS
    assert "(and 497 more)" in summarise(long)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The user prefers short answers without preamble", True),
        ("User dislikes long meetings", True),
        ("The user\u2019s values have always included honesty", True),
        ("The user is at the airport right now", False),
        ("Anna prefers tea", False),
    ],
)
def test_an_agent_speaks_of_its_user_as_they_would_of_themselves(text: str, *, expected: bool) -> None:
    """Its notes are about the person; a person who speaks of a user speaks of somebody else."""
    one = said(Tag.OBSERVATION, text)
    assert JUDGE.durable(replace(one, speaker="agent")).value is expected
    assert not JUDGE.durable(replace(one, speaker="user")).value
