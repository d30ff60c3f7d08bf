"""Notices: what is sent to a person, and what sends it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One message to the person.

    Attributes:
        key: The same at every try, so that whoever receives it twice can tell; it stands in the text too.
        title: One line.
        text: What it says, ending with its key.
    """

    key: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """The channel took it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotSent:
    """The channel did not take it, or did not say that it did.

    Attributes:
        reason: A few words; never an address, a password or a token.
        seconds: How long the channel asked us to wait; None where it did not say.
    """

    reason: str
    seconds: float | None = None


class Notifier(Protocol):
    """Sends notices; never raises for anything that a channel does."""

    @property
    def channels(self) -> Sequence[str]:
        """The names of the channels, in order; none holds a secret."""
        ...

    def send(self, channel: str, notice: Notice) -> Sent | NotSent:
        """Send a notice over one channel, within its time."""
        ...
