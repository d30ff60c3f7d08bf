"""What the corpus protects in a session: records that memories cite, and those still under review."""

from collections.abc import Iterator

from slowwave.corpus.door import Door
from slowwave.corpus.history import HistoryItem
from slowwave.facts.evidence import Evidence, Speaker
from slowwave.facts.ids import SessionId
from slowwave.facts.refusal import SlowwaveError
from slowwave.hygiene.protection import Protected, Protection, Status
from slowwave.sleep.plan import MAIN, PENDING
from slowwave.wiring.premises import Premises


def protection_of(house: Premises | None, session: str) -> Protection:
    """The ranges of a session that a home's memories cite; a corpus that cannot be read protects everything."""
    if house is None or not session or not house.door.exists:
        return Protection()
    try:
        return Protection(ranges=tuple(_ranges(house.door, SessionId(session))))
    except SlowwaveError as error:
        return Protection(trouble=f"the corpus could not be asked what it protects: {error.message}")


def _ranges(door: Door, session: SessionId) -> Iterator[Protected]:
    landed = door.history(MAIN)
    known = {commit.commit for commit in landed}
    for commit in landed:
        yield from _cited(commit, session, is_pending=False)
    for commit in door.history(PENDING) if door.tip(PENDING) else ():
        if commit.commit not in known:
            yield from _cited(commit, session, is_pending=True)


def _cited(commit: HistoryItem, session: SessionId, *, is_pending: bool) -> Iterator[Protected]:
    for evidence in commit.message.evidence if commit.message is not None else ():
        if evidence.session_id == session and not evidence.file:
            status = Status.QUARANTINED if is_pending and _is_suspect(evidence) else Status.ACTIVE
            memory = commit.files[0].path if commit.files else commit.commit
            yield Protected(start=evidence.line - 1, end=evidence.line, status=status, memory=memory)


def _is_suspect(evidence: Evidence) -> bool:
    """Words from outside, told by a tool: what a memory under review rests on must stay as it was."""
    return evidence.is_tainted and evidence.speaker is Speaker.TOOL
