"""Putting a schedule in its place, asking what became of it, taking it away: systemd, launchd and cron alike."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from slowwave.desk.schedule import crontab, launchd, systemd
from slowwave.desk.schedule.machine import Machine
from slowwave.desk.schedule.plan import Plan, ScheduleError
from slowwave.desk.schedule.writing import Files, Part, is_ours
from slowwave.disk.durable import read_whole
from slowwave.disk.programs import End
from slowwave.facts.limits import PROGRAM_OUTPUT_BYTES
from slowwave.facts.refusal import UsageError
from slowwave.facts.text import showable

CRONTAB = "crontab"
"""Stands for the user's table, which is no file of ours."""


class Scheduler(Protocol):
    """One kind of scheduler."""

    def contents(self, plan: Plan) -> Mapping[str, str]:
        """What is to be written where; asks nobody."""

    def parts(self, plan: Plan) -> list[Part]:
        """What of it stands; asks, and changes nothing."""

    def install(self, plan: Plan) -> None:
        """Write it and have it begin; again changes nothing."""

    def remove(self, plan: Plan) -> list[str]:
        """Take away what is ours; where it was."""


@dataclass(frozen=True, slots=True)
class Systemd:
    """User units of systemd."""

    machine: Machine

    def contents(self, plan: Plan) -> Mapping[str, str]:
        """Files with what is in them."""
        return self._files(plan).shown()

    def parts(self, plan: Plan) -> list[Part]:
        """Units, and whether those that are enabled are active."""
        active = {name: self._is_active(name) for name in systemd.started(plan)}
        return self._files(plan).parts(active, self._standing(plan))

    def install(self, plan: Plan) -> None:
        """Write units, have them read, enable and start them."""
        self._take_old_away(plan)
        self._files(plan).write()
        self.machine.tell("systemctl", "--user", "daemon-reload")
        self.machine.tell("systemctl", "--user", "enable", "--now", *systemd.started(plan))

    def remove(self, plan: Plan) -> list[str]:
        """Stop, disable and take away every unit of this home, those of tasks that are no longer set too."""
        names = self._standing(plan)
        if names:
            units = [name for name in names if name.endswith((".timer", "-wake.service"))]
            self.machine.tell("systemctl", "--user", "disable", "--now", *units)
        taken = self._files(plan).take_away(names)
        if taken:
            self.machine.tell("systemctl", "--user", "daemon-reload")
        return taken

    def _take_old_away(self, plan: Plan) -> None:
        old = [name for name in self._standing(plan) if name not in systemd.unit_files(plan)]
        timers = [name for name in old if name.endswith(".timer")]
        if timers:
            self.machine.tell("systemctl", "--user", "disable", "--now", *timers)
        self._files(plan).take_away(old)

    def _standing(self, plan: Plan) -> list[str]:
        kinds = ("wake.service", "sleep.service", "sleep.timer", "brief.service", "brief.timer")
        names = [f"{plan.label}-{kind}" for kind in kinds]
        return [name for name in names if is_ours(read_whole(self.machine.units / name) or b"")]

    def _files(self, plan: Plan) -> Files:
        contents = {name: text.encode("utf-8") for name, text in systemd.unit_files(plan).items()}
        return Files(self.machine.units, contents)

    def _is_active(self, name: str) -> bool:
        came = self.machine.ask("systemctl", "--user", "is-active", name)
        return came.end is End.ENDED and came.status == 0


@dataclass(frozen=True, slots=True)
class Launchd:
    """Agents of launchd."""

    machine: Machine

    def contents(self, plan: Plan) -> Mapping[str, str]:
        """Files with what is in them."""
        return self._files(plan).shown()

    def parts(self, plan: Plan) -> list[Part]:
        """Agents, and whether they are loaded."""
        active = {f"{label}.plist": self._is_loaded(label) for label in launchd.agents(plan)}
        return self._files(plan).parts(active, self._standing(plan))

    def install(self, plan: Plan) -> None:
        """Write agents, and load those that changed or are not loaded."""
        self._unload([name for name in self._standing(plan) if name.removesuffix(".plist") not in launchd.agents(plan)])
        changed = self._files(plan).write()
        for label in launchd.agents(plan):
            is_loaded = self._is_loaded(label)
            if is_loaded and f"{label}.plist" in changed:
                self.machine.tell("launchctl", "bootout", f"{self._session}/{label}")
            if not is_loaded or f"{label}.plist" in changed:
                self.machine.tell("launchctl", "bootstrap", self._session, str(self.machine.agents / f"{label}.plist"))

    def remove(self, plan: Plan) -> list[str]:
        """Unload and take away every agent of this home."""
        return self._unload(self._standing(plan))

    @property
    def _session(self) -> str:
        return f"gui/{self.machine.user_id}"

    def _unload(self, names: list[str]) -> list[str]:
        for label in (name.removesuffix(".plist") for name in names):
            if self._is_loaded(label):
                self.machine.tell("launchctl", "bootout", f"{self._session}/{label}")
        return Files(self.machine.agents, {}).take_away(names)

    def _standing(self, plan: Plan) -> list[str]:
        names = [f"{plan.label}.{kind}.plist" for kind in ("wake", "sleep", "brief")]
        return [name for name in names if is_ours(read_whole(self.machine.agents / name) or b"")]

    def _files(self, plan: Plan) -> Files:
        return Files(
            self.machine.agents, {f"{label}.plist": content for label, content in launchd.agents(plan).items()}
        )

    def _is_loaded(self, label: str) -> bool:
        came = self.machine.ask("launchctl", "print", f"{self._session}/{label}")
        return came.end is End.ENDED and came.status == 0


@dataclass(frozen=True, slots=True)
class Cron:
    """Lines in the user's crontab."""

    machine: Machine

    def contents(self, plan: Plan) -> Mapping[str, str]:
        """Our lines."""
        return {CRONTAB: "".join(f"{line}\n" for line in crontab.lines(plan))}

    def parts(self, plan: Plan) -> list[Part]:
        """Our lines, and whether they stand."""
        table = self._table()
        stands = crontab.without_ours(table, plan.label) != table
        return [
            Part(
                place=CRONTAB,
                is_installed=stands,
                is_current=stands and crontab.with_ours(table, plan) == table,
                is_active=stands,
            )
        ]

    def install(self, plan: Plan) -> None:
        """Write our lines behind all others."""
        table = self._table()
        self._write(table, crontab.with_ours(table, plan))

    def remove(self, plan: Plan) -> list[str]:
        """Take our lines away."""
        table = self._table()
        return [CRONTAB] if self._write(table, crontab.without_ours(table, plan.label)) else []

    def _table(self) -> str:
        """The user's table; empty for none.

        Raises:
            ScheduleError: It cannot be read, so it must not be written either.
        """
        came = self.machine.ask("crontab", "-l")
        if came.end is End.ENDED and came.status == 0:
            return came.out.decode("utf-8", "surrogateescape")
        if came.end is End.ENDED and b"no crontab" in came.err:
            return ""
        raise ScheduleError(
            f"your crontab cannot be read: {showable(came.err.decode('utf-8', 'replace').strip())}",
            hint="`crontab -l` should print it, or that there is none",
        )

    def _write(self, table: str, wanted: str) -> bool:
        if wanted == table:
            return False
        if len(table.encode("utf-8", "surrogateescape")) >= PROGRAM_OUTPUT_BYTES:
            raise ScheduleError("your crontab is too long to be changed by a program", hint="add the lines yourself")
        # An empty table would be refused by some, so it goes whole.
        if wanted:
            self.machine.tell(CRONTAB, "-", said=wanted.encode("utf-8", "surrogateescape"))
        else:
            self.machine.tell(CRONTAB, "-r")
        return True


KINDS: Mapping[str, Callable[[Machine], Scheduler]] = {"systemd": Systemd, "launchd": Launchd, "cron": Cron}


def scheduler_of(machine: Machine, kind: str, plan: Plan, *, must_be_there: bool = False) -> tuple[str, Scheduler]:
    """The scheduler of a kind; where none is named the one that holds our plan, else the one this machine has.

    Raises:
        UsageError: There is no such kind.
        ScheduleError: The machine has none that we know, and ``must_be_there``.
    """
    if kind:
        if kind not in KINDS:
            raise UsageError(f"no scheduler is called {kind!r}", hint=f"--kind takes {', '.join(KINDS)}")
        return kind, KINDS[kind](machine)
    there = _there(machine)
    if must_be_there and not there:
        raise ScheduleError(
            "neither systemd for users, launchd nor cron is to be had here",
            hint="`slowwave up` runs loop, night and brief in one process",
        )
    holding = (name for name in there if any(part.is_installed for part in KINDS[name](machine).parts(plan)))
    named = next(holding, "") or next(iter(there), "") or "systemd"
    return named, KINDS[named](machine)


def _there(machine: Machine) -> list[str]:
    """Kinds of scheduler that this machine has, the best first."""
    if machine.system == "darwin":
        return ["launchd"]
    found = []
    if machine.has("systemctl"):
        came = machine.ask("systemctl", "--user", "show-environment")
        found += ["systemd"] if came.end is End.ENDED and came.status == 0 else []
    return [*found, *(["cron"] if machine.has("crontab") else [])]
