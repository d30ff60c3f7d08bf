"""The line of a capture: what is one, what is none and why, and which id it has where it brings none."""

import hashlib
import json
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from slowwave.facts.capture import Capture, Tag
from slowwave.facts.limits import MOST_CAPTURE_BYTES, REJECT_HEAD_CHARACTERS
from slowwave.records.captures import Rejected, capture_line, content_id, parse_line

BERLIN = ZoneInfo("Europe/Berlin")
GOOD = {"id": "c1", "ts": "2026-02-24T15:00:36+01:00", "tag": "file-this", "text": "milk", "source": "cli"}


def line(**changes: Any) -> bytes:
    """A good line, changed; a value of None leaves the key out."""
    record = {**GOOD, **changes}
    return json.dumps({name: value for name, value in record.items() if value is not None}).encode()


def taken(raw: bytes) -> Capture:
    """The capture of a line that is one."""
    capture = parse_line(raw, zone=BERLIN)
    assert isinstance(capture, Capture), capture
    return capture


def reason(raw: bytes) -> str:
    """Why a line is no capture."""
    rejected = parse_line(raw, zone=BERLIN)
    assert isinstance(rejected, Rejected), rejected
    return rejected.reason


def test_a_whole_line() -> None:
    """Every key has its place."""
    raw = line(session_id="s-1", line=7, zone="Asia/Tokyo", speaker="agent")
    assert taken(raw) == Capture(
        id="c1",
        ts=datetime(2026, 2, 24, 15, 0, 36, tzinfo=timezone(timedelta(hours=1))),
        tag=Tag.FILE_THIS,
        text="milk",
        source="cli",
        session_id="s-1",
        line=7,
        zone="Asia/Tokyo",
        speaker="agent",
    )


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_the_break_is_no_part_of_it(end: bytes) -> None:
    """LF, CRLF or none."""
    assert taken(line() + end).id == "c1"


def test_a_mark_of_byte_order_is_ignored() -> None:
    """At the head."""
    assert taken(b"\xef\xbb\xbf" + line()).text == "milk"


def test_a_record_encoded_twice_is_decoded_once_more() -> None:
    """The old producer's fault; three times is none we know."""
    twice = json.dumps(line().decode()).encode()
    assert taken(twice).text == "milk"
    assert reason(json.dumps(twice.decode()).encode()) == "non_object"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", "blank"),
        (b" \t\r\n", "blank"),
        (b"\xef\xbb\xbf", "blank"),
        (b"{", "malformed"),
        (b"\x00" + line(), "malformed"),
        (line() + line(), "malformed"),
        (line() + b" x", "malformed"),
        (line(text="caf\xe9").replace(b"\\u00e9", b"\xc3"), "malformed"),
        (b'"no json inside"', "malformed"),
        (b'""', "malformed"),
        (b'{"a": NaN}', "malformed"),
        (b'{"a": -Infinity}', "malformed"),
        (b"[" * 200_000, "malformed"),
        (b"1" * 5_000, "malformed"),
        (b"[]", "non_object"),
        (b"null", "non_object"),
        (b"17", "non_object"),
        (b'"[1]"', "non_object"),
        (b'"17"', "non_object"),
    ],
)
def test_what_is_no_object(raw: bytes, expected: str) -> None:
    """Each sort of rubbish has its reason."""
    assert reason(raw) == expected


@pytest.mark.parametrize(
    "changes",
    [
        {"tag": None},
        {"tag": "shopping"},
        {"tag": 5},
        {"text": None},
        {"text": ""},
        {"text": " \n\t "},
        {"text": "\u200b\u2060\ufeff"},
        {"text": ["milk"]},
        {"ts": None},
        {"ts": "2026-02-24T15:00:36"},
        {"ts": "2026-02-24"},
        {"ts": "yesterday"},
        {"ts": 1_771_945_236},
        {"ts": ""},
        {"ts": "0001-01-01T00:00:00+00:00"},
        {"ts": "9999-12-31T23:59:59-12:00"},
        {"ts": "2026-02-30T10:00:00Z"},
    ],
)
def test_tag_text_and_moment_are_needed(changes: dict[str, Any]) -> None:
    """Missing, of a wrong type, unknown, empty or without offset: invalid."""
    assert reason(line(**changes)) == "invalid"


@pytest.mark.parametrize("tag", ["FILE-THIS", "File-This"])
def test_a_tag_is_stored_lower(tag: str) -> None:
    """In whichever case it comes."""
    assert taken(line(tag=tag)).tag is Tag.FILE_THIS


@pytest.mark.parametrize("ts", ["2026-02-24T14:00:36Z", "2026-02-24T14:00:36.929574+00:00", "20260224T140036Z"])
def test_a_moment_in_any_spelling_of_iso(ts: str) -> None:
    """With an offset, to the microsecond."""
    assert taken(line(ts=ts)).ts.replace(microsecond=0) == datetime(2026, 2, 24, 14, 0, 36, tzinfo=UTC)


def test_other_keys_of_a_wrong_type_are_as_if_missing() -> None:
    """Nothing is lost for the sake of a key that nobody needs."""
    capture = taken(line(source=3, session_id=[], line="7", zone="Mars/Base", speaker="tool", more={"x": 1}))
    assert (capture.source, capture.session_id, capture.line, capture.zone, capture.speaker) == ("", "", None, "", "")
    assert taken(line(line=True)).line is None
    assert taken(line(line=0)).line is None
    assert taken(line(zone="../../etc/passwd")).zone == ""


def test_of_one_key_twice_the_last_counts() -> None:
    """As JSON readers do."""
    assert taken(line().replace(b'"text": "milk"', b'"text": "milk", "text": "eggs"')).text == "eggs"


def test_half_a_pair_is_kept_as_a_replacement() -> None:
    """One U+FFFD for each; a whole pair is its character."""
    raw = line().replace(b"milk", rb"a\ud800b \ud83d\ude00")
    assert taken(raw).text == "a\ufffdb \U0001f600"


def test_breaks_are_lf_and_ends_are_trimmed() -> None:
    """Inner breaks stay."""
    assert taken(line(text="  a\r\nb\rc\n ")).text == "a\nb\nc"


def test_the_longest_line() -> None:
    """1,048,576 bytes without the break are fine, one more is too long."""
    short = len(line(text=""))
    fits = line(text="x" * (MOST_CAPTURE_BYTES - short))
    assert len(fits) == MOST_CAPTURE_BYTES
    assert len(taken(fits + b"\r\n").text) == MOST_CAPTURE_BYTES - short
    assert reason(line(text="x" * (MOST_CAPTURE_BYTES - short + 1)) + b"\n") == "too_long"
    assert reason(b" " * (MOST_CAPTURE_BYTES + 1)) == "too_long"


def test_what_is_kept_of_a_rejected_line() -> None:
    """A head of two hundred characters, and a digest over all of it."""
    raw = "ä".encode() * 500
    rejected = parse_line(raw + b"\n", zone=BERLIN)
    assert isinstance(rejected, Rejected)
    assert rejected.head == "ä" * REJECT_HEAD_CHARACTERS
    assert rejected.sha256 == hashlib.sha256(raw).hexdigest()


@pytest.mark.parametrize("name", [None, "", "  ", 5])
def test_without_an_id_its_content_names_it(name: object) -> None:
    """Tag, text with white space collapsed, and session."""
    raw = line(id=name, session_id="s-1", text="call \n the  roofer")
    if name is None:
        assert "id" not in json.loads(raw)
    expected = content_id(tag=Tag.FILE_THIS, text="call the roofer", session_id="s-1", day=date(2026, 2, 24))
    assert taken(raw).id == expected
    assert taken(line(id=name, session_id="s-1", text="call the roofer", ts="2026-03-01T00:00:00Z")).id == expected


def test_what_tells_content_ids_apart() -> None:
    """Tag, text and session; without a session the day; a session never counts as a day."""
    day, other = date(2026, 2, 24), date(2026, 2, 25)
    apart = [
        (Tag.FILE_THIS, "x", "a", day),
        (Tag.OBSERVATION, "x", "a", day),
        (Tag.FILE_THIS, "X", "a", day),
        (Tag.FILE_THIS, "x", "b", day),
        (Tag.FILE_THIS, "x", "", day),
        (Tag.FILE_THIS, "x", "", other),
        (Tag.FILE_THIS, "x", "2026-02-24", day),
    ]
    made = {content_id(tag=tag, text=text, session_id=session, day=on) for tag, text, session, on in apart}
    assert len(made) == len(apart)
    again = content_id(tag=Tag.FILE_THIS, text=" x\n", session_id="a", day=other)
    assert again == content_id(tag=Tag.FILE_THIS, text="x", session_id="a", day=day)


def test_a_content_id_never_changes() -> None:
    """What an older slowwave stored is known by the same id."""
    in_session = content_id(tag=Tag.FILE_THIS, text="milk", session_id="s-1", day=date(2026, 2, 24))
    on_day = content_id(tag=Tag.FILE_THIS, text="milk", session_id="", day=date(2026, 2, 24))
    assert (in_session, on_day) == ("c-a43efecf84d95e243c517b9a", "c-a2a1d2ae70574daa27dc33f9")


def test_the_day_is_the_loops_or_the_captures_own() -> None:
    """22:30 and 23:30 UTC in winter lie on two days in Berlin and on one in Tokyo."""
    late, later = "2026-02-24T22:30:00Z", "2026-02-24T23:30:00Z"
    assert taken(line(id=None, ts=late)).id != taken(line(id=None, ts=later)).id
    assert taken(line(id=None, ts=late, zone="Asia/Tokyo")).id == taken(line(id=None, ts=later, zone="Asia/Tokyo")).id


@pytest.mark.parametrize("changes", [{}, {"session_id": "s-1", "line": 7, "zone": "Asia/Tokyo", "speaker": "user"}])
def test_a_line_that_we_write_is_read_back(changes: dict[str, Any]) -> None:
    """Word for word, on one line."""
    capture = taken(line(text="a\nb „ü“ \u2028 end", **changes))
    raw = capture_line(capture)
    assert b"\n" not in raw
    assert taken(raw) == capture
