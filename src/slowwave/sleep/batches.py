"""Which sessions a night reads: eligible ones, grouped by project into batches of new and context sessions.

Everything here is decided from values, so that the same sessions and marks give the same batches; a batch is written
down before it is worked on, with the byte each file ends at, and a resumed night works on just that.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from slowwave.facts.ids import SessionId
from slowwave.facts.limits import (
    CONTEXT_SESSIONS_A_BATCH,
    NEW_SESSIONS_A_BATCH,
    SETTLED_SECONDS,
    SMALL_SESSION_BYTES,
)
from slowwave.records.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchPlan:
    """One batch as it was decided.

    Attributes:
        number: Order in its night, from 1.
        project: The project its sessions belong to.
        new: Sessions to be consolidated and watermarked, newest first.
        context: Sessions consolidated before, for patterns across nights.
        ends: For each session the byte each of its files ends at.
        lines: For each session the lines each file has up to that byte.
        new_from: For each session the first new line of each file; past the end where nothing is new.
    """

    number: int
    project: str
    new: tuple[SessionId, ...]
    context: tuple[SessionId, ...]
    ends: Mapping[SessionId, tuple[int, ...]]
    lines: Mapping[SessionId, tuple[int, ...]]
    new_from: Mapping[SessionId, tuple[int, ...]]

    @property
    def bytes(self) -> int:
        """Bytes of all its sessions."""
        return sum(sum(ends) for ends in self.ends.values())

    def written(self) -> str:
        """The plan as JSON."""
        return json.dumps(
            {
                "number": self.number,
                "project": self.project,
                "new": self.new,
                "context": self.context,
                "ends": self.ends,
                "lines": self.lines,
                "new_from": self.new_from,
            },
            sort_keys=True,
        )


def read_plan(text: str) -> BatchPlan:
    """A plan back from its JSON."""
    read = json.loads(text)
    return BatchPlan(
        number=read["number"],
        project=read["project"],
        new=tuple(SessionId(s) for s in read["new"]),
        context=tuple(SessionId(s) for s in read["context"]),
        ends={SessionId(s): tuple(v) for s, v in read["ends"].items()},
        lines={SessionId(s): tuple(v) for s, v in read["lines"].items()},
        new_from={SessionId(s): tuple(v) for s, v in read["new_from"].items()},
    )


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
        has_new = any(first <= file.lines for first, file in zip(lines, session.files, strict=True))
        if session.relation == "prefix":
            counts["copies"] += 1
        elif session.bytes == 0:
            counts["empty"] += 1
        elif not has_new:
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
    """Batches of one project each, the project with the newest session first."""
    projects: dict[str, list[tuple[Session, tuple[int, ...]]]] = {}
    for session, lines in offered.sessions:
        projects.setdefault(_project_key(session), []).append((session, lines))
    known: dict[str, list[Session]] = {}
    for session in offered.known:
        known.setdefault(_project_key(session), []).append(session)
    chunks = [
        (key, members[start : start + size])
        for key, members in projects.items()
        for start in range(0, len(members), size)
    ]
    chunks.sort(key=lambda chunk: (_newest_first(chunk[1][0][0]), chunk[0]))
    return tuple(
        _plan(number, chunk, known.get(key, [])[:CONTEXT_SESSIONS_A_BATCH])
        for number, (key, chunk) in enumerate(chunks, 1)
    )


def _plan(number: int, chunk: Sequence[tuple[Session, tuple[int, ...]]], context: Sequence[Session]) -> BatchPlan:
    everyone = [*(session for session, _ in chunk), *context]
    new_from = {session.id: lines for session, lines in chunk}
    new_from.update({s.id: tuple(file.lines + 1 for file in s.files) for s in context})
    return BatchPlan(
        number=number,
        project=chunk[0][0].project,
        new=tuple(session.id for session, _ in chunk),
        context=tuple(session.id for session in context),
        ends={s.id: tuple(file.bytes_read for file in s.files) for s in everyone},
        lines={s.id: tuple(file.lines for file in s.files) for s in everyone},
        new_from=new_from,
    )


def _project_key(session: Session) -> str:
    # The last folder names the project, so that worktrees of one repository come together.
    return session.project or session.path.parent.as_posix()


def _newest_first(session: Session) -> tuple[float, str]:
    return (-session.ended.timestamp() if session.ended is not None else 0.0, session.id)
