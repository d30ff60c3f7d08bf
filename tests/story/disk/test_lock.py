"""One writer: the second is told for whom it waits, and a dead holder never blocks."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from slowwave.disk.lock import Holder, LockedError, WriterLock, boot_id, read_holder, start_of

MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
CHILD = """
import sys, time
from datetime import datetime, UTC
from pathlib import Path
from slowwave.disk.lock import WriterLock
with WriterLock(Path(sys.argv[1]), command="the other one", clock=lambda: datetime(2026, 1, 1, tzinfo=UTC)):
    print("held", flush=True)
    time.sleep(60)
"""


def new_lock(folder: Path, **more: Any) -> WriterLock:
    """A lock of this test's process."""
    return WriterLock(folder, command="the test", clock=lambda: MOMENT, **more)


@pytest.fixture
def other(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process that holds the lock."""
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    yield child
    child.kill()
    child.wait()
    child.stdout.close()


def test_the_second_is_told_who_holds_the_lock(tmp_path: Path, other: "subprocess.Popen[str]") -> None:
    """Waiting names the holder once, and giving up names it again with its process and since when."""
    waited: list[Holder | None] = []
    with pytest.raises(LockedError) as caught, new_lock(tmp_path, seconds=0.2, on_wait=waited.append):
        pass
    assert [holder.pid if holder else None for holder in waited] == [other.pid]
    assert f"`the other one` (process {other.pid}, since 2026-01-01T00:00:00Z)" in caught.value.message


def test_a_killed_holder_frees_the_lock_at_once(tmp_path: Path, other: "subprocess.Popen[str]") -> None:
    """The kernel drops a dead process's lock, and its name left behind misleads nobody."""
    other.send_signal(signal.SIGKILL)
    other.wait()
    assert (tmp_path / "writer.holder").exists()
    assert read_holder(tmp_path / "writer.holder") is None
    began = time.monotonic()
    with new_lock(tmp_path) as lock:
        assert lock.is_held
        holder = read_holder(tmp_path / "writer.holder")
        assert holder is not None
        assert holder.pid == os.getpid()
    assert time.monotonic() - began < 1
    assert not lock.is_held
    assert not (tmp_path / "writer.holder").exists()


def test_a_stale_name_does_not_keep_anybody_out(tmp_path: Path) -> None:
    """A holder file alone, even of a process that lives, is no lock."""
    name = {"pid": os.getppid(), "command": "x", "since": "y", "host": socket.gethostname(), "boot": boot_id()}
    (tmp_path / "writer.holder").write_text(json.dumps(name))
    with new_lock(tmp_path, seconds=0.0) as lock:
        assert lock.is_held


def signed(**changes: object) -> bytes:
    """A holder file of this very process, with some facts changed."""
    pid = os.getpid()
    facts: dict[str, object] = {"pid": pid, "command": "c", "since": "s", "host": socket.gethostname()}
    facts |= {"boot": boot_id(), "started": start_of(pid)}
    return json.dumps(facts | changes).encode()


@pytest.mark.parametrize(
    ("content", "is_believed"),
    [
        (signed(), True),
        (signed(pid=2**22 + 5), False),
        (signed(pid=2**80), False),
        (signed(pid=0), False),
        (signed(pid=-1), False),
        (signed(started="1"), False),
        (signed(boot="another start of the machine"), False),
        (signed(host="elsewhere", pid=2**22 + 5), True),
        (signed(pid="7"), False),
        (signed(command=7), False),
        (b"", False),
        (b"\x00\xff", False),
        (b"[]", False),
        (b"[" * 5000, False),
    ],
    ids=[
        "alive", "dead", "absurd", "zero", "negative", "reused number", "other boot", "other host", "number as text",
        "command as number", "empty", "binary", "list", "deep",
    ],
)  # fmt: skip
def test_a_name_is_believed_as_far_as_it_can_be_checked(tmp_path: Path, content: bytes, is_believed: bool) -> None:
    """A dead, reused or unreadable name is none; one on another machine cannot be disproved and stands."""
    (tmp_path / "writer.holder").write_bytes(content)
    assert (read_holder(tmp_path / "writer.holder") is not None) == is_believed


def test_a_name_nobody_may_read_is_none(tmp_path: Path) -> None:
    """A folder in the name's place is no holder, and no error."""
    (tmp_path / "writer.holder").mkdir()
    assert read_holder(tmp_path / "writer.holder") is None


def test_a_holder_elsewhere_is_shown_with_its_machine() -> None:
    """Who waits for another machine is told which."""
    assert "on elsewhere" in str(Holder(pid=7, command="sleep", since="now", host="elsewhere"))
