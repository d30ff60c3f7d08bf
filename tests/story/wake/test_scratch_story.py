"""A day on the page: captures land once, people's words stay, the summary is renewed, the night puts the page away."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from made_scratch import Desk, SayingJudge

from slowwave.facts.capture import Section
from slowwave.facts.refusal import UsageError
from slowwave.wake.scratch.days import day_of
from slowwave.wake.scratch.entry import ids_in
from slowwave.wake.scratch.pad import Outcome
from slowwave.wake.scratch.page import body_of, headings_of, lines_of


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A scratch of this test's own, on a Tuesday at 13:00 in Berlin."""
    return Desk(tmp_path)


def summary_of(desk: Desk) -> str:
    """The running summary on the page."""
    return body_of(lines_of(desk.page), Section.RUNNING_SUMMARY).decode()


def files(desk: Desk) -> list[str]:
    """What lies in the scratch, forerunners of pages left out."""
    scratch = desk.places.daily.parent
    names = (path.relative_to(scratch).as_posix() for path in scratch.rglob("*") if path.is_file())
    return sorted(name for name in names if ".before-" not in name)


def test_entries_land_in_their_sections_once(desk: Desk) -> None:
    """In the order they came; a second time nothing happens."""
    entries = [
        desk.entry("e1", "Lunch with Ann", section=Section.EVENTS),
        desk.entry("s1", section=Section.SESSION_NOTES),
        desk.entry("e2", "Dentist", section=Section.EVENTS),
        desk.entry("e1", "a later capture of the same id", section=Section.NOTES),
    ]
    assert desk.scratch.add(entries) == ("e1", "s1", "e2")
    before = desk.page
    assert desk.scratch.add(entries) == ()
    assert desk.page == before
    assert "## Events\n\n- 13:00 Lunch with Ann <!-- e1 -->\n- 13:00 Dentist <!-- e2 -->\n\n## Decisions\n" in desk.text
    assert desk.text.endswith("## Session Notes\n\n- 13:00 words of s1 <!-- s1 -->\n")
    assert [head.title for head in headings_of(lines_of(desk.page))] == [section.value for section in Section]
    assert desk.scratch.ids() == {"e1", "e2", "s1"}
    assert desk.places.daily.stat().st_mode & 0o777 == 0o600


def test_no_entries_make_no_page(desk: Desk) -> None:
    """Nothing is written for nothing."""
    assert desk.scratch.add([]) == ()
    assert desk.scratch.roll_up(desk.now) is None
    assert desk.page == b""


def test_a_person_s_page_is_only_added_to(desk: Desk) -> None:
    """Their order, sections, bytes and breaks; moved entries are still known, struck ones come back only if asked."""
    own = b"---\nmood: fine\n---\n# My day\r\n\r\n## Notes\r\nmine \xff\r\n\r\n## Ideas\r\n\r\n- a kite"
    desk.write(own)
    desk.scratch.add([desk.entry("n1"), desk.entry("p1", section=Section.PEOPLE)])
    kept = desk.page
    for line in lines_of(own):
        assert line.rstrip() in kept
    assert kept.endswith(b"- a kite")
    assert [head.title for head in headings_of(lines_of(kept))] == ["My day", "People", "Notes", "Ideas"]
    assert b"mine \xff\r\n- 13:00 words of n1 <!-- n1 -->\r\n\r\n## Ideas" in kept
    moved = kept.replace(b"- 13:00 words of n1 <!-- n1 -->\r\n", b"") + b"\r\n* [x] n1 is done <!-- n1 -->"
    desk.write(moved)
    assert desk.scratch.add([desk.entry("n1")]) == ()
    assert desk.page == moved


def test_secrets_are_masked_before_they_are_written_or_shown(desk: Desk) -> None:
    """In entries, in what a judge is shown of a person's own words, and in what it answers."""
    secret = "AKIA" + "Q7ZD2X5LWN4VKT3B"
    desk.scratch.add([desk.entry("n1", f"the aws key is {secret}")])
    assert secret not in desk.text
    desk.write(desk.page + f"\nmine: {secret}\n".encode())
    judge = SayingJudge(words=f"They noted {secret}.")
    desk.scratch.synthesise(judge)
    assert secret not in judge.asked[0]
    assert secret not in summary_of(desk)
    assert secret not in json.dumps([one.text for one in desk.scratch.history()])


def test_a_summary_is_renewed_in_place_and_never_summed_up_itself(desk: Desk) -> None:
    """Unchanged input asks nobody; every former summary stays in the history, with time and writer."""
    desk.scratch.add([desk.entry("n1")])
    judge = SayingJudge(words="First.\nOf two lines <!-- x -->")
    first = desk.scratch.synthesise(judge)
    assert (first.outcome, first.decided_by) == (Outcome.WRITTEN, "model ollama:small")
    assert summary_of(desk) == "First. Of two lines &lt;!-- x --&gt;"
    desk.now += timedelta(hours=4)
    again = desk.scratch.synthesise(judge)
    assert (again.outcome, len(judge.asked)) == (Outcome.UNCHANGED, 1)
    assert "nothing was written" in again.reason
    desk.scratch.add([desk.entry("n2")])
    judge.words = "Second."
    assert desk.scratch.synthesise(judge).outcome is Outcome.WRITTEN
    assert summary_of(desk) == "Second."
    assert "First" not in judge.asked[1]
    assert desk.page.count(b"## Running Summary") == 1
    told = [(one.number, one.ts, one.model, one.text) for one in desk.scratch.history()]
    assert told == [
        (1, "2026-02-24T13:00:00+01:00", "ollama:small", "First. Of two lines &lt;!-- x --&gt;"),
        (2, "2026-02-24T17:00:00+01:00", "ollama:small", "Second."),
    ]
    line = json.loads((desk.places.summaries / "2026-02-24.jsonl").read_bytes().splitlines()[0])
    assert line["decided_by"] == "model ollama:small"


@pytest.mark.parametrize("page", [b"", b"  \n", b"## Running Summary\n\nold\n\n## Events\n\n## Own\n"])
def test_an_empty_page_asks_nobody(desk: Desk, page: bytes) -> None:
    """A summary alone is nothing to sum up."""
    desk.write(page)
    judge = SayingJudge()
    assert desk.scratch.synthesise(judge).outcome is Outcome.EMPTY
    assert judge.asked == []
    assert desk.scratch.history() == ()


def test_a_spent_budget_changes_nothing(desk: Desk) -> None:
    """The former summary stays, and the next synthesis asks."""
    desk.scratch.add([desk.entry("n1")])
    before = desk.page
    assert desk.scratch.synthesise(SayingJudge(waits=True)).outcome is Outcome.WAITS
    assert desk.page == before
    assert desk.scratch.synthesise(SayingJudge()).outcome is Outcome.WRITTEN


def test_what_a_person_writes_while_the_judge_works_is_kept(desk: Desk) -> None:
    """The summary is put into the page as it is then, and their words are input of the next."""
    desk.scratch.add([desk.entry("n1")])
    judge = SayingJudge(meanwhile=lambda: desk.write(desk.page.replace(b"## People\n", b"## People\n\nAnn is back\n")))
    desk.scratch.synthesise(judge)
    assert "Ann is back" in desk.text
    assert summary_of(desk) == "A quiet day."
    assert desk.scratch.synthesise(SayingJudge(words="Ann is back.")).outcome is Outcome.WRITTEN


def test_a_person_s_own_wording_of_the_summary_goes_into_the_history(desk: Desk) -> None:
    """Unchanged input leaves it; a new summary takes its place, and it can be put back."""
    desk.scratch.add([desk.entry("n1")])
    desk.scratch.synthesise(SayingJudge())
    desk.write(desk.page.replace(b"A quiet day.", b"A day of kites.\n\n- and wind"))
    assert desk.scratch.synthesise(SayingJudge()).outcome is Outcome.UNCHANGED
    assert summary_of(desk) == "A day of kites.\n\n- and wind"
    desk.scratch.add([desk.entry("n2")])
    desk.scratch.synthesise(SayingJudge(words="New."))
    assert [(one.decided_by, one.text) for one in desk.scratch.history()] == [
        ("model ollama:small", "A quiet day."),
        ("person", "A day of kites.\n\n- and wind"),
        ("model ollama:small", "New."),
    ]
    desk.scratch.restore(2)
    assert summary_of(desk) == "A day of kites.\n\n- and wind"


def test_a_restored_summary_stays_until_the_page_changes(desk: Desk) -> None:
    """It is a line of the history itself; a number that is none is refused."""
    desk.scratch.add([desk.entry("n1")])
    desk.scratch.synthesise(SayingJudge(words="One."))
    desk.scratch.add([desk.entry("n2")])
    desk.scratch.synthesise(SayingJudge(words="Two."))
    desk.scratch.restore(1)
    assert summary_of(desk) == "One."
    assert [(one.number, one.restored, one.text) for one in desk.scratch.history()] == [
        (1, 0, "One."),
        (2, 0, "Two."),
        (3, 1, "One."),
    ]
    assert desk.scratch.synthesise(SayingJudge()).outcome is Outcome.UNCHANGED
    assert summary_of(desk) == "One."
    before = desk.page
    for number in (0, -1, 4):
        with pytest.raises(UsageError):
            desk.scratch.restore(number)
    assert desk.page == before


def test_torn_and_foreign_lines_of_the_history_are_stepped_over(desk: Desk) -> None:
    """A killed writer's half line does not hide the others."""
    desk.scratch.add([desk.entry("n1")])
    desk.scratch.synthesise(SayingJudge(words="One."))
    path = desk.places.summaries / "2026-02-24.jsonl"
    path.write_bytes(b'\xff\n[]\n{"text": 3}\n' + path.read_bytes() + b'{"text": "torn')
    desk.scratch.add([desk.entry("n2")])
    desk.scratch.synthesise(SayingJudge(words="Two."))
    assert [one.text for one in desk.scratch.history()] == ["One.", "Two."]


def test_a_day_is_put_away_at_five_past_midnight(desk: Desk) -> None:
    """Whole in the archive, folded into its week, a fresh page; once."""
    desk.scratch.add([desk.entry("n1"), desk.entry("e1", section=Section.EVENTS)])
    desk.scratch.synthesise(SayingJudge())
    page = desk.page
    desk.now = datetime(2026, 2, 24, 23, 4, tzinfo=UTC)
    assert desk.scratch.roll_up(desk.now) is None
    desk.now += timedelta(minutes=1)
    assert desk.scratch.roll_up(desk.now) == {"days": 1, "entries": 2}
    assert desk.scratch.roll_up(desk.now) is None
    assert (desk.places.scratch_archive / "2026-02-24.md").read_bytes() == page
    weekly = desk.places.weekly.read_text()
    assert "## 2026-W09\n\n### 2026-02-24 " in weekly
    assert "A quiet day." in weekly
    assert day_of(desk.page) == date(2026, 2, 25)
    assert ids_in(desk.page) == frozenset()
    assert files(desk) == ["archive/2026-02-24.md", "daily.md", "summaries/2026-02-24.jsonl", "weekly.md"]
    assert desk.scratch.ids() == {"n1", "e1"}
    assert desk.scratch.add([desk.entry("n1"), desk.entry("n2")]) == ("n2",)


def test_missed_nights_are_made_up_at_the_next_start(desk: Desk) -> None:
    """A page of three days ago is put away as that day's before anything new lands, whoever comes first."""
    desk.scratch.add([desk.entry("n1")])
    again = Desk(desk.places.data.parent, now=desk.now + timedelta(days=3))
    again.scratch.add([again.entry("n2", at=desk.now), again.entry("n3")])
    assert (desk.places.scratch_archive / "2026-02-24.md").is_file()
    assert ids_in(again.page) == {"n2", "n3"}
    assert "- 13:00 (2026-02-24) words of n2 <!-- n2 -->\n- 13:00 words of n3 <!-- n3 -->" in again.text
    assert again.scratch.roll_up(again.now) is None


def test_between_midnight_and_the_roll_up_the_old_page_takes_captures_with_their_date(desk: Desk) -> None:
    """Their hour alone would be misread."""
    desk.scratch.add([desk.entry("n1")])
    desk.now = datetime(2026, 2, 24, 23, 2, tzinfo=UTC)
    desk.scratch.add([desk.entry("n2")])
    assert "- 00:02 (2026-02-25) words of n2" in desk.text


def test_an_untouched_page_is_not_kept_and_an_archive_never_replaced(desk: Desk) -> None:
    """An old page that an editor saved again goes beside the first; an empty day leaves nothing."""
    desk.scratch.add([desk.entry("n1")])
    old = desk.page
    desk.now += timedelta(days=1)
    desk.scratch.roll_up(desk.now)
    desk.write(old + b"\nmore of mine\n")
    desk.scratch.roll_up(desk.now)
    assert (desk.places.scratch_archive / "2026-02-24.md").read_bytes() == old
    assert (desk.places.scratch_archive / "2026-02-24-2.md").read_bytes() == old + b"\nmore of mine\n"
    assert desk.places.weekly.read_text().count("### 2026-02-24") == 2
    desk.now += timedelta(days=1)
    assert desk.scratch.roll_up(desk.now) == {"days": 1, "entries": 0}
    assert len(list(desk.places.scratch_archive.iterdir())) == 2
    assert day_of(desk.page) == date(2026, 2, 26)


def test_a_summary_of_a_day_that_ended_meanwhile_is_in_the_history_alone(desk: Desk) -> None:
    """It is not put on the next day's page."""
    desk.scratch.add([desk.entry("n1")])

    def midnight() -> None:
        desk.now += timedelta(hours=12)
        desk.scratch.roll_up(desk.now)

    assert desk.scratch.synthesise(SayingJudge(meanwhile=midnight)).outcome is Outcome.ROLLED_UP
    assert summary_of(desk) == ""
    assert [(one.day, one.text) for one in desk.scratch.history()] == [("2026-02-24", "A quiet day.")]


def test_a_page_without_a_day_belongs_to_the_day_it_is_first_seen(desk: Desk) -> None:
    """Its times may be anybody's; from then on its day is on it."""
    desk.write(b"## Notes\nmine\n")
    assert desk.scratch.roll_up(desk.now) is None
    assert day_of(desk.page) == date(2026, 2, 24)
    assert desk.scratch.roll_up(desk.now + timedelta(days=1)) == {"days": 1, "entries": 0}
    assert b"mine" in (desk.places.scratch_archive / "2026-02-24.md").read_bytes()


def test_a_clock_that_was_far_ahead_does_not_stop_the_nights(desk: Desk) -> None:
    """A page of a day to come is today's; one of tomorrow, from a zone further east, waits for its day."""
    desk.scratch.add([desk.entry("n1")])
    ahead = desk.now + timedelta(days=400)
    desk.scratch.roll_up(ahead)
    desk.scratch.roll_up(desk.now)
    assert day_of(desk.page) == date(2026, 2, 24)
    tokyo = Desk(desk.places.data.parent, now=datetime(2026, 2, 25, 15, 10, tzinfo=UTC), zone=ZoneInfo("Asia/Tokyo"))
    tokyo.scratch.roll_up(tokyo.now)
    west = Desk(desk.places.data.parent, now=tokyo.now, zone=ZoneInfo("America/Los_Angeles"))
    west.scratch.roll_up(west.now)
    assert day_of(west.page) == date(2026, 2, 26)


@pytest.mark.parametrize(
    ("zone", "start"),
    [
        ("Europe/Berlin", datetime(2026, 3, 20, tzinfo=UTC)),
        ("Africa/Cairo", datetime(2026, 4, 15, tzinfo=UTC)),
        ("America/Havana", datetime(2026, 10, 22, tzinfo=UTC)),
        ("Australia/Lord_Howe", datetime(2026, 9, 25, tzinfo=UTC)),
    ],
)
def test_every_day_through_a_change_of_the_clock_is_put_away_once(tmp_path: Path, zone: str, start: datetime) -> None:
    """One capture a day, a look each six hours, through a change of the clock."""
    desk = Desk(tmp_path, now=start, zone=ZoneInfo(zone))
    for number in range(4 * 20):
        desk.now += timedelta(hours=6)
        desk.scratch.roll_up(desk.now)
        desk.scratch.add([desk.entry(f"c{number}")])
    pages = [path.read_bytes() for path in desk.places.scratch_archive.iterdir()]
    found = [name for page in [*pages, desk.page] for name in ids_in(page)]
    assert sorted(found) == sorted(f"c{number}" for number in range(80))
    assert 19 <= len(pages) <= 21
