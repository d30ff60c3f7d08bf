"""Consent: what would leave this machine, to whom, at what cost; yes, no, and taking it back."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from slowwave.desk.cli.options import HomeOption, JsonOption, MomentOption, TokenOption
from slowwave.desk.cli.verb import Desk, Shown, remember_options, verb
from slowwave.facts.refusal import SlowwaveError, UsageError
from slowwave.facts.text import showable

if TYPE_CHECKING:
    from slowwave.wiring import House

_consent = typer.Typer(
    help="To whom transcripts may go: show it, give it, take it back.",
    no_args_is_help=False,
    invoke_without_command=True,
)
EngineOption = Annotated[str, typer.Option("--engine", metavar="E", help="For whom: model or agent.")]


class Said(StrEnum):
    """What a person said to a destination: yes, by which channel; no, for good; or nothing that is either."""

    VOUCHED = "token"
    TERMINAL = "terminal"
    DECLINED = "declined"
    NEITHER = ""


_WORDS = {"y": Said.TERMINAL, "yes": Said.TERMINAL, "n": Said.DECLINED, "no": Said.DECLINED}
"""Every other word, and none, is neither."""


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
    from slowwave.desk.screens import consent_lines
    from slowwave.wiring.verbs_consent import foresee

    if engine not in ("model", "agent"):
        raise UsageError(f"the engine {engine} sends nothing anywhere", hint="--engine takes model or agent")
    house = desk.house()
    sending = foresee(house, engine)
    said = _ask(desk, house, token, sending)
    content = {**sending, **_keep(house, sending["destination"], said)}
    lines = consent_lines([{**content, "moment": ""}])
    return Shown(kind="consent", content=content, lines=lines, exit_status=0 if content["given"] else 1)


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


def settle_consent(desk: Desk, house: "House", engine: str, token: str) -> None:
    """Before a night that would send transcripts somewhere new: show what, to whom, at what cost, and ask.

    A yes and a no are kept; anything else is neither, so that the next night asks again. Where nobody can be asked and
    no token was given, nothing happens here: the night itself refuses an engine asked for by name, and ``auto`` goes
    on with rules, as it does after anything but a yes.

    Raises:
        NeedsPersonError: The token is wrong.
    """
    from slowwave.desk.person import require_terminal
    from slowwave.wiring import verbs_consent

    try:
        destination = verbs_consent.wanted(house, engine)
        if not token:
            require_terminal(desk)
    except SlowwaveError:
        return  # the night says what is wrong with an engine asked for by name; nobody is here to be asked
    if not destination:
        return
    said = _ask(desk, house, token, verbs_consent.foresee(house, engine))
    _keep(house, destination, said)


def _ask(desk: Desk, house: "House", token: str, sending: Mapping[str, Any]) -> Said:
    """What the person says to a destination, and one line on how that was understood; a token says yes.

    Raises:
        NeedsPersonError: The token is wrong, or nobody is here to be asked.
    """
    from slowwave.desk.person import ask, channel_of, require_terminal
    from slowwave.desk.screens import sending_lines, understood_line

    destination = sending["destination"]
    if token:
        return Said(channel_of(desk, house, token, f"let transcripts go to {destination}"))
    require_terminal(desk)
    console = desk.console(stderr=True)
    for line in sending_lines(sending):
        console.print(line)
    typed = ask(f"May transcripts go to {showable(destination)}? Type yes or no: ")
    if not typed.endswith("\n"):
        console.print()  # the input ended, and the cursor stands behind the question
    said = _WORDS.get(typed.strip().lower(), Said.NEITHER)
    console.print(understood_line(said.value, sending))
    return said


def _keep(house: "House", destination: str, said: Said) -> dict[str, Any]:
    """Keep a yes or a no; what is neither changes nothing."""
    from slowwave.wiring import verbs_consent

    if said is Said.NEITHER:
        return {}
    if said is Said.DECLINED:
        return verbs_consent.decline(house, destination)
    return verbs_consent.give(house, destination, channel=said.value)
