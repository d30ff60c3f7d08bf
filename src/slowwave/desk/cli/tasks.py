"""Tasks: promises found by the night, waiting for a person."""

from pathlib import Path
from typing import Annotated

import typer

from slowwave.desk.cli.options import TokenOption
from slowwave.desk.cli.verb import Desk, Shown, verb

app = typer.Typer(help="Promises that were found: confirm, dismiss, close.", no_args_is_help=True)

TaskArgument = Annotated[str, typer.Argument(metavar="TASK", help="A task's item id or path.")]


_WORDS = {"confirm": "confirm", "dismiss": "dismiss", "done": "close"}


@app.command("list")
@verb
def list_tasks(
    desk: Desk,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Also those that are done or dismissed.")] = False,
) -> Shown:
    """List proposed and open tasks."""
    from slowwave.desk.screens import task_lines

    tasks = desk.house(must_exist=True).tasks(everything=everything)
    return Shown(kind="task", content={"tasks": tasks}, lines=task_lines(tasks))


@app.command("confirm")
@verb
def confirm(desk: Desk, *, task: TaskArgument, token: TokenOption = "") -> Shown:
    """Say that a proposed task is real: it becomes open, on main."""
    return _decide(desk, task, token, "confirm")


@app.command("dismiss")
@verb
def dismiss(
    desk: Desk,
    *,
    task: TaskArgument,
    why: Annotated[str, typer.Option(metavar="TEXT", help="Your reason; kept with the decision.")] = "",
    token: TokenOption = "",
) -> Shown:
    """Say that a task is none: it is not proposed again."""
    return _decide(desk, task, token, "dismiss", why)


@app.command("done")
@verb
def done(desk: Desk, *, task: TaskArgument, token: TokenOption = "") -> Shown:
    """Close a task."""
    return _decide(desk, task, token, "done")


@app.command("triage")
@verb
def triage(
    desk: Desk,
    *,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE.json", help="A list of commitment records; else this home's own.")
    ] = None,
    zone: Annotated[str, typer.Option(metavar="ZONE", help="Whose days count; else wake.timezone.")] = "",
) -> Shown:
    """Sort what is owed by urgency, with an action for each."""
    from slowwave.desk.screens.morning import triage_lines
    from slowwave.wiring.verbs_triage import triage_file, triage_home
    from slowwave.wiring.verbs_when import zone_asked

    whose = zone_asked(zone or None, home=desk.home, environment=desk.environment)
    if file is not None:
        described = triage_file(file, at=desk.now(), zone=whose)
    else:
        described = triage_home(desk.house(must_exist=True, only_reads=True), at=desk.now(), zone=whose)
    return Shown(kind="triage", content=described, lines=triage_lines(described))


def _decide(desk: Desk, task: str, token: str, verb_name: str, why: str = "") -> Shown:
    from slowwave.desk.person import channel_of, look_first
    from slowwave.desk.screens import task_lines
    from slowwave.desk.screens.parts import plain

    house = desk.house(must_exist=True)
    about = look_first(desk, token, lambda: house.preview_task(task))
    shown = [plain(f"{about['id']}  {about['claim']}")]
    channel = channel_of(desk, house, token, f"{_WORDS[verb_name]} this task", shown)
    changed = house.decide_task(task, verb_name, channel=channel, why=why)
    return Shown(kind="task", content={"tasks": [changed]}, lines=task_lines([changed]))
