"""Why a memory is believed: its evidence out of git, each quote looked for again in the transcript it came from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from slowwave.corpus.door import Door
from slowwave.corpus.history import HistoryItem
from slowwave.facts.evidence import Evidence, Quote
from slowwave.facts.ids import MemoryPath, SessionId
from slowwave.proof.contract import Batch
from slowwave.proof.quotes import locate
from slowwave.records.session import Session
from slowwave.sleep.plan import MAIN, PENDING


class Verified(StrEnum):
    """What looking again found: the quote stands there, it does not, or the transcript is gone."""

    TRUE = "true"
    FALSE = "false"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """One piece of evidence, the commit that carries it, and what looking again found."""

    evidence: Evidence
    commit: str
    verified: Verified


def commits_of(door: Door, path: MemoryPath) -> tuple[HistoryItem, ...]:
    """Commits that wrote a file, oldest first, whether it landed or is pending."""
    landed = door.history(MAIN, path=path)
    known = {commit.commit for commit in landed}
    pending = door.history(PENDING, path=path) if door.tip(PENDING) else ()
    return (*landed, *(commit for commit in pending if commit.commit not in known))


def witnesses(commits: Sequence[HistoryItem], sessions: Mapping[SessionId, Session]) -> tuple[Witness, ...]:
    """Every quote of some commits with what looking again found."""
    return tuple(
        Witness(evidence=evidence, commit=commit.commit, verified=verify(evidence, sessions))
        for commit in commits
        if commit.message is not None
        for evidence in commit.message.evidence
    )


def verify(evidence: Evidence, sessions: Mapping[SessionId, Session]) -> Verified:
    """Look for a quote again in its session's files as they are now."""
    session = sessions.get(evidence.session_id)
    if session is None or not session.path.exists():
        return Verified.GONE
    quote = Quote(session_id=evidence.session_id, quote=evidence.quote)
    ends = tuple(file.bytes_read for file in session.files)
    batch = Batch(
        sessions={session.id: session}, new_from={session.id: tuple(1 for _ in ends)}, ends={session.id: ends}
    )
    return Verified.TRUE if locate((quote,), batch).get(quote) else Verified.FALSE
