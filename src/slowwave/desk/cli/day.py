"""Everyday verbs: the state screen, ``init``, ``sleep``, ``demo``, ``first-night``."""

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from slowwave.desk.cli.consent import settle_consent
from slowwave.desk.cli.options import TokenOption
from slowwave.desk.cli.verb import Desk, Shown, verb
from slowwave.facts.moment import parse
from slowwave.facts.refusal import UsageError


def register(app: typer.Typer) -> None:
    """Add these verbs to the command line."""
    app.command("init")(init)
    app.command("sleep")(sleep)
    app.command("demo")(demo)
    app.command("first-night")(first_night)


@verb
def state(desk: Desk) -> Shown:
    """Show on one screen where things stand."""
    from slowwave.desk.screens import state_lines

    described = desk.house().describe()
    return Shown(kind="state", content=described, lines=state_lines(described))


@verb
def init(
    desk: Desk,
    *,
    transcripts: Annotated[
        list[Path] | None, typer.Option(metavar="DIR", help="Read this folder; give it again for more than one.")
    ] = None,
    exclude_project: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Never read this project; its name, or a folder.")
    ] = None,
    exclude_path: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Never read these files, or what lies below this folder.")
    ] = None,
    exclude_session: Annotated[list[str] | None, typer.Option(metavar="ID", help="Never read this session.")] = None,
    include_project: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Take the exclusion of a project back.")
    ] = None,
    include_path: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Take the exclusion of files back.")
    ] = None,
    include_session: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Take the exclusion of a session back.")
    ] = None,
) -> Shown:
    """Find transcripts, show what would be read, and remember what must not be."""
    from slowwave.desk.screens import init_lines
    from slowwave.disk.config import Exclude

    described = desk.house().initialise(
        transcripts=transcripts or (),
        exclude=Exclude(
            projects=tuple(exclude_project or ()),
            paths=tuple(exclude_path or ()),
            sessions=tuple(exclude_session or ()),
        ),
        include=Exclude(
            projects=tuple(include_project or ()),
            paths=tuple(include_path or ()),
            sessions=tuple(include_session or ()),
        ),
    )
    return Shown(kind="init", content=described, lines=init_lines(described))


@verb
def sleep(
    desk: Desk,
    *,
    date: Annotated[str | None, typer.Option(metavar="D", help="The night's date (default: today).")] = None,
    engine: Annotated[str, typer.Option(metavar="E", help="Who proposes: auto, mined, model or agent.")] = "auto",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Change nothing; show what a night would do.")] = False,
    phases: Annotated[str, typer.Option(metavar="A,B", help="Only these phases.")] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Only finish a night that was interrupted.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Read sessions again that were consolidated.")] = False,
    since: Annotated[str, typer.Option(metavar="D", help="With --again: only what ended then or later.")] = "",
    leads: Annotated[bool, typer.Option("--leads", help="Give mined findings to a model as places to look.")] = False,
    keep_turns: Annotated[
        bool, typer.Option("--keep-turns", help="Keep the records of model turns past your decision.")
    ] = False,
    replay: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Take answers from these recorded turns; ask nobody.")
    ] = None,
    accept_empty: Annotated[
        bool, typer.Option("--accept-empty", help="Go on although a folder that held sessions is empty now.")
    ] = False,
    token: TokenOption = "",
    seconds: Annotated[float | None, typer.Option(metavar="N", help="Stop taking new batches after this long.")] = None,
) -> Shown:
    """Run a night: read, find, prove, propose. Nothing lands until you say so."""
    from slowwave.desk.progress import progress_for
    from slowwave.desk.screens import night_lines
    from slowwave.sleep.plan import NightOptions

    if seconds is not None and not 0 < seconds < math.inf:
        raise UsageError(f"--seconds takes a positive number, not {seconds:g}", hint="without it the settings decide")
    if replay is not None and engine != "auto":
        raise UsageError("--replay takes its answers from records and asks no engine", hint="leave --engine away")
    options = NightOptions(
        phases=tuple(name.strip() for name in phases.split(",") if name.strip()),
        dry_run=dry_run,
        again=again,
        since=_day(since, again=again),
        leads=leads,
        keep_turns=keep_turns,
        replay=str(replay.absolute()) if replay else "",
        accept_empty=accept_empty,
        seconds=seconds or 0.0,
    )
    progress = progress_for(desk.console(stderr=True))
    house = desk.house()
    if not dry_run and replay is None:
        settle_consent(desk, house, engine, token)
    described = house.sleep(options, engine=engine, date=date, resume=resume, progress=progress)
    return _night(described, night_lines(described))


def _day(since: str, *, again: bool) -> str:
    if since and (not again or parse(since) is None or len(since) != len("YYYY-MM-DD")):
        raise UsageError(
            "--since takes YYYY-MM-DD and stands beside --again", hint="for example --again --since 2026-05-01"
        )
    return since


def _night(described: Any, lines: Any) -> Shown:
    failed = any(phase["status"] == "failed" for phase in described["phases"])
    return Shown(kind="sleep", content=described, lines=lines, exit_status=1 if failed else 0)


@verb
def demo(
    desk: Desk,
    *,
    keep: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Leave the demo's home in this folder to play with.")
    ] = None,
) -> Shown:
    """Run a night over bundled sample sessions in a temporary home, and show the result."""
    from slowwave.desk.demo import run_demo
    from slowwave.desk.progress import progress_for
    from slowwave.desk.screens import demo_lines

    described = run_demo(desk, keep=keep, progress=progress_for(desk.console(stderr=True)))
    return _night(described, demo_lines(described))


@verb
def first_night(desk: Desk) -> Shown:
    """Run a night over your newest sessions, or over the bundled samples where there are none."""
    from slowwave.desk.demo import run_demo
    from slowwave.desk.progress import progress_for
    from slowwave.desk.screens import demo_lines, night_lines
    from slowwave.sleep.plan import NightOptions

    progress = progress_for(desk.console(stderr=True))
    house = desk.house()
    if house.has_sessions():
        described = house.sleep(NightOptions(), engine="auto", date=None, resume=False, progress=progress)
        return _night(described, night_lines(described))
    house.close()
    desk.console(stderr=True).print("No sessions were found on this machine, so here are our samples.", style="bold")
    described = run_demo(desk, keep=None, progress=progress)
    return _night(described, demo_lines(described))
