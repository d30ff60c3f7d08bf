"""The way in: masked, named, filed by the day of arrival, each capture once whichever way it comes."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from made_secrets import own_shapes

from slowwave.disk.places import Places
from slowwave.facts.capture import Capture, Tag
from slowwave.facts.limits import MOST_CAPTURE_BYTES
from slowwave.records.captures import parse_line
from slowwave.records.secrets import Secrets
from slowwave.wake.intake import SCAN, CaptureEmptyError, CaptureTooLongError, Intake

ZONE = ZoneInfo("America/Los_Angeles")
NOON = datetime(2026, 2, 24, 20, 0, tzinfo=UTC)
CALL = Capture(id="", ts=NOON, tag=Tag.FOLLOW_UP, text="call the roofer", source="cli")


class Way:
    """An intake with a clock that a test sets."""

    def __init__(self, folder: Path) -> None:
        self.places = Places(folder / "data")
        self.now = NOON
        self.held = 0
        self.intake = Intake(self.places, self.hold, lambda: self.now, ZONE, Secrets(deep=False))

    @contextmanager
    def hold(self, command: str) -> Iterator[None]:
        """The lock of the day, which nobody else wants."""
        assert (command, self.held) == ("capture", 0)
        self.held = 1
        yield
        self.held = 0

    def put(self, *captures: Capture) -> list[tuple[str, bool]]:
        """Store captures: the id of each, and whether it is new."""
        return [(stored.capture.id, stored.is_new) for stored in self.intake.put(captures)]

    def news(self, *captures: Capture) -> list[bool]:
        """Store captures: whether each is new."""
        return [is_new for _, is_new in self.put(*captures)]

    def lines(self) -> dict[str, list[Capture]]:
        """Captures by file."""
        found: dict[str, list[Capture]] = {}
        for path in sorted(self.places.captures.iterdir()):
            parsed = [parse_line(raw, zone=ZONE) for raw in path.read_bytes().splitlines()]
            found[path.name] = [one for one in parsed if isinstance(one, Capture)]
            assert len(found[path.name]) == len(parsed)
        return found


@pytest.fixture
def way(tmp_path: Path) -> Way:
    """A way in of this test's own."""
    return Way(tmp_path)


def test_filed_by_the_day_of_arrival_in_the_zone(way: Way) -> None:
    """Its own moment is kept."""
    old = replace(CALL, ts=NOON - timedelta(days=9), text="old")
    way.put(CALL)
    way.now = datetime(2026, 2, 25, 7, 59, tzinfo=UTC)
    way.put(old)
    way.now = datetime(2026, 2, 25, 8, 0, tzinfo=UTC)
    way.put(replace(CALL, text="late"))
    files = way.lines()
    assert {name: [one.text for one in held] for name, held in files.items()} == {
        "2026-02-24.jsonl": ["call the roofer", "old"],
        "2026-02-25.jsonl": ["late"],
    }
    assert files["2026-02-24.jsonl"][1].ts == old.ts


def test_the_same_again_is_one(way: Way) -> None:
    """In one call, in two, and through another intake over the same files."""
    (name, first), (again, second) = way.put(CALL, replace(CALL, text=" call  the\nroofer "))
    assert (first, second, again) == (True, False, name)
    assert way.news(CALL) == [False]
    assert Way(way.places.data.parent).news(CALL) == [False]


def test_what_is_not_the_same(way: Way) -> None:
    """Another tag, text, session or day; ids of producers tell apart what has the same words."""
    others = (
        CALL,
        replace(CALL, tag=Tag.FILE_THIS),
        replace(CALL, text="call the Roofer"),
        replace(CALL, session_id="s-1"),
        replace(CALL, session_id="s-2"),
        replace(CALL, ts=NOON + timedelta(days=1)),
        replace(CALL, id="tg-1"),
        replace(CALL, id="tg-2"),
    )
    assert way.news(*others) == [True] * len(others)
    assert way.news(*others) == [False] * len(others)
    assert way.news(replace(CALL, id="tg-1", text="edited since")) == [False]


@pytest.mark.parametrize("name", ["", "live-7"])
@pytest.mark.parametrize("session", ["", "s-1"])
@pytest.mark.parametrize("scan_first", [False, True])
def test_the_same_from_the_scan_and_live_is_one(way: Way, name: str, session: str, *, scan_first: bool) -> None:
    """Whether the live way knew the session or not, named it or not, and whichever came first."""
    live = replace(CALL, id=name, session_id=session)
    scanned = replace(CALL, source=SCAN, session_id="s-1", ts=NOON - timedelta(minutes=5))
    first, second = (scanned, live) if scan_first else (live, scanned)
    assert way.news(first) == [True]
    assert way.news(second) == [False]


def test_two_sessions_that_say_the_same_are_two(way: Way) -> None:
    """By the scan, by the scan and live, and on another day where the live way knew no session."""
    scanned = replace(CALL, source=SCAN, session_id="s-1")
    assert way.news(scanned, replace(scanned, session_id="s-2"), replace(CALL, session_id="s-3")) == [True] * 3
    assert way.news(replace(CALL, ts=NOON - timedelta(days=1))) == [True]


def test_what_was_scanned_long_ago_is_still_known(way: Way) -> None:
    """A state that was lost has everything scanned again; nothing is stored again."""
    scanned = replace(CALL, source=SCAN, session_id="s-1", ts=NOON - timedelta(days=30))
    way.now = NOON - timedelta(days=30)
    assert way.news(scanned) == [True]
    way.now = NOON
    assert way.news(scanned) == [False]


def test_secrets_are_masked_before_the_id_is_made(way: Way) -> None:
    """And so both ways in name it alike."""
    token = own_shapes(random.Random("intake"))[0].text
    ((name, _),) = way.put(replace(CALL, text=f"rotate {token} today"))
    raw = (way.places.captures / "2026-02-24.jsonl").read_text("utf-8")
    assert token not in raw
    assert (way.places.captures / "2026-02-24.jsonl").stat().st_mode & 0o777 == 0o600
    assert "[secret:" in raw
    assert way.put(replace(CALL, text=f"rotate {token} today")) == [(name, False)]


@pytest.mark.parametrize("text", ["", " \n", "\u200b\ufeff"])
def test_no_words_no_capture(way: Way, text: str) -> None:
    """Refused whole: what came with it is not stored either."""
    with pytest.raises(CaptureEmptyError):
        way.put(CALL, replace(CALL, text=text))
    assert not way.places.captures.exists()


def test_what_readers_would_reject_is_refused(way: Way) -> None:
    """The longest line that readers take is stored, one byte more is not."""
    room = MOST_CAPTURE_BYTES - len(way.intake.ready(replace(CALL, text="x")).text) - 200
    assert way.news(replace(CALL, text="x" * room)) == [True]
    with pytest.raises(CaptureTooLongError):
        way.put(replace(CALL, text="x" * MOST_CAPTURE_BYTES))


def test_lines_of_others_do_no_harm(way: Way) -> None:
    """Rubbish, a torn last line and a line without end are stepped over."""
    way.places.captures.mkdir(parents=True)
    path = way.places.captures / "2026-02-24.jsonl"
    path.write_bytes(b"\x00\n" + b"y" * (2 * MOST_CAPTURE_BYTES + 7) + b"\n\n[]\n" + b'{"tag": "file-th')
    assert way.news(CALL, CALL) == [True, False]
    assert path.read_bytes().splitlines()[-2] == b'{"tag": "file-th'


def test_nothing_is_nothing(way: Way) -> None:
    """No folder is made for it."""
    assert way.put() == []
    assert not way.places.data.exists()
