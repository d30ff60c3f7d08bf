"""launchd agents: one that keeps the loop alive, and one for each task at its hour. Pure."""

import plistlib
from collections.abc import Iterator, Mapping
from typing import Any

from slowwave.desk.schedule.moments import clock_of
from slowwave.desk.schedule.plan import MARK, Plan, check_word


def agents(plan: Plan) -> Mapping[str, bytes]:
    """Every agent by its label; its file is called so, with ``.plist`` behind it."""
    return {label: plistlib.dumps(tree, sort_keys=False) for label, tree in _agents(plan)}


def _agents(plan: Plan) -> Iterator[tuple[str, dict[str, Any]]]:
    loop = _agent(plan, "wake", ("wake",))
    yield loop["Label"], {**loop, "KeepAlive": True, "ThrottleInterval": 60}
    for name, hour in plan.hours.items():
        hours, minutes = clock_of(hour)
        task = _agent(plan, name, ("schedule", "run", name))
        # launchd makes up for an hour that was slept through, and at login for one at which the machine was off.
        yield (
            task["Label"],
            {**task, "StartCalendarInterval": {"Hour": hours, "Minute": minutes}, "LowPriorityIO": True},
        )


def _agent(plan: Plan, name: str, command: tuple[str, ...]) -> dict[str, Any]:
    tree: dict[str, Any] = {
        "Comment": MARK,
        "Label": f"{plan.label}.{name}",
        "ProgramArguments": [check_word(word) for word in plan.words(*command)],
        "RunAtLoad": True,
        "ProcessType": "Background",
        "Umask": 0o077,
    }
    return {**tree, "EnvironmentVariables": {"PATH": check_word(plan.path)}} if plan.path else tree
