"""One writer at a time, across commands: the second waits, is told for whom, and gives up after a while.

The kernel holds the lock and drops it when its holder dies, so a dead holder never blocks. The holder's name in the
file beside it is only for people; it is believed no further than it can be checked.
"""

import contextlib
import json
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from filelock import FileLock, Timeout

from slowwave.disk.durable import make_folder, read_whole
from slowwave.disk.trouble import speaking
from slowwave.facts.limits import LOCK_SECONDS
from slowwave.facts.moment import Clock, stamp
from slowwave.facts.refusal import SlowwaveError

_POLL_SECONDS = 0.05
_WAITED = "It was given {seconds:g} seconds. Wait until it has ended, then run this again."
_ALONE = "Only one of them runs at a time in a home: let it work, or end it."


class LockedError(SlowwaveError):
    """Another command is writing and did not end in time."""

    code = "locked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who says to hold the lock; ``boot`` and ``started`` tell a reused process number from the writer's own."""

    pid: int
    command: str
    since: str
    host: str = ""
    boot: str = ""
    started: str = ""

    def __str__(self) -> str:
        place = "" if self.host == socket.gethostname() else f" on {self.host}"
        return f"`{self.command}` (process {self.pid}{place}, since {self.since})"


class WriterLock:
    """The lock as a context manager; use one for each command.

    Args:
        folder: ``Home.locks``.
        command: What is being done, for whoever has to wait.
        clock: The present, for the holder's file.
        on_wait: Called once when waiting begins, with the holder where one can be named.
        seconds: How long to wait.
    """

    def __init__(
        self,
        folder: Path,
        *,
        command: str,
        clock: Clock,
        on_wait: Callable[[Holder | None], None] | None = None,
        seconds: float = LOCK_SECONDS,
    ) -> None:
        self._folder = folder
        self._command = command
        self._clock = clock
        self._on_wait = on_wait
        self._seconds = seconds
        self._lock = FileLock(str(folder / "writer.lock"), mode=0o600, thread_local=False)
        self.taken_ns = 0
        """When the lock was taken, by the disk's own clock, so that it compares with the times of files."""

    def __enter__(self) -> Self:
        make_folder(self._folder)
        with speaking(self._folder):
            if not self._is_taken(0):
                self._wait()
            self._sign()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with contextlib.suppress(OSError):
            self._holder_file.unlink(missing_ok=True)
        self._lock.release()

    @property
    def is_held(self) -> bool:
        """Whether this object holds the lock."""
        return bool(self._lock.is_locked)

    @property
    def _holder_file(self) -> Path:
        return self._folder / "writer.holder"

    def _is_taken(self, seconds: float) -> bool:
        try:
            self._lock.acquire(timeout=seconds, poll_interval=_POLL_SECONDS)
        except Timeout:
            return False
        return True

    def _wait(self) -> None:
        if self._on_wait is not None:
            self._on_wait(read_holder(self._holder_file))
        if self._is_taken(self._seconds):
            return
        holder = read_holder(self._holder_file)
        raise LockedError(
            f"another command is writing: {holder or 'its name is not known'}",
            hint=_WAITED.format(seconds=self._seconds) if self._seconds else _ALONE,
        )

    def _sign(self) -> None:
        """Leave our name; not flushed, since it means nothing after a crash."""
        pid = os.getpid()
        name = {
            "pid": pid,
            "command": self._command,
            "since": stamp(self._clock()),
            "host": socket.gethostname(),
            "boot": boot_id(),
            "started": start_of(pid),
        }
        part = self._holder_file.with_suffix(".part")
        part.write_text(json.dumps(name), encoding="utf-8")
        part.chmod(0o600)
        part.replace(self._holder_file)
        self.taken_ns = self._holder_file.stat().st_mtime_ns


def read_holder(path: Path) -> Holder | None:
    """Who signed the lock, or ``None``: no name, an unreadable one, or one whose process is known to be gone."""
    try:
        holder = _parse(json.loads(read_whole(path) or b""))
    except (ValueError, RecursionError, SlowwaveError):
        return None
    return None if holder is None or _is_gone(holder) else holder


def _parse(value: Any) -> Holder | None:
    if not isinstance(value, dict) or not isinstance(value.get("pid"), int):
        return None
    words = {key: value.get(key, "") for key in ("command", "since", "host", "boot", "started")}
    if not all(isinstance(word, str) for word in words.values()):
        return None
    return Holder(pid=value["pid"], **words)


def _is_gone(holder: Holder) -> bool:
    """Whether the holder is proven dead; one on another machine never is."""
    if holder.host != socket.gethostname():
        return False
    if holder.boot and holder.boot != boot_id():
        return True
    if holder.pid < 1 or not is_running(holder.pid):
        return True
    return bool(holder.started) and holder.started != start_of(holder.pid)


def is_running(pid: int) -> bool:
    """Whether a process of this number exists on this machine; where asking would harm it, yes."""
    if os.name == "nt":
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def boot_id() -> str:
    """A name that changes with every start of the machine; empty where the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def start_of(pid: int) -> str:
    """When a process began, in the kernel's own count; empty where that cannot be read."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return ""
    return fields[19].decode("ascii") if len(fields) > 19 else ""
