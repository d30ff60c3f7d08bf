"""Which sessions a night reads: eligible ones, grouped by project into batches of new and context sessions.

Everything here is decided from values, so that the same sessions and marks give the same batches; a batch is written
down before it is worked on, with the byte each file ends at, and a resumed night works on just that.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

from slowwave.facts.limits import (
    CONTEXT_SESSIONS_A_BATCH,
    DELETED_DAYS,
    EXPIRING_DAYS,
    MOST_BATCH_BYTES,
    NEW_SESSIONS_A_BATCH,
    SETTLED_SECONDS,
    SMALL_SESSION_BYTES,
)
from slowwave.records.session import Session
from slowwave.sleep.attempts import Attempts, is_set_aside, most_together
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
        aside: Sessions that failed too often by themselves.
    """

    sessions: tuple[tuple[Session, tuple[int, ...]], ...]
    known: tuple[Session, ...]
    unsettled: int
    copies: int
    empty: int
    small: int
    aside: tuple[Session, ...]


_DELETING_AGENTS = frozenset({"claude-code"})
"""Hosts that delete a session after thirty days by default."""


def offer(
    sessions: Sequence[Session],
    first_new: Callable[[Session], tuple[int, ...]],
    now: datetime,
    *,
    again: bool = False,
    attempts: Attempts = MappingProxyType({}),
) -> Offer:
    """Sort sessions into eligible, known and waiting ones.

    Args:
        sessions: All sessions of the index.
        first_new: The first new line of each file of a session, from its marks.
        now: The night's present.
        again: Offer everything again, whatever the marks say and whatever failed.
        attempts: What failed before.
    """
    eligible: list[tuple[Session, tuple[int, ...]]] = []
    known: list[Session] = []
    aside: list[Session] = []
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
        elif not again and is_set_aside(session, attempts):
            aside.append(session)
        else:
            eligible.append((session, lines))
    small = sum(s.bytes < SMALL_SESSION_BYTES for s, _ in eligible)
    return Offer(sessions=tuple(eligible), known=tuple(known), small=small, aside=tuple(aside), **counts)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """How sessions are put together.

    Attributes:
        now: The night's present; sessions that their host is about to delete come first.
        size: New sessions a batch, at most.
        least_bytes: Smaller sessions stand apart, since another engine reads them; 0 for none.
        attempts: What failed before comes back in halves.
        has_backlog: The oldest batch is worked on second, so that history is not starved by what is new each day.
    """

    now: datetime
    size: int = NEW_SESSIONS_A_BATCH
    least_bytes: int = 0
    attempts: Attempts = field(default_factory=dict)
    has_backlog: bool = False


_Members = list[tuple[Session, tuple[int, ...]]]


def group(offered: Offer, how: Grouping) -> tuple[BatchPlan, ...]:
    """Batches of one project each, the one with the newest session first; what failed before comes last.

    A batch holds no more bytes than fit into memory; a session that is larger than that stands alone.
    """
    together: dict[tuple[str, bool, int], _Members] = {}
    for session, lines in offered.sessions:
        most = most_together(session, how.attempts, how.size)
        together.setdefault((_project_key(session), session.bytes < how.least_bytes, most), []).append((session, lines))
    known: dict[str, list[Session]] = {}
    for session in offered.known:
        known.setdefault(_project_key(session), []).append(session)
    chunks = [(key, chunk) for key, members in together.items() for chunk in _chunks(members, key[2])]
    chunks.sort(key=lambda chunk: _turn_of(chunk[0], chunk[1], how))
    if how.has_backlog and chunks:
        chunks.insert(1, chunks.pop())
    return tuple(
        _plan(number, chunk, _context(known.get(key[0], []), chunk)) for number, (key, chunk) in enumerate(chunks, 1)
    )


def _turn_of(key: tuple[str, bool, int], members: _Members, how: Grouping) -> tuple[object, ...]:
    """Where a batch stands: what failed before starves nobody, what its host deletes is in a hurry, then the newest."""
    has_failed = key[2] < how.size
    return (has_failed, not _expires(members, how.now), _newest_first(members[0][0]), key)


def _expires(members: _Members, now: datetime) -> bool:
    """Whether a session of these is within the last days that its host keeps it; older ones it kept for good."""
    ages = [now - session.ended for session, _ in members if session.ended and session.agent in _DELETING_AGENTS]
    return any(timedelta(days=EXPIRING_DAYS) <= age < timedelta(days=DELETED_DAYS) for age in ages)


def _chunks(members: _Members, size: int) -> Iterator[_Members]:
    chunk: _Members = []
    held = 0
    for session, lines in members:
        if chunk and (len(chunk) == size or held + session.bytes > MOST_BATCH_BYTES):
            yield chunk
            chunk, held = [], 0
        chunk.append((session, lines))
        held += session.bytes
    if chunk:
        yield chunk


def _context(known: Sequence[Session], chunk: _Members) -> list[Session]:
    """The sessions of the project that fit beside a batch: of the same folder and branch first, then the newest."""
    folders, branches = {s.cwd for s, _ in chunk}, {s.branch for s, _ in chunk if s.branch}
    related = sorted(known, key=lambda s: (s.cwd not in folders) + (s.branch not in branches))
    chosen: list[Session] = []
    held = 0
    for session in related[:CONTEXT_SESSIONS_A_BATCH]:
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
        digests={s.id: tuple(file.identity.prefix_digest for file in s.files) for s in everyone},
    )


def _project_key(session: Session) -> str:
    # The last folder names the project, so that worktrees of one repository come together.
    return session.project or session.path.parent.as_posix()


def _newest_first(session: Session) -> tuple[float, str]:
    return (-session.ended.timestamp() if session.ended is not None else 0.0, session.id)
