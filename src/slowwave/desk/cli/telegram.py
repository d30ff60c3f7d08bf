"""``telegram``: what is said to the person's bot comes in."""

import signal
from typing import Annotated, Any

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb


def register(app: typer.Typer) -> None:
    """Add this verb to the command line."""
    app.command("telegram")(telegram)


@verb
def telegram(
    desk: Desk, *, once: Annotated[bool, typer.Option("--once", help="Take in what waits, then end.")] = False
) -> Shown:
    """Take messages to your bot in as captures, until stopped with Ctrl-C or SIGTERM."""
    from slowwave.desk.screens.reminders import telegram_lines
    from slowwave.wiring.verbs_telegram import take_telegram

    taken: dict[str, Any] = {}
    # SIGTERM ends what waits as Ctrl-C does; what is being stored is stored first.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    house = desk.house(must_exist=True)
    try:
        take_telegram(house, once=once, warn=_warn, on_end=taken.update)
    except KeyboardInterrupt:
        if not taken:
            raise
    finally:
        signal.signal(signal.SIGTERM, before)
        house.close()
    return Shown(kind="telegram", content=taken, lines=telegram_lines(taken))


def _warn(text: str) -> None:
    typer.echo(f"slowwave: {text}", err=True)
