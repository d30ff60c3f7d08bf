"""What a call wrote: edits read from every way an agent has of editing a file."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MOST_HUNKS = 200  # of one patch
_PATCH_FILE = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$")
_MOVED = re.compile(r"^\*\*\* Move to: (.+)$")
_TOKEN = re.compile(r"[\w.+-]+|\s+|[^\w\s]")
_VERSION = re.compile(r"(?<!\d)\d+(?:\.\d+)+")
_PATHS = ("file_path", "path", "filePath", "target_file", "notebook_path", "filename")
_OLD = ("old_string", "old_str", "oldString", "oldText", "search")
_NEW = ("new_string", "new_str", "newString", "newText", "replace", "content", "file_text", "new_source")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One replacement in one file; ``old`` is empty for a file written whole."""

    path: str
    old: str
    new: str


def edits_of(args: Mapping[str, Any], text: str) -> tuple[Edit, ...]:
    """The edits a call asks for; none for a call that only reads.

    Args:
        args: The call's arguments.
        text: Its command or longest argument, where a patch may stand.
    """
    if "*** Begin Patch" in text:
        return tuple(_patch(text))
    path = _first(args, _PATHS)
    several = args.get("edits")
    if path and isinstance(several, list):
        pairs = [(_first(e, _OLD), _first(e, _NEW)) for e in several[:MOST_HUNKS] if isinstance(e, Mapping)]
        return tuple(Edit(path=path, old=old, new=new) for old, new in pairs)
    has_new = any(isinstance(args.get(name), str) for name in _NEW)
    if path and has_new:
        return (Edit(path=path, old=_first(args, _OLD), new=_first(args, _NEW)),)
    return ()


def paths_written(args: Mapping[str, Any], text: str) -> tuple[str, ...]:
    """The files a call writes, without reading what it writes into them; as ``edits_of`` finds them."""
    if "*** Begin Patch" in text:
        named = [found for line in text.split("\n") if line.startswith("*** ") and (found := _PATCH_FILE.match(line))]
        return tuple(found.group(1).strip() for found in named)
    path = _first(args, _PATHS)
    is_written = isinstance(args.get("edits"), list) or any(isinstance(args.get(name), str) for name in _NEW)
    return (path,) if path and is_written else ()


def path_of(args: Mapping[str, Any]) -> str:
    """The file or folder a call names; empty for none."""
    return _first(args, _PATHS)


def change(edit: Edit) -> tuple[str, str]:
    """The words that differ between old and new, common ends taken off at the borders of words.

    ``version = "1.2.3"`` to ``version = "1.2.4"`` is ``("1.2.3", "1.2.4")``, and so is ``shop_1.2.3_amd64.deb`` to
    ``shop_1.2.4_amd64.deb``: one version on each side is what changed. Both empty when nothing differs.
    """
    old, new = _TOKEN.findall(edit.old[:4_000]), _TOKEN.findall(edit.new[:4_000])
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    before, after = "".join(old[start : len(old) - end]).strip(), "".join(new[start : len(new) - end]).strip()
    versions = _VERSION.findall(before), _VERSION.findall(after)
    return (versions[0][0], versions[1][0]) if [len(found) for found in versions] == [1, 1] else (before, after)


def _patch(text: str) -> Iterator[Edit]:
    path = ""
    old: list[str] = []
    new: list[str] = []
    for line in [*text.split("\n"), "@@"]:
        named = _PATCH_FILE.match(line)
        if named or not line.startswith(("-", "+")):
            if path and (old or new):
                yield Edit(path=path, old="\n".join(old), new="\n".join(new))
            old, new = [], []
        if named:
            path = named.group(1).strip()
        elif moved := _MOVED.match(line):
            path = moved.group(1).strip()
        elif line.startswith("-"):
            old.append(line[1:])
        elif line.startswith("+"):
            new.append(line[1:])


def _first(args: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((value for name in names if isinstance(value := args.get(name), str)), "")
