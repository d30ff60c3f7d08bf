"""The cursor: each line once, whatever happens to its file meanwhile."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from slowwave.disk.places import Places
from slowwave.facts.limits import MOST_CAPTURE_BYTES
from slowwave.wake.cursor import RawLine, unread_lines
from slowwave.wake.state import FileMark, LoopState

TODAY = date(2026, 3, 3)
FILE = "2026-03-03.jsonl"


class Folder:
    """A folder of captures and a cursor over it."""

    def __init__(self, tmp_path: Path) -> None:
        self.places = Places(tmp_path / "data")
        self.places.captures.mkdir(parents=True)
        self.state = LoopState()

    def write(self, content: bytes, name: str = FILE) -> None:
        """Replace a file."""
        (self.places.captures / name).write_bytes(content)

    def append(self, content: bytes, name: str = FILE) -> None:
        """Grow a file."""
        with (self.places.captures / name).open("ab") as stream:
            stream.write(content)

    def read(self, most: int | None = None) -> list[bytes]:
        """Consume lines, all or so many."""
        lines: list[RawLine] = []
        for line in unread_lines(self.places, self.state, TODAY):
            if most is not None and len(lines) >= most:
                break
            lines.append(line)
            self.state = replace(self.state, file=line.file, files={**self.state.files, line.file: line.mark})
        return [line.content for line in lines]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """An empty one."""
    return Folder(tmp_path)


def test_lines_are_read_once_in_order_of_days(folder: Folder) -> None:
    """The oldest unread first; then only what is new."""
    folder.write(b"c\nd\n")
    folder.write(b"a\nb\n", "2026-03-01.jsonl")
    folder.write(b"never", "rejected.jsonl")
    assert folder.read() == [b"a", b"b", b"c", b"d"]
    assert folder.read() == []
    folder.append(b"e\n")
    folder.append(b"late\n", "2026-03-01.jsonl")
    assert folder.read() == [b"late", b"e"]


def test_a_run_that_stops_goes_on_there(folder: Folder) -> None:
    """In the middle of a file, and between files."""
    folder.write(b"a\nb\nc\n", "2026-03-01.jsonl")
    folder.write(b"d\ne\n")
    assert [folder.read(2), folder.read(2), folder.read(2)] == [[b"a", b"b"], [b"c", b"d"], [b"e"]]


def test_a_last_line_without_break_waits_on_its_day(folder: Folder) -> None:
    """It may still be written; when its break comes it is whole."""
    folder.write(b"a\nhalf")
    assert folder.read() == [b"a"]
    assert folder.read() == []
    folder.append(b" a line\n")
    assert folder.read() == [b"half a line"]


def test_a_last_line_of_an_earlier_day_does_not_wait(folder: Folder) -> None:
    """And where it goes on after all, it is read again, whole."""
    folder.write(b"a\nhalf", "2026-03-02.jsonl")
    assert folder.read() == [b"a", b"half"]
    assert folder.read() == []
    folder.append(b" a line\nnext\n", "2026-03-02.jsonl")
    assert folder.read() == [b"half a line", b"next"]
    assert folder.state.files["2026-03-02.jsonl"].lines == 3


@pytest.mark.parametrize("content", [b"x\n", b"other\nlines\nthan\nbefore\n", b""])
def test_a_truncated_or_replaced_file_is_read_from_its_beginning(folder: Folder, content: bytes) -> None:
    """Shorter than the cursor, or with another first line."""
    folder.write(b"a\nb\nc\n")
    folder.read()
    folder.write(content)
    assert folder.read() == content.splitlines()


def test_the_offset_of_the_seed_counts_lines(folder: Folder) -> None:
    """Blank ones too; one past the end reads from the beginning; earlier files count as read."""
    folder.write(b"a\n\nb\nc\n")
    folder.write(b"old\n", "2026-03-01.jsonl")
    folder.state = LoopState(file=FILE, files={FILE: FileMark(lines=3)}, since=FILE)
    assert folder.read() == [b"c"]
    folder.state = LoopState(file=FILE, files={FILE: FileMark(lines=9)}, since=FILE)
    assert folder.read() == [b"a", b"", b"b", b"c"]


def test_a_line_that_is_too_long_is_stepped_over_in_little_memory(folder: Folder) -> None:
    """It comes with its beginning and a digest of all of it; the next line is whole."""
    long = b"x" * (MOST_CAPTURE_BYTES * 3)
    exact = b"y" * MOST_CAPTURE_BYTES
    folder.write(long + b"\n" + exact + b"\nz\n")
    lines: Sequence[RawLine] = list(unread_lines(folder.places, folder.state, TODAY))
    assert [len(line.content) for line in lines] == [MOST_CAPTURE_BYTES + 2, MOST_CAPTURE_BYTES, 1]
    assert lines[0].sha256 == hashlib.sha256(long).hexdigest()


def test_links_and_folders_are_no_files_of_captures(folder: Folder, tmp_path: Path) -> None:
    """Neither is followed; the rest is read."""
    outside = tmp_path / "outside"
    outside.write_bytes(b"secret\n")
    (folder.places.captures / "2026-03-01.jsonl").symlink_to(outside)
    (folder.places.captures / "2026-03-02.jsonl").mkdir()
    folder.write(b"a\n")
    assert folder.read() == [b"a"]


def test_without_a_folder_there_is_nothing(tmp_path: Path) -> None:
    """No error."""
    assert list(unread_lines(Places(tmp_path / "none"), LoopState(), TODAY)) == []
