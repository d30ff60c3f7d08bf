"""Durable writes: the old file or the new one, never a part, and every trouble with its own name."""

import errno
import os
from pathlib import Path

import pytest

from slowwave.disk import durable
from slowwave.disk.durable import clear_leftovers, make_folder, read_whole, remove, remove_tree, write_atomic
from slowwave.disk.trouble import DeniedError, DiskError, DiskFullError, FlushError, ReadOnlyError, explain


def test_a_written_file_has_the_content_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    """Content is replaced whole and the mode is 0600, whatever the umask."""
    path = tmp_path / "file"
    write_atomic(path, b"one")
    write_atomic(path, b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_failed_flush_is_fatal_and_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk does not confirm the bytes, the old content stays and there is no second try."""
    path = tmp_path / "file"
    write_atomic(path, b"old")
    calls = []

    def fail(descriptor: int) -> None:
        calls.append(descriptor)
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(FlushError) as caught:
        write_atomic(path, b"new")
    assert caught.value.code == "flush_failed"
    assert len(calls) == 1
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No room while writing: the old content stays, the part is removed, the error says what to do."""
    path = tmp_path / "file"
    write_atomic(path, b"old")

    def fail(descriptor: int, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", fail)
    with pytest.raises(DiskFullError) as caught:
        write_atomic(path, b"new")
    assert caught.value.code == "disk_full"
    assert caught.value.hint
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that takes three bytes at a time still gets all of them."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, content: real(descriptor, content[:3]))
    write_atomic(tmp_path / "file", b"0123456789")
    assert (tmp_path / "file").read_bytes() == b"0123456789"


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, DiskFullError),
        (errno.EDQUOT, DiskFullError),
        (errno.EROFS, ReadOnlyError),
        (errno.EACCES, DeniedError),
        (errno.EPERM, DeniedError),
        (errno.EMFILE, DiskError),
    ],
)
def test_every_system_error_has_a_name_and_a_hint(number: int, kind: type[DiskError]) -> None:
    """The error's class follows the number, and a hint is there."""
    error = explain(OSError(number, os.strerror(number)), "/some/where")
    assert type(error) is kind
    assert error.hint


def test_leftovers_of_a_killed_writer_go_and_nothing_else(tmp_path: Path) -> None:
    """Only names of our own pattern are removed, and folders of such a name stay."""
    for name in (".a.12-0.slowwave-part", "a.slowwave-part", ".a.part", "a"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / ".b.1-1.slowwave-part").mkdir()
    assert [path.name for path in clear_leftovers(tmp_path)] == [".a.12-0.slowwave-part"]
    assert len(list(tmp_path.iterdir())) == 4
    assert clear_leftovers(tmp_path / "missing") == ()


def test_a_kill_between_write_and_rename_keeps_the_old_file(tmp_path: Path) -> None:
    """What a dead writer leaves is a part beside the file, which the next start removes."""
    path = tmp_path / "file"
    write_atomic(path, b"old")
    child = os.fork()
    if child == 0:
        durable.flush = lambda *_: os.kill(os.getpid(), 9)
        write_atomic(path, b"new")
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == 9
    assert path.read_bytes() == b"old"
    assert len(clear_leftovers(tmp_path)) == 1


def test_folders_are_private_and_removal_is_calm(tmp_path: Path) -> None:
    """Made folders are 0700 with their parents; removing what is not there is no error."""
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700
    remove(tmp_path / "a" / "nothing")
    remove(tmp_path / "nowhere" / "nothing")
    remove_tree(tmp_path / "a")
    remove_tree(tmp_path / "a")
    assert not (tmp_path / "a").exists()
    assert read_whole(tmp_path / "a") is None


def test_removing_a_linked_folder_removes_the_link_alone(tmp_path: Path) -> None:
    """What a link points to stays."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "kept").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    remove_tree(tmp_path / "link")
    assert (tmp_path / "real" / "kept").exists()
    assert not (tmp_path / "link").is_symlink()


def test_a_file_where_a_folder_should_be_is_explained(tmp_path: Path) -> None:
    """Making a folder below a file is one of our errors, not a traceback."""
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(DiskError):
        make_folder(tmp_path / "file" / "folder")
