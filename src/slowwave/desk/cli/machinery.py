"""Machinery: ``doctor`` and ``config``."""

from typing import Annotated

import typer

from slowwave.desk.cli.options import TokenOption
from slowwave.desk.cli.verb import Desk, Shown, take_shared_options, verb

_config = typer.Typer(help="The settings of a home.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add these verbs to the command line."""
    app.command("doctor")(doctor)
    app.add_typer(take_shared_options(_config), name="config")


@verb
def doctor(desk: Desk) -> Shown:
    """Look at everything slowwave owns and say what is wrong and what to do; changes nothing."""
    from slowwave.desk.doctor import examine_home
    from slowwave.desk.screens import doctor_lines

    findings = examine_home(home=desk.home, environment=desk.environment, clock=desk.now)
    severities = {finding["severity"] for finding in findings}
    status = 4 if "damage" in severities else 1 if "error" in severities else 0
    return Shown(kind="doctor", content={"findings": findings}, lines=doctor_lines(findings), exit_status=status)


@_config.command("new-token")
@verb
def new_token(desk: Desk, *, token: TokenOption = "") -> Shown:
    """Make a new person token and show it once; the one before stands for nobody any more."""
    from slowwave.desk.person import channel_of
    from slowwave.desk.screens import token_lines

    house = desk.house(must_exist=True)
    channel_of(desk, house, token, "make a new person token, which ends the one before")
    made = house.renew_token()
    return Shown(kind="config", content={"personToken": made}, lines=token_lines(made))


@_config.command("set")
@verb
def set_one(
    desk: Desk,
    *,
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `slowwave config show` lists it.")],
    value: Annotated[str, typer.Argument(metavar="VALUE", help='Its value; a list as TOML: \'["a", "b"]\'.')],
) -> Shown:
    """Write one setting into config.toml, all others left as they are."""
    from slowwave.desk.screens import config_lines

    settings = desk.house().set_setting(name, value)
    return Shown(kind="config", content={"settings": settings}, lines=config_lines(settings))


@_config.command("set-key")
@verb
def set_key(
    desk: Desk,
    *,
    provider: Annotated[str, typer.Argument(metavar="PROVIDER", help="As `models.provider` names it.")],
) -> Shown:
    """Keep a provider's key in the system's keyring; it is asked for without echo, or read from standard input."""
    from slowwave.desk.person import ask_secret
    from slowwave.desk.screens import key_lines
    from slowwave.models.keys import store_key

    del desk  # a key belongs to the person, not to one home
    store_key(provider, ask_secret(f"Key for {provider}: "))
    return Shown(kind="config", content={"keyStored": provider}, lines=key_lines(provider))


@_config.command("show")
@verb
def show(desk: Desk) -> Shown:
    """Show every setting and where its value comes from."""
    from slowwave.desk.screens import config_lines

    settings = desk.house().settings()
    return Shown(kind="config", content={"settings": settings}, lines=config_lines(settings))
