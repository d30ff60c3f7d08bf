"""The hygiene verbs that measure: a scorecard over recordings, and a gate that lets no profile be worse."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb

if TYPE_CHECKING:
    from slowwave.hygiene.scorecard import Row


def register(app: typer.Typer) -> None:
    """Add these verbs to the group."""
    app.command("score")(verb(score))
    app.command("gate")(verb(gate))


def score(
    desk: Desk,
    *,
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders with sessions, or files.")],
    out: Annotated[Path | None, typer.Option("--out", metavar="CARD.json", help="Keep the scorecard there.")] = None,
) -> Shown:
    """Measure the profile over recordings: what holds for all of them, what it saves, what was wanted again."""
    from slowwave.desk.screens.hygiene_score import score_lines
    from slowwave.wiring.verbs_score import score_folders

    del desk  # neither the home nor the present plays a part
    told = score_folders(folders, out, _say if sys.stderr.isatty() else _say_nothing)
    is_good = all(share == 1 for share in told["hard"].values())
    return Shown(kind="hygiene_score", content=told, lines=score_lines(told), exit_status=0 if is_good else 1)


def gate(
    desk: Desk,
    *,
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The scorecard that counts so far.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The one that is to take its place.")],
) -> Shown:
    """Hold a new scorecard against an old one; exit 1 where anything is worse."""
    from slowwave.desk.screens.hygiene_score import gate_lines
    from slowwave.wiring import verbs_score

    del desk
    told = verbs_score.gate(old, new)
    return Shown(kind="hygiene_gate", content=told, lines=gate_lines(told), exit_status=0 if told["passed"] else 1)


def _say(row: "Row") -> None:
    sys.stderr.write(f"{row.name}: {row.share:.0%} of {row.tokens:,} tokens\n")


def _say_nothing(_: "Row") -> None:
    return
