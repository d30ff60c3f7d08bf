"""The waking loop's verbs."""

import json
import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from slowwave.desk.cli import classify
from slowwave.desk.cli.options import HomeOption, JsonOption, MomentOption
from slowwave.desk.cli.verb import Desk, Shown, remember_options, verb

app = typer.Typer(
    help="The waking loop: the day's memory kept up to date while you work.",
    no_args_is_help=False,
    invoke_without_command=True,
)
classify.register(app)


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    *,
    listen: Annotated[
        int | None, typer.Option("--listen", metavar="PORT", min=0, max=65535, help="Also serve the endpoints there.")
    ] = None,
    as_json: JsonOption = False,
    home: HomeOption = None,
    at: MomentOption = None,
) -> None:
    remember_options(as_json=as_json, home=home, at=at)
    if context.invoked_subcommand is None:
        service(port=listen)


@verb
def service(desk: Desk, *, port: int | None = None) -> Shown:
    """Run the loop until SIGTERM or Ctrl-C: a tick every minute, each sub-task when it is due."""
    from slowwave.desk.cli.serve import endpoints_of, start_log
    from slowwave.desk.screens.wake import tick_words
    from slowwave.desk.up import Services, run_services
    from slowwave.facts.refusal import UsageError

    if desk.at is not None:
        raise UsageError("a service has no fixed moment", hint="`slowwave wake once --at TIMESTAMP` is one tick")
    start_log(desk)

    def tell(described: Mapping[str, Any]) -> None:
        line = json.dumps(described, ensure_ascii=False) if desk.as_json else tick_words(described)
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    loop = desk.wake_loop(on_tick=tell)
    endpoints = endpoints_of(desk, port, live=loop) if port is not None else None
    run_services(Services(loop=loop, endpoints=endpoints))
    return Shown(kind="wake", content={"ended": True})


@app.command("once")
@verb
def once(
    desk: Desk,
    *,
    force: Annotated[bool, typer.Option("--force", help="Every sub-task, whatever its interval and the hour.")] = False,
) -> Shown:
    """Run one tick: whatever is due, or everything; the budget holds all the same."""
    from slowwave.desk.screens.wake import tick_lines

    desk.house().close()
    loop = desk.wake_loop()
    try:
        described = loop.tick_now(force=force)
    finally:
        loop.close()
    failed = any(row["error"] for row in (*described["subTasks"], *described["jobs"]))
    return Shown(kind="wake", content=described, lines=tick_lines(described), exit_status=1 if failed else 0)


@app.command("status")
@verb
def status(desk: Desk) -> Shown:
    """Show when each sub-task ran and is due, what waits, what is left of today's budget, and the last errors."""
    from slowwave.desk.screens.wake import status_lines
    from slowwave.wiring.daytime import wake_status

    described = wake_status(desk.house(must_exist=True, only_reads=True))
    return Shown(kind="wake", content=described, lines=status_lines(described))
