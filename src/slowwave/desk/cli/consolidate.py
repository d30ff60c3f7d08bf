"""``consolidate DIR``: propose over a folder of sessions, or check somebody's answer; writes nothing."""

from pathlib import Path
from typing import Annotated

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb
from slowwave.facts.refusal import UsageError


def register(app: typer.Typer) -> None:
    """Add this verb to the command line."""
    app.command("consolidate")(consolidate)


@verb
def consolidate(
    desk: Desk,
    *,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Every session below it is one batch, all of it new.")],
    engine: Annotated[str, typer.Option(metavar="E", help="Who proposes: mined (auto), model, agent.")] = "auto",
    leads: Annotated[bool, typer.Option("--leads", help="Give mined findings to a model as places to look.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Why each finding was kept, and near misses.")] = False,
    answer_only: Annotated[
        bool, typer.Option("--answer-only", help="Print the answer as --check takes it, without computed fields.")
    ] = False,
    check: Annotated[
        Path | None,
        typer.Option(metavar="ANSWER.json", help="Hold this answer, as --answer-only prints one, to the contract."),
    ] = None,
    read_log: Annotated[
        Path | None,
        typer.Option("--read-log", metavar="LOG.json", help="With --check: the tool calls that were made for it."),
    ] = None,
) -> Shown:
    """Propose memories over a folder of sessions, or check an answer. Writes nothing."""
    from slowwave.desk.screens import answer_lines, check_lines, json_lines
    from slowwave.wiring import Bench, home_folder

    if read_log is not None and check is None:
        raise UsageError("--read-log is the log of an answer, and no answer is given", hint="add --check ANSWER.json")
    if check is not None and (explain or answer_only):
        raise UsageError("--check proposes nothing", hint="leave --explain and --answer-only away")
    bench = Bench(home_folder(desk.home, desk.environment), desk.house)
    if check is not None:
        verdict = bench.check(folder, check, read_log)
        return Shown(
            kind="consolidate", content=verdict, lines=check_lines(verdict), exit_status=0 if verdict["accepted"] else 1
        )
    if answer_only:
        closed = bench.answer(folder, engine=engine)
        return Shown(kind="consolidate", content=closed, lines=json_lines(closed))
    answer = bench.consolidate(folder, engine=engine, explain=explain, leads=leads)
    return Shown(kind="consolidate", content=answer, lines=answer_lines(answer))
