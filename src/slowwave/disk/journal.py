"""What was about to happen: one small file for each group of steps, there from before the first until after the last.

After a crash the files that are left say what has to be finished or forgotten. A file that cannot be read is set
aside under another name and reported; it never stops a start.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slowwave.disk.durable import flush_folder, make_folder, read_whole, remove, write_atomic
from slowwave.disk.trouble import speaking

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
_ENDING = ".json"
_BROKEN = ".broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """A group of steps that was begun and not ended."""

    name: str
    payload: Mapping[str, Any]


class Journal:
    """The open groups of steps in one folder; its caller holds the writer lock."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def begin(self, name: str, payload: Mapping[str, Any]) -> None:
        """Remember a group before its first step; an entry of the same name is replaced.

        Raises:
            ValueError: The name is not a short word of small letters, digits, dot, dash and underscore.
            DiskError: It could not be stored; the group must not begin.
        """
        make_folder(self._folder)
        content = json.dumps({"name": name, "payload": dict(payload)}, sort_keys=True)
        write_atomic(self._file(name), content.encode("ascii"))

    def done(self, name: str) -> None:
        """Forget a group whose last step is durable."""
        remove(self._file(name))

    def open_entries(self) -> tuple[JournalEntry, ...]:
        """The groups that were begun and not ended, by name; unreadable files are set aside on the way."""
        entries = []
        for path in self._listed(_ENDING):
            entry = _parse(read_whole(path) or b"", path.name.removesuffix(_ENDING))
            if entry is None:
                self._set_aside(path)
            else:
                entries.append(entry)
        return tuple(entries)

    def set_aside(self) -> tuple[Path, ...]:
        """Files that could not be read, for the doctor to name."""
        return self._listed(_BROKEN)

    def _listed(self, ending: str) -> tuple[Path, ...]:
        if not self._folder.is_dir():
            return ()
        with speaking(self._folder):
            return tuple(sorted(p for p in self._folder.iterdir() if p.name.endswith(ending) and p.name[0] != "."))

    def _set_aside(self, path: Path) -> None:
        with speaking(path):
            path.replace(path.with_name(path.name + _BROKEN))
        flush_folder(self._folder)

    def _file(self, name: str) -> Path:
        if _NAME.fullmatch(name) is None:
            raise ValueError(f"not a name for a journal entry: {name!r}")
        return self._folder / (name + _ENDING)


def _parse(content: bytes, name: str) -> JournalEntry | None:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("name") != name or not isinstance(value.get("payload"), dict):
        return None
    return JournalEntry(name=name, payload=value["payload"])
