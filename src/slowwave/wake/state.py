"""The loop's state, ``data/consolidation/state.json``: the seed's own shape, read as it stands, our keys beside it.

Unknown keys survive a rewrite. What cannot be understood is treated as missing and told; a file that is no object at
all is kept aside, and the state begins anew, which re-reads every capture: all destinations know what they hold.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, TypeGuard

from slowwave.disk.durable import clear_leftovers, damaged_name, keep_damaged, make_folder, read_whole, write_atomic
from slowwave.disk.places import Places
from slowwave.facts.refusal import NewerFormatError

VERSION = 1
STATS = (
    "captures_triaged",
    "observations_added",
    "commitments_extracted",
    "reminders_created",
    "coaching_refreshes",
)
"""The seed's counters."""
RAN = {
    "capture_triage": "",
    "session_scan": "last_cli_scan",
    "coaching_refresh": "last_coaching_refresh",
    "scratch_synthesis": "last_scratch_synthesis",
}
"""Each sub-task with the key that says when it ran last; triage has its own place, ``last_triage.ts``."""
_FILE = re.compile(r"\d{4}-\d{2}-\d{2}\.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileMark:
    """How far one file of captures was read.

    Attributes:
        lines: Physical lines consumed.
        bytes: Bytes consumed; None where only the lines are known, as from a state of the seed.
        first: Digest over the beginning of its first line, which tells another file in its place.
        stamp: Inode, size and time of the file when it was read; unchanged, it is not opened.
    """

    lines: int
    bytes: int | None = None
    first: str = ""
    stamp: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """How often something failed, when last, and what it said then."""

    count: int
    moment: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopState:
    """All of it.

    Attributes:
        file: The file of captures that was read last; empty for none.
        files: How far each file was read.
        since: Files of earlier days count as read: the seed's state says nothing of them. Empty for none.
        ran: When each sub-task ran last.
        stats: The seed's counters.
        errors: For each sub-task or job that ever failed: how often, when last, and what it said.
        others: The file's object as it was read; its unknown keys are written back.
        warnings: What could not be understood.
    """

    file: str = ""
    files: Mapping[str, FileMark] = field(default_factory=dict)
    since: str = ""
    ran: Mapping[str, datetime] = field(default_factory=dict)
    stats: Mapping[str, int] = field(default_factory=dict)
    errors: Mapping[str, "Errors"] = field(default_factory=dict)
    others: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def seconds_since(self, name: str, now: datetime) -> float:
        """Seconds since a sub-task ran; infinite where it never did, where that is not known, or where it lies ahead.

        Both moments are in UTC: wall times of one zone differ by an hour too much or too little across a change.
        """
        last = self.ran.get(name)
        seconds = (now.astimezone(UTC) - last.astimezone(UTC)).total_seconds() if last else -1.0
        return seconds if seconds >= 0 else float("inf")


def stamp_of(path: Path) -> tuple[int, ...] | None:
    """What tells that a file changed, without opening it: inode, size and time; None where there is none."""
    try:
        status = path.stat(follow_symlinks=False)
    except OSError:
        return None
    return (status.st_ino, status.st_size, status.st_mtime_ns)


def is_capture_file(name: str) -> bool:
    """Whether a file's name is that of a day."""
    if not _FILE.fullmatch(name):
        return False
    try:
        date.fromisoformat(name.removesuffix(".jsonl"))
    except ValueError:
        return False
    return True


def read_state(places: Places, now: datetime, *, only_reads: bool = False) -> LoopState:
    """The state; a fresh one where there is none or it cannot be understood. The caller holds the loop's lock.

    Args:
        places: The files of the day.
        now: The present; names the copy of a corrupt state.
        only_reads: Keep nothing aside, for whoever only looks.

    Raises:
        NewerFormatError: A newer slowwave wrote it; nothing was changed.
    """
    content = read_whole(places.loop_state)
    if content is None:
        return LoopState()
    try:
        tree = json.loads(content)
    except (ValueError, RecursionError):
        tree = None
    if not isinstance(tree, dict):
        return _begun_anew(places, content, now, only_reads=only_reads)
    return _Reading(tree).state()


def _begun_anew(places: Places, content: bytes, now: datetime, *, only_reads: bool) -> LoopState:
    kept = damaged_name(places.loop_state, now)
    if not only_reads:
        keep_damaged(places.loop_state, content, now)
    return LoopState(
        warnings=(f"the state could not be read; it is kept as {kept.name}, and every capture is looked at again",)
    )


class _Reading:
    """One reading of the file's object, collecting what could not be understood."""

    def __init__(self, tree: Mapping[str, Any]) -> None:
        self._tree = tree
        self._warnings: list[str] = []

    def state(self) -> LoopState:
        """The state.

        Raises:
            NewerFormatError: Its version is above ours.
        """
        version = self._number(self._tree, "version", where="version", least=0)
        if version is not None and version > VERSION:
            raise NewerFormatError(
                f"the loop's state has version {version}; this slowwave knows {VERSION}",
                hint="Upgrade slowwave; nothing was changed.",
            )
        triage = self._object(self._tree, "last_triage")
        file, offset = self._cursor(triage)
        files = self._files()
        if file and file not in files:
            files[file] = FileMark(lines=offset)
        elif file and files[file].lines != offset:
            # Somebody wrote the cursor by hand, or an older slowwave did: what the seed's own keys say counts.
            files[file] = FileMark(lines=offset, first=files[file].first)
        moments = {
            name: self._moment(self._tree if key else triage, key or "ts", where=key or "last_triage.ts")
            for name, key in RAN.items()
        }
        stats = self._object(self._tree, "stats")
        counts = {name: self._number(stats, name, where=f"stats.{name}", least=0) or 0 for name in STATS}
        since = self._tree.get("since", "" if "files" in self._tree else file)
        return LoopState(
            file=file,
            files=files,
            since=since if isinstance(since, str) and is_capture_file(since) else "",
            ran={name: moment for name, moment in moments.items() if moment is not None},
            stats=counts,
            errors=self._errors(),
            others=dict(self._tree),
            warnings=tuple(self._warnings),
        )

    def _cursor(self, triage: Mapping[str, Any]) -> tuple[str, int]:
        file = triage.get("file", "")
        if not isinstance(file, str) or (file and not is_capture_file(file)):
            self._warn("last_triage.file", "it names no file of captures")
            return "", 0
        return file, self._number(triage, "offset", where="last_triage.offset", least=0) or 0

    def _files(self) -> dict[str, FileMark]:
        marks = {}
        for name, row in self._object(self._tree, "files").items():
            lines = row.get("lines") if isinstance(row, dict) else None
            if not is_capture_file(name) or not _is_count(lines):
                self._warn(f"files.{name}"[:80], "it marks no file of captures")
                continue
            stamp = row.get("stamp")
            is_stamp = isinstance(stamp, list) and all(_is_count(part) for part in stamp)
            marks[name] = FileMark(
                lines=lines,
                bytes=row["bytes"] if _is_count(row.get("bytes")) else None,
                first=row["first"] if isinstance(row.get("first"), str) else "",
                stamp=tuple(stamp) if is_stamp else (),
            )
        return marks

    def _errors(self) -> dict[str, Errors]:
        rows = self._object(self._tree, "errors").items()
        return {
            name: Errors(count=row["count"], moment=str(row.get("moment", "")), message=str(row.get("message", "")))
            for name, row in rows
            if isinstance(row, dict) and _is_count(row.get("count"))
        }

    def _object(self, tree: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        value = tree.get(name)
        if value is None or isinstance(value, dict):
            return value or {}
        self._warn(name, "it is no object")
        return {}

    def _number(self, tree: Mapping[str, Any], name: str, *, where: str, least: int) -> int | None:
        value = tree.get(name)
        if value is None or (_is_count(value) and value >= least):
            return value
        self._warn(where, "it is no count")
        return None

    def _moment(self, tree: Mapping[str, Any], name: str, *, where: str) -> datetime | None:
        value = tree.get(name)
        if value is None or value == "":
            return None
        try:
            moment = datetime.fromisoformat(value) if isinstance(value, str) else None
            if moment is not None and moment.tzinfo is not None:
                return moment.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        self._warn(where, "it is no moment with an offset")
        return None

    def _warn(self, where: str, why: str) -> None:
        self._warnings.append(f"{where} in the loop's state counts as missing: {why}")


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def write_state(places: Places, state: LoopState) -> None:
    """Replace the file durably; keys that are not ours stay as they were read."""
    make_folder(places.loop_state.parent)
    clear_leftovers(places.loop_state.parent)
    write_atomic(places.loop_state, json.dumps(_tree(state), indent=2, ensure_ascii=True).encode() + b"\n")


def _tree(state: LoopState) -> dict[str, Any]:
    others = dict(state.others)
    triage, stats = others.get("last_triage"), others.get("stats")
    mark = state.files.get(state.file)
    others |= {"version": VERSION, "since": state.since}
    others["last_triage"] = {
        **(triage if isinstance(triage, dict) else {}),
        "file": state.file,
        "offset": mark.lines if mark else 0,
        "ts": _stamp(state.ran.get("capture_triage")),
    }
    others |= {key: _stamp(state.ran.get(name)) for name, key in RAN.items() if key}
    others["stats"] = {
        **(stats if isinstance(stats, dict) else {}),
        **{name: state.stats.get(name, 0) for name in STATS},
    }
    others["files"] = {
        name: {"lines": mark.lines, "bytes": mark.bytes, "first": mark.first, "stamp": list(mark.stamp)}
        for name, mark in sorted(state.files.items())
    }
    others["errors"] = {
        name: {"count": one.count, "moment": one.moment, "message": one.message}
        for name, one in sorted(state.errors.items())
    }
    return others


def _stamp(moment: datetime | None) -> str:
    return moment.astimezone(UTC).isoformat() if moment else ""
