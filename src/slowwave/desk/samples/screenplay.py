"""A screenplay: one session as a person would write it down, before any layout.

The first lines are ``key: value`` until a blank one. Then come turns: a line ``@verb argument`` and below it what is
said, typed, called or written. In a call a line ``---`` parts what was sent from what came back; in an edit ``--->``
parts the old text from the new. A body line that begins with ``@word`` or is ``---`` itself has a backslash before it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

SPOKEN = frozenset({"user", "queued", "say", "think", "reminder", "compact", "summary", "title"})
CALLS = frozenset({"run", "read", "edit", "write", "grep", "glob", "ask", "todo", "fetch", "task"})
STAGED = frozenset({"side", "back", "command", "interrupt", "gap", "glue", "torn", "retry"})
_OPENING = re.compile("@[a-z]")
REFUSED = "!reject"
CALLED_OFF = "!interrupt"


class ScreenplayError(ValueError):
    """A screenplay that breaks its own form; says file and line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One thing that happens in a screenplay.

    Attributes:
        verb: What happens, one of ``SPOKEN``, ``CALLS`` and ``STAGED``.
        argument: The rest of the verb's line: a path, a pattern, a number of minutes.
        status: Exit status of a command; 0 for everything else.
        sent: What is said, or what a call sends.
        back: What a call returns, or the new text of an edit.
        side: Of a task: the turns of the other one who carries it out.
    """

    verb: str
    argument: str = ""
    status: int = 0
    sent: str = ""
    back: str = ""
    side: tuple["Turn", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Screenplay:
    """One session: who, where, when, and its turns.

    Attributes:
        name: File name without its ending; the seed of all its chance.
        project: Folder the session works in.
        agent: ``claude`` or ``codex``.
        hours: How long before the given moment it begins.
        title: What the session is about.
        branch: Git branch.
        version: The agent program's version.
        model: The model's name.
        resumes: Name of the earlier session it continues, or empty.
        copies: How many of that session's last records it repeats.
        turns: What happens, in order.
    """

    name: str
    project: str
    agent: str
    hours: float
    title: str
    branch: str
    version: str
    model: str
    resumes: str = ""
    copies: int = 0
    turns: tuple[Turn, ...]


def parse(text: str, *, name: str, project: str) -> Screenplay:
    """Read a screenplay.

    Raises:
        ScreenplayError: A verb nobody knows, a header that lacks a key, or a task without an end.
    """
    head, _, rest = text.partition("\n\n")
    keys = dict(_key(line, name) for line in head.splitlines())
    try:
        return Screenplay(
            name=name,
            project=project,
            agent=keys["agent"],
            hours=float(keys["hours"]),
            title=keys["title"],
            branch=keys.get("branch", "main"),
            version=keys["version"],
            model=keys["model"],
            resumes=keys.get("resumes", ""),
            copies=int(keys.get("copies", "0")),
            turns=_nested(_turns(rest, name), name),
        )
    except KeyError as missing:
        raise ScreenplayError(f"{name}: the header lacks {missing}") from missing


def _key(line: str, name: str) -> tuple[str, str]:
    key, colon, value = line.partition(": ")
    if not colon:
        raise ScreenplayError(f"{name}: no key in header line {line!r}")
    return key, value.strip()


def _turns(text: str, name: str) -> list[Turn]:
    turns: list[Turn] = []
    opening = ""
    body: list[str] = []
    for line in text.split("\n"):
        if not _OPENING.match(line):
            body.append(line)
            continue
        if opening:
            turns.append(_turn(opening, body, name))
        opening, body = line, []
    return [*turns, _turn(opening, body, name)]


def _turn(opening: str, body: list[str], name: str) -> Turn:
    verb, _, argument = opening[1:].partition(" ")
    if verb not in SPOKEN | CALLS | STAGED:
        raise ScreenplayError(f"{name}: nobody knows the verb of {opening!r}")
    mark = "--->" if verb == "edit" else "---"
    at = body.index(mark) if mark in body else len(body)
    status = 0
    if verb == "run" and argument.strip():
        status = int(argument)
    return Turn(
        verb=verb,
        argument=argument.strip(),
        status=status,
        sent=_joined(body[:at]),
        back=_joined(body[at + 1 :]),
    )


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(line.removeprefix("\\") if line[:2] in {"\\@", "\\-"} else line for line in lines).strip("\n")


def _nested(turns: list[Turn], name: str) -> tuple[Turn, ...]:
    """Move the turns between ``@side`` and ``@back`` into the task before them."""
    kept: list[Turn] = []
    aside: list[Turn] | None = None
    for turn in turns:
        if turn.verb == "side":
            aside = []
        elif turn.verb == "back" and aside is not None:
            task = kept.pop()
            kept.append(Turn(verb=task.verb, argument=task.argument, sent=task.sent, back=task.back, side=tuple(aside)))
            aside = None
        elif aside is not None:
            aside.append(turn)
        else:
            kept.append(turn)
    if aside is not None:
        raise ScreenplayError(f"{name}: a task without an end")
    return tuple(kept)
