"""How slowwave says no: refusals as values, errors as exceptions.

A ``Refusal`` is expected trouble: one proposal, file or answer was not good enough. It ends in a report and never
stops a night. A ``SlowwaveError`` is trouble that stops the command before anything is half done. Both carry a
stable code and a sentence that says what to do.
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One thing that was refused.

    Attributes:
        code: Stable, lower case with underscores; scripts rely on it.
        path: The offender: ``candidates[0].evidence[1].quote``, a memory's path, a file and its line.
        message: One sentence that says what is wrong and what to change. Never holds a secret or transcript text.
    """

    code: str
    path: str
    message: str


class SlowwaveError(Exception):
    """Trouble that ends a command.

    Attributes:
        code: Stable error code, shown in the ``--json`` envelope.
        exit_status: 1 refused or failed, 2 usage, 3 nothing to work on, 4 damage found (spec 09).
        hint: What the person can do about it; may be empty.
    """

    code: ClassVar[str] = "failed"
    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(SlowwaveError):
    """The command was called with words it cannot use."""

    code = "usage"
    exit_status = 2


class NothingToDoError(SlowwaveError):
    """There is nothing to work on."""

    code = "nothing_to_do"
    exit_status = 3


class DamageError(SlowwaveError):
    """Something slowwave owns is damaged; nothing was written over it."""

    code = "damage"
    exit_status = 4


class ExtraMissingError(SlowwaveError):
    """Something was asked for that needs packages which are not installed."""

    code = "extra_missing"
    exit_status = 2

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs packages that are not installed", hint=f"install them: pip install 'slowwave[{extra}]'"
        )


class NewerFormatError(SlowwaveError):
    """A store was written by a newer slowwave; an older one must not touch it."""

    code = "newer_format"
