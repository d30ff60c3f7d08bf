"""What runs until it is told to end: the waking loop, the endpoints, the scheduled night and brief, side by side.

Each is optional but one of them. SIGTERM and SIGINT end all: the loop leaves its capture whole, requests under way are
answered, a night is ended and goes on at the next start.
"""

import asyncio
import logging
import signal
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from slowwave.desk.schedule.running import Schedule
from slowwave.facts.limits import LOOK_SECONDS

_log = logging.getLogger("slowwave.up")


class Loop(Protocol):
    """The waking loop as a service."""

    async def start(self) -> None:
        """Tick until ``stop``."""

    def stop(self) -> None:
        """End after what is in hand."""


class Endpoints(Protocol):
    """The endpoints as a service."""

    async def run(self) -> None:
        """Serve until ``stop``."""

    def stop(self) -> None:
        """Take no more; answer what is under way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What runs side by side; None for what does not."""

    loop: Loop | None = None
    endpoints: Endpoints | None = None
    schedule: Schedule | None = None


def run_services(services: Services) -> None:
    """The same for callers without an event loop.

    Raises:
        SlowwaveError: What the one that ended by itself had to say.
    """
    asyncio.run(run_until_told(services))


async def run_until_told(services: Services) -> None:
    """Run services until a signal, or until one of them ends: then the others end too.

    Raises:
        SlowwaveError: What the one that ended by itself had to say.
    """
    told = asyncio.Event()
    with _listening(told):
        running = {asyncio.create_task(work) for work in _works(services, told)}
        waiting = asyncio.create_task(told.wait())
        await asyncio.wait({*running, waiting}, return_when=asyncio.FIRST_COMPLETED)
        told.set()
        _log.info("ending")
        for service in (services.loop, services.endpoints):
            if service is not None:
                service.stop()
        outcomes = await asyncio.gather(*running, return_exceptions=True)
        await waiting
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    _log.info("ended")


def _works(services: Services, told: asyncio.Event) -> Iterator[Coroutine[Any, Any, None]]:
    if services.loop is not None:
        yield services.loop.start()
    if services.endpoints is not None:
        yield services.endpoints.run()
    if services.schedule is not None:
        services.schedule.begin()
        for name in services.schedule.hours:
            yield _watch(services.schedule, name, told)


async def _watch(schedule: Schedule, name: str, told: asyncio.Event) -> None:
    """Run a task whenever it is due; it may take hours, and nobody waits for it."""
    while not told.is_set():
        for one in await asyncio.to_thread(schedule.run_due, [name], is_over=told.is_set):
            if one.failed:
                _log.error("%s ended with status %d: %s", name, one.status, one.said)
            elif one.ran:
                _log.info("%s, due %s, is done", name, one.due)
        with suppress(TimeoutError):
            await asyncio.wait_for(told.wait(), LOOK_SECONDS)


@contextmanager
def _listening(told: asyncio.Event) -> Iterator[None]:
    """Signals that ask us to end are noted, in the main thread of a system that has them."""
    running = asyncio.get_running_loop()
    noted = []
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError, RuntimeError, ValueError):
            running.add_signal_handler(number, told.set)
            noted.append(number)
    try:
        yield
    finally:
        for number in noted:
            running.remove_signal_handler(number)
