"""Sessions as events: each call joined with what came back, and read for what it did.

Copies, also of other sessions' records, are taken out here, so that no lens can count one observation twice.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from slowwave.facts.evidence import Speaker
from slowwave.facts.ids import SessionId
from slowwave.mining import commands, edits, failures, programs
from slowwave.mining.commands import Simple
from slowwave.mining.edits import Edit
from slowwave.mining.failures import Failure
from slowwave.mining.voices import is_orchestrated
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.recording import Recording
from slowwave.records.session import Session

_SHELL_ARGS = ("command", "cmd", "script", "commandLine", "CommandLine")
READ_TOOLS = frozenset(
    {"read", "read_file", "view", "view_file", "cat", "open", "readfile", "notebookread", "fetch_file"}
)
LIST_TOOLS = frozenset({"ls", "glob", "list_dir", "list_directory", "list_files", "find_files", "file_search"})
POLL_TOOLS = frozenset({"write_stdin", "bashoutput", "read_bash", "taskoutput"})
_EMBEDDED_COMMAND = re.compile(r'"?(?:cmd|command)"?:\s*("(?:[^"\\]|\\.)*")')


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One call and its outcome.

    Attributes:
        session: The session it happened in.
        at: Index of the call among its timeline's entries.
        turn: Which turn of the conversation, from 0; a new one begins when a person speaks.
        call: The call.
        result: The last thing that came back; None when nothing did.
        line: The shell line, where the call runs one.
        simple: Its commands, tails of pipes and ``cd`` left out.
        folder: The folder it ran in, where the call says one.
        failure: How it failed, or None.
        edits: What it wrote.
        reads: Files it showed, as the call names them.
        lists: Folders it listed.
    """

    session: SessionId
    at: int
    turn: int
    call: Entry
    result: Entry | None
    line: str = ""
    simple: tuple[Simple, ...] = ()
    folder: str = ""
    failure: Failure | None = None
    edits: tuple[Edit, ...] = ()
    reads: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()

    @property
    def is_rejected(self) -> bool:
        """Whether a person refused or interrupted it."""
        return self.result is not None and self.result.is_rejected

    @property
    def has_passed(self) -> bool:
        """Whether it came back and had not failed."""
        return self.result is not None and self.failure is None and not self.result.is_rejected

    @property
    def is_change(self) -> bool:
        """Whether the world behind it may differ: files, packages, history."""
        return bool(self.edits) or any(programs.is_change(command) for command in self.simple)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """One session: its own entries in order, and its calls as events."""

    session: Session
    entries: tuple[Entry, ...]
    events: tuple[Event, ...]
    is_orchestrated: bool = field(default=False)

    def talk(self, start: int, end: int, *, speaker: Speaker = Speaker.AGENT) -> tuple[Entry, ...]:
        """What somebody really said between two indices (half open): no thinking, nothing injected."""
        return tuple(
            entry
            for entry in self.entries[max(0, start) : end]
            if entry.kind is EntryKind.TEXT and entry.speaker is speaker and not entry.injected and not entry.is_tainted
        )

    def relative(self, path: str) -> str:
        """A path as the project calls it: below the working folder, its prefix taken off."""
        cwd = self.session.cwd.rstrip("/")
        if path.rstrip("/") == cwd:
            return "."
        inner = path[len(cwd) + 1 :] if cwd and path.startswith(cwd + "/") else path
        return inner.removeprefix("./").rstrip("/") or path


def timelines(recordings: Sequence[Recording]) -> tuple[Timeline, ...]:
    """All sessions, oldest first; what an earlier one has already told (a fork's history, a prefix) is left out."""
    seen: set[str] = set()
    built: list[Timeline] = []
    for recording in sorted(recordings, key=_order):
        entries = tuple(e for e in recording.entries if not e.is_copy and not (e.origin and e.origin in seen))
        seen.update(entry.origin for entry in entries)
        built.append(timeline(recording.session, entries, is_orchestrated=is_orchestrated(recording)))
    return tuple(built)


def timeline(session: Session, entries: Sequence[Entry], *, is_orchestrated: bool = False) -> Timeline:
    """One session's entries with their calls read."""
    turns = _turns(entries)
    results = _outcomes(entries)
    found = [
        _event(session, entry, (at, turns[at]), results.get(at))
        for at, entry in enumerate(entries)
        if entry.kind is EntryKind.TOOL_CALL and entry.tool.lower() not in POLL_TOOLS
    ]
    return Timeline(session=session, entries=tuple(entries), events=tuple(found), is_orchestrated=is_orchestrated)


def _order(recording: Recording) -> tuple[str, str]:
    started = recording.session.started
    return (started.isoformat() if started else "", recording.session.id)


def _turns(entries: Sequence[Entry]) -> list[int]:
    turns: list[int] = []
    turn = 0
    for entry in entries:
        turn += entry.kind is EntryKind.TEXT and entry.is_person
        turns.append(turn)
    return turns


def _outcomes(entries: Sequence[Entry]) -> dict[int, Entry]:
    """For each call's index its last result; what a poll of a running command brings is its command's."""
    open_calls: dict[str, int] = {}
    running: dict[str, int] = {}
    results: dict[int, Entry] = {}
    for at, entry in enumerate(entries):
        if entry.kind is EntryKind.TOOL_CALL:
            key = str(entry.args.get("session_id", ""))
            polled = running.get(key) if entry.tool.lower() in POLL_TOOLS else None
            open_calls[entry.call_id] = at if polled is None else polled
        elif entry.kind is EntryKind.TOOL_RESULT and entry.call_id in open_calls:
            owner = open_calls[entry.call_id]
            results[owner] = entry
            if number := failures.running_session(entry):
                running[number] = owner
    return results


def _event(session: Session, call: Entry, place: tuple[int, int], result: Entry | None) -> Event:
    tool = call.tool.lower().rsplit("__", 1)[-1]
    line = shell_line(call)
    simple = commands.first_commands(line) if line else ()
    named = edits.path_of(call.args)
    written = edits.edits_of(call.args, line or call.text)
    reads = (named,) if named and tool in READ_TOOLS and not written else path_arguments(simple, "file_readers")
    lists = (named or ".",) if tool in LIST_TOOLS else path_arguments(simple, "listers")
    everything = commands.split(line) if line else ()
    return Event(
        session=session.id,
        at=place[0],
        turn=place[1],
        call=call,
        result=result,
        line=line,
        simple=simple,
        folder=_text(call.args.get("workdir")) or (commands.folder(line) if line else ""),
        failure=failures.read_failure(result, everything) if result else None,
        edits=written,
        reads=reads,
        lists=lists,
    )


def shell_line(call: Entry) -> str:
    """The shell line a call runs; empty for a call that runs none."""
    return shell_line_of(call.tool, call.args, call.text)


def shell_line_of(tool: str, args: Mapping[str, Any], text: str) -> str:
    """The shell line that a tool with these arguments runs; ``text`` is the longest of them."""
    value: Any = next((args[name] for name in _SHELL_ARGS if name in args), None)
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return value[-1] if len(value) > 1 and value[-2] in {"-lc", "-c", "-ic"} else " ".join(value)
    if isinstance(value, str):
        return value
    if tool.lower() in {"exec", "shell"} and (found := _EMBEDDED_COMMAND.search(text)):
        return found.group(1)[1:-1].replace('\\"', '"')
    return ""


def path_arguments(simple: Iterable[Simple], name: str) -> tuple[str, ...]:
    """Path arguments of the commands that a table lists."""
    found = chain.from_iterable(_paths(command) for command in simple if programs.is_in(command, name))
    return tuple(found)


def _paths(command: Simple) -> tuple[str, ...]:
    words = [word for word in command.words[1:] if not word.startswith("-") and not word.isdigit()]
    if command.program in {"sed", "awk"}:
        words = words[1:]
    if command.program in {"find", "fd", "git"}:
        words = words[:1]
    return tuple(word for word in words if "\n" not in word and len(word) < 300)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
