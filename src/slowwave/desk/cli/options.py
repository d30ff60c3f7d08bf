"""Options that several commands share, each defined once."""

from pathlib import Path
from typing import Annotated

import typer

JsonOption = Annotated[bool, typer.Option("--json", help="One JSON envelope on standard output.")]
HomeOption = Annotated[
    str | None,
    typer.Option("--home", metavar="DIR", help="Home folder (default: SLOWWAVE_HOME, else the platform's)."),
]
MomentOption = Annotated[
    str | None, typer.Option("--at", metavar="TIMESTAMP", help="Take this ISO moment as the present.")
]
TokenOption = Annotated[
    str,
    typer.Option(
        "--yes-i-am-a-person", metavar="TOKEN", help="Decide without being asked; `init` shows the token once."
    ),
]
RootOption = Annotated[
    list[Path] | None, typer.Option("--root", metavar="DIR", help="Read the transcripts under this folder instead.")
]
