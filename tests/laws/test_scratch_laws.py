"""Laws of the scratch: whatever a page holds stays, whatever a capture says lands once."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st
from made_scratch import NOON, Desk, SayingJudge

from slowwave.facts.capture import Section
from slowwave.wake.scratch.days import without_day
from slowwave.wake.scratch.entry import Entry, ids_in, written_id
from slowwave.wake.scratch.page import BOM, lines_of, without

_PIECES = st.sampled_from(
    [
        *(f"## {section}".encode() for section in Section),
        b"# Day",
        b"## Own",
        b"### deeper",
        b"```",
        b"~~~~",
        b"<!-- begun",
        b"ended -->",
        b"---",
        b"\xef\xbb\xbf",
        b"- 09:00 old <!-- old -->",
        b"<!-- slowwave:day 2026-02-24 -->",
        b"\xff\xfe\x00",
        b"\n",
        b"\r\n",
        b"\r",
    ]
)
PAGES = st.lists(_PIECES | st.just(b"\n") | st.binary(max_size=12), max_size=30).map(b"".join)
TEXTS = st.text(st.characters(codec=None), min_size=1, max_size=60) | st.sampled_from(
    ["-->", "<!-- c1 -->", "# x\n## Notes", "```\n", "\x00\x1b[2J", "\u2028\u202e"]
)
WHERE = st.sampled_from([section for section in Section if section is not Section.RUNNING_SUMMARY])
ENTRIES = st.lists(
    st.builds(
        Entry,
        id=TEXTS,
        section=WHERE,
        moment=st.integers(0, 10**9).map(lambda second: datetime.fromtimestamp(second + 10**9, UTC)),
        text=TEXTS,
    ),
    max_size=8,
)


def without_breaks(page: bytes) -> list[bytes]:
    """The page's lines without their breaks, no blank ones, no byte order mark, no summary."""
    lines = without_day(without(lines_of(page.removeprefix(BOM)), Section.RUNNING_SUMMARY))
    return [bare for line in lines if (bare := line.rstrip(b"\r\n"))]


def is_within(part: list[bytes], whole: list[bytes]) -> bool:
    """Whether every line of one stands in the other, in the same order."""
    left = iter(whole)
    return all(line in left for line in part)


@settings(max_examples=100, deadline=None)
@given(page=PAGES, entries=ENTRIES, words=TEXTS)
def test_any_bytes_of_a_page_survive_entries_and_summaries(page: bytes, entries: list[Entry], words: str) -> None:
    """Outside the summary every line stays, in order, byte for byte; each entry stands once; a second time is none."""
    with TemporaryDirectory() as folder:
        desk = Desk(Path(folder))
        desk.write(page)
        before = ids_in(page)
        first = desk.scratch.add(entries)
        desk.scratch.synthesise(SayingJudge(words=words))
        after = desk.page
        assert after.startswith(BOM) or not page.startswith(BOM)
        assert is_within(without_breaks(page), without_breaks(after))
        new = {written_id(entry.id) for entry in entries}
        assert {written_id(name) for name in first} == new - before
        assert new <= ids_in(after)
        for name in new - before:
            assert after.count(f"<!-- {name} -->".encode()) == 1
        assert desk.scratch.add(entries) == ()
        judge = SayingJudge(words="other words")
        desk.scratch.synthesise(judge)
        assert (desk.page, judge.asked) == (after, [])


@settings(max_examples=100, deadline=None)
@given(page=PAGES, entries=ENTRIES)
def test_a_page_put_away_is_kept_whole(page: bytes, entries: list[Entry]) -> None:
    """Byte for byte in the archive, and all its ids are known behind it."""
    with TemporaryDirectory() as folder:
        desk = Desk(Path(folder))
        desk.write(page)
        desk.scratch.add(entries)
        desk.scratch.roll_up(desk.now)
        whole, day = desk.page, NOON
        desk.now += timedelta(days=2)
        desk.scratch.roll_up(desk.now)
        kept = [path.read_bytes() for path in sorted(desk.places.scratch_archive.glob("*.md"))]
        assert kept == ([whole] if whole.strip() else []), day
        assert desk.scratch.add(entries) == ()


@settings(max_examples=50, deadline=None)
@given(days=st.lists(st.tuples(st.integers(1, 30), PAGES), min_size=1, max_size=4))
def test_every_week_and_day_is_found_again(days: list[tuple[int, bytes]]) -> None:
    """Whatever the pages hold, no day is folded in twice, and none hides the one behind it."""
    with TemporaryDirectory() as folder:
        desk = Desk(Path(folder))
        for gap, page in days:
            desk.write(page.replace(b"<!-- slowwave:day 2026-02-24 -->", b"") + b"\nmine\n")
            desk.scratch.roll_up(desk.now)
            desk.now += timedelta(days=gap)
            desk.scratch.roll_up(desk.now)
        weekly = desk.places.weekly.read_bytes()
        assert weekly.count(b"<!-- archive/") == len(days)
        weeks = [line for line in weekly.splitlines() if line.startswith(b"## 2026-W")]
        assert weeks == sorted(set(weeks))
