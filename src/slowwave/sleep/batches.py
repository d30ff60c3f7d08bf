"""Which sessions a night reads: eligible ones, grouped by project into batches of new and context sessions.

Everything here is decided from values, so that the same sessions and marks give the same batches; a batch is written
down before it is worked on, with the byte each file ends at, and a resumed night works on just that.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from slowwave.facts.limits import (
    CONTEXT_SESSIONS_A_BATCH,
    MOST_BATCH_BYTES,
    NEW_SESSIONS_A_BATCH,
    SETTLED_SECONDS,
    SMALL_SESSION_BYTES,
)
from slowwave.records.session import Session
from slowwave.sleep.batch_plan import BatchPlan
from slowwave.sleep.marks import file_key, has_new


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What a night may work on, and why the rest waits; every session found is in exactly one of the counts.

    Attributes:
        sessions: Eligible sessions with the first new line of each file, newest first.
        known: Sessions consolidated up to their present end.
        unsettled: Sessions written to within the hour.
        copies: Sessions that only repeat another one's records.
        empty: Sessions without a line.
        small: How many of the eligible are under 8 KiB.
    """

    sessions: tuple[tuple[Session, tuple[int, ...]], ...]
    known: tuple[Session, ...]
    unsettled: int
    copies: int
    empty: int
    small: int


def offer(
    sessions: Sequence[Session], first_new: Callable[[Session], tuple[int, ...]], now: datetime, *, again: bool = False
) -> Offer:
    """Sort sessions into eligible, known and waiting ones.

    Args:
        sessions: All sessions of the index.
        first_new: The first new line of each file of a session, from its marks.
        now: The night's present.
        again: Offer everything again, whatever the marks say.
    """
    eligible: list[tuple[Session, tuple[int, ...]]] = []
    known: list[Session] = []
    counts = {"unsettled": 0, "copies": 0, "empty": 0}
    for session in sorted(sessions, key=_newest_first):
        lines = tuple(1 for _ in session.files) if again else first_new(session)
        if session.relation == "prefix":
            counts["copies"] += 1
        elif session.bytes == 0:
            counts["empty"] += 1
        elif not has_new(session, lines):
            known.append(session)
        elif not is_settled(session, now):
            counts["unsettled"] += 1
        else:
            eligible.append((session, lines))
    small = sum(s.bytes < SMALL_SESSION_BYTES for s, _ in eligible)
    return Offer(sessions=tuple(eligible), known=tuple(known), small=small, **counts)


def is_settled(session: Session, now: datetime) -> bool:
    """Whether nothing was said in the session within the hour.

    The record's own last moment decides where it has one, since copying a file changes its time; a session that goes
    on is offered again from its new line.
    """
    last = session.ended
    if last is None:
        changed = max((file.identity.mtime_ns for file in session.files), default=0)
        last = datetime.fromtimestamp(changed / 1e9, tz=UTC)
    return now - last >= timedelta(seconds=SETTLED_SECONDS) or last > now


def group(offered: Offer, *, size: int = NEW_SESSIONS_A_BATCH) -> tuple[BatchPlan, ...]:
    """Batches of one project each, the one with the newest session first.

    A batch holds at most ``size`` new sessions, and no more bytes than fit into memory; a session that is larger than
    that stands alone.
    """
    projects: dict[str, list[tuple[Session, tuple[int, ...]]]] = {}
    for session, lines in offered.sessions:
        projects.setdefault(_project_key(session), []).append((session, lines))
    known: dict[str, list[Session]] = {}
    for session in offered.known:
        known.setdefault(_project_key(session), []).append(session)
    chunks = [(key, chunk) for key, members in projects.items() for chunk in _chunks(members, size)]
    chunks.sort(key=lambda chunk: (_newest_first(chunk[1][0][0]), chunk[0]))
    return tuple(_plan(number, chunk, _context(known.get(key, []))) for number, (key, chunk) in enumerate(chunks, 1))


def _chunks(
    members: Sequence[tuple[Session, tuple[int, ...]]], size: int
) -> Iterator[list[tuple[Session, tuple[int, ...]]]]:
    chunk: list[tuple[Session, tuple[int, ...]]] = []
    held = 0
    for session, lines in members:
        if chunk and (len(chunk) == size or held + session.bytes > MOST_BATCH_BYTES):
            yield chunk
            chunk, held = [], 0
        chunk.append((session, lines))
        held += session.bytes
    if chunk:
        yield chunk


def _context(known: Sequence[Session]) -> list[Session]:
    """The newest sessions of the project that fit beside a batch."""
    chosen: list[Session] = []
    held = 0
    for session in known[:CONTEXT_SESSIONS_A_BATCH]:
        held += session.bytes
        if held > MOST_BATCH_BYTES:
            break
        chosen.append(session)
    return chosen


def _plan(number: int, chunk: Sequence[tuple[Session, tuple[int, ...]]], context: Sequence[Session]) -> BatchPlan:
    everyone = [*(session for session, _ in chunk), *context]
    new_from = {session.id: lines for session, lines in chunk}
    new_from.update({s.id: tuple(file.lines + 1 for file in s.files) for s in context})
    return BatchPlan(
        number=number,
        project=chunk[0][0].project,
        new=tuple(session.id for session, _ in chunk),
        context=tuple(session.id for session in context),
        files={s.id: tuple(file_key(s, number) for number in range(len(s.files))) for s in everyone},
        ends={s.id: tuple(file.bytes_read for file in s.files) for s in everyone},
        lines={s.id: tuple(file.lines for file in s.files) for s in everyone},
        new_from=new_from,
    )


def _project_key(session: Session) -> str:
    # The last folder names the project, so that worktrees of one repository come together.
    return session.project or session.path.parent.as_posix()


def _newest_first(session: Session) -> tuple[float, str]:
    return (-session.ended.timestamp() if session.ended is not None else 0.0, session.id)
