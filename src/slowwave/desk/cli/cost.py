"""``cost``: what models were asked, why, at what cost, and what is left of today."""

from typing import Annotated

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb
from slowwave.facts.limits import COST_DAYS


def register(app: typer.Typer) -> None:
    """Add this verb to the command line."""
    app.command("cost")(cost)


@verb
def cost(
    desk: Desk,
    *,
    days: Annotated[int, typer.Option(metavar="N", help="Look back on this many days, today among them.")] = COST_DAYS,
    calls: Annotated[bool, typer.Option("--calls", help="Show every call with its reason, newest first.")] = False,
    prices: Annotated[
        bool, typer.Option("--prices", help="Show the price table's date and what the configured model costs.")
    ] = False,
) -> Shown:
    """Show what models were asked and why, what it cost, and what is left of today; asks nobody."""
    from slowwave.desk.screens.cost import cost_lines
    from slowwave.wiring.verbs_cost import tell_cost

    house = desk.house(only_reads=True)
    try:
        told = tell_cost(house, days=days)
    finally:
        house.close()
    return Shown(kind="cost", content=told, lines=cost_lines(told, with_calls=calls, with_prices=prices))
