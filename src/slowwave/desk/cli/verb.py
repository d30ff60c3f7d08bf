"""What every command has in common: ``--json``, ``--home``, ``--at``, one envelope, one way to fail.

A command is a function that takes the ``Desk`` and its own options and returns ``Shown``; ``verb`` turns it into what
the command line runs, so that no command prints or exits by itself.
"""

import inspect
import os
import sqlite3
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from slowwave.desk.cli.options import HomeOption, JsonOption, MomentOption
from slowwave.desk.envelope import envelope, error_envelope
from slowwave.disk.trouble import explain, explain_sql
from slowwave.facts.moment import parse
from slowwave.facts.refusal import SlowwaveError, UsageError

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from slowwave.wiring import House
    from slowwave.wiring.wakefulness import WakeLoop


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A command's answer: data for scripts, lines for people, and the exit status."""

    kind: str
    content: Any
    lines: Sequence["RenderableType"] = ()
    exit_status: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One command's surroundings.

    Attributes:
        as_json: Print the envelope instead of text.
        home: The home folder asked for; None for the default.
        at: The present asked for; None for the system's clock.
        environment: The process's environment.
    """

    as_json: bool
    home: Path | None
    at: datetime | None
    environment: Mapping[str, str] = field(repr=False)

    def console(self, *, stderr: bool = False) -> "Console":
        """A console that colours on a terminal only and honours ``NO_COLOR``."""
        from rich.console import Console

        return Console(stderr=stderr, highlight=False, soft_wrap=not sys.stdout.isatty())

    def now(self) -> datetime:
        """The present: ``--at`` where given."""
        from slowwave.wiring import system_clock

        return self.at or system_clock()

    def house(self, *, must_exist: bool = False, only_reads: bool = False) -> "House":
        """The house at the home folder, opened; with ``only_reads`` so that nothing of it is made or changed."""
        from slowwave.wiring import open_house

        return open_house(
            home=self.home,
            environment=self.environment,
            clock=self.now,
            must_exist=must_exist,
            on_wait=say_who,
            only_reads=only_reads,
        )

    def wake_loop(self, on_tick: "Callable[[Mapping[str, Any]], None]" = lambda _: None) -> "WakeLoop":
        """The waking loop over the home folder; nothing is opened before its first tick."""
        from slowwave.disk.home import Home
        from slowwave.wiring import home_folder
        from slowwave.wiring.wakefulness import WakeLoop

        place = Home(home_folder(self.home, self.environment))
        return WakeLoop(place, clock=self.now, environment=self.environment, on_tick=on_tick)


def say_who(holder: object) -> None:
    """Tell whoever has to wait for whom."""
    sys.stderr.write(f"slowwave: waiting for {holder or 'another command that is writing'}\n")


_COMMON = tuple(
    inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
    for name, default, annotation in (
        ("as_json", False, JsonOption),
        ("home", None, HomeOption),
        ("at", None, MomentOption),
    )
)


def verb(function: Callable[..., Shown]) -> Callable[..., None]:
    """Turn a function over the desk into what the command line runs."""
    signature = inspect.signature(function, eval_str=True)
    own = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in list(signature.parameters.values())[1:]]
    parameters = [*own, *_COMMON]

    def run(**given: Any) -> None:
        # A group's own verb, as `slowwave` alone or `slowwave review`, is called without any option.
        as_json = bool(given.pop("as_json", False) or shared_options["as_json"])
        asked = given.pop("home", None)
        home = asked if asked is not None else shared_options["home"]
        at = given.pop("at", None) or shared_options["at"]
        try:
            desk = Desk(as_json=as_json, home=_folder(home), at=_moment(at), environment=dict(os.environ))
            shown = function(desk, **given)
        except SlowwaveError as error:
            fail(error, as_json=as_json)
        except OSError as error:
            fail(explain(error, str(error.filename or "the disk")), as_json=as_json)
        except sqlite3.Error as error:
            fail(explain_sql(error, "a database of the home"), as_json=as_json)
        _print(desk, shown)
        raise typer.Exit(shown.exit_status)

    run.__name__, run.__doc__ = function.__name__, function.__doc__
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    vars(run)["__signature__"] = inspect.Signature(parameters)
    return run


shared_options: dict[str, Any] = {"as_json": False, "home": None, "at": None}
"""Common options given before the command's name."""


def remember_options(*, as_json: bool, home: str | None, at: str | None) -> None:
    """Keep common options that stand before a verb's name, for that verb."""
    given = {"as_json": as_json, "home": home, "at": at}
    shared_options.update({name: value for name, value in given.items() if value})


def take_shared_options(group: typer.Typer) -> typer.Typer:
    """Let a group take the common options before its verb's name too, as every command takes them behind it."""

    @group.callback()
    def _take(*, as_json: JsonOption = False, home: HomeOption = None, at: MomentOption = None) -> None:
        remember_options(as_json=as_json, home=home, at=at)

    return group


def fail(error: SlowwaveError, *, as_json: bool) -> NoReturn:
    """Say what went wrong and what to do, and leave with the error's exit status."""
    if as_json:
        sys.stdout.write(error_envelope(error) + "\n")
    sys.stderr.write(f"slowwave: {error.message}\n")
    if error.hint:
        sys.stderr.write(f"  {error.hint}\n")
    raise typer.Exit(error.exit_status)


def _folder(text: str | None) -> Path | None:
    if text is not None and not text.strip():
        raise UsageError("--home takes a folder, not an empty text", hint="is the variable you passed set?")
    return Path(text) if text is not None else None


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    moment = parse(text)
    if moment is None:
        raise UsageError(f"--at takes an ISO moment, not {text!r}", hint="for example --at 2026-05-01T03:30:00Z")
    return moment


def _print(desk: Desk, shown: Shown) -> None:
    if desk.as_json:
        sys.stdout.write(envelope(shown.kind, shown.content) + "\n")
        return
    console = desk.console()
    for line in shown.lines:
        console.print(_hanging(line) if console.is_terminal else line)


def _hanging(line: "RenderableType") -> "RenderableType":
    """A line that begins with blanks keeps that indent where it wraps, so that items stay apart."""
    from rich.padding import Padding
    from rich.text import Text

    if not isinstance(line, Text):
        return line
    indent = len(line.plain) - len(line.plain.lstrip(" "))
    return Padding(line[indent:], (0, 0, 0, indent)) if indent and line.plain.strip() else line
