"""The home behind the endpoints: one thread of its own opens it and does what is asked, one thing after the other."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from slowwave.desk.api.contract import LiveLoop
from slowwave.desk.api.errors import NoLoopError

T = TypeVar("T")


class OpenHome(Protocol):
    """What the endpoints ask of an open home."""

    def put_captures(self, captures: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Store captures, each once.

        Raises:
            BadCaptureError: One of them is none; nothing was stored.
        """

    def wake_status(self) -> Mapping[str, Any]:
        """State, budget left, what is due when, the last errors."""

    def close(self) -> None:
        """Let go of it."""


class HomeBacking:
    """A home, and the live loop of this process where there is one.

    Args:
        open_home: Opens the home; called in the thread that will use it.
        live: The loop.

    Attributes:
        ticking: The event loop that it ticks in; the endpoints run in another one.
        is_ending: No tick is begun any more.
    """

    def __init__(
        self,
        open_home: Callable[[], OpenHome],
        *,
        live: LiveLoop | None = None,
    ) -> None:
        self._open_home = open_home
        self._live = live
        self.ticking: asyncio.AbstractEventLoop | None = None
        self.is_ending = False
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="slowwave-api")
        self._home: OpenHome | None = None

    async def put(self, captures: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Store captures, each once.

        Raises:
            BadCaptureError: One of them is none; nothing was stored.
        """
        return await self._in_worker(lambda home: home.put_captures(captures))

    async def status(self) -> Mapping[str, Any]:
        """How things stand."""
        found = await self._in_worker(lambda home: home.wake_status())
        return {**found, "loop": {**found.get("loop", {}), "isLive": self._live is not None}}

    async def trigger(self, *, force: bool) -> Mapping[str, Any]:
        """One tick of the live loop.

        Raises:
            NoLoopError: There is none, or it ends; nothing was changed.
        """
        if self._live is None or self.ticking is None or self.is_ending:
            raise NoLoopError
        asked: Future[Mapping[str, Any]] = asyncio.run_coroutine_threadsafe(
            _awaited(self._live, force=force), self.ticking
        )
        # Whoever hangs up does not take the tick back: it may be half way.
        try:
            return await asyncio.shield(asyncio.wrap_future(asked))
        except asyncio.CancelledError:
            if asked.cancelled():  # the loop ended before it came to it
                raise NoLoopError from None
            raise

    def close(self) -> None:
        """Let go of the home; called when no request is under way."""
        if self._home is not None:
            self._worker.submit(self._home.close).result()
            self._home = None
        self._worker.shutdown()

    async def _in_worker(self, asked: Callable[[OpenHome], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._worker, lambda: asked(self._opened()))

    def _opened(self) -> OpenHome:
        if self._home is None:
            self._home = self._open_home()
        return self._home


async def _awaited(live: LiveLoop, *, force: bool) -> Mapping[str, Any]:
    return await live.trigger(force=force)
