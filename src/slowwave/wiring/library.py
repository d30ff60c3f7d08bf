"""The bounded tools over transcripts, for people and scripts: list, search, lines, doctor."""

from collections.abc import Sequence
from typing import Any

from slowwave.records.read import (
    session_listing,
)
from slowwave.records.secrets import Secrets
from slowwave.records.session import Session
from slowwave.records.sources import Exclusions, Source


class Library:
    """Transcripts under some sources; a named folder needs no home."""

    def __init__(self, sources: Sequence[Source], exclusions: Exclusions, sessions: Sequence[Session]) -> None:
        self._sources = sources
        self._exclusions = exclusions
        self._sessions = {session.id: session for session in sessions}
        self._secrets = Secrets()

    def list_sessions(self) -> list[dict[str, Any]]:
        """Every session, newest first; no text from inside any."""
        ordered = sorted(
            self._sessions.values(), key=lambda s: (s.ended is None, s.ended and -s.ended.timestamp(), s.id)
        )
        return [session_listing(session) for session in ordered]
