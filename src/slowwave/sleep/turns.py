"""Recorded turns: what was called, answered, refused and spent, kept outside git for its owner alone.

A record holds the caller's words, and of each reply only its digest, since the reply is the transcript's own text. Fed
to a fresh turn over the same batch, its calls give the same verdict: so a night that was killed never asks twice.
"""

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from slowwave.disk.durable import make_folder, read_whole, remove, write_atomic
from slowwave.facts.ids import RunId
from slowwave.facts.limits import MOST_CLOCK_STEP_DAYS, TURN_DAYS
from slowwave.facts.moment import parse, stamp
from slowwave.facts.usage import NOTHING_USED, Usage
from slowwave.proof.framing import is_nonce
from slowwave.sleep.turn import TurnCall

ANSWERED = "answered"
"""How a turn ends whose answer was accepted; every other word says why not."""
RECORD_FORMAT = 1
_PROFILE = re.compile(r"(?:model|agent)/[0-9]+(?: [!-~]{1,160})?")
"""Whose turns are recorded: rules take none, so that no record can move their marks."""
_SUFFIX = ".turn.jsonl"
_NAME_DIGITS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """One turn as it went.

    Attributes:
        batch_id: The batch it was about.
        profile: The engine profile whose turn it was.
        run_id: The night that asked; empty where a person's agent came by itself.
        moment: When it ended, UTC.
        nonce: The random word of its frames.
        policy: Digest of the instructions it was given.
        asked: Who answered: a model's name, an agent with its version.
        calls: Every call in order.
        status: ``answered``, or why not.
        message: One sentence about the end; empty where answered.
        usage: What asking used.
        keep: Whether it outlives the decision about what it proposed.
    """

    batch_id: str
    profile: str
    run_id: RunId
    moment: datetime
    nonce: str
    policy: str
    asked: str
    calls: tuple[TurnCall, ...]
    status: str
    message: str = ""
    usage: Usage = NOTHING_USED
    keep: bool = False

    def written(self) -> bytes:
        """The record as JSON lines: its head, each call, its end."""
        head = {
            "type": "turn",
            "format": RECORD_FORMAT,
            "batch": self.batch_id,
            "profile": self.profile,
            "run": self.run_id,
            "moment": stamp(self.moment),
            "nonce": self.nonce,
            "policy": self.policy,
            "asked": self.asked,
            "keep": self.keep,
        }
        calls = [{"type": "call", **asdict(call)} for call in self.calls]
        end = {"type": "end", "status": self.status, "message": self.message, "usage": asdict(self.usage)}
        # ASCII, so that half a surrogate pair in a caller's words can be written down too.
        return "".join(json.dumps(line) + "\n" for line in (head, *calls, end)).encode("ascii")


def read_record(content: bytes) -> TurnRecord | None:
    """A record back from its lines; None where they are no whole record of this format, to the last field."""
    try:
        head, *calls, end = (_object(line) for line in content.decode("ascii").splitlines())
        moment = parse(head["moment"])
        if moment is None or not is_nonce(_text(head, "nonce")) or not _PROFILE.fullmatch(_text(head, "profile")):
            return None
        record = TurnRecord(
            batch_id=_text(head, "batch"),
            profile=_text(head, "profile"),
            run_id=RunId(_text(head, "run")),
            moment=moment,
            nonce=_text(head, "nonce"),
            policy=_text(head, "policy"),
            asked=_text(head, "asked"),
            calls=tuple(_call(call) for call in calls),
            status=_text(end, "status"),
            message=_text(end, "message"),
            usage=_usage(end["usage"]),
            keep=_flag(head, "keep"),
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    # Written again it has to be the very same: an unknown field, another type or another format is not.
    return record if record.written() == content else None


def _object(line: str) -> Mapping[str, Any]:
    value = json.loads(line)
    if not isinstance(value, dict):
        raise TypeError
    return value


def _call(line: Mapping[str, Any]) -> TurnCall:
    return TurnCall(
        name=_text(line, "name"),
        arguments=_text(line, "arguments"),
        is_error=_flag(line, "is_error"),
        reply_digest=_text(line, "reply_digest"),
        reply_length=_count(line, "reply_length"),
    )


def _usage(line: Mapping[str, Any]) -> Usage:
    seconds = line["seconds"]
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < math.inf:
        raise TypeError
    counts = {one.name: _count(line, one.name) for one in fields(Usage) if one.name != "seconds"}
    return Usage(**counts, seconds=seconds)


def _text(line: Mapping[str, Any], key: str) -> str:
    if not isinstance(line[key], str):
        raise TypeError
    return str(line[key])


def _flag(line: Mapping[str, Any], key: str) -> bool:
    if not isinstance(line[key], bool):
        raise TypeError
    return bool(line[key])


def _count(line: Mapping[str, Any], key: str) -> int:
    if type(line[key]) is not int or line[key] < 0:
        raise TypeError
    return int(line[key])


class TurnBook:
    """The folder of recorded turns, one file for each batch and profile.

    Args:
        folder: Where runs are kept; the records lie in ``turns`` below it. Made with the first record.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "turns"

    def write(self, record: TurnRecord) -> Path:
        """Keep a record in place of an earlier one of the same batch and profile; durable on return.

        Raises:
            DiskError: The system refused.
        """
        make_folder(self._folder)
        path = self._path(record.batch_id, record.profile)
        write_atomic(path, record.written())
        return path

    def read(self, batch_id: str, profile: str) -> TurnRecord | None:
        """The record of a batch under a profile; None where there is none, or none that can be trusted."""
        content = read_whole(self._path(batch_id, profile))
        record = read_record(content) if content is not None else None
        is_it = record is not None and (record.batch_id, record.profile) == (batch_id, profile)
        return record if is_it else None

    def records(self) -> tuple[TurnRecord, ...]:
        """Every record that can be read, by name of file."""
        contents = (read_whole(path) for path in self._files())
        read = (read_record(content) for content in contents if content is not None)
        return tuple(record for record in read if record is not None)

    def prune(self, now: datetime, undecided: frozenset[RunId]) -> int:
        """Remove records that are too old, damaged, or whose run has nothing left to decide; how many.

        A record that waits for a night, one without a run, is kept until it is too old. One that says to be kept is.
        A damaged one can never be believed, yet may hold somebody's words: it goes.

        Raises:
            DiskError: One could not be read or removed.
        """
        gone = [path for path in self._files() if not self._is_wanted(path, now, undecided)]
        for path in gone:
            remove(path)
        return len(gone)

    def _is_wanted(self, path: Path, now: datetime, undecided: frozenset[RunId]) -> bool:
        record = read_record(read_whole(path) or b"")
        if record is None or record.keep:
            return record is not None
        # From a future beyond any clock's step it is as good as damaged: it would never grow old.
        is_of_now = -timedelta(days=MOST_CLOCK_STEP_DAYS) <= now - record.moment <= timedelta(days=TURN_DAYS)
        return is_of_now and (not record.run_id or record.run_id in undecided)

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob(f"*{_SUFFIX}")) if self._folder.is_dir() else []

    def _path(self, batch_id: str, profile: str) -> Path:
        name = hashlib.sha256(f"{batch_id}\n{profile}".encode()).hexdigest()[:_NAME_DIGITS]
        return self._folder / f"{name}{_SUFFIX}"
