"""The machine's schedulers, as programs that are told and asked."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from slowwave.desk.schedule.plan import ScheduleError
from slowwave.disk.programs import End, Ended, Program, passed_on, run_program
from slowwave.facts.limits import SCHEDULER_SECONDS
from slowwave.facts.text import cut, showable

_SAID_CHARACTERS = 300  # of a program's own words in an error


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Where schedulers are and how they are spoken with.

    Attributes:
        environment: The process's own.
        system: As ``sys.platform`` names it.
        user_id: The user's number, by which launchd names a session.
    """

    environment: Mapping[str, str]
    system: str
    user_id: int

    @property
    def folder(self) -> Path:
        """The user's own folder.

        Raises:
            ScheduleError: No variable names it.
        """
        named = self.environment.get("HOME", "")
        if not named:
            raise ScheduleError("HOME is not set, so that nobody knows where schedules lie", hint="set it")
        return Path(named)

    @property
    def units(self) -> Path:
        """Where systemd reads a user's units."""
        named = self.environment.get("XDG_CONFIG_HOME", "")
        return (Path(named) if named else self.folder / ".config") / "systemd" / "user"

    @property
    def agents(self) -> Path:
        """Where launchd reads a user's agents."""
        return self.folder / "Library" / "LaunchAgents"

    def has(self, name: str) -> bool:
        """Whether a program is on the search path."""
        return self._found(name) is not None

    def ask(self, name: str, *words: str, said: bytes = b"") -> Ended:
        """What a program answers; one that is not there does not start."""
        found = self._found(name)
        if found is None:
            return Ended(end=End.UNSTARTABLE, err=f"there is no {name}".encode())
        environment = {**passed_on(self.environment), "LC_ALL": "C"}
        program = Program(words=(found, *words), environment=environment, folder=Path("/"), said=said)
        return run_program(program, seconds=SCHEDULER_SECONDS, stopwatch=monotonic)

    def tell(self, name: str, *words: str, said: bytes = b"") -> None:
        """Tell a program something that it has to do.

        Raises:
            ScheduleError: It did not.
        """
        came = self.ask(name, *words, said=said)
        if came.end is not End.ENDED or came.status:
            heard = cut(showable(" ".join(came.err.decode("utf-8", "replace").split())), _SAID_CHARACTERS)
            raise ScheduleError(
                f"`{name} {' '.join(words)}` failed: {heard or f'exit status {came.status}'}",
                hint="`slowwave schedule install --print` shows what it was to be told; `slowwave up` needs none of it",
            )

    def _found(self, name: str) -> str | None:
        return shutil.which(name, path=self.environment.get("PATH", ""))
