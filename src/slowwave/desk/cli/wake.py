"""The waking loop's verbs."""

import typer

from slowwave.desk.cli import classify

app = typer.Typer(help="The waking loop: the day's memory kept up to date.", no_args_is_help=True)
classify.register(app)
