"""``serve`` and ``up``: the endpoints alone, or everything in one process for a container."""

from typing import TYPE_CHECKING, Annotated

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb
from slowwave.facts.refusal import ExtraMissingError, UsageError

if TYPE_CHECKING:
    from slowwave.desk.api.serving import HomeEndpoints
    from slowwave.wiring.wakefulness import WakeLoop

PortOption = Annotated[
    int | None, typer.Option("--port", metavar="PORT", min=0, max=65535, help="Listen here instead of serve.port.")
]


def register(app: typer.Typer) -> None:
    """Add these verbs to the command line."""
    app.command("serve")(serve)
    app.command("up")(up)


@verb
def serve(
    desk: Desk,
    *,
    port: PortOption = None,
    show_token: Annotated[bool, typer.Option("--show-token", help="Show the token for changes, and end.")] = False,
) -> Shown:
    """Serve the endpoints on the loopback until Ctrl-C; a tick can be asked for only where a loop runs: see `up`."""
    from slowwave.desk.screens.parts import plain
    from slowwave.desk.up import Services, run_services

    if show_token:
        token = _token(desk)
        return Shown(kind="serve", content={"token": token}, lines=[plain(token)])
    endpoints = endpoints_of(desk, port)
    start_log(desk)
    run_services(Services(endpoints=endpoints))
    return Shown(kind="serve", content={"ended": True})


@verb
def up(desk: Desk, *, port: PortOption = None) -> Shown:
    """Run everything in one process: loop, endpoints, the scheduled night and brief; missed ones run at the start."""
    from slowwave.desk.schedule.running import Schedule
    from slowwave.desk.up import Services, run_services
    from slowwave.wiring.purses import zone_of

    if desk.at is not None:
        raise UsageError("a service has no fixed moment", hint="`slowwave wake once --at TIMESTAMP` is one tick")
    house = desk.house()
    schedule = Schedule(
        house.home, house.config.schedule, zone=zone_of(house), clock=desk.now, environment=desk.environment
    )
    house.close()
    loop = desk.wake_loop()
    endpoints = endpoints_of(desk, port, live=loop)
    start_log(desk)
    run_services(Services(loop=loop, endpoints=endpoints, schedule=schedule))
    return Shown(kind="up", content={"ended": True})


def endpoints_of(desk: Desk, port: int | None, *, live: "WakeLoop | None" = None) -> "HomeEndpoints":
    """The endpoints of a home, listening already; where they are is told at once.

    Raises:
        ExtraMissingError: The packages are not installed.
        AddressTakenError: The port cannot be listened on.
    """
    try:
        from slowwave.desk.api.server import listen
        from slowwave.desk.api.serving import HomeEndpoints
    except ImportError as error:
        raise ExtraMissingError("serving endpoints", "serve") from error
    from slowwave.desk.api.guard import Rules, names_of
    from slowwave.desk.api.token import api_token
    from slowwave.wiring.served import ServedHome

    house = desk.house()
    settings = house.config.serve
    rules = Rules(names=names_of(settings.host), token=api_token(house.home, house.clock))
    house.close()
    listening = listen(settings.host, settings.port if port is None else port)
    made = HomeEndpoints(lambda: ServedHome(desk.house), listening=listening, rules=rules, live=live)
    typer.echo(
        f"slowwave: listening on {made.url}; `slowwave serve --show-token` shows the token for changes", err=True
    )
    return made


def start_log(desk: Desk) -> None:
    """Have what services do appear on standard error, secrets masked."""
    from slowwave.desk.log import log_to_stderr

    house = desk.house()
    mask = house.secrets.mask
    house.close()
    log_to_stderr(mask)


def _token(desk: Desk) -> str:
    from slowwave.desk.api.token import api_token

    house = desk.house()
    try:
        return api_token(house.home, house.clock)
    finally:
        house.close()
