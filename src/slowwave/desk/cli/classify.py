"""``wake classify``: what triage would make of some captures."""

from pathlib import Path
from typing import Annotated

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb


def register(group: typer.Typer) -> None:
    """Add this verb to the waking loop's group."""
    group.command("classify")(classify)


@verb
def classify(
    desk: Desk,
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="Captures, a JSON object a line.")],
) -> Shown:
    """Say what each capture of a file is, where it would go, when it is due, and who says so; writes nothing."""
    from slowwave.desk.screens.classify import classify_lines
    from slowwave.wiring.verbs_classify import classify_file

    found = classify_file(file, home=desk.home, environment=desk.environment, clock=desk.now)
    return Shown(kind="classify", content=found, lines=classify_lines(found))
