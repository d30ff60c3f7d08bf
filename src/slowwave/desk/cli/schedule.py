"""``schedule``: have this machine run the loop, the night and the brief by itself."""

from typing import TYPE_CHECKING, Annotated

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb
from slowwave.facts.refusal import UsageError

if TYPE_CHECKING:
    from slowwave.desk.schedule.machine import Machine

app = typer.Typer(help="Run the loop, the night and the brief by systemd, launchd or cron.", no_args_is_help=True)

KindOption = Annotated[str, typer.Option(metavar="K", help="systemd, launchd or cron; else what this machine has.")]


@app.command("install")
@verb
def install(
    desk: Desk,
    *,
    kind: KindOption = "",
    only_shows: Annotated[bool, typer.Option("--print", help="Show what would be written; write nothing.")] = False,
) -> Shown:
    """Have the machine run them from now on; again brings it up to date with the settings."""
    from slowwave.desk.schedule.verbs import install as put
    from slowwave.desk.screens.schedule import installed_lines

    described = put(desk.house(only_reads=only_shows), _machine(desk), kind, only_shows=only_shows)
    return Shown(kind="schedule", content=described, lines=installed_lines(described))


@app.command("status")
@verb
def status(desk: Desk, *, kind: KindOption = "") -> Shown:
    """Show what is installed, what is active, and what runs next."""
    from slowwave.desk.schedule.verbs import describe
    from slowwave.desk.screens.schedule import status_lines

    described = describe(desk.house(only_reads=True), _machine(desk), kind)
    return Shown(kind="schedule", content=described, lines=status_lines(described))


@app.command("remove")
@verb
def remove(desk: Desk, *, kind: KindOption = "") -> Shown:
    """Take away what `slowwave schedule install` wrote, and nothing else."""
    from slowwave.desk.schedule.verbs import remove as take_away
    from slowwave.desk.screens.schedule import removed_lines

    described = take_away(desk.house(), _machine(desk), kind)
    return Shown(kind="schedule", content=described, lines=removed_lines(described))


@app.command("run")
@verb
def run(
    desk: Desk, *, task: Annotated[str, typer.Argument(metavar="[TASK]", help="sleep or brief; else both.")] = ""
) -> Shown:
    """Run the night and the brief where they are due and not done; what a scheduler calls."""
    from slowwave.desk.schedule.running import WORDS
    from slowwave.desk.schedule.tries import FINE
    from slowwave.desk.schedule.verbs import run as run_due
    from slowwave.desk.screens.schedule import ran_lines

    if task and task not in WORDS:
        raise UsageError(f"no task is called {task!r}", hint=f"tasks are {' and '.join(WORDS)}")
    described = run_due(desk.house(), task)
    failed = [one for one in described["tasks"] if one["ran"] and one["status"] not in FINE]
    return Shown(kind="schedule", content=described, lines=ran_lines(described), exit_status=1 if failed else 0)


def _machine(desk: Desk) -> "Machine":
    import os
    import sys

    from slowwave.desk.schedule.machine import Machine

    return Machine(
        environment=desk.environment,
        system=sys.platform,
        user_id=os.getuid() if hasattr(os, "getuid") else 0,
    )
