"""A shell line as simple commands: what runs, with which words, joined how."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from slowwave.mining.shell_words import Token, tokens, unquote

COMMAND_CHARACTERS = 4_096  # a longer line is a script or a here-document; its first commands say what it is
MOST_SIMPLE = 40  # commands looked at in one line
MOST_WORDS = 200  # of one command
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_HARMLESS_TARGET = re.compile(
    r"['\"]?(?:&|\d|/(?:dev|tmp|private/tmp|var/folders)/)"
)  # writing there changes no project
_KEYWORDS = frozenset({"if", "then", "else", "elif", "do", "while", "until", "{", "!", "time"})
_ENDS = frozenset({"fi", "done", "}", "esac"})
_CLAUSES = frozenset({"for", "case", "select", "function"})  # what follows them is no command


@dataclass(frozen=True, slots=True, kw_only=True)
class Simple:
    """One simple command of a shell line.

    Attributes:
        assignments: ``NAME=value`` words before the program.
        words: Program and arguments without their quotes; redirections are left out.
        raw: The command as it was typed, from its first word to its last.
        start: Where ``raw`` begins in the line, in characters.
        joint: The operator before it (``&&``, ``|``, ``;`` ...); empty for the first.
        writes: Whether it redirects its output into a file of the project.
    """

    assignments: tuple[str, ...]
    words: tuple[str, ...]
    raw: str
    start: int
    joint: str
    writes: bool = False

    @property
    def program(self) -> str:
        """Name of the program, without its folder."""
        return program_name(self.words[0]) if self.words else ""


def program_name(word: str) -> str:
    """The last part of a program's path."""
    return word.rsplit("/", 1)[-1] or word


@lru_cache(maxsize=8_192)
def split(line: str) -> tuple[Simple, ...]:
    """The simple commands of a line in their order; ``cd`` is among them, empty ones are not."""
    cut = line[:COMMAND_CHARACTERS]
    found: list[Simple] = []
    held: list[Token] = []
    joint = ""
    for token in (*tokens(cut), Token(kind="operator", text=";", start=len(cut), end=len(cut))):
        if token.kind != "operator":
            held.append(token)
            continue
        simple = _simple(cut, held, joint)
        if simple is not None:
            found.append(simple)
        if simple is not None or token.text not in {"\n", "(", ")"}:
            joint = token.text
        held = []
        if len(found) == MOST_SIMPLE:
            break
    return tuple(found)


def first_commands(line: str) -> tuple[Simple, ...]:
    """The commands of a line without ``cd``, without tails of a pipe."""
    return tuple(
        s for s in split(line) if s.program not in {"cd", "set", "pushd", "popd"} and s.joint not in {"|", "|&"}
    )


def folder(line: str) -> str:
    """Where a line goes before it works: the argument of its leading ``cd``; empty for none."""
    simple = split(line)
    return simple[0].words[1] if simple and simple[0].program == "cd" and len(simple[0].words) > 1 else ""


def _simple(line: str, held: Sequence[Token], joint: str) -> Simple | None:
    """The command that some words and redirections make; None where they make none."""
    words = [token for token in held if token.kind == "word"]
    while words and words[0].text in _KEYWORDS:
        words = words[1:]
    if not words or words[0].text in _CLAUSES | _ENDS:
        return None
    named = next((n for n, token in enumerate(words) if not _ASSIGNMENT.match(token.text)), len(words))
    if named == len(words):
        return None
    return Simple(
        assignments=tuple(token.text for token in words[:named]),
        words=tuple(unquote(token.text) for token in words[named : named + MOST_WORDS]),
        raw=line[words[0].start : words[-1].end],
        start=words[0].start,
        joint=joint,
        writes=any(_writes_file(token) for token in held if token.kind == "redirect"),
    )


def _writes_file(token: Token) -> bool:
    operator = token.text.lstrip("0123456789")
    return operator.startswith((">", "&>")) and bool(token.target) and not _HARMLESS_TARGET.match(token.target)
