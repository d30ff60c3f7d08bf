"""The reference of commands, made from the command line itself; run as a program it writes ``docs/commands.md``."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from typer.core import TyperGroup
from typer.main import get_command

from slowwave.desk.cli import app

PAGE = Path(__file__).resolve().parents[2] / "docs" / "commands.md"
SHARED = ("--json", "--home", "--at", "--help")
OPENING = """# Commands

Written from the command line by `make docs`; a test holds it to the code.

Every command takes these options:

{shared}

Exit status: 0 done, 1 refused or failed, 2 usage, 3 nothing to work on, 4 damage found.
With `--json` standard output holds one envelope: `schema`, `type` (`result` or `error`), then `data` or `error`.
"""


def page() -> str:
    """The whole reference."""
    root = get_command(app)
    assert isinstance(root, TyperGroup)
    common = [_parameter(one) for one in _options(root) if set(one.opts) & {*SHARED, "--version"}]
    parts = [OPENING.format(shared="\n".join(common))]
    parts += [_section(words, command) for words, command in walk(root, ("slowwave",))]
    return "\n".join(parts)


def walk(group: TyperGroup, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with its words, in order of name, groups by what they do alone."""
    for name, command in sorted(group.commands.items()):
        if isinstance(command, TyperGroup):
            if command.invoke_without_command:
                yield (*words, name), command
            yield from walk(command, (*words, name))
        else:
            yield (*words, name), command


def _section(words: Sequence[str], command: Any) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    own = [one for one in _options(command) if not set(one.opts) & set(SHARED)]
    usage = " ".join((*words, *map(_metavar, arguments), *(["[OPTIONS]"] if own else [])))
    rows = [_parameter(one) for one in (*arguments, *own)]
    body = [f"## {' '.join(words)}", "", _sentence(command.help), "", f"```\n{usage}\n```"]
    return "\n".join([*body, *(["", *rows] if rows else []), ""])


def _options(command: Any) -> list[Any]:
    return [one for one in command.params if one.param_type_name == "option"]


def _parameter(one: Any) -> str:
    help_text = _sentence(getattr(one, "help", None))
    name = _metavar(one) if one.param_type_name == "argument" else ", ".join(one.opts)
    takes = "" if one.param_type_name == "argument" or getattr(one, "is_flag", False) else f" {one.metavar or 'VALUE'}"
    default = one.default
    shown = (
        f" Default: {default}."
        if isinstance(default, int | str) and not isinstance(default, bool) and default != ""
        else ""
    )
    return f"- `{name}{takes}`: {help_text}{shown}"


def _sentence(text: str | None) -> str:
    return " ".join((text or "").split())


def _metavar(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
