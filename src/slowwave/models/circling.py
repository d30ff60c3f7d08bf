"""Circling: a model that makes the very same call again and again learns nothing and spends everything."""

import json
from enum import Enum

from slowwave.facts.limits import MOST_SAME_CALLS


class Round(Enum):
    """What one more call is, seen beside those before it."""

    NEW = "new"
    TOLD = "told"
    """Once too often: it is answered by saying so, and looks at nothing."""
    CIRCLING = "circling"
    """Again after that: the turn ends."""


class Circling:
    """Counts the calls of one turn; two are the same when name and decoded arguments are."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], int] = {}

    def take(self, name: str, arguments: str) -> Round:
        """Count one call and say what it is."""
        same = (name, _canonical(arguments))
        self._seen[same] = count = self._seen.get(same, 0) + 1
        if count <= MOST_SAME_CALLS:
            return Round.NEW
        return Round.TOLD if count == MOST_SAME_CALLS + 1 else Round.CIRCLING


def _canonical(arguments: str) -> str:
    """Arguments in one spelling, whatever the order of their keys and their white space."""
    try:
        return json.dumps(json.loads(arguments or "{}"), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments.strip()
