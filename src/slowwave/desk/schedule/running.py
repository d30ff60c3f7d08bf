"""Running what is due: each task is a command of ours, in a process of its own, and one of a kind at a time."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from pathlib import Path
from time import monotonic
from typing import Any

from slowwave.desk.schedule.moments import last_due, next_due
from slowwave.desk.schedule.tries import FINE, Tried, begun, ended, is_to_run, read_tried, write_tried
from slowwave.disk.config import ScheduleSettings
from slowwave.disk.home import Home
from slowwave.disk.lock import LockedError, WriterLock
from slowwave.disk.programs import End, Ended, Program, run_program
from slowwave.facts.limits import SCHEDULED_SECONDS
from slowwave.facts.moment import Clock, stamp
from slowwave.facts.text import cut, showable

WORDS: Mapping[str, tuple[str, ...]] = {"sleep": ("sleep",), "brief": ("brief", "--notify")}
"""Each task with the command it is."""
_UNSTARTED = -255
_SAID_CHARACTERS = 400  # of a failed command's last words in a log
_OURS = ("-m", "slowwave")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one task.

    Attributes:
        name: ``sleep`` or ``brief``.
        ran: Whether it was due and ran.
        reason: Why it did not; empty where it did.
        due: The moment that it was due at.
        status: Its exit status.
        said: Its last words where it failed.
    """

    name: str
    ran: bool
    reason: str = ""
    due: str = ""
    status: int = 0
    said: str = ""

    @property
    def failed(self) -> bool:
        """Whether it ran and came to no good end."""
        return self.ran and self.status not in FINE


class Schedule:
    """The scheduled tasks of a home.

    Args:
        home: Whose.
        settings: Their hours.
        zone: Whose clock is meant.
        clock: The present.
        environment: Variables of the commands.
        program: How slowwave itself is started.
    """

    def __init__(
        self,
        home: Home,
        settings: ScheduleSettings,
        *,
        zone: tzinfo,
        clock: Clock,
        environment: Mapping[str, str],
        program: Sequence[str] = (),
    ) -> None:
        hours = {"sleep": settings.sleep, "brief": settings.brief}
        self.hours = {name: hour for name, hour in hours.items() if hour}
        self._home = home
        self._zone = zone
        self._clock = clock
        self._environment = environment
        self._program = tuple(program) or own_program()

    def begin(self) -> None:
        """From now on moments count; called when a schedule is set up, and changes nothing later."""
        for name in self.hours:
            if read_tried(self._home.root, name) is None:
                write_tried(self._home.root, name, Tried(since=stamp(self._clock())))

    def run_due(self, names: Sequence[str] = (), *, is_over: Callable[[], bool] = lambda: False) -> list[Outcome]:
        """Run what is due and not done, one after the other; ``is_over`` ends one that runs."""
        self.begin()
        return [self._run(name, is_over) for name in (names or self.hours) if not is_over()]

    def describe(self) -> list[dict[str, Any]]:
        """Each task with its hour, its next moment, and what became of the last one."""
        return [self._described(name, self._clock()) for name in self.hours]

    def _described(self, name: str, now: datetime) -> dict[str, Any]:
        tried = read_tried(self._home.root, name)
        described = {"name": name, "hour": self.hours[name], "next": stamp(next_due(self.hours[name], self._zone, now))}
        if tried is None:
            return {**described, "isMissed": False, "last": None}
        last = {"due": tried.due, "ended": tried.ended, "tries": tried.tries, "status": tried.status}
        is_missed = is_to_run(tried, last_due(self.hours[name], self._zone, now), now)
        return {**described, "isMissed": is_missed, "last": last if tried.due else None}

    def _run(self, name: str, is_over: Callable[[], bool]) -> Outcome:
        if name not in self.hours:
            return Outcome(name=name, ran=False, reason="not scheduled")
        lock = WriterLock(
            self._home.locks / f"schedule-{name}", command=f"slowwave {name}", clock=self._clock, seconds=0.0
        )
        try:
            with lock:
                return self._run_alone(name, is_over)
        except LockedError:
            return Outcome(name=name, ran=False, reason="running")

    def _run_alone(self, name: str, is_over: Callable[[], bool]) -> Outcome:
        now = self._clock()
        due = last_due(self.hours[name], self._zone, now)
        tried = read_tried(self._home.root, name) or Tried(since=stamp(now))
        if not is_to_run(tried, due, now):
            return Outcome(name=name, ran=False, reason="not due", due=stamp(due))
        tried = begun(tried, due, now)
        write_tried(self._home.root, name, tried)
        program = Program(
            words=(*self._program, *WORDS[name], "--home", str(self._home.root)),
            environment=self._environment,
            folder=self._home.root,
        )
        came = run_program(program, seconds=SCHEDULED_SECONDS, stopwatch=monotonic, is_over=is_over)
        status = _UNSTARTED if came.end is End.UNSTARTABLE else came.status
        # One that we stopped did not fail: it goes on at the next start.
        is_cut = came.end is End.STOPPED
        after = replace(tried, tries=tried.tries - 1) if is_cut else ended(tried, status, self._clock())
        write_tried(self._home.root, name, after)
        said = "" if status in FINE else _last_words(came)
        return Outcome(name=name, ran=True, due=tried.due, status=status, said=said)


def own_program() -> tuple[str, ...]:
    """How this very slowwave is started, from anywhere."""
    return (str(Path(sys.executable).absolute()), *_OURS)


def _last_words(came: Ended) -> str:
    lines = came.err.decode("utf-8", "replace").strip().splitlines()
    return cut(showable(" ".join(lines[-2:])), _SAID_CHARACTERS)
