"""Programs of other people: started with what is passed and nothing else, bounded in time and in what they say.

A program is the head of a group of its own. When it ends, or has to, whatever it started in that group ends with it.
Git has its own file; everything else that is started is started here.
"""

import os
import selectors
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from io import IOBase
from pathlib import Path
from typing import Self

from slowwave.facts.limits import PROGRAM_GRACE_SECONDS, PROGRAM_LINE_BYTES, PROGRAM_OUTPUT_BYTES

PASSED_ON = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ"),
    *("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"),
    *("DBUS_SESSION_BUS_ADDRESS", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
)
"""Variables that every program gets: where things are, how to speak, whom to trust. No key, no switch of ours."""
_TICK_SECONDS = 0.05  # how often we look whether a silent program has ended
_CHUNK = 65_536
_ENDING = (signal.SIGTERM, signal.SIGHUP)


class End(Enum):
    """How a program came to its end."""

    ENDED = "ended"
    TOO_LONG = "too_long"
    STOPPED = "stopped"
    """Whoever watched its output said so, or we were told to end."""
    UNSTARTABLE = "unstartable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What is started.

    Attributes:
        words: The file to run, and its arguments; no shell sees them.
        environment: Every variable it has.
        folder: Where it runs.
        said: What it reads from its standard input, which ends there.
    """

    words: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    said: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What became of a program.

    Attributes:
        end: How it ended.
        status: Its exit status; below zero the signal that ended it.
        out: The last of its standard output, at most ``PROGRAM_OUTPUT_BYTES``.
        err: The same of its error output.
    """

    end: End
    status: int = 0
    out: bytes = b""
    err: bytes = b""


def passed_on(environment: Mapping[str, str], more: Iterable[str] = ()) -> dict[str, str]:
    """Of an environment what every program gets, and ``more`` by name."""
    return {name: environment[name] for name in (*PASSED_ON, *more) if name in environment}


@contextmanager
def deferred_signals() -> Iterator[list[int]]:
    """Let what has begun be cleaned up before a signal ends us: it is noted, and sent again at the end.

    Outside the main thread nothing is deferred, and what was ignored stays so. May be nested.
    """
    noted: list[int] = []
    before = {}
    try:
        for number in _ENDING:
            if (found := signal.getsignal(number)) not in (signal.SIG_IGN, None):
                with suppress(ValueError):  # in another thread, which no signal reaches
                    before[number] = signal.signal(number, lambda sent, _: noted.append(sent)) or found
        yield noted
    finally:
        for number, restored in before.items():
            signal.signal(number, restored)
        for told in dict.fromkeys(noted):
            os.kill(os.getpid(), told)


def run_program(
    program: Program,
    *,
    seconds: float,
    stopwatch: Callable[[], float],
    watch: Callable[[bytes], bool] = lambda _: True,
    is_over: Callable[[], bool] = lambda: False,
) -> Ended:
    """Run a program to its end, or to ``seconds``; never raises for anything it does.

    A SIGTERM or SIGHUP of ours ends the program first, and then us as it would have done at once.

    Args:
        program: What is started.
        seconds: How long it may take.
        stopwatch: Seconds that only grow.
        watch: Told each line of its standard output as it comes, without its end; False kills the program. A line
            longer than ``PROGRAM_LINE_BYTES`` is passed over.
        is_over: Asked again and again; True asks the program to end. For callers in a thread, which no signal reaches.
    """
    with deferred_signals() as told:
        return _run(program, lambda: bool(told) or is_over(), seconds=seconds, stopwatch=stopwatch, watch=watch)


def _run(
    program: Program,
    is_over: Callable[[], bool],
    *,
    seconds: float,
    stopwatch: Callable[[], float],
    watch: Callable[[bytes], bool],
) -> Ended:
    try:
        running = subprocess.Popen(
            program.words,
            stdin=subprocess.PIPE if program.said else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(program.environment),
            cwd=program.folder,
            start_new_session=True,
            umask=0o077,
        )
    except (OSError, ValueError) as error:
        return Ended(end=End.UNSTARTABLE, err=str(error).encode("utf-8", "replace"))
    with running, _Streams(running, program.said, watch) as streams:
        try:
            end = _follow(running, streams, is_over, until=stopwatch() + seconds, stopwatch=stopwatch)
        finally:
            _end_group(running, streams, stopwatch)
    return Ended(end=end, status=running.returncode, out=bytes(streams.out.kept), err=bytes(streams.err.kept))


def _follow(
    running: "subprocess.Popen[bytes]",
    streams: "_Streams",
    is_over: Callable[[], bool],
    *,
    until: float,
    stopwatch: Callable[[], float],
) -> End:
    while running.poll() is None:
        streams.move(_TICK_SECONDS)
        if streams.is_stopped or is_over():
            return End.STOPPED
        if stopwatch() >= until:
            return End.TOO_LONG
    streams.drain()
    return End.STOPPED if streams.is_stopped else End.ENDED


def _end_group(running: "subprocess.Popen[bytes]", streams: "_Streams", stopwatch: Callable[[], float]) -> None:
    """End a program and all it started: asked first, so that what it holds is written down, then killed.

    One that was stopped for what it said is not asked: it did what it must not, and gets no time to do more.
    """
    for number in (signal.SIGKILL,) if streams.is_stopped else (signal.SIGTERM, signal.SIGKILL):
        _signal(running.pid, number)
        until = stopwatch() + PROGRAM_GRACE_SECONDS
        while _is_left(running) and stopwatch() < until:
            streams.move(_TICK_SECONDS)  # who waits for room in a pipe cannot end
    running.wait()
    streams.drain()


def _is_left(running: "subprocess.Popen[bytes]") -> bool:
    """Whether a program or anything in its group is still there; one that has ended is counted."""
    return running.poll() is None or _signal(running.pid, 0)


def _signal(group: int, number: int) -> bool:
    """Send a signal to a group; whether anybody is left in it."""
    with suppress(ProcessLookupError, PermissionError):  # macOS says the latter of one that only waits to be counted
        os.killpg(group, number)
        return True
    return False


@dataclass(slots=True)
class _Kept:
    """The last of a stream, and its lines as they come."""

    kept: bytearray = field(default_factory=bytearray)
    line: bytearray = field(default_factory=bytearray)
    is_passed_over: bool = False

    def take(self, read: bytes) -> list[bytes]:
        """Keep what came; the lines that it ends."""
        self.kept += read
        del self.kept[:-PROGRAM_OUTPUT_BYTES]
        *ended, rest = read.split(b"\n")
        lines = []
        for part in ended:
            self._grow(part)
            lines += [] if self.is_passed_over else [bytes(self.line)]
            self.line.clear()
            self.is_passed_over = False
        self._grow(rest)
        return lines

    def _grow(self, part: bytes) -> None:
        self.is_passed_over = self.is_passed_over or len(self.line) + len(part) > PROGRAM_LINE_BYTES
        if self.is_passed_over:
            self.line.clear()
        else:
            self.line += part


class _Streams:
    """The three streams of a running program: what is said to it, and what it says, always read on."""

    def __init__(self, running: "subprocess.Popen[bytes]", said: bytes, watch: Callable[[bytes], bool]) -> None:
        self.out, self.err = _Kept(), _Kept()
        self.is_stopped = False
        self._left = memoryview(said)
        self._watch = watch
        self._selector = selectors.DefaultSelector()
        for stream, kept in ((running.stdout, self.out), (running.stderr, self.err)):
            if stream is not None:
                os.set_blocking(stream.fileno(), False)
                self._selector.register(stream, selectors.EVENT_READ, kept)
        if running.stdin is not None:
            os.set_blocking(running.stdin.fileno(), False)
            self._selector.register(running.stdin, selectors.EVENT_WRITE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for key in list(self._selector.get_map().values()):
            self._close(key)
        self._selector.close()

    def move(self, seconds: float) -> bool:
        """Read and write what can be, waiting so long for the first of it; whether anything moved."""
        moved = False
        for key, _ in self._selector.select(seconds):
            is_kept = isinstance(key.data, _Kept)
            moved = (self._read(key, key.data) if is_kept else self._write(key)) or moved
        return moved

    def drain(self) -> None:
        """Read what is left in the pipes, bounded, for what outlives the program may go on writing into them."""
        for _ in range(PROGRAM_OUTPUT_BYTES // _CHUNK + 1):
            if not self.move(0):
                return

    def _read(self, key: selectors.SelectorKey, kept: _Kept) -> bool:
        try:
            read = os.read(key.fd, _CHUNK)
        except BlockingIOError:
            return False
        if not read:
            self._close(key)
            return True
        lines = kept.take(read)
        if kept is self.out and not self.is_stopped:
            self.is_stopped = not all(self._watch(line) for line in lines)
        return True

    def _write(self, key: selectors.SelectorKey) -> bool:
        try:
            self._left = self._left[os.write(key.fd, self._left[:_CHUNK]) :]
        except BlockingIOError:
            return False
        except OSError:  # it reads no more
            self._left = self._left[:0]
        if not self._left:
            self._close(key)
        return True

    def _close(self, key: selectors.SelectorKey) -> None:
        self._selector.unregister(key.fileobj)
        if isinstance(key.fileobj, IOBase):
            with suppress(OSError):
                key.fileobj.close()
