"""``when``: what the waking loop would make of a phrase for a time; a home is only looked at, and needs not exist."""

from collections.abc import Mapping
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from slowwave.disk.config import read_config
from slowwave.facts.refusal import UsageError
from slowwave.records.captures import zone_named
from slowwave.wake.when import understand
from slowwave.wiring.premises import home_folder
from slowwave.wiring.purses import configured_zone


def understand_phrase(phrase: str, *, at: datetime, zone: tzinfo) -> dict[str, Any]:
    """The instant with its offset, or null and the reason; and the words that say it."""
    when = understand(phrase, at=at, zone=zone)
    return {
        "instant": when.instant.isoformat() if when.instant else None,
        "reason": str(when.reason),
        "matched": when.matched,
    }


def zone_asked(name: str | None, *, home: Path | None, environment: Mapping[str, str]) -> tzinfo:
    """The zone of that name; without one ``wake.timezone`` of the home, else the system's.

    Raises:
        UsageError: No zone has the name that was asked for.
        ConfigError: No zone has the name that is configured.
    """
    if name is not None:
        zone = zone_named(name)
        if zone is None:
            raise UsageError(
                f"--zone: no zone is called {name!r}", hint="an IANA name, for example Europe/Berlin or UTC"
            )
        return zone
    return configured_zone(read_config(home_folder(home, environment)).wake.timezone)
