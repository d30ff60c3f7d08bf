"""Moments: aware UTC inside, local days only at the edge.

Transcripts hold times in several spellings and some hold none; ``parse`` answers ``None`` rather than guessing.
"""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the present as an aware UTC datetime; passed in everywhere, read from the system in ``wiring`` alone."""


def parse(value: object) -> datetime | None:
    """An ISO 8601 text as an aware UTC moment; a text without zone counts as UTC; anything else is ``None``."""
    if not isinstance(value, str) or not 10 <= len(value) <= 40:
        return None
    try:
        moment = datetime.fromisoformat(value)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def stamp(moment: datetime) -> str:
    """A moment as the corpus writes it: UTC, seconds, ``Z``.

    Raises:
        ValueError: The moment carries no zone.
    """
    if moment.tzinfo is None:
        raise ValueError("a moment must carry its zone")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
