"""Lines on a wire: cut as they arrive, bounded, written as fast as somebody reads."""

import os
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest

from slowwave.desk.wire import LineCutter, TooLong, incoming, send_line, taken_over


def cut_up(pieces: list[bytes], most: int = 10) -> list[bytes | TooLong]:
    """The lines of a stream that arrives in pieces."""
    cutter = LineCutter(most)
    return [line for piece in pieces for line in cutter.feed(piece)]


def test_lines_are_whole_however_they_arrive() -> None:
    """One line in three pieces, three lines in one piece; what has no end yet is not handed over."""
    assert cut_up([b"a", b"b", b"c\nd\ne", b"\nrest"]) == [b"abc", b"d", b"e"]
    assert cut_up([b"\n \n\t\r\nx\n"]) == [b"x"]


def test_a_line_that_is_too_long_costs_itself_alone() -> None:
    """It is told once, with its beginning, and the line behind it is read; in one piece or in many."""
    long = b"y" * 11
    for pieces in ([b"a\n" + long + b"\nb\n"], [b"a\n", *(b"y",) * 11, b"\nb\n"], [b"a\n" + long, long, b"\nb\n"]):
        first, told, last = cut_up(pieces)
        assert (first, last) == (b"a", b"b")
        assert isinstance(told, TooLong)
        assert told.head == long[: len(told.head)] != b""
    assert cut_up([b"y" * 10 + b"\n"]) == [b"y" * 10]


def test_no_more_than_a_line_is_held() -> None:
    """A line without an end takes no more room than the bound."""
    cutter = LineCutter(1_000)
    for _ in range(1_000):
        assert list(cutter.feed(b"z" * 1_000)) == []
    assert len(cutter._held) <= 1_000


def gather(descriptor: int, readable: Callable[[int], Awaitable[None]]) -> list[bytes | TooLong]:
    """Everything that comes in."""

    async def run() -> list[bytes | TooLong]:
        return [line async for line in incoming(descriptor, readable)]

    return anyio.run(run)


def test_a_pipe_and_a_file_are_read_to_their_end(tmp_path: Path) -> None:
    """Ordinary files too, for which nobody can wait; the last line without an end is no message."""
    (tmp_path / "in").write_bytes(b"one\ntwo\nthr")
    with (tmp_path / "in").open("rb") as stream:
        assert gather(stream.fileno(), anyio.wait_readable) == [b"one", b"two"]
    read_from, write_to = os.pipe()
    os.write(write_to, b"one\ntwo\nthr")
    os.close(write_to)
    try:
        assert gather(read_from, anyio.wait_readable) == [b"one", b"two"]
    finally:
        os.close(read_from)


def test_a_line_larger_than_a_pipe_is_written_as_it_is_read() -> None:
    """More than a pipe holds waits for its reader, and arrives whole."""
    read_from, write_to = os.pipe()
    line = bytes(range(256)).replace(b"\n", b"") * 2_000
    got = bytearray()

    def read() -> None:
        while piece := os.read(read_from, 70_000):
            got.extend(piece)

    reader = threading.Thread(target=read)
    reader.start()
    anyio.run(send_line, write_to, line, anyio.wait_writable)
    os.close(write_to)
    reader.join()
    os.close(read_from)
    assert bytes(got) == line + b"\n"


def test_nobody_reading_is_an_error() -> None:
    """A pipe whose reader left cannot be written."""
    read_from, write_to = os.pipe()
    os.close(read_from)
    with pytest.raises(OSError, match="pipe"):
        anyio.run(send_line, write_to, b"x", anyio.wait_writable)
    os.close(write_to)


def test_stray_words_do_not_reach_the_wire(tmp_path: Path) -> None:
    """While the wire is taken over, standard output leads elsewhere and input is empty; then all is as before."""
    kept = os.dup(0), os.dup(1)
    with (tmp_path / "in").open("w+b") as given, (tmp_path / "out").open("w+b") as taken:
        given.write(b"a line")
        given.seek(0)
        os.dup2(given.fileno(), 0)
        os.dup2(taken.fileno(), 1)
        try:
            with taken_over() as (read_from, write_to):
                assert os.read(0, 10) == b""
                os.write(1, b"a stray word\n")
                os.write(write_to, os.read(read_from, 10))
            os.write(1, b", and back")
        finally:
            for descriptor, number in zip(kept, (0, 1), strict=True):
                os.dup2(descriptor, number)
                os.close(descriptor)
        taken.seek(0)
        assert taken.read() == b"a line, and back"
