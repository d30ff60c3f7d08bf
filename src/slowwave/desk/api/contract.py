"""What the endpoints stand on: a home that takes captures and tells its state, and a loop that can be told to tick."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class LiveLoop(Protocol):
    """The waking loop of this process."""

    async def trigger(self, *, force: bool) -> Mapping[str, Any]:
        """One tick, behind any that runs: ``subTasks`` and ``jobs``, each with what it did or why it rested."""


class Backing(Protocol):
    """What stands behind the endpoints."""

    async def put(self, captures: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Store captures, each once: ``id`` and ``isNew`` of each, in order.

        Raises:
            BadCaptureError: One of them is none; nothing was stored.
        """

    async def status(self) -> Mapping[str, Any]:
        """How things stand."""

    async def trigger(self, *, force: bool) -> Mapping[str, Any]:
        """One tick of the live loop.

        Raises:
            NoLoopError: There is none in this process; nothing was changed.
        """
