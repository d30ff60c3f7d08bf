"""The bounded tools over transcripts, and what was lost in reading them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from slowwave.desk.cli.options import RootOption
from slowwave.desk.cli.verb import Desk, Shown, verb
from slowwave.facts.limits import LINE_WIDTH, SEARCH_CONTEXT, SEARCH_HITS

if TYPE_CHECKING:
    from slowwave.wiring import Library

app = typer.Typer(help="Look into transcripts, within bounds, secrets masked.", no_args_is_help=True)

SessionArgument = Annotated[str, typer.Argument(metavar="ID", help="A session's id.")]


@app.command("list")
@verb
def list_sessions(
    desk: Desk,
    *,
    project: Annotated[
        str | None, typer.Option(metavar="P", help="Only this project: its name, or the folder worked in.")
    ] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the N newest.")] = None,
    root: RootOption = None,
) -> Shown:
    """List sessions, newest first; no text from inside any."""
    from slowwave.desk.screens import session_lines

    listed = _library(desk, root).list_sessions(project=project)
    shown = listed[:limit]
    return Shown(
        kind="transcripts",
        content={"sessions": shown, "total": len(listed)},
        lines=session_lines(shown, len(listed)),
    )


@app.command("search")
@verb
def search(
    desk: Desk,
    *,
    session: SessionArgument,
    phrase: Annotated[str, typer.Argument(metavar="PHRASE", help="A literal phrase; no patterns.")],
    max_hits: Annotated[int, typer.Option(metavar="N", help="Show at most this many.")] = SEARCH_HITS,
    context: Annotated[int, typer.Option(metavar="N", help="Characters before and after.")] = SEARCH_CONTEXT,
    ignore_case: Annotated[bool, typer.Option("--ignore-case", help="Whatever the case.")] = False,
    root: RootOption = None,
) -> Shown:
    """Find a literal phrase in one session; the total is always exact."""
    from slowwave.desk.screens import hit_lines

    found = _library(desk, root).search(session, phrase, max_hits=max_hits, context=context, ignore_case=ignore_case)
    return Shown(kind="transcripts", content=found, lines=hit_lines(found))


@app.command("lines")
@verb
def lines(
    desk: Desk,
    *,
    session: SessionArgument,
    start: Annotated[int, typer.Argument(metavar="START", help="First line, from 1.")],
    end: Annotated[
        int | None, typer.Argument(metavar="[END]", help="Last line (default: START).", show_default=False)
    ] = None,
    width: Annotated[int, typer.Option(metavar="N", help="Characters of each line.")] = LINE_WIDTH,
    column: Annotated[int, typer.Option(metavar="N", help="First character shown.")] = 1,
    root: RootOption = None,
) -> Shown:
    """Show lines of one session as decoded text with their speakers."""
    from slowwave.desk.screens import line_lines

    shown = _library(desk, root).lines(session, start, start if end is None else end, width=width, column=column)
    return Shown(kind="transcripts", content=shown, lines=line_lines(shown))


@app.command("doctor")
@verb
def doctor(desk: Desk, *, root: RootOption = None) -> Shown:
    """Read everything and say what was lost: files, formats, entries, losses by reason with file and offset."""
    from slowwave.desk.screens import examination_lines

    examined = _library(desk, root).examine()
    return Shown(kind="transcripts", content=examined, lines=examination_lines(examined))


def _library(desk: Desk, root: list[Path] | None) -> "Library":
    from slowwave.wiring import home_folder, open_library

    return open_library(root or [], home=home_folder(desk.home, desk.environment), environment=desk.environment)
