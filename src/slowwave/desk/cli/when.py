"""``when``: how a phrase for a time is understood."""

from typing import Annotated

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb


def register(app: typer.Typer) -> None:
    """Add this verb to the command line."""
    app.command("when")(when)


@verb
def when(
    desk: Desk,
    *,
    phrase: Annotated[list[str], typer.Argument(metavar="PHRASE", help='The words, as "tomorrow at 9".')],
    zone: Annotated[
        str | None,
        typer.Option(
            metavar="ZONE", help="An IANA zone, as Europe/Berlin (default: wake.timezone, else the system's)."
        ),
    ] = None,
) -> Shown:
    """Say which instant a phrase names, seen from --at in a zone, or why it names none; changes nothing."""
    from slowwave.desk.screens.when import when_lines
    from slowwave.wiring.verbs_when import understand_phrase, zone_asked

    seen = zone_asked(zone, home=desk.home, environment=desk.environment)
    understood = understand_phrase(" ".join(phrase), at=desk.now(), zone=seen)
    return Shown(kind="when", content=understood, lines=when_lines(understood))
