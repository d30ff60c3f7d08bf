"""Traits: what was observed about the person; each is theirs to confirm, put in other words, or drop."""

from typing import Annotated, Any

import typer

from slowwave.desk.cli.options import TokenOption
from slowwave.desk.cli.verb import Desk, Shown, verb

app = typer.Typer(help="What was observed about you: review, confirm, edit, drop.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(metavar="ID", help="An observation's id, or how it begins.")]


@app.command("list")
@verb
def list_observations(
    desk: Desk,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Also those that were reviewed.")] = False,
) -> Shown:
    """List observations that await your review."""
    from slowwave.desk.screens.observations import observation_lines

    described = desk.house(must_exist=True).observations(everything=everything)
    return Shown(kind="observations", content=described, lines=observation_lines(described))


@app.command("review")
@verb
def review(desk: Desk) -> Shown:
    """Go through them one by one: c confirm, e edit, d drop, s skip, q leave."""
    from slowwave.desk.interactive_observations import review_observations

    return Shown(kind="observations", content=review_observations(desk))


@app.command("confirm")
@verb
def confirm(
    desk: Desk,
    *,
    name: NameArgument,
    remember: Annotated[bool, typer.Option("--remember", help="Also propose it as a memory.")] = False,
    token: TokenOption = "",
) -> Shown:
    """Say that an observation is right."""
    shown = _decide(desk, name, "confirm", token)
    if not remember:
        return shown
    return _remembered(desk, shown.content["observations"][0]["id"])


@app.command("edit")
@verb
def edit(
    desk: Desk,
    *,
    name: NameArgument,
    text: Annotated[str, typer.Option(metavar="TEXT", help="Your own words for it.")],
    token: TokenOption = "",
) -> Shown:
    """Put an observation in your own words, which confirms it."""
    return _decide(desk, name, "edit", token, text)


@app.command("drop")
@verb
def drop(desk: Desk, *, name: NameArgument, token: TokenOption = "") -> Shown:
    """Take an observation away; the same words are not taken up again."""
    return _decide(desk, name, "drop", token)


@app.command("remember")
@verb
def remember(desk: Desk, *, name: NameArgument) -> Shown:
    """Propose a confirmed observation as a memory; it lands when you review and merge it."""
    return _remembered(desk, name)


@app.command("views")
@verb
def views(desk: Desk) -> Shown:
    """Show what is known about you, by theme."""
    from slowwave.desk.screens.parts import plain

    pages = desk.house(must_exist=True).identity_views()
    lines = [plain(line) for page in pages.values() for line in page.splitlines()]
    return Shown(
        kind="observations", content={"views": dict(pages)}, lines=lines or [plain("nothing is known about you yet")]
    )


_WORDS = {"confirm": "confirmed", "edit": "changed", "drop": "dropped"}


def _decide(desk: Desk, name: str, decision: str, token: str, text: str = "") -> Shown:
    from slowwave.desk.person import channel_of, look_first
    from slowwave.desk.screens.observations import decided_lines
    from slowwave.desk.screens.parts import plain

    house = desk.house(must_exist=True)
    about = look_first(desk, token, lambda: house.preview_observation(name))
    channel_of(desk, house, token, f"{decision} this observation", [plain(f"{about['id']}  {about['obs']}")])
    decided: dict[str, Any] = house.decide_observation(name, decision, text=text)
    lines = decided_lines(_WORDS[decision], decided)
    return Shown(kind="observations", content={"observations": [decided]}, lines=lines)


def _remembered(desk: Desk, name: str) -> Shown:
    from slowwave.desk.screens.observations import decided_lines

    described = desk.house(must_exist=True).remember_observation(name)
    lines = decided_lines("proposed", described, "`slowwave review` decides about it, `slowwave merge` lands it")
    return Shown(kind="observations", content={"observations": [described]}, lines=lines)
