"""Exchanging two files as one step, where the system can: what stood in a place is then in hand, whoever wrote it last.

Plain renaming throws away what it lands on, so that whatever was written between a last look and the rename is lost.
Linux and macOS have a call for this that Python's library does not reach.
"""

import ctypes
import os
import sys
from collections.abc import Callable
from pathlib import Path

_HERE = -100  # AT_FDCWD of Linux: paths are the process's own
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS


def exchange(one: Path, other: Path) -> bool:
    """Have two files of one disk trade their names, as one step; False, and nothing happened, where that cannot be."""
    call = _call()
    return call is not None and call(os.fsencode(one), os.fsencode(other)) == 0


def _call() -> Callable[[bytes, bytes], int] | None:
    if sys.platform.startswith("linux"):
        linux = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
        return None if linux is None else lambda one, other: int(linux(_HERE, one, _HERE, other, _EXCHANGE))
    if sys.platform == "darwin":
        apple = getattr(ctypes.CDLL(None, use_errno=True), "renamex_np", None)
        return None if apple is None else lambda one, other: int(apple(one, other, _EXCHANGE))
    return None
