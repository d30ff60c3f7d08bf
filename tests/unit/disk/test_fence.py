"""The fence opens regular files below a root and nothing else."""

import os
import socket
import threading
from pathlib import Path

import pytest

from slowwave.disk.fence import FenceError, open_beneath, relative_to_root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with one file in a folder, beside a file that must never be read."""
    (tmp_path / "outside").write_bytes(b"outside")
    inside = tmp_path / "root" / "folder"
    inside.mkdir(parents=True)
    (inside / "file").write_bytes(b"inside")
    return tmp_path / "root"


def test_a_file_below_the_root_is_opened(root: Path) -> None:
    """A plain path below the root is read."""
    with open_beneath(root, "folder/file") as file:
        assert file.read() == b"inside"


@pytest.mark.parametrize("path", ["../outside", "folder/../../outside", "/etc/passwd", "", ".", "folder/fi\0le"])
def test_a_path_that_leaves_the_root_is_refused(root: Path, path: str) -> None:
    """Climbing, absolute, empty and NUL paths are refused by name."""
    with pytest.raises(FenceError):
        open_beneath(root, path)


def test_links_are_refused_at_every_component(root: Path) -> None:
    """A link is refused as the file, as a folder and as a loop, even where it points inside."""
    (root / "file-link").symlink_to(root / "folder" / "file")
    (root / "folder-link").symlink_to(root / "folder")
    (root / "loop").symlink_to(root / "loop")
    for path in ("file-link", "folder-link/file", "loop", "loop/file"):
        with pytest.raises(FenceError):
            open_beneath(root, path)


def test_a_root_behind_a_link_is_trusted(root: Path, tmp_path: Path) -> None:
    """Links in the root's own path are the person's choice."""
    (tmp_path / "alias").symlink_to(root)
    with open_beneath(tmp_path / "alias", "folder/file") as file:
        assert file.read() == b"inside"


def test_what_is_no_regular_file_is_refused_without_waiting(root: Path) -> None:
    """A pipe without a writer, a socket, a folder and a device never block and never open."""
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "socket"))
        for name in ("pipe", "socket", "folder"):
            with pytest.raises(FenceError):
                open_beneath(root, name)
    with pytest.raises(FenceError):
        open_beneath(Path("/dev"), "null")


def test_a_missing_file_stays_an_ordinary_error(root: Path) -> None:
    """What does not exist is reported as such."""
    with pytest.raises(FileNotFoundError):
        open_beneath(root, "folder/none")


def test_swapping_a_folder_for_a_link_while_opening_never_leads_outside(root: Path, tmp_path: Path) -> None:
    """However the swap falls, what is read is the file inside or nothing."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "file").write_bytes(b"outside")
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            (root / "folder").rename(root / "away")
            (root / "folder").symlink_to(other)
            (root / "folder").unlink()
            (root / "away").rename(root / "folder")

    thread = threading.Thread(target=swap)
    thread.start()
    seen = set()
    try:
        for _ in range(3_000):
            try:
                with open_beneath(root, "folder/file") as file:
                    seen.add(file.read())
            except (FenceError, FileNotFoundError):
                seen.add(b"")
    finally:
        stop.set()
        thread.join()
    # Which side the scheduler favours is its affair; what matters is that no swap ever led outside.
    assert seen <= {b"", b"inside"}
    with open_beneath(root, "folder/file") as file:
        assert file.read() == b"inside"


def test_a_path_is_put_below_its_root_by_spelling(tmp_path: Path) -> None:
    """The relative path is computed without looking at the disk; a foreign path is refused."""
    assert str(relative_to_root(tmp_path, tmp_path / "a" / "b")) == "a/b"
    with pytest.raises(FenceError):
        relative_to_root(tmp_path, tmp_path.parent)
