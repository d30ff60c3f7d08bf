"""A simple command taken apart, and the one difference between two forms of it that may explain a success."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.mining import programs, tables
from slowwave.mining.commands import Simple, program_name
from slowwave.mining.failures import Failure

_COMMON = frozenset(("test", "tests", "true", "false", "auto", "none", "file", "path", "name", "with", "from", "error"))
_UNKNOWN = ("unknown", "illegal option", "unrecognized", "invalid option", "unexpected argument", "no such option")


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A command taken apart: what it starts with, what it runs; ``words`` are the arguments that are no flags."""

    assignments: tuple[str, ...]
    wrapper: tuple[str, ...]
    program: str
    words: tuple[str, ...]
    args: tuple[str, ...]
    raw: str

    @property
    def bare(self) -> str:
        """The command as it was typed, from its program on."""
        at = self.raw.find(self.program)
        return self.raw[at:] if at > 0 else self.raw

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
        args=tuple(words[1:]),
        raw=command.raw,
    )


def difference(before: Form, after: Form, failure: Failure, output: str) -> str:
    """What tells two forms of a command apart: ``assignment``, ``wrapper``, ``path``, ``flag``.

    Empty when nothing does, when more than one thing does, or when what differs may have hidden the failure.

    Args:
        before: The form that failed.
        after: The form that passed.
        failure: How it failed.
        output: All that it printed; a flag that it names was its own advice.
    """
    if program_name(after.program) != program_name(before.program):
        return ""
    gone, come = _surplus(before.args, after.args), _surplus(after.args, before.args)
    if any(_plain(word) in tables.words("programs", "narrowing") for word in gone + come):
        return ""
    has_same_start = before.assignments == after.assignments and before.wrapper == after.wrapper
    if gone or come:
        return "flag" if has_same_start and _is_flag_change((gone, come), after, failure, output) else ""
    if before.assignments != after.assignments:
        return "assignment" if before.wrapper == after.wrapper else ""
    if before.wrapper != after.wrapper:
        return "wrapper"
    return "path" if before.program != after.program else ""


def _surplus(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """Words of one list that the other has not, in order."""
    left = Counter(theirs)
    out: list[str] = []
    for word in ours:
        if left[word]:
            left[word] -= 1
        else:
            out.append(word)
    return out


def _is_flag_change(words: tuple[list[str], list[str]], after: Form, failure: Failure, output: str) -> bool:
    """Whether flags went that the error calls unknown, or one came that it names or that ends what never ended."""
    gone, come = words
    if gone:
        is_unknown = any(call in failure.message.lower() for call in _UNKNOWN)
        named = all(word.startswith("-") and _plain(word).lstrip("-") in failure.message for word in gone)
        return is_unknown and named and all(word.startswith("-") for word in come)
    if not come[0].startswith("-") or len(come) > 2 or any(word.startswith("-") for word in come[1:]):
        return False
    if len(come) == 2 and after.args.index(come[1]) != after.args.index(come[0]) + 1:
        return False
    return failure.is_timeout or _plain(come[0]) in output or bool(_tokens(come) & _tokens([failure.message]))


def _tokens(words: Sequence[str]) -> frozenset[str]:
    """The parts of words that can name a thing: four characters and more, not what stands in every command."""
    parts = (part.lower() for word in words for part in re.split(r"[^A-Za-z0-9]+", word))
    return frozenset(part for part in parts if len(part) > 3 and part not in _COMMON)


def _plain(flag: str) -> str:
    return flag.split("=", 1)[0]
