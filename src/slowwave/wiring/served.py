"""A home as the endpoints ask it: captures come in by the one intake, and its state is told."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from slowwave.wiring.daytime import wake_status
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import zone_of
from slowwave.wiring.serving import captures_of
from slowwave.wiring.verbs_scan import intake_of


class ServedHome:
    """An open home behind the endpoints; used and closed in one thread.

    Args:
        open_premises: Opens it.
    """

    def __init__(self, open_premises: Callable[[], Premises]) -> None:
        self._house = open_premises()

    def put_captures(self, captures: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Store captures, each once.

        Raises:
            BadCaptureError: One of them is none; nothing was stored.
        """
        read = captures_of(captures, now=self._house.clock(), zone=zone_of(self._house))
        stored = intake_of(self._house).put(read)
        return [{"id": one.capture.id, "isNew": one.is_new} for one in stored]

    def wake_status(self) -> dict[str, Any]:
        """State, budget left, what is due when, the last errors."""
        found = wake_status(self._house)
        return {
            "loop": {"activeHours": found["activeHours"], "lastRuns": found["lastRuns"]},
            "state": {"cursor": found["cursor"], "stats": found["stats"], "waiting": found["waiting"]},
            "budget": found["budget"],
            "nextDue": found["nextDue"],
            "lastErrors": found["errors"],
        }

    def close(self) -> None:
        """Let go of it."""
        self._house.close()
