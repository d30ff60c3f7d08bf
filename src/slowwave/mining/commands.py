"""A shell line as simple commands: what runs, with which words, joined how.

Parsed by tree-sitter's bash grammar, which knows quotes, here-documents and substitutions, takes 40 µs a line and never
recurses in Python. What stands inside a substitution or a here-document is an argument, not a command of the line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

COMMAND_CHARACTERS = 4_096  # a longer line is a script or a here-document; its first commands say what it is
MOST_SIMPLE = 40  # commands looked at in one line
_OPERATORS = frozenset({"&&", "||", ";", "|", "|&", "&", "\n"})
_REDIRECTS = frozenset({"file_redirect", "heredoc_redirect", "herestring_redirect"})
_HARMLESS_TARGET = re.compile(r"&|/(?:dev|tmp|private/tmp|var/folders)/")  # writing there changes no project


@dataclass(frozen=True, slots=True, kw_only=True)
class Simple:
    """One simple command of a shell line.

    Attributes:
        assignments: ``NAME=value`` words before the program.
        words: Program and arguments without their quotes; redirections are left out.
        raw: The command as it was typed, redirections left out.
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


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


@lru_cache(maxsize=8_192)
def split(line: str) -> tuple[Simple, ...]:
    """The simple commands of a line in their order; ``cd`` is among them, empty ones are not."""
    raw = line[:COMMAND_CHARACTERS].encode("utf-8", "replace")
    found: list[Simple] = []
    for node, joint, redirects in _commands(_parser().parse(raw).root_node):
        simple = _simple(node, raw, joint, writes=any(_writes_file(r, raw) for r in redirects))
        if simple.words:
            found.append(simple)
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


def _commands(root: Node) -> Iterator[tuple[Node, str, list[Node]]]:
    """Command nodes in the order of the text, each with the operator before it and its redirections."""
    joint = ""
    stack: list[tuple[Node, list[Node]]] = [(root, [])]
    while stack:
        node, redirects = stack.pop()
        if node.type in {"command", "declaration_command"}:
            yield node, joint, redirects
            joint = ";"
        elif node.type in _OPERATORS:
            joint = node.type
        elif node.type not in _REDIRECTS and node.type not in {"variable_assignment", "comment"}:
            below = [c for c in node.children if c.type in _REDIRECTS] if node.type == "redirected_statement" else []
            stack.extend((child, redirects + below) for child in reversed(node.children))


def _simple(node: Node, raw: bytes, joint: str, *, writes: bool) -> Simple:
    assignments: list[str] = []
    words: list[str] = []
    own = [child for child in node.children if child.type not in _REDIRECTS]
    for child in own:
        text = raw[child.start_byte : child.end_byte].decode("utf-8", "replace")
        if child.type == "variable_assignment" and not words:
            assignments.append(text)
        else:
            words.append(_unquote(text))
    end = own[-1].end_byte if own else node.end_byte
    return Simple(
        assignments=tuple(assignments),
        words=tuple(words),
        raw=raw[node.start_byte : end].decode("utf-8", "replace"),
        start=len(raw[: node.start_byte].decode("utf-8", "replace")),
        joint=joint,
        writes=writes,
    )


def _unquote(word: str) -> str:
    """A word as the program sees it, as far as that is known without running the shell."""
    if "'" not in word and '"' not in word and "\\" not in word:
        return word
    out: list[str] = []
    quote = ""
    at = 0
    while at < len(word):
        character = word[at]
        if quote:
            if character == quote:
                quote = ""
            else:
                out.append(character)
        elif character in "'\"":
            quote = character
        elif character == "\\" and at + 1 < len(word):
            at += 1
            out.append(word[at])
        else:
            out.append(character)
        at += 1
    return "".join(out)


def _writes_file(node: Node, raw: bytes) -> bool:
    text = raw[node.start_byte : node.end_byte].decode("utf-8", "replace").lstrip("0123456789&")
    target = text.lstrip(">|").strip()
    return node.type == "file_redirect" and text.startswith(">") and not _HARMLESS_TARGET.match(target)
