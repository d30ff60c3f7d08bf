"""``mcp``: one batch, served to a person's own agent over standard input and output."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb
from slowwave.facts.refusal import ExtraMissingError, UsageError


def register(app: typer.Typer) -> None:
    """Add this verb to the command line."""
    app.command("mcp")(mcp)


@verb
def mcp(
    desk: Desk,
    *,
    consolidate: Annotated[
        str,
        typer.Option(
            metavar="BATCH", help="Serve this batch: an id that `slowwave sleep --dry-run` prints, or a folder."
        ),
    ] = "",
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what was called and answered to this file too.")
    ] = None,
    leads: Annotated[bool, typer.Option("--leads", help="Give mined findings to the agent as places to look.")] = False,
) -> Shown:
    """Serve one batch of sessions to your own agent over MCP, with four tools and nothing else."""
    if not consolidate:
        raise UsageError(
            "`slowwave mcp` serves no memories yet, only batches to be consolidated",
            hint="give --consolidate BATCH; memories are found by `slowwave search`, and read by agents "
            "where `slowwave export agents-md` writes them",
        )
    if find_spec("mcp") is None:
        raise ExtraMissingError("an MCP server", "mcp")
    # Here and not above: the library takes a second to load.
    from slowwave.desk.mcp import serve
    from slowwave.wiring.consolidating import draw_nonce, open_turn

    house = desk.house(only_reads=True)
    opened = open_turn(house, consolidate, nonce=draw_nonce(), record_file=record, has_leads=leads)
    try:
        serve(opened.specs, opened.call, instructions=opened.instructions)
    finally:
        opened.close()
        house.close()
    raise typer.Exit  # nothing but the protocol is ever written to standard output
