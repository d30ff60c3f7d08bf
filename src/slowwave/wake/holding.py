"""Holding the day: one writer at a time over the files of the day, across loop, commands, endpoints and nights."""

from collections.abc import Callable
from contextlib import AbstractContextManager

Hold = Callable[[str], AbstractContextManager[object]]
"""Given what is being done, holds the lock of the day around one short write; never around a model's answer."""
