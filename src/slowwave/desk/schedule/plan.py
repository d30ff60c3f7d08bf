"""What is to be scheduled, whoever does it: our program, its home, its hours."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from slowwave.facts.refusal import SlowwaveError

MARK = "Written by `slowwave schedule install`; `slowwave schedule remove` takes it away."
"""Stands in whatever we write for others, so that we take away only what is ours."""


class ScheduleError(SlowwaveError):
    """The machine's scheduler cannot be told, or what it holds is not ours to change."""

    code = "schedule"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be scheduled.

    Attributes:
        program: How slowwave is started: an absolute file, and words before those of a command.
        home: Absolute.
        hours: ``HH:MM`` of ``sleep`` and ``brief``; a task without an hour is absent.
        zone: IANA name of the zone those are meant in; empty for the machine's.
        path: The search path of the commands.
        label: Name of all that we write: ``slowwave``, and for a home beside the usual one a hash of its place.
    """

    program: tuple[str, ...]
    home: Path
    hours: Mapping[str, str]
    zone: str = ""
    path: str = ""
    label: str = "slowwave"

    def words(self, *command: str) -> tuple[str, ...]:
        """A command of ours in that home."""
        return (*self.program, *command, "--home", str(self.home))


def label_of(home: Path, usual: Path) -> str:
    """The name of all that is written for a home."""
    if home == usual:
        return "slowwave"
    return f"slowwave-{hashlib.sha256(str(home).encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


def check_word(word: str) -> str:
    """A word that every scheduler can be told.

    Raises:
        ScheduleError: It holds a line break or another control character, or is no UTF-8.
    """
    if any(ord(letter) < 32 or ord(letter) == 127 or 0xD800 <= ord(letter) < 0xE000 for letter in word):
        raise ScheduleError(
            f"{word!r} holds a control character or is no UTF-8, and cannot be written down for a scheduler",
            hint="move it to a path without, or run `slowwave up` yourself",
        )
    return word
