"""What a program started and that left its group: found by a mark in its environment, and ended.

Only Linux lets a process be looked at and ended without a chance of meeting another that took its number meanwhile;
elsewhere nothing is looked for.
"""

import os
import selectors
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from slowwave.facts.limits import PROGRAM_GRACE_SECONDS

_PROCESSES = Path("/proc")


def end_leftovers(mark: Mapping[str, str], *, stopwatch: Callable[[], float], is_asked: bool = True) -> int:
    """End every process that was started with these variables: asked first, then killed; how many there were.

    What cleared its environment before it started anything, or belongs to another user, is not found.

    Args:
        mark: Variables with values that nothing else on this machine has.
        stopwatch: Seconds that only grow.
        is_asked: Whether they are asked to end before they are killed.
    """
    wanted = {os.fsencode(f"{name}={value}") for name, value in mark.items()}
    found = 0
    for number in (signal.SIGTERM, signal.SIGKILL) if is_asked else (signal.SIGKILL,):
        with ExitStack() as opened:
            left = [descriptor for pid in _numbers() if (descriptor := _open(pid, wanted, opened)) is not None]
            found = max(found, len(left))
            _end(left, number, until=stopwatch() + PROGRAM_GRACE_SECONDS, stopwatch=stopwatch)
    return found


def _numbers() -> list[int]:
    """Every process there is, where they can be held by a descriptor."""
    if not hasattr(os, "pidfd_open") or not _PROCESSES.is_dir():
        return []
    return [int(folder.name) for folder in _PROCESSES.iterdir() if folder.name.isdecimal()]


def _open(pid: int, wanted: set[bytes], opened: ExitStack) -> int | None:
    """A descriptor of a process that carries the mark; None for any other."""
    if sys.platform != "linux":
        return None
    with suppress(OSError), ExitStack() as held:
        # Held before it is looked at: were it gone and its number taken, the descriptor would still be of the old one.
        descriptor = os.pidfd_open(pid)
        held.callback(os.close, descriptor)
        if wanted <= set((_PROCESSES / str(pid) / "environ").read_bytes().split(b"\0")):
            opened.push(held.pop_all())
            return descriptor
    return None


def _end(left: list[int], number: signal.Signals, *, until: float, stopwatch: Callable[[], float]) -> None:
    """Signal processes and wait for their ends, which their descriptors tell."""
    if sys.platform != "linux":
        return
    with selectors.DefaultSelector() as ending:
        for descriptor in left:
            with suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(descriptor, number)
            ending.register(descriptor, selectors.EVENT_READ)
        while ending.get_map() and (seconds := until - stopwatch()) > 0:
            for key, _ in ending.select(seconds):
                ending.unregister(key.fileobj)
