"""The hygiene verb that looks: where a window goes, as a table and as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb


def register(app: typer.Typer) -> None:
    """Add the verb to the group."""
    app.command("inspect")(verb(inspect))


def inspect(
    desk: Desk,
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A session, or a JSON list of messages.")],
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="OUT", help="Draw it there: a name that ends in .svg or .png.")
    ] = None,
    model: Annotated[
        str, typer.Option("--model", metavar="NAME", help="Whose prices count (default: the context's).")
    ] = "",
    top: Annotated[
        int, typer.Option("--top", metavar="N", min=0, help="How many of the largest items are named.")
    ] = 10,
) -> Shown:
    """Show where a context's window goes, by kind and tool and turn, and what could be had back."""
    from slowwave.desk.screens.window import window_lines
    from slowwave.wiring.verbs_window import look

    if plot is not None:
        from slowwave.desk.plots import check_picture

        check_picture(plot)  # before a large file is read for it
    window = look(file, now=desk.now(), model=model, top=top)
    if plot is not None:
        from slowwave.desk.plots import draw_window

        draw_window(window, file.name, plot)
    told = window.as_json()
    return Shown(kind="hygiene_inspect", content=told, lines=window_lines(told))
