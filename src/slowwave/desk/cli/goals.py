"""Goals, and which traits bear on them."""

from typing import Annotated

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb

goals = typer.Typer(help="What you work towards.", no_args_is_help=True)
coaching = typer.Typer(help="Which observations bear on which goal, and why.", no_args_is_help=True)

GoalArgument = Annotated[str, typer.Argument(metavar="GOAL", help="A goal's id.")]


@goals.command("add")
@verb
def add(
    desk: Desk,
    *,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="What you want, in a few words.")],
    description: Annotated[str, typer.Option(metavar="TEXT", help="What it means, and why.")] = "",
) -> Shown:
    """Begin a goal."""
    from slowwave.desk.screens.observations import goal_lines

    goal = desk.house().begin_goal(title=title, description=description)
    described = {"goals": [goal], "faults": []}
    return Shown(kind="goals", content=described, lines=goal_lines(described))


@goals.command("list")
@verb
def list_goals(desk: Desk) -> Shown:
    """List active goals."""
    from slowwave.desk.screens.observations import goal_lines

    described = desk.house(must_exist=True).goals()
    return Shown(kind="goals", content=described, lines=goal_lines(described))


@goals.command("done")
@verb
def done(desk: Desk, *, goal: GoalArgument) -> Shown:
    """A goal is reached, or given up: it leaves the coaching map."""
    from slowwave.desk.screens.parts import plain

    reached = desk.house(must_exist=True).reach_goal(goal)
    return Shown(kind="goals", content={"goals": [reached]}, lines=[plain(f"done: {reached['title']}")])


@coaching.command("show")
@verb
def show(
    desk: Desk, *, goal: Annotated[str, typer.Option(metavar="GOAL", help="Only this goal, by its id.")] = ""
) -> Shown:
    """Show for each goal the observations that bear on it, why, how much, and who says so."""
    from slowwave.desk.screens.observations import coaching_lines

    described = desk.house(must_exist=True).coaching(goal)
    return Shown(kind="coaching", content=described, lines=coaching_lines(described))


@coaching.command("refresh")
@verb
def refresh(desk: Desk) -> Shown:
    """Hold observations against goals where either changed; nothing else is looked at."""
    from slowwave.desk.screens.parts import plain
    from slowwave.wiring.judges import judge_of
    from slowwave.wiring.verbs_observations import refresh_coaching

    house = desk.house(must_exist=True)
    done = refresh_coaching(house, judge_of(house))
    said = f"{done['examined']:,} looked at, {done['relevant']:,} of them relevant, {done['waiting']:,} waiting"
    lines = [plain(said), *([plain(done["reason"])] if done["reason"] else [])]
    return Shown(kind="coaching", content=done, lines=lines)
