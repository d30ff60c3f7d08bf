"""The wire: messages of one line each between two processes, with a bound on what a line may hold.

Nothing here knows what a message means. What comes in is cut into lines as it arrives, and a line that is too long is
passed over to its end, never held; what goes out waits until the other side takes it. No thread is needed, so that a
server that is told to end can always end.
"""

import os
import select
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from slowwave.facts.limits import MOST_MESSAGE_BYTES, READ_BLOCK_BYTES

_HEAD_BYTES = 256  # of a line that was too long, as much as holds the name of its request
_WRITE_BYTES = getattr(select, "PIPE_BUF", 512)  # what a pipe that says it has room takes without waiting

Ready = Callable[[int], Awaitable[None]]
"""Waits until a descriptor can be read, or written; ``PermissionError`` where a descriptor never makes anybody wait."""


@dataclass(frozen=True, slots=True)
class TooLong:
    """A line above the bound, of which only the beginning was kept."""

    head: bytes


class LineCutter:
    """Cuts a stream of bytes into lines, holding no more than one line of at most ``most`` bytes."""

    def __init__(self, most: int = MOST_MESSAGE_BYTES) -> None:
        self._most = most
        self._held = bytearray()
        self._head: bytes | None = None

    def feed(self, piece: bytes) -> Iterator[bytes | TooLong]:
        """The lines that are whole with this piece, without their ends; blank ones are left out."""
        *whole, rest = piece.split(b"\n")
        for part in whole:
            self._hold(part)
            line = TooLong(self._head) if self._head is not None else bytes(self._held)
            self._held.clear()
            self._head = None
            if isinstance(line, TooLong) or line.strip():
                yield line
        self._hold(rest)

    def _hold(self, part: bytes) -> None:
        if self._head is not None:
            return
        self._held += part
        if len(self._held) > self._most:
            self._head = bytes(self._held[:_HEAD_BYTES])
            self._held.clear()


async def incoming(descriptor: int, readable: Ready, most: int = MOST_MESSAGE_BYTES) -> AsyncIterator[bytes | TooLong]:
    """Lines as they arrive, until the other side closes; what follows the last line's end is no message."""
    cutter = LineCutter(most)
    while True:
        try:
            await readable(descriptor)
            piece = os.read(descriptor, READ_BLOCK_BYTES)
        except PermissionError:  # an ordinary file, which is always ready
            piece = os.read(descriptor, READ_BLOCK_BYTES)
        if not piece:
            return
        for line in cutter.feed(piece):
            yield line


async def send_line(descriptor: int, line: bytes, writable: Ready) -> None:
    """Write a line, waiting for room as often as needed.

    Raises:
        OSError: Nobody reads any more.
    """
    rest = memoryview(line + b"\n")
    while rest:
        try:
            await writable(descriptor)
        except PermissionError:  # an ordinary file, which always has room
            rest = rest[os.write(descriptor, rest) :]
            continue
        rest = rest[os.write(descriptor, rest[:_WRITE_BYTES]) :]


@contextmanager
def taken_over() -> Iterator[tuple[int, int]]:
    """Standard input and output as descriptors of our own.

    Meanwhile whatever else reads standard input finds it empty, and whatever else writes to standard output writes to
    the error output: a stray word would break the protocol.
    """
    ours = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    try:
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        yield ours
    finally:
        os.dup2(ours[0], 0)
        os.dup2(ours[1], 1)
        for descriptor in (*ours, nothing):
            os.close(descriptor)
