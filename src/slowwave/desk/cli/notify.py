"""Reminders, and the channels they are sent over."""

from typing import Annotated

import typer

from slowwave.desk.cli.options import HomeOption, JsonOption, MomentOption
from slowwave.desk.cli.verb import Desk, Shown, remember_options, take_shared_options, verb

notify = take_shared_options(typer.Typer(help="Where reminders and the brief are sent.", no_args_is_help=True))
reminders = typer.Typer(help="Reminders that wait to be sent.", invoke_without_command=True)


@notify.command("test")
@verb
def send_test(
    desk: Desk,
    *,
    channel: Annotated[str, typer.Option(metavar="NAME", help="Only this one, as the test names it.")] = "",
) -> Shown:
    """Send a test over every channel now, and show which took it."""
    from slowwave.desk.screens.reminders import channel_lines
    from slowwave.wiring.verbs_notify import try_channels

    house = desk.house(must_exist=True)
    try:
        tested = try_channels(house, channel)
    finally:
        house.close()
    return Shown(
        kind="notify_test", content=tested, lines=channel_lines(tested), exit_status=1 if tested["failed"] else 0
    )


@reminders.callback()
def _reminders(
    context: typer.Context, *, as_json: JsonOption = False, home: HomeOption = None, at: MomentOption = None
) -> None:
    remember_options(as_json=as_json, home=home, at=at)
    if context.invoked_subcommand is None:
        list_reminders()


@reminders.command("list")
@verb
def list_reminders(
    desk: Desk,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Also those that were sent or cancelled.")] = False,
) -> Shown:
    """List reminders that wait, the next first, and what holds them."""
    from slowwave.desk.screens.reminders import reminder_lines
    from slowwave.wiring.verbs_notify import show_reminders

    house = desk.house(must_exist=True, only_reads=True)
    try:
        shown = show_reminders(house, everything=everything)
    finally:
        house.close()
    return Shown(kind="reminders", content=shown, lines=reminder_lines(shown))


@reminders.command("cancel")
@verb
def cancel(
    desk: Desk, *, name: Annotated[str, typer.Argument(metavar="ID", help="A reminder's id, or how it begins.")]
) -> Shown:
    """Cancel a reminder: it is never sent."""
    from slowwave.desk.screens.reminders import cancelled_lines
    from slowwave.wiring import verbs_notify

    house = desk.house(must_exist=True)
    try:
        reminder = verbs_notify.cancel(house, name)
    finally:
        house.close()
    return Shown(kind="reminders", content={"reminders": [reminder]}, lines=cancelled_lines(reminder))


def register(app: typer.Typer) -> None:
    """Add this file's commands."""
    app.add_typer(notify, name="notify")
    app.add_typer(reminders, name="reminders")
