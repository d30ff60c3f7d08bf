"""Actions: what a call does to files and programs, as far as its arguments tell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from posixpath import isabs, join, normpath
from typing import Any

from slowwave.mining import commands, edits, events, programs

_SEARCH_TOOLS = frozenset({"grep", "search", "search_files", "codebase_search", "grep_search", "rg", "toolsearch"})
_SEARCHERS = frozenset({"rg", "grep", "ag", "egrep", "fgrep"})
_KEPT_TOOLS = (
    "todo",
    "plan",
    "taskcreate",
    "taskupdate",
    "tasklist",
    "taskget",
    "memory",
    "journal",
    "askuserquestion",
)
_PARTIAL = ("offset", "limit", "start_line", "end_line", "view_range", "range", "start", "end", "pages")
_PARTIAL_PROGRAMS = frozenset({"sed", "head", "tail", "awk"})
_BUILDERS = frozenset(
    {"make", "cargo", "go", "tsc", "gcc", "g++", "clang", "cmake", "ninja", "mvn", "gradle", "bazel", "webpack", "vite"}
)  # fmt: skip
_LINE_CHARACTERS = 2_000  # of a command by which a run is recognised


class Sort(StrEnum):
    """What a call is for."""

    READ = "read"
    WRITE = "write"
    SEARCH = "search"
    RUN = "run"  # a test, build or lint run
    POLL = "poll"
    KEPT = "kept"  # plans, todo lists, memory: what they return is part of the state of the work
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What one call does.

    Attributes:
        sort: What it is for.
        paths: Files it reads or writes, as far as they are named; absolute where a folder is known.
        is_whole: A read of whole files.
        line: The shell line, cut; empty for other tools.
    """

    sort: Sort
    paths: tuple[str, ...] = ()
    is_whole: bool = False
    line: str = ""


def action_of(tool: str, args: Mapping[str, Any], text: str) -> Action:
    """What a call does.

    Args:
        tool: Name of the tool as the agent spells it.
        args: Whole arguments.
        text: The longest of them.
    """
    name = tool.lower().rsplit("__", 1)[-1]
    line = events.shell_line_of(tool, args, text)
    short = line[:_LINE_CHARACTERS]
    if any(kept in tool.lower() for kept in _KEPT_TOOLS):
        return Action(sort=Sort.KEPT)
    if name in events.POLL_TOOLS:
        return Action(sort=Sort.POLL, line=short)
    folder = _text(args.get("workdir")) or _text(args.get("cwd")) or (commands.folder(line) if line else "")
    named = edits.path_of(args)
    written = edits.paths_written(args, line or text)
    if written or name in ("write", "apply_patch", "edit", "multiedit", "notebookedit"):
        paths = written or (named,)
        return Action(sort=Sort.WRITE, paths=_placed([path for path in paths if path], folder), line=short)
    if named and name in events.READ_TOOLS:
        is_whole = not any(args.get(key) is not None for key in _PARTIAL)
        return Action(sort=Sort.READ, paths=_placed([named], folder), is_whole=is_whole)
    if name in _SEARCH_TOOLS or name in events.LIST_TOOLS:
        return Action(sort=Sort.SEARCH)
    return _shell_action(short, folder) if line else Action(sort=Sort.OTHER)


def _shell_action(line: str, folder: str) -> Action:
    simple = commands.first_commands(line)
    if any(programs.is_test(each) or programs.is_lint(each) or _is_build(each) for each in simple):
        return Action(sort=Sort.RUN, line=line)
    changed = [path for each in simple if programs.is_change(each) for path in _file_words(each)]
    if changed:
        return Action(sort=Sort.WRITE, paths=_placed(changed, folder), line=line)
    readers = [each for each in simple if programs.is_in(each, "file_readers")]
    if readers and len(readers) == len(simple):
        paths = events.path_arguments(readers, "file_readers")
        is_piped = len(commands.split(line)) > len(simple) + (1 if commands.folder(line) else 0)
        is_whole = not is_piped and not any(each.program in _PARTIAL_PROGRAMS for each in readers)
        return Action(sort=Sort.READ, paths=_placed(paths, folder), is_whole=is_whole, line=line)
    is_search = bool(simple) and all(
        each.program in _SEARCHERS or programs.is_in(each, "listers") or each.words[:2] == ("git", "grep")
        for each in simple
    )
    return Action(sort=Sort.SEARCH if is_search else Sort.OTHER, line=line)


def _is_build(command: commands.Simple) -> bool:
    return command.program in _BUILDERS and not any(word in ("mod", "add", "install") for word in command.words[1:2])


def _file_words(command: commands.Simple) -> list[str]:
    return [word for word in command.words[1:] if "." in word and not word.startswith("-") and len(word) < 300]


def _placed(paths: Sequence[str], folder: str) -> tuple[str, ...]:
    return tuple(normpath(path if isabs(path) or not folder else join(folder, path)) for path in paths if path)


def is_same_file(one: str, other: str) -> bool:
    """Whether two paths may name one file: equal, or one the end of the other where a folder is not known."""
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
