"""``capture add``, ``capture extract`` and ``next-session``, as a person or an agent calls them."""

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from made_nights import Place, Ran
from made_secrets import own_shapes

from slowwave.facts.limits import MOST_CAPTURE_BYTES

BLANKS = b" " * MOST_CAPTURE_BYTES
SECRETS = (own_shapes(random.Random("long"))[0].text.encode() + b"\n") * (MOST_CAPTURE_BYTES // 40)
"""What is much shorter once it is masked."""


class Piped(io.TextIOWrapper):
    """Standard input that holds some bytes."""

    def __init__(self, raw: bytes) -> None:
        super().__init__(io.BytesIO(raw), "utf-8")


def run(place: Place, monkeypatch: pytest.MonkeyPatch, raw: bytes, *words: str) -> Ran:
    """A command with something piped in."""
    monkeypatch.setattr("sys.stdin", Piped(raw))
    return place.run(*words)


def lines(place: Place) -> list[dict[str, Any]]:
    """What the day's file holds."""
    path = place.home / "data" / "stream-captures" / "2026-02-01.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def test_a_capture_is_added_and_stands_in_the_file_of_the_day(place: Place) -> None:
    """Without a home before it; the same again is the same."""
    first = place.run("capture", "add", "--tag", "NOTE-to-self", " bring\nchalk ")
    assert (first.status, first.envelope["type"], first.envelope["schema"]) == (0, "capture", "slowwave.capture.v1")
    stored = dict(first.content)
    assert stored.pop("isNew") is True
    assert (stored["tag"], stored["text"], stored["source"]) == ("note-to-self", "bring\nchalk", "cli")
    assert lines(place) == [stored]
    again = place.run("capture", "add", "--tag", "note-to-self", "bring chalk")
    assert (again.content["id"], again.content["isNew"], again.content["text"]) == (stored["id"], False, "bring\nchalk")
    assert len(lines(place)) == 1


def test_session_and_zone_are_kept(place: Place) -> None:
    """The moment is told in the zone that is named."""
    ran = place.run("capture", "add", "--tag", "follow-up", "x", "--session", "s-1", "--zone", "Asia/Tokyo")
    (row,) = lines(place)
    assert (row["session_id"], row["zone"], row["ts"]) == ("s-1", "Asia/Tokyo", "2026-02-01T12:30:00+09:00")
    assert {**ran.content, "isNew": True} == {**row, "isNew": True}


def test_words_from_standard_input(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """In UTF-8; what is none is kept as far as it can be."""
    ran = run(place, monkeypatch, "  Größe\r\nzwei \xff".encode("latin-1"), "capture", "add", "--tag", "file-this", "-")
    assert ran.content["text"] == "Gr\ufffd\ufffde\nzwei \ufffd"


@pytest.mark.parametrize(
    ("words", "code", "status"),
    [
        (("--tag", "note-to-self", ""), "capture_empty", 1),
        (("--tag", "note-to-self", " \u200b\n"), "capture_empty", 1),
        (("--tag", "note-to-self", "x" * (MOST_CAPTURE_BYTES + 1)), "capture_too_long", 1),
        (("--tag", "shopping", "milk"), "usage", 2),
        (("milk",), "usage", 2),
        (("--tag", "file-this"), "usage", 2),
        (("--tag", "file-this", "milk", "--zone", "Mars/Base"), "usage", 2),
        (("--tag", "file-this", "milk", "--session", "../x"), "usage", 2),
    ],
)
def test_what_is_no_capture_is_refused(place: Place, words: tuple[str, ...], code: str, status: int) -> None:
    """With a code, and nothing is written."""
    ran = place.run("capture", "add", *words)
    assert (ran.code, ran.status) == (code, status)
    assert lines(place) == []


def test_more_than_fits_is_not_read_to_its_end(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """An endless pipe is refused after a mebibyte."""
    ran = run(place, monkeypatch, b"y" * (3 * MOST_CAPTURE_BYTES), "capture", "add", "--tag", "file-this", "-")
    assert ran.code == "capture_too_long"


@pytest.mark.parametrize("begins", [b"hi" + BLANKS, BLANKS, SECRETS], ids=["words", "blanks", "secrets"])
def test_nothing_of_a_long_pipe_is_dropped_in_silence(
    place: Place, monkeypatch: pytest.MonkeyPatch, begins: bytes
) -> None:
    """Though what was read of it would fit once its ends are trimmed and its secrets are masked."""
    ran = run(place, monkeypatch, begins + b" and the rest", "capture", "add", "--tag", "file-this", "-")
    assert (ran.code, lines(place)) == ("capture_too_long", [])


def test_secrets_never_reach_the_file(place: Place) -> None:
    """Nor the answer."""
    for number, shape in enumerate(own_shapes(random.Random("verbs"))[:5]):
        ran = place.run("capture", "add", "--tag", "file-this", f"{number} use {shape.text} now")
        assert shape.text not in ran.out + ran.err
    raw = (place.home / "data" / "stream-captures" / "2026-02-01.jsonl").read_text("utf-8")
    assert raw.count("[secret:") >= 5


def test_tags_in_a_file_and_in_a_pipe(place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tags, words, attributes, lines, and what was never closed; no home is made for it."""
    text = '\ufeffone\n<file-this due="fri" sure>two\nthree</file-this>\n<observation>four\n'
    (tmp_path / "notes.md").write_text(text, "utf-8")
    expected = {
        "captures": [{"tag": "file-this", "text": "two\nthree", "attributes": {"due": "fri", "sure": ""}, "line": 2}],
        "unclosed": 1,
    }
    ran = place.run("capture", "extract", str(tmp_path / "notes.md"))
    assert (ran.status, ran.envelope["type"], ran.content) == (0, "captures", expected)
    assert run(place, monkeypatch, text.encode(), "capture", "extract", "-").content == expected
    assert run(place, monkeypatch, b"", "capture", "extract", "-").content == {"captures": [], "unclosed": 0}
    assert not place.home.exists()
    missing = place.run("capture", "extract", str(tmp_path / "none.md"))
    assert (missing.code, missing.status) == ("usage", 2)


def test_what_was_left_for_the_next_session_is_shown_once(place: Place) -> None:
    """In the order in which it was said; a look changes nothing."""
    assert place.run("next-session").status == 3
    for text in ("does the cache expire?", "is the lamp fixed?"):
        place.run("capture", "add", "--tag", "ask-next-session", text)
    place.run("capture", "add", "--tag", "note-to-self", "ask-next-session is a fine tag")

    def shown(*words: str) -> list[str]:
        return [one["text"] for one in place.run("next-session", *words).content["captures"]]

    both = ["does the cache expire?", "is the lamp fixed?"]
    assert shown("--peek") == both
    assert shown() == both
    assert shown() == []
    place.run("capture", "add", "--tag", "ask-next-session", "and the door?")
    assert shown() == ["and the door?"]
    assert shown("--all") == [*both, "and the door?"]


def test_a_person_sees_nothing_that_moves_the_cursor(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Control characters of a capture are pictures on the screen, and stay what they are in the file."""
    monkeypatch.setattr(place, "_words", lambda words: [*words, "--home", str(place.home)])
    added = place.run("capture", "add", "--tag", "ask-next-session", "red \x1b[31m alert\x07")
    asked = place.run("next-session")
    assert "\x1b" not in added.out + asked.out
    assert "alert" in asked.out
    extracted = run(place, monkeypatch, b"<file-this a='\x1b[0m'>\x1b[2J x</file-this>", "capture", "extract", "-")
    assert "\x1b" not in extracted.out
