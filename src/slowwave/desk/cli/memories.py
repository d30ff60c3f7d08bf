"""Looking at memories: ``search``, ``why``; moving them: ``archive``, ``restore``; taking them along: ``export``."""

from pathlib import Path
from typing import Annotated

import typer

from slowwave.desk.cli.options import TokenOption
from slowwave.desk.cli.verb import Desk, Shown, verb
from slowwave.facts.refusal import UsageError

export = typer.Typer(help="Take what was learned to where agents read it.", no_args_is_help=True)

_MOST_HITS = 100  # what a person or a script can look through


def register(app: typer.Typer) -> None:
    """Add these verbs to the command line."""
    app.command("search")(search)
    app.command("why")(why)
    app.command("archive")(archive)
    app.command("restore")(restore)


@verb
def search(
    desk: Desk,
    *,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words; any of them may match.")],
    kind: Annotated[str | None, typer.Option(metavar="K", help="Only this kind, such as error_pattern.")] = None,
    project: Annotated[str | None, typer.Option(metavar="P", help="Only this project.")] = None,
    entity: Annotated[str | None, typer.Option(metavar="TYPE:NAME", help="Only memories about this.")] = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=_MOST_HITS, help="At most this many.")] = 10,
    archived: Annotated[bool, typer.Option("--archived", help="Find archived and superseded memories too.")] = False,
) -> Shown:
    """Search the memory files of your checkout: what landed on main, and your own edits, marked until committed."""
    from slowwave.desk.screens import search_lines
    from slowwave.facts.memory import Kind

    if kind is not None and kind not in tuple(Kind):
        raise UsageError(f"no kind is called {kind}", hint=f"kinds are: {', '.join(Kind)}")
    if entity is not None and ":" not in entity:
        raise UsageError(f"an entity is written type:name, not {entity}", hint="for example --entity file:README.md")
    found = desk.house(must_exist=True).search(
        query, kind=kind, project=project, entity=entity, limit=limit, archived=archived
    )
    return Shown(kind="search", content=found, lines=search_lines(found))


@verb
def why(
    desk: Desk, *, path: Annotated[str, typer.Argument(metavar="PATH", help="A memory's path or item id.")]
) -> Shown:
    """Show why a memory is believed: claim, quotes, sessions, lines, each looked for again."""
    from slowwave.desk.screens import why_lines

    found = desk.house(must_exist=True).why(path)
    return Shown(kind="why", content=found, lines=why_lines(found))


@verb
def archive(
    desk: Desk,
    *,
    path: Annotated[str, typer.Argument(metavar="PATH", help="A landed memory's path or item id.")],
    token: TokenOption = "",
) -> Shown:
    """Move a memory to the archive: out of search and exports, never deleted."""
    return _move(desk, path, token, "archive")


@verb
def restore(
    desk: Desk,
    *,
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="An archived memory's path, the path it had, or its item id.")
    ],
    token: TokenOption = "",
) -> Shown:
    """Bring an archived memory back to where it came from."""
    return _move(desk, path, token, "restore")


def _move(desk: Desk, path: str, token: str, decision: str) -> Shown:
    from slowwave.desk.person import channel_of
    from slowwave.desk.screens import moved_lines

    house = desk.house(must_exist=True)
    channel_of(desk, house, token, f"{decision} {path}")
    moved = house.move_memory(path, decision)
    return Shown(kind=decision, content=moved, lines=moved_lines(moved))


@export.command("agents-md")
@verb
def agents_md(
    desk: Desk,
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="AGENTS.md or CLAUDE.md.")] = Path("AGENTS.md"),
    project: Annotated[
        str | None, typer.Option(metavar="P", help="Whose memories (default: the folder's name).")
    ] = None,
    budget: Annotated[int, typer.Option(metavar="N", min=50, help="At most this many tokens.")] = 1500,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the block, write nothing.")] = False,
) -> Shown:
    """Write a project's memories on main between markers into a Markdown file; hand edits count once committed."""
    from slowwave.desk.screens import export_lines

    name = project or out.resolve().parent.name
    written = desk.house(must_exist=True).export_agents(out, project=name, budget=budget, dry_run=dry_run)
    return Shown(kind="export", content=written, lines=export_lines(written))
