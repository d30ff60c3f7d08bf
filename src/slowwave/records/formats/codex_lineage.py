"""Whose history a Codex file holds: its own, its parent's, and so on.

A fork or a sub-agent's file begins with its parent's records, written again with new times. Ids of sessions and turns
are version 7 UUIDs and carry their moment, so a turn tells to which session it belongs.
"""

from collections.abc import Mapping
from typing import Any

from slowwave.facts.moment import parse

_UUID_CHARACTERS = 36
_VERSION_AT = 14  # where a UUID says its version; a version 7 begins with milliseconds since 1970


class Lineage:
    """The sessions whose history a file holds: its own, its parent's, and so on; each with its moment of birth."""

    def __init__(self) -> None:
        self.own = ""
        self.current = ""
        self.is_subagent = False
        self._born: dict[str, int] = {}

    def meet(self, payload: Mapping[str, Any]) -> None:
        """Take note of a ``session_meta``; the first one is the file's own, a repeated one changes nothing."""
        session = payload.get("id")
        if not isinstance(session, str) or session in self._born:
            return
        if not self.own:
            self.own = session
            source = payload.get("source")
            self.is_subagent = isinstance(source, dict) and "subagent" in source
        self._born[session] = _born(session, payload)
        self.current = session

    def turn(self, turn_id: object) -> None:
        """A turn begins: it belongs to the youngest session that was born by then."""
        moment = _milliseconds(turn_id)
        if moment and len(self._born) > 1:
            elders = [session for session, born in self._born.items() if born <= moment]
            self.current = (
                max(elders, key=self._born.__getitem__) if elders else min(self._born, key=self._born.__getitem__)
            )

    @property
    def is_aside(self) -> bool:
        """Whether a sub-agent of this file's own session speaks now."""
        return self.is_subagent and self.current == self.own


def _born(session: str, payload: Mapping[str, Any]) -> int:
    moment = parse(payload.get("timestamp"))
    return _milliseconds(session) or (int(moment.timestamp() * 1000) if moment else 0)


def _milliseconds(name: object) -> int:
    """The moment inside a version 7 UUID, or 0."""
    if not isinstance(name, str) or len(name) != _UUID_CHARACTERS or name[_VERSION_AT] != "7":
        return 0
    try:
        return int(name[:8] + name[9:13], 16)
    except ValueError:
        return 0
