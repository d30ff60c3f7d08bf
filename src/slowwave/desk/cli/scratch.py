"""Scratch: the day's page, and every running summary it had."""

from typing import Annotated

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb

app = typer.Typer(help="The day's page: what was filed, and its running summary.", no_args_is_help=True)


@app.command("show")
@verb
def show(desk: Desk) -> Shown:
    """Show the page of the day as it stands."""
    from slowwave.desk.screens.scratch import page_lines
    from slowwave.wiring.verbs_scratch import show_scratch

    house = desk.house(must_exist=True, only_reads=True)
    try:
        page = show_scratch(house)
    finally:
        house.close()
    return Shown(kind="scratch", content=page, lines=page_lines(page))


@app.command("history")
@verb
def history(desk: Desk) -> Shown:
    """List every running summary there was, with its number, time and writer."""
    from slowwave.desk.screens.scratch import summary_lines
    from slowwave.wiring.verbs_scratch import list_summaries

    house = desk.house(must_exist=True, only_reads=True)
    try:
        summaries = list_summaries(house)
    finally:
        house.close()
    return Shown(kind="scratch_history", content={"summaries": summaries}, lines=summary_lines(summaries))


@app.command("restore")
@verb
def restore(
    desk: Desk,
    *,
    number: Annotated[int, typer.Argument(metavar="N", help="The summary's number in `scratch history`.")],
) -> Shown:
    """Put a former running summary back on the page; the one it replaces stays in the history."""
    from slowwave.desk.screens.scratch import restored_lines
    from slowwave.wiring.verbs_scratch import restore_summary

    house = desk.house(must_exist=True)
    try:
        summary = restore_summary(house, number)
    finally:
        house.close()
    return Shown(kind="scratch_history", content={"summaries": [summary]}, lines=restored_lines(summary))
