"""A file that others write: whoever is quicker, both changes stand."""

from collections.abc import Callable
from pathlib import Path

import pytest

from slowwave.disk import shared
from slowwave.disk.exchange import exchange
from slowwave.disk.shared import BusyFileError, edit_shared, union


@pytest.fixture(params=[True, False], ids=["exchanged", "renamed"])
def path(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file on a disk that can exchange files, and on one that cannot."""
    if not request.param:
        monkeypatch.setattr(shared, "exchange", lambda *_: False)
    return tmp_path / "page.md"


def adding(line: bytes) -> Callable[[bytes | None], bytes]:
    """A change that adds a line where it is missing."""
    return lambda content: content or b"" if content and line in content else (content or b"") + line


def replace(path: Path, content: bytes) -> None:
    """Save as editors do that write a new file and rename it."""
    part = path.with_suffix(".tmp")
    part.write_bytes(content)
    part.replace(path)


def left(path: Path) -> list[str]:
    """What lies beside the file."""
    return sorted(one.name for one in path.parent.iterdir() if one != path)


def test_a_change_is_made_and_a_second_one_tidies_up(path: Path) -> None:
    """One former file lies beside it at most, for its owner alone."""
    for number in range(5):
        edit_shared(path, adding(b"%d\n" % number))
    assert path.read_bytes() == b"0\n1\n2\n3\n4\n"
    assert len(left(path)) == 1
    assert path.stat().st_mode & 0o777 == 0o600
    edit_shared(path, lambda _: None)
    assert left(path) == []


@pytest.mark.parametrize("save", [replace, Path.write_bytes], ids=["renaming", "writing"])
def test_whoever_saves_while_a_change_is_made_is_kept(path: Path, save: Callable[[Path, bytes], object]) -> None:
    """The change is made anew on what was saved, deletions and all."""
    path.write_bytes(b"one\ntwo\n")
    saves = iter([b"one\nmine\n", b"one\nmine\nmore\n"])

    def change(content: bytes | None) -> bytes:
        if saved := next(saves, None):
            save(path, saved)
        return adding(b"ours\n")(content)

    edit_shared(path, change)
    assert path.read_bytes() == b"one\nmine\nmore\nours\n"


@pytest.mark.parametrize("save", [replace, Path.write_bytes], ids=["renaming", "writing"])
def test_whoever_saves_in_the_last_instant_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, save: Callable[[Path, bytes], object]
) -> None:
    """Between the last look and the exchange: what comes out is theirs, and is put back with the change."""
    path = tmp_path / "page.md"
    path.write_bytes(b"one\ntwo\n")
    saves = iter([b"one\nmine\n"])

    def late(one: Path, other: Path) -> bool:
        if saved := next(saves, None):
            save(other, saved)
        return exchange(one, other)

    monkeypatch.setattr(shared, "exchange", late)
    edit_shared(path, adding(b"ours\n"))
    assert path.read_bytes() == b"one\nmine\nours\n"


def test_an_editor_that_had_the_former_file_open_loses_nothing(path: Path) -> None:
    """It writes into a file that has no name any more but ours; the next change merges it in."""
    path.write_bytes(b"one\ntwo\n")
    with path.open("r+b") as editor:
        edit_shared(path, adding(b"ours\n"))
        editor.write(b"one\nmine\ntwo\n")
    edit_shared(path, adding(b"later\n"))
    assert sorted(path.read_bytes().split()) == sorted(b"one mine two ours later".split())
    edit_shared(path, lambda _: None)
    assert left(path) == []


def test_an_editor_that_empties_the_file_before_it_writes_loses_nothing(path: Path) -> None:
    """Whatever is changed between its two steps."""
    path.write_bytes(b"one\ntwo\n")
    with path.open("r+b") as editor:
        edit_shared(path, adding(b"ours\n"))
        editor.truncate(0)
        edit_shared(path, adding(b"later\n"))
        editor.write(b"one\nmine\n")
    for _ in range(3):
        edit_shared(path, lambda _: None)
    assert sorted(path.read_bytes().split()) == sorted(b"one two mine ours later".split())
    assert left(path) == []


def test_a_file_that_appears_meanwhile_is_not_replaced(path: Path) -> None:
    """Two who begin a file both have their line."""

    def change(content: bytes | None) -> bytes:
        if content is None:
            path.write_bytes(b"mine\n")
        return adding(b"ours\n")(content)

    edit_shared(path, change)
    assert path.read_bytes() == b"mine\nours\n"
    assert len(left(path)) == 1


def test_a_file_that_never_rests_is_written_and_never_lost(path: Path) -> None:
    """Saved at each look: the change is put in all the same, and what came out last waits for the next one."""
    path.write_bytes(b"0\n")
    count = iter(range(1, 10_000))

    def change(content: bytes | None) -> bytes:
        path.write_bytes(b"".join(b"%d\n" % number for number in range(next(count) + 1)))
        return adding(b"ours\n")(content)

    edit_shared(path, change)
    written = next(count)
    edit_shared(path, lambda _: None)
    lines = path.read_bytes().split()
    assert {b"ours", *(b"%d" % number for number in range(written))} == set(lines)
    edit_shared(path, lambda _: None)
    assert left(path) == []


def test_a_file_that_comes_and_goes_is_given_up(path: Path) -> None:
    """Said with its code, nothing left behind."""

    def change(content: bytes | None) -> bytes:
        if content is None:
            path.write_bytes(b"mine\n")
        else:
            path.unlink()
        return b"ours\n"

    with pytest.raises(BusyFileError) as error:
        edit_shared(path, change)
    assert error.value.hint
    assert left(path) == []


def test_a_link_stays_a_link(path: Path) -> None:
    """A page that lies in a person's own notes is written there."""
    real = path.parent / "notes" / "mine.md"
    real.parent.mkdir()
    real.write_bytes(b"one\n")
    path.symlink_to(real)
    edit_shared(path, adding(b"ours\n"))
    assert path.is_symlink()
    assert real.read_bytes() == b"one\nours\n"


def test_nothing_is_touched_where_nothing_changes(path: Path) -> None:
    """Not even its time."""
    path.write_bytes(b"one\n")
    before = path.stat()
    edit_shared(path, adding(b"one\n"))
    assert path.stat() == before
    assert left(path) == []


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (b"a\nb\n", b"a\nb\n", b"a\nb\n"),
        (b"a\nours\nb\n", b"a\nb\ntheirs\n", b"a\nours\nb\ntheirs\n"),
        (b"a\nours", b"a\ntheirs", b"a\nours\ntheirs"),
        (b"", b"theirs", b"theirs"),
        (b"\xff\r\n", b"\xff\r\n\xfe\r\n", b"\xff\r\n\xfe\r\n"),
    ],
)
def test_a_union_has_every_line_of_both(one: bytes, other: bytes, both: bytes) -> None:
    """In order, none taken away."""
    assert union(one, other) == both
