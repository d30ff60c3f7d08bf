"""What shell programs are for: the tables of ``cues/programs.toml`` as questions about one simple command."""

import re
from collections.abc import Sequence

from slowwave.mining import tables
from slowwave.mining.commands import Simple, program_name

_VERSION = re.compile(r"v?\d[\w.]*$")


def _words(name: str) -> frozenset[str]:
    return tables.words("programs", name)


def split_wrappers(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The leading wrappers of a command (``env A=1``, ``mise exec --``, ``npx``) and what they start."""
    rest = list(words)
    taken: list[str] = []
    while rest and (length := _wrapper_length(rest)):
        taken += rest[:length]
        rest = rest[length:]
    return tuple(taken), tuple(rest)


def _wrapper_length(words: Sequence[str]) -> int:
    """How many leading words belong to a wrapper; 0 when there is none or it starts nothing."""
    pair = " ".join(words[:2])
    if words[0] == "command" and words[1:2] and words[1].startswith("-"):
        return 0  # it asks where a program is and starts none
    if pair in _words("wrappers"):
        length, name = 2, pair
    elif words[0] in _words("wrappers"):
        length, name = 1, words[0]
    else:
        return 0
    if name in tables.table("programs")["wrapper_values"]:
        length += 1
    while length < len(words) and (words[length].startswith("-") or "=" in words[length]):
        length += 1
        if words[length - 1] == "--":
            break
        if length < len(words) and _VERSION.match(words[length]):
            length += 1  # the value of an option such as ``--using 22``
    return length if length < len(words) else 0


def is_in(command: Simple, name: str) -> bool:
    """Whether a table lists the command, by its program alone or with its first one or two arguments."""
    _, words = split_wrappers(command.words)
    if not words:
        return False
    program = program_name(words[0])
    tasks = [word for word in words[1:] if not word.startswith("-")][:2]
    names = [program, *(" ".join((program, *tasks[:count])) for count in range(1, len(tasks) + 1))]
    return any(text in _words(name) for text in names)


def is_change(command: Simple) -> bool:
    """Whether the command changes files, packages or history."""
    if is_in(command, "changers") or command.writes:
        return True
    _, words = split_wrappers(command.words)
    flags = tables.table("programs")["in_place"].get(program_name(words[0]), ()) if words else ()
    return any(word.startswith(flag) for word in words[1:] for flag in flags)


def is_test(command: Simple) -> bool:
    """Whether the command runs tests: a test program, or a task whose name says so."""
    return is_in(command, "test_programs") or _task_says(command, "test", "tests", "check")


def is_lint(command: Simple) -> bool:
    """Whether the command judges style or types: a linter, or a task whose name says so."""
    return is_in(command, "lint_programs") or _task_says(command, "lint", "clippy", "typecheck", "type-check")


def _task_says(command: Simple, *names: str) -> bool:
    _, words = split_wrappers(command.words)
    if not words or program_name(words[0]) not in _words("task_runners"):
        return False
    tasks = [word for word in words[1:4] if not word.startswith("-") and word not in {"run", "r"}]
    return bool(tasks) and any(part in names for part in tasks[0].replace(":", "-").replace("_", "-").split("-"))


def everyday() -> frozenset[str]:
    """Everybody's tools, by name."""
    return _words("everyday")
