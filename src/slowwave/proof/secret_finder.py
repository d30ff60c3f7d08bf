"""What proof asks about secrets; ``records.secrets.Secrets`` answers it."""

from collections.abc import Sequence
from typing import Protocol


class SecretRange(Protocol):
    """A half-open range of characters that holds a secret."""

    @property
    def start(self) -> int:
        """Its first character."""

    @property
    def end(self) -> int:
        """The character behind it."""


class SecretFinder(Protocol):
    """Tells secrets from other text."""

    def find(self, text: str, /) -> Sequence[SecretRange]:
        """Every secret in a text."""

    def holds_secret_or_mask(self, text: str, /) -> bool:
        """Whether a text holds a secret or our own mask of one."""
