"""A reel: the lines of one transcript file while it is being written, with their clock and chance."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from slowwave.desk.samples.dice import Dice


class Reel:
    """Lines of JSON that grow, each at a later moment than the one before."""

    def __init__(self, *, seed: str, start: datetime) -> None:
        self.dice = Dice(seed)
        self.moment = start
        self._lines: list[bytes] = []
        self._is_glued = False
        self._is_torn = False

    def wait(self, low_ms: int, high_ms: int) -> None:
        """Let a random time pass, in milliseconds."""
        self.moment += timedelta(milliseconds=self.dice.number(low_ms, high_ms))

    def rest(self, minutes: float) -> None:
        """Let so many minutes pass."""
        self.moment += timedelta(minutes=minutes)

    @property
    def stamp(self) -> str:
        """The present moment as transcripts write it: UTC, milliseconds, ``Z``."""
        return stamp(self.moment)

    @property
    def seconds(self) -> int:
        """The present moment in whole seconds since 1970."""
        return int(self.moment.timestamp())

    def add(self, record: Mapping[str, Any]) -> None:
        """Write a record on its own line, or glued to the last one when ``glue`` was called."""
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
        if self._is_glued:
            self._lines[-1] += line
            self._is_glued = False
        else:
            self._lines.append(line)

    def repeat(self, line: bytes) -> None:
        """Write a line of another file once more."""
        self._lines.append(line)

    def glue(self) -> None:
        """Leave out the line's end before the next record, as a crash does."""
        self._is_glued = True

    def tear(self) -> None:
        """Cut the last line in half, as when the file is read while being written."""
        self._is_torn = True

    @property
    def lines(self) -> tuple[bytes, ...]:
        """The whole lines written so far."""
        return tuple(self._lines)

    def content(self) -> bytes:
        """The file's bytes."""
        whole = b"\n".join(self._lines) + b"\n"
        return whole[: -1 - len(self._lines[-1]) // 2] if self._is_torn else whole


def stamp(moment: datetime) -> str:
    """A moment as transcripts write it."""
    utc = moment.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1_000:03d}Z"
