"""Files of one JSON object a line that several writers append to: a line is whole and on the disk, or not there."""

import os
from collections.abc import Sequence
from pathlib import Path

from slowwave.disk.durable import flush, flush_folder, make_folder
from slowwave.disk.trouble import speaking


def append_lines(path: Path, lines: Sequence[bytes]) -> None:
    """Add lines, each without its break, durably; a torn last line of a killed writer is closed first.

    Call it while holding the lock of whatever the file belongs to.

    Raises:
        DiskError: The system refused; at most a torn last line was left, which the next call closes.
        FlushError: The disk did not confirm the bytes.
    """
    if not lines:
        return
    make_folder(path.parent)
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with speaking(path):
        is_new = not path.exists()
        descriptor = os.open(path, flags, 0o600)
        try:
            rest = memoryview(_break_before(descriptor) + b"".join(line + b"\n" for line in lines))
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            flush(descriptor, path)
        finally:
            os.close(descriptor)
    if is_new:
        flush_folder(path.parent)


def _break_before(descriptor: int) -> bytes:
    size = os.fstat(descriptor).st_size
    if not size:
        return b""
    return b"" if os.pread(descriptor, 1, size - 1) == b"\n" else b"\n"
