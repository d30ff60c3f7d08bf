"""Consent: what would leave this machine, to whom, at what cost; yes, no, and taking it back."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from slowwave.desk.cli.options import HomeOption, JsonOption, MomentOption, TokenOption
from slowwave.desk.cli.verb import Desk, Shown, remember_options, verb
from slowwave.facts.refusal import UsageError

_consent = typer.Typer(
    help="To whom transcripts may go: show it, give it, take it back.",
    no_args_is_help=False,
    invoke_without_command=True,
)
EngineOption = Annotated[str, typer.Option("--engine", metavar="E", help="For whom: model or agent.")]


def register(app: typer.Typer) -> None:
    """Add this group to the command line."""
    app.add_typer(_consent, name="consent")


@_consent.callback(invoke_without_command=True)
def _start(
    context: typer.Context, *, as_json: JsonOption = False, home: HomeOption = None, at: MomentOption = None
) -> None:
    remember_options(as_json=as_json, home=home, at=at)
    if context.invoked_subcommand is None:
        show()


@_consent.command("show")
@verb
def show(desk: Desk) -> Shown:
    """Show to whom transcripts may go, since when, and how you were recognised."""
    from slowwave.desk.screens import consent_lines
    from slowwave.wiring.verbs_consent import list_consents

    consents = list_consents(desk.house(must_exist=True))
    return Shown(kind="consent", content={"consents": consents}, lines=consent_lines(consents))


@_consent.command("give")
@verb
def give(desk: Desk, *, engine: EngineOption = "model", token: TokenOption = "") -> Shown:
    """Show what the next night would send, to whom and at what cost, and let it be sent from now on."""
    from slowwave.desk.person import channel_of
    from slowwave.desk.screens import consent_lines, sending_lines
    from slowwave.wiring.verbs_consent import foresee
    from slowwave.wiring.verbs_consent import give as keep

    if engine not in ("model", "agent"):
        raise UsageError(f"the engine {engine} sends nothing anywhere", hint="--engine takes model or agent")
    house = desk.house()
    sending = foresee(house, engine)
    what = f"let transcripts go to {sending['destination']}"
    channel = channel_of(desk, house, token, what, sending_lines(sending))
    given = keep(house, sending["destination"], channel=channel)
    shown = [{**given, "channel": channel, "moment": ""}]
    return Shown(kind="consent", content={**sending, **given}, lines=consent_lines(shown))


@_consent.command("revoke")
@verb
def revoke(
    desk: Desk,
    *,
    destination: Annotated[str, typer.Argument(metavar="DESTINATION", help="As `slowwave consent` shows it.")],
) -> Shown:
    """Let no transcript go there any more. Anybody may take a consent back."""
    from slowwave.desk.screens import consent_lines
    from slowwave.wiring.verbs_consent import revoke as take_back

    taken = take_back(desk.house(must_exist=True), destination)
    return Shown(kind="consent", content=taken, lines=consent_lines([{**taken, "channel": "", "moment": ""}]))


def settle_consent(desk: Desk, house: Any, engine: str, token: str) -> None:
    """Before a night that would send transcripts somewhere new: show what, to whom, at what cost, and ask.

    Where nobody can be asked and no token was given, nothing happens here: the night itself refuses an engine asked
    for by name, and ``auto`` goes on with rules.

    Raises:
        NeedsPersonError: The token is wrong.
    """
    from slowwave.desk.guard import NeedsPersonError, require_own_terminal
    from slowwave.desk.person import channel_of, has_terminal
    from slowwave.desk.screens import sending_lines
    from slowwave.facts.refusal import SlowwaveError
    from slowwave.wiring import verbs_consent

    try:
        destination = verbs_consent.wanted(house, engine)
        if not token:
            require_own_terminal(desk.environment, has_terminal=has_terminal())
    except SlowwaveError:
        return  # the night says what is wrong with an engine asked for by name; nobody is here to be asked
    if not destination:
        return
    sending: Mapping[str, Any] = verbs_consent.foresee(house, engine)
    try:
        channel = channel_of(desk, house, token, f"let transcripts go to {destination}", sending_lines(sending))
    except NeedsPersonError:
        if token or engine != "auto":
            raise
        verbs_consent.decline(house, destination)
        return
    verbs_consent.give(house, destination, channel=channel)
