"""The waking loop as a service: ``WakeLoop``, and the same under seed 001's name."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from slowwave.disk.home import Home
from slowwave.disk.lock import WriterLock
from slowwave.facts.limits import TICK_SECONDS
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import NewerFormatError, SlowwaveError
from slowwave.wake.judging import Judge
from slowwave.wake.loop import SubTaskResult, Tick
from slowwave.wiring.daytime import Daytime, described_tick
from slowwave.wiring.premises import Premises, system_clock

_log = logging.getLogger("slowwave.wake")
T = TypeVar("T")


class WakeLoop:
    """The waking loop over one home.

    All work is done in one thread of its own, so that whatever else runs in the event loop goes on meanwhile.

    Args:
        home: The home's folder, or a ``Home``.
        clock: The present.
        engine: Who judges captures; None for the model that the settings name, else the rules.
        environment: Variables in which keys and transcripts are found.
        on_tick: Told of each tick, in the form of ``wake once --json``.

    Raises:
        LockedError: From each method: another loop holds this home; the message says which.
    """

    def __init__(
        self,
        home: Path | Home,
        *,
        clock: Clock = system_clock,
        engine: Judge | None = None,
        environment: Mapping[str, str] | None = None,
        on_tick: Callable[[Mapping[str, Any]], None] = lambda _: None,
    ) -> None:
        self._home = home if isinstance(home, Home) else Home(home.expanduser().absolute())
        self._clock = clock
        self._engine = engine
        self._environment = dict(environment or {})
        self._on_tick = on_tick
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="slowwave-wake")
        self._daytime: Daytime | None = None
        self._is_over = False
        self._told: asyncio.Event | None = None
        self._lock: WriterLock | None = None

    async def start(self) -> None:
        """Tick every minute until ``stop``.

        Raises:
            LockedError: Another loop holds this home.
            NewerFormatError: A newer slowwave wrote its state.
        """
        self._told = asyncio.Event()
        if self._is_over:
            self._told.set()
        try:
            await self._in_worker(self._take)
            _log.info("the loop has begun; it ticks every %g seconds", TICK_SECONDS)
            while not self._told.is_set():
                await self._tick_on()
                await self._rest(self._told)
        finally:
            await self._in_worker(self._let_go)
            self._worker.shutdown()

    def stop(self) -> None:
        """End after what is in hand; may be called from a signal's handler in the event loop's thread."""
        self._is_over = True
        if self._told is not None:
            self._told.set()

    async def tick(self, *, force: bool = False) -> Mapping[str, Any]:
        """Run what is due, intervals and hours respected unless forced: ``subTasks`` and ``jobs``, as ``wake once``."""
        return await self._in_worker(lambda: self._tick(force=force)[0])

    async def trigger(self, *, force: bool) -> Mapping[str, Any]:
        """One tick, behind any that runs: what the endpoint asks for."""
        return await self.tick(force=force)

    async def run_once(self) -> tuple[SubTaskResult, ...]:
        """Run every sub-task, whatever its interval and the hour; one result for each."""
        return await self._in_worker(lambda: self._tick(force=True)[1].sub_tasks)

    def tick_now(self, *, force: bool = False) -> Mapping[str, Any]:
        """The same as ``tick`` for callers without an event loop."""
        return self._worker.submit(lambda: self._tick(force=force)[0]).result()

    def hold(self) -> None:
        """Take the home for good, as ``start`` does, for callers without an event loop; ``close`` lets go of it."""
        self._worker.submit(self._take).result()

    def close(self) -> None:
        """Let go of the home, where ``start`` was not used."""
        self._worker.submit(self._let_go).result()
        self._worker.shutdown()

    async def _tick_on(self) -> None:
        """One tick of the service: what goes wrong with the whole of it is told, and the next tick tries again."""
        try:
            await self.tick()
        except NewerFormatError:
            raise
        except SlowwaveError as error:
            _log.error("this tick could not be finished: %s", error.message)

    async def _rest(self, told: asyncio.Event) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(told.wait(), TICK_SECONDS)

    def _in_worker(self, work: Callable[[], T]) -> Awaitable[T]:
        return asyncio.get_running_loop().run_in_executor(self._worker, work)

    def _tick(self, *, force: bool) -> tuple[Mapping[str, Any], Tick]:
        with self._held() as daytime:
            tick = daytime.loop.tick(force=force)
        described = described_tick(tick)
        if tick.did_something:
            self._on_tick(described)
        return described, tick

    @contextmanager
    def _held(self) -> Iterator[Daytime]:
        """The day with the loop's lock: the service's, or one for this tick alone."""
        if self._lock is not None:
            yield self._opened()
            return
        with self._new_lock():
            yield self._opened()

    def _new_lock(self) -> WriterLock:
        return WriterLock(self._home.locks / "wake", command="slowwave wake", clock=self._clock, seconds=0.0)

    def _take(self) -> None:
        lock = self._new_lock()
        lock.__enter__()
        self._lock = lock
        self._opened()

    def _let_go(self) -> None:
        if self._daytime is not None:
            self._daytime.close()
            self._daytime.house.close()
            self._daytime = None
        if self._lock is not None:
            self._lock.__exit__(None, None, None)
            self._lock = None

    def _opened(self) -> Daytime:
        if self._daytime is None:
            house = Premises(self._home, environment=self._environment, clock=self._clock)
            self._daytime = Daytime(house, judge=self._engine, is_over=lambda: self._is_over)
        return self._daytime


class MicroConsolidationLoop(WakeLoop):
    """The waking loop as seed 001 calls it: the day's files lie in ``data_dir``, the home is the folder above it."""

    def __init__(self, *, data_dir: Path, clock: Clock = system_clock, engine: Judge | None = None) -> None:
        folder = data_dir.expanduser().absolute()
        super().__init__(Home(folder.parent, folder), clock=clock, engine=engine)
