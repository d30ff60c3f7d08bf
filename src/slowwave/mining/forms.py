"""A simple command taken apart, and the one difference between two forms of it that may explain a success."""

from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.mining import programs, tables
from slowwave.mining.commands import Simple, program_name

_UNKNOWN = ("unknown", "illegal option", "unrecognized", "invalid option", "unexpected argument", "no such option")


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A command taken apart: what it starts with, what it runs."""

    assignments: tuple[str, ...]
    wrapper: tuple[str, ...]
    program: str
    words: tuple[str, ...]
    flags: tuple[str, ...]
    raw: str

    @property
    def name(self) -> str:
        """Program and its words."""
        return " ".join((program_name(self.program), *self.words))


def form(command: Simple) -> Form:
    """A simple command taken apart."""
    wrapper, words = programs.split_wrappers(command.words)
    named = tuple(word for word in wrapper if "=" in word and not word.startswith("-"))
    rest = () if wrapper[:1] and wrapper[0] in tables.words("programs", "inert_wrappers") else wrapper
    rest = tuple(word for word in rest if word not in named)
    return Form(
        assignments=tuple(sorted(command.assignments + named)),
        wrapper=() if rest == ("env",) else rest,
        program=words[0] if words else "",
        words=tuple(word for word in words[1:] if not word.startswith("-")),
        flags=tuple(word for word in words[1:] if word.startswith("-")),
        raw=command.raw,
    )


def difference(before: Form, after: Form, message: str, output: str) -> str:
    """What tells two forms of a command apart: ``assignment``, ``wrapper``, ``path``, ``flag``.

    Empty when nothing does, when more than one thing does, or when what differs may have hidden the failure.

    Args:
        before: The form that failed.
        after: The form that passed.
        message: The line that said why it failed.
        output: All that it printed; a flag that it names was its own advice.
    """
    if program_name(after.program) != program_name(before.program) or after.words != before.words:
        return ""
    gone = [flag for flag in before.flags if flag not in after.flags]
    come = [flag for flag in after.flags if flag not in before.flags]
    if any(_plain(flag) in tables.words("programs", "narrowing") for flag in gone + come):
        return ""
    if gone or come:
        is_fair = before.assignments == after.assignments and _is_flag_change(gone, come, message, output)
        return "flag" if is_fair else ""
    if before.assignments != after.assignments:
        return "assignment" if before.wrapper == after.wrapper else ""
    if before.wrapper != after.wrapper:
        return "wrapper"
    return "path" if before.program != after.program else ""


def _is_flag_change(gone: Sequence[str], come: Sequence[str], message: str, output: str) -> bool:
    """Whether the flags that went are ones the error calls unknown, or those that came are ones it names."""
    if gone:
        return any(call in message.lower() for call in _UNKNOWN) and all(_plain(f).lstrip("-") in message for f in gone)
    return all(len(flag) > 3 and _plain(flag) in output for flag in come)


def _plain(flag: str) -> str:
    return flag.split("=", 1)[0]
