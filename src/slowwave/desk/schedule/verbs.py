"""Verbs of the schedule over an open home."""

import shutil
from pathlib import Path
from typing import Any

from slowwave.desk.schedule.installing import scheduler_of
from slowwave.desk.schedule.machine import Machine
from slowwave.desk.schedule.plan import Plan, label_of
from slowwave.desk.schedule.running import Outcome, Schedule, own_program
from slowwave.wiring import House, home_folder
from slowwave.wiring.purses import zone_of


def schedule_of(house: House) -> Schedule:
    """The scheduled tasks of a home.

    Raises:
        ConfigError: The zone is none.
    """
    return Schedule(
        house.home,
        house.config.schedule,
        zone=zone_of(house),
        clock=house.clock,
        environment=house.environment,
    )


def plan_of(house: House) -> Plan:
    """What is to be written for schedulers.

    Raises:
        ConfigError: The zone is none.
    """
    return Plan(
        program=own_program(),
        home=house.home.root,
        hours=schedule_of(house).hours,
        zone=house.config.wake.timezone,
        path=_path(house),
        label=label_of(house.home.root, home_folder(None, {})),
    )


def _path(house: House) -> str:
    """A search path on which git and the configured agent are found, whoever starts us; the same from every shell."""
    asked = (shutil.which(name, path=house.environment.get("PATH", "")) for name in ("git", house.config.agent.name))
    folders = [str(Path(found).parent) for found in asked if found]
    return ":".join(dict.fromkeys([*folders, "/usr/local/bin", "/usr/bin", "/bin"]))


def install(house: House, machine: Machine, kind: str, *, only_shows: bool) -> dict[str, Any]:
    """Have the machine run the loop and the tasks, or only show what it would be told.

    Raises:
        ScheduleError: There is no scheduler, it refused, or something there is not ours.
    """
    plan = plan_of(house)
    named, scheduler = scheduler_of(machine, kind, plan, must_be_there=not only_shows)
    contents = scheduler.contents(plan)
    if not only_shows:
        schedule_of(house).begin()
        scheduler.install(plan)
    return {
        "kind": named,
        "installed": not only_shows,
        "parts": [{"place": place, "content": content} for place, content in contents.items()],
        "tasks": schedule_of(house).describe(),
    }


def describe(house: House, machine: Machine, kind: str) -> dict[str, Any]:
    """What of it stands, what is active, what comes next, and what became of the last."""
    plan = plan_of(house)
    named, scheduler = scheduler_of(machine, kind, plan)
    parts = [
        {
            "place": part.place,
            "isInstalled": part.is_installed,
            "isCurrent": part.is_current,
            "isActive": part.is_active,
        }
        for part in scheduler.parts(plan)
    ]
    return {
        "kind": named,
        "isInstalled": all(part["isInstalled"] for part in parts),
        "isCurrent": all(part["isCurrent"] for part in parts),
        "parts": parts,
        "tasks": schedule_of(house).describe(),
    }


def remove(house: House, machine: Machine, kind: str) -> dict[str, Any]:
    """Take away what is ours and nothing else."""
    plan = plan_of(house)
    named, scheduler = scheduler_of(machine, kind, plan)
    return {"kind": named, "removed": scheduler.remove(plan)}


def run(house: House, name: str) -> dict[str, Any]:
    """Run what is due and not done."""
    outcomes = schedule_of(house).run_due([name] if name else [])
    return {"tasks": [describe_outcome(one) for one in outcomes]}


def describe_outcome(one: Outcome) -> dict[str, Any]:
    """What became of one task."""
    return {
        "name": one.name,
        "ran": one.ran,
        "reason": one.reason,
        "due": one.due,
        "status": one.status,
        "error": one.said,
    }
