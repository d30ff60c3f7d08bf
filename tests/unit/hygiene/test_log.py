"""The chain of the log: every change of any byte is found, and what a crash leaves is healed and no damage."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.facts.refusal import DamageError, NewerFormatError
from slowwave.hygiene import log as log_module
from slowwave.hygiene.log import HEAD, LOG, ORIGIN, Flaw, Link, Log, LongEntryError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a log of five lines lies."""
    return made(tmp_path / "revisions")


def made(folder: Path, count: int = 5) -> Path:
    """A log of so many lines."""
    log = Log(folder)
    log.heal()
    for number in range(count):
        log.append({"says": f"line {number}", "list": [number, None, {"ä": "\ud800"}]})
    return folder


def codes(folder: Path) -> list[str]:
    """What is wrong with a log, and where."""
    return [f"{each.code} {each.where}" for each in Log(folder).walk() if isinstance(each, Flaw)]


def rewritten(folder: Path, *order: int) -> None:
    """The log with other lines, by their numbers from 0."""
    lines = (folder / LOG).read_bytes().splitlines(keepends=True)
    (folder / LOG).write_bytes(b"".join(lines[number] for number in order))


def test_lines_are_chained_from_the_first(folder: Path) -> None:
    """Each line names its place and the hash of the line before, and says what was appended."""
    links = list(Log(folder).links())
    assert [link.sequence for link in links] == [1, 2, 3, 4, 5]
    assert [link.previous for link in links] == [ORIGIN, *(link.hash for link in links[:-1])]
    assert links[3].body == {"says": "line 3", "list": [3, None, {"ä": "\ud800"}]}
    for raw, link in zip((folder / LOG).read_bytes().splitlines(), links, strict=True):
        assert json.loads(raw) == {**link.body, "sequence": link.sequence, "previous": link.previous, "hash": link.hash}
    assert {(folder / name).stat().st_mode & 0o777 for name in (LOG, HEAD)} == {0o600}
    assert codes(folder) == []


def test_a_log_that_was_never_begun_is_empty(tmp_path: Path) -> None:
    """Looking makes nothing."""
    assert list(Log(tmp_path / "none").walk()) == []
    assert not (tmp_path / "none").exists()


@settings(max_examples=300, deadline=None)
@given(place=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_any_flipped_bit_is_found(tmp_path_factory: pytest.TempPathFactory, place: int, bit: int) -> None:
    """In the log or in its head, wherever it is."""
    folder = made(tmp_path_factory.mktemp("flipped") / "revisions", 3)
    files = [folder / LOG, folder / HEAD]
    place %= sum(file.stat().st_size for file in files)
    file = files[0] if place < files[0].stat().st_size else files[1]
    place -= 0 if file is files[0] else files[0].stat().st_size
    raw = bytearray(file.read_bytes())
    raw[place] ^= 1 << bit
    file.write_bytes(raw)
    assert codes(folder)
    with pytest.raises(DamageError):
        list(Log(folder).links())


def test_the_flaw_names_its_line(folder: Path) -> None:
    """A changed line is named, and those behind it are still read."""
    raw = (folder / LOG).read_bytes()
    (folder / LOG).write_bytes(raw.replace(b"line 2", b"line X"))
    assert codes(folder) == [f"log_line {LOG}:3"]
    assert [each.sequence for each in Log(folder).walk() if isinstance(each, Link)] == [1, 2, 4, 5]


@pytest.mark.parametrize(
    "order",
    [(0, 2, 3, 4), (1, 2, 3, 4), (0, 1, 2, 3), (0, 1), (), (0, 2, 1, 3, 4), (0, 1, 2, 4, 3), (0, 1, 1, 2, 3, 4)],
    ids=["one removed", "first removed", "last removed", "many removed", "all removed", "moved", "end moved", "added"],
)
def test_lines_removed_moved_or_added_are_found(folder: Path, order: tuple[int, ...]) -> None:
    """Whole lines too, at the end too; and nothing is written to such a log."""
    rewritten(folder, *order)
    assert codes(folder)
    with pytest.raises(DamageError):
        list(Log(folder).links())
    if len(order) < 5:
        with pytest.raises(DamageError):
            Log(folder).heal()


def test_a_missing_log_or_head_is_found(folder: Path) -> None:
    """One without the other is damage, and is not begun anew."""
    head = (folder / HEAD).read_bytes()
    (folder / HEAD).unlink()
    assert codes(folder) == [f"log_head {HEAD}"]
    with pytest.raises(DamageError):
        Log(folder).heal()
    (folder / HEAD).write_bytes(head)
    (folder / LOG).unlink()
    assert codes(folder) == [f"log_cut {LOG}"]
    with pytest.raises(DamageError):
        Log(folder).heal()


def test_a_link_in_the_logs_place_is_not_followed(folder: Path) -> None:
    """Not even to the log itself."""
    (folder / LOG).rename(folder / "elsewhere")
    (folder / LOG).symlink_to(folder / "elsewhere")
    assert codes(folder) == [f"log_line {LOG}"]


def test_a_torn_last_line_is_healed(folder: Path) -> None:
    """Wherever a write was cut off, the log is as it was before it, and no damage was ever there."""
    whole, head = (folder / LOG).read_bytes(), (folder / HEAD).read_bytes()
    Log(folder).append({"says": "the last"})
    longer = (folder / LOG).read_bytes()
    (folder / HEAD).write_bytes(head)
    for end in range(len(whole) + 1, len(longer)):
        (folder / LOG).write_bytes(longer[:end])
        assert codes(folder) == []
        assert Log(folder).heal().count == 5
        assert (folder / LOG).read_bytes() == whole


def test_a_whole_line_that_the_head_missed_is_taken_in(folder: Path) -> None:
    """A crash between line and head loses nothing."""
    head = (folder / HEAD).read_bytes()
    link = Log(folder).append({"says": "the last"})
    (folder / HEAD).write_bytes(head)
    assert codes(folder) == []
    assert len(list(Log(folder).links())) == 5
    assert Log(folder).heal().hash == link.hash
    assert len(list(Log(folder).links())) == 6


def test_two_lines_that_the_head_missed_are_damage(folder: Path) -> None:
    """No crash leaves them."""
    head = (folder / HEAD).read_bytes()
    Log(folder).append({})
    Log(folder).append({})
    (folder / HEAD).write_bytes(head)
    assert codes(folder) == [f"log_chain {LOG}"]
    with pytest.raises(DamageError):
        Log(folder).heal()


def test_a_newer_log_is_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is neither read nor written."""
    with monkeypatch.context() as newer:
        newer.setattr(log_module, "REVISIONS_FORMAT", 2)
        Log(folder).append({})
    with pytest.raises(NewerFormatError):
        Log(folder).heal()


def test_a_line_beyond_its_bound_is_not_begun(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be read again is not written."""
    monkeypatch.setattr(log_module, "MOST_LINE_BYTES", 2_000)
    with pytest.raises(LongEntryError):
        Log(folder).append({"says": "x" * 2_000})
    assert len(list(Log(folder).links())) == 5


def test_keys_that_are_numbers_are_chained_as_the_text_they_become(folder: Path) -> None:
    """They sort otherwise as numbers than as text."""
    Log(folder).append({"by number": {10: "ten", 9: "nine"}})
    assert codes(folder) == []
