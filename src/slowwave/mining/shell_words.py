"""A shell line as words, operators and redirections: one pass, no recursion, no native code.

Tree-sitter's bash grammar was tried and dropped: made-up text can crash it, and a crash in native code would end the
night. What mining needs is less than a grammar: where words end, which operator joins them, what is inside quotes,
substitutions and here-documents and so is no command of the line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_REDIRECT = re.compile(r"(?:\d{0,4}(?:<<<|<<-?|<>|>>|>\||>&|<&|>(?!\()|<(?!\())|&>>?)[ \t]*")
_HEREDOC = re.compile(r"<<-?[ \t]*(['\"]?)(\w{1,40})\1")
_OPERATORS = ("&&", "||", "|&", ";;", ";", "|", "&", "(", ")", "\n")
_ENDS_WORD = frozenset(" \t\n;&|<>()")
_CLOSERS = {"'": "'", '"': '"', "`": "`", "(": ")", "{": "}"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A piece of a line: ``word``, ``operator`` or ``redirect``, as it was typed; a redirect with its target."""

    kind: str
    text: str
    start: int
    end: int
    target: str = ""


def tokens(line: str) -> Iterator[Token]:
    """The pieces of a line, in order; comments and the bodies of here-documents are left out."""
    at = 0
    waiting: list[str] = []
    while at < len(line):
        if line[at] in " \t\r" or line.startswith("\\\n", at):
            at += 2 if line[at] == "\\" else 1
            continue
        if line[at] == "#":
            at = _line_end(line, at)
            continue
        redirect = _REDIRECT.match(line, at)
        if redirect:
            end = _word_end(line, redirect.end())
            operator, target = redirect.group().strip(), line[redirect.end() : end]
            waiting += [unquote(target)] if operator.lstrip("0123456789") in {"<<", "<<-"} else []
            yield Token(kind="redirect", text=operator, start=at, end=end, target=target)
            at = end
            continue
        operator = next((o for o in _OPERATORS if line.startswith(o, at)), "")
        end = at + len(operator) if operator else max(at + 1, _word_end(line, at))
        yield Token(kind="operator" if operator else "word", text=line[at:end], start=at, end=end)
        at = _after_bodies(line, end, waiting) if operator == "\n" and waiting else end


def unquote(word: str) -> str:
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


def _word_end(line: str, at: int) -> int:
    """Where the word that begins here ends: at a blank or operator outside all quotes and substitutions."""
    open_until: list[str] = []
    while at < len(line):
        character = line[at]
        until = open_until[-1] if open_until else ""
        if not until and character in _ENDS_WORD and not _opens_substitution(line, at):
            return at
        if character == "\\" and until != "'":
            at += 2
        elif until and character == until:
            open_until.pop()
            at += 1
        elif until == ")" and (body := _HEREDOC.match(line, at)):
            at = _after_bodies(line, _line_end(line, body.end()) + 1, [body.group(2)])
        else:
            opened = _opened(line, at, until)
            open_until += [opened] if opened else []
            at += 1
    return min(at, len(line))


def _opens_substitution(line: str, at: int) -> bool:
    """Whether a bracket here belongs to ``$(``, ``<(`` or ``>(``."""
    return line.startswith(("<(", ">("), at) or (line[at] == "(" and at > 0 and line[at - 1] in "$<>")


def _opened(line: str, at: int, until: str) -> str:
    """What must come to close what opens here; empty where nothing opens."""
    character = line[at]
    if until == "'" or character not in _CLOSERS or (until == '"' and character == "'"):
        return ""
    is_expansion = at > 0 and line[at - 1] in "$<>"
    if character in "({" and not is_expansion and (until != ")" or character == "{"):
        return ""
    return _CLOSERS[character]


def _line_end(line: str, at: int) -> int:
    end = line.find("\n", at)
    return len(line) if end < 0 else end


def _after_bodies(line: str, at: int, delimiters: list[str]) -> int:
    """Behind the bodies of the here-documents that were announced; the delimiters are used up."""
    while delimiters and at < len(line):
        end = _line_end(line, at)
        if line[at:end].strip("\t ") == delimiters[0]:
            delimiters.pop(0)
        at = end + 1
    delimiters.clear()
    return min(at, len(line))
