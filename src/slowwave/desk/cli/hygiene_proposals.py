"""The hygiene verb for the morning: what the night would take out of the contexts it was told to watch."""

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb


def register(app: typer.Typer) -> None:
    """Add the verb to the group."""
    app.command("proposals")(verb(proposals))


def proposals(desk: Desk) -> Shown:
    """List what the night proposes for long-lived contexts, each with the file that `apply --ops` takes."""
    from slowwave.desk.screens.hygiene import proposal_lines
    from slowwave.disk.home import Home
    from slowwave.wiring import home_folder
    from slowwave.wiring.hygiene_phase import proposals_of

    found = proposals_of(Home(home_folder(desk.home, desk.environment)))
    return Shown(kind="hygiene_proposals", content={"proposals": found}, lines=proposal_lines(found))
