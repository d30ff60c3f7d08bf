"""The command line: a file a group of verbs; each verb is thin, the work lies below it."""

import io
import os
import re
import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from typer.exceptions import Abort, Exit, TyperException

from slowwave.desk.cli import (
    capture,
    consent,
    consolidate,
    cost,
    day,
    decisions,
    goals,
    hygiene,
    machinery,
    mcp,
    memories,
    morning,
    notify,
    observations,
    schedule,
    scratch,
    serve,
    tasks,
    telegram,
    transcripts,
    wake,
    when,
)
from slowwave.desk.cli.options import HomeOption, JsonOption, MomentOption
from slowwave.desk.cli.verb import fail, shared_options, take_shared_options
from slowwave.facts.refusal import SlowwaveError, UsageError

app = typer.Typer(
    name="slowwave",
    help="Turns what your AI agents lived through into memory you can trust.",
    no_args_is_help=False,
    invoke_without_command=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for group in (
    day,
    decisions,
    memories,
    machinery,
    consolidate,
    mcp,
    consent,
    cost,
    when,
    notify,
    telegram,
    capture,
    morning,
    serve,
):
    group.register(app)
app.add_typer(take_shared_options(tasks.app), name="task")
app.add_typer(take_shared_options(transcripts.app), name="transcripts")
app.add_typer(take_shared_options(scratch.app), name="scratch")
app.add_typer(take_shared_options(capture.app), name="capture")
app.add_typer(take_shared_options(schedule.app), name="schedule")
app.add_typer(take_shared_options(memories.export), name="export")
app.add_typer(wake.app, name="wake")
app.add_typer(take_shared_options(observations.app), name="observations")
app.add_typer(take_shared_options(goals.goals), name="goals")
app.add_typer(take_shared_options(goals.coaching), name="coaching")
app.add_typer(take_shared_options(hygiene.app), name="hygiene")


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    *,
    as_json: JsonOption = False,
    home: HomeOption = None,
    at: MomentOption = None,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    shared_options.update(as_json=as_json, home=home, at=at)
    if version:
        from slowwave import __version__

        typer.echo(f"slowwave {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        day.state()


_INTERRUPTED = 130
"""Exit status of a command that a person stopped with Ctrl-C, as shells have it."""


def main() -> None:
    """Run the ``slowwave`` command; the process ends with its exit status."""
    as_json = "--json" in sys.argv
    _open_missing_streams()
    _speak_any_character(as_json=as_json)
    try:
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except TyperException as error:
        status = _failed(_usage(error.format_message(), sys.argv[1:]), as_json=as_json)
    except Exit as leaving:
        status = leaving.exit_code
    except (Abort, KeyboardInterrupt):
        status = _INTERRUPTED
    except BrokenPipeError:
        status = _hung_up()
    except OSError as error:
        sys.stderr.write(f"slowwave: the output could not be written: {error.strerror or error}\n")
        _hung_up()
        status = 1
    except SlowwaveError as error:
        status = _failed(error, as_json=as_json)
    if status == _INTERRUPTED:
        sys.stderr.write("slowwave: stopped; running the same command again goes on from here\n")
    sys.exit(status or 0)


def _hung_up() -> int:
    """Nobody reads the output any more: let what is still held of it go nowhere, and end as ``head`` expects."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
    return 141


def _open_missing_streams() -> None:
    """A command whose output was closed by its caller speaks to nobody, instead of failing."""
    sys.stdout = sys.stdout or io.StringIO()
    sys.stderr = sys.stderr or io.StringIO()


def _usage(message: str, words: Sequence[str]) -> UsageError:
    """A usage error with what to do; a word such as ``-lint`` was perhaps not meant as options."""
    meant = next((word for word in words if re.fullmatch(r"-[^-].+", word)), "")
    if meant and message.startswith("No such option"):
        return UsageError(message, hint=f"where {meant} is a word and no option, write `--` before it: -- {meant}")
    return UsageError(message, hint="`slowwave --help` and `slowwave COMMAND --help` list what can be said")


def _speak_any_character(*, as_json: bool) -> None:
    """Let output hold any character, whatever the locale: an envelope is UTF-8, text shows escapes where it must."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = "utf-8" if as_json and stream is sys.stdout else None
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _failed(error: SlowwaveError, *, as_json: bool) -> int:
    try:
        fail(error, as_json=as_json)
    except typer.Exit as leaving:
        return leaving.exit_code
