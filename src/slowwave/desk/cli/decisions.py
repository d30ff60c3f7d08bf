"""Decisions: ``review``, ``merge``, ``undo``. Each needs a person."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from slowwave.desk.cli.options import HomeOption, JsonOption, MomentOption, TokenOption
from slowwave.desk.cli.verb import Desk, Shown, remember_options, verb

_review = typer.Typer(
    help="Look at what the nights proposed and decide, item by item.",
    no_args_is_help=False,
    invoke_without_command=True,
)


def register(app: typer.Typer) -> None:
    """Add these verbs to the command line."""
    app.add_typer(_review, name="review")
    app.command("merge")(merge)
    app.command("undo")(undo)


@_review.callback(invoke_without_command=True)
def _start(
    context: typer.Context, *, as_json: JsonOption = False, home: HomeOption = None, at: MomentOption = None
) -> None:
    remember_options(as_json=as_json, home=home, at=at)
    if context.invoked_subcommand is None:
        interactive()


@verb
def interactive(desk: Desk) -> Shown:
    """Go through the items one by one: a accept, r reject, s skip, q leave."""
    from slowwave.desk.interactive import review_at_terminal

    decided = review_at_terminal(desk)
    return Shown(kind="review", content=decided)


@_review.command("list")
@verb
def list_items(desk: Desk) -> Shown:
    """List what awaits a decision, with its evidence."""
    from slowwave.desk.screens import review_lines

    items = desk.house(must_exist=True).review_list()
    return Shown(kind="review", content={"items": items}, lines=review_lines(items))


@_review.command("accept")
@verb
def accept(
    desk: Desk,
    *,
    items: Annotated[list[str], typer.Argument(metavar="ITEM...", help="Item ids or paths.")],
    token: TokenOption = "",
) -> Shown:
    """Accept items; `slowwave merge` lands them."""
    from slowwave.desk.person import channel_of, look_first
    from slowwave.desk.screens import asked_lines

    house = desk.house(must_exist=True)
    about = look_first(desk, token, lambda: house.preview("accept", items))
    channel = channel_of(desk, house, token, f"accept {_many(about)}", asked_lines(about))
    accepted = house.accept(items, channel=channel)
    return _changed("review", "accepted", accepted, "`slowwave merge` lands them on main")


@_review.command("reject")
@verb
def reject(
    desk: Desk,
    *,
    items: Annotated[list[str], typer.Argument(metavar="ITEM...", help="Item ids or paths.")],
    why: Annotated[str, typer.Option(metavar="TEXT", help="Your reason; kept with the decision.")] = "",
    token: TokenOption = "",
) -> Shown:
    """Reject items: they are not proposed again without new evidence."""
    from slowwave.desk.person import channel_of, look_first
    from slowwave.desk.screens import asked_lines

    house = desk.house(must_exist=True)
    about = look_first(desk, token, lambda: house.preview("reject", items))
    channel = channel_of(desk, house, token, f"reject {_many(about)}", asked_lines(about))
    return _changed("review", "rejected", house.reject(items, channel=channel, why=why), "")


@verb
def merge(
    desk: Desk,
    *,
    items: Annotated[list[str] | None, typer.Argument(metavar="[ITEM]...", help="Accept and land these.")] = None,
    all_items: Annotated[bool, typer.Option("--all", help="Accept and land everything that waits.")] = False,
    token: TokenOption = "",
) -> Shown:
    """Land accepted items on main; the rest waits."""
    from slowwave.desk.person import channel_of, look_first
    from slowwave.desk.screens import asked_lines

    house = desk.house(must_exist=True)
    about = look_first(desk, token, lambda: house.preview("merge", items or [], everything=all_items))
    channel = channel_of(desk, house, token, f"land {_many(about)} on main", asked_lines(about))
    landed = house.merge(items or [], everything=all_items, channel=channel)
    return _changed("merge", "merged", landed, "`slowwave undo ITEM` takes one back")


@verb
def undo(
    desk: Desk,
    *,
    target: Annotated[str, typer.Argument(metavar="ITEM|RUN", help="A landed item, or a night's run id.")],
    token: TokenOption = "",
) -> Shown:
    """Take a landed item, or all that a night landed, back by new commits."""
    from slowwave.desk.person import channel_of, look_first
    from slowwave.desk.screens import asked_lines

    house = desk.house(must_exist=True)
    about = look_first(desk, token, lambda: house.preview("undo", [target]))
    channel = channel_of(desk, house, token, f"take {_many(about)} back from main", asked_lines(about))
    return _changed("undo", "undone", house.undo(target, channel=channel), "")


def _changed(kind: str, what: str, items: Sequence[dict[str, Any]], hint: str) -> Shown:
    from slowwave.desk.screens import changed_lines

    return Shown(kind=kind, content={"status": what, "items": list(items)}, lines=changed_lines(what, items, hint))


def _many(items: Sequence[dict[str, Any]]) -> str:
    return f"item {items[0]['id']}" if len(items) == 1 else f"these {len(items)} items"
