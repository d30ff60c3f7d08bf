"""A batch by its id: in the night that is going on, else as one of the nights that could begin now would plan it.

An id says what a batch holds, so that whoever prints it and whoever is asked for it need not know one another: the
sessions are offered and grouped again as each of these nights would do it, until one of them has the batch.
"""

from collections.abc import Iterator
from typing import ClassVar

from slowwave.facts.ids import RunId
from slowwave.facts.limits import SMALL_SESSION_BYTES
from slowwave.facts.refusal import SlowwaveError
from slowwave.sleep.attempts import profiles_tried
from slowwave.sleep.batch_plan import BatchPlan
from slowwave.sleep.consolidator import PHASE
from slowwave.sleep.engine import Engine
from slowwave.sleep.marks import profiles_marked
from slowwave.sleep.nights import NightRecord, unfinished
from slowwave.sleep.offered import offer_sessions, offered_by, plan_batches
from slowwave.sleep.plan import Night, NightOptions
from slowwave.wiring.engines import AbsentEngine
from slowwave.wiring.premises import Premises
from slowwave.wiring.transcripts import Found
from slowwave.wiring.verbs_consent import Silent

_UNREAD = ""
"""Stands for any engine that has read nothing yet."""


class BatchUnknownError(SlowwaveError):
    """No night that is going on or could begin now has a batch of that id."""

    code = "batch_unknown"
    exit_status: ClassVar[int] = 3


def find_batch(house: Premises, batch_id: str) -> tuple[Night, BatchPlan]:
    """The batch of an id, and the night it belongs to; a night that only could be has an empty ``run_id``.

    Raises:
        BatchUnknownError: There is none.
    """
    found = house.find()
    for night in _nights(house, found):
        offered = offer_sessions(night)
        for plan in plan_batches(night, PHASE, offered, offered_by(offered, len(found.sessions))):
            if plan.id == batch_id:
                return night, plan
    raise BatchUnknownError(
        f"no batch is called {batch_id} now",
        hint="its sessions may have grown or been read: `slowwave sleep --dry-run` prints the batches of today",
    )


def _nights(house: Premises, found: Found) -> Iterator[Night]:
    """The night that is going on, then every kind of night that could begin, each profile's and any engine's."""
    going_on = unfinished(house.state)
    if going_on is not None:
        yield from (_night(house, found, going_on, least) for least in (0, SMALL_SESSION_BYTES))
    known = (_UNREAD, *sorted({*profiles_marked(house.state), *profiles_tried(house.state)}))
    marked = [(profile, any_marks, False) for profile in known for any_marks in (False, True)]
    for profile, any_marks, again in (*marked, (_UNREAD, False, True)):
        record = NightRecord(run_id=RunId(""), moment=house.clock(), profile=profile, again=again, any_marks=any_marks)
        yield from (_night(house, found, record, least) for least in (0, SMALL_SESSION_BYTES))


def _night(house: Premises, found: Found, record: NightRecord, least_bytes: int) -> Night:
    """A night that only looks: it plans, and nobody walks it."""
    engine: Engine = AbsentEngine(name="", profile=record.profile, why="", least_bytes=least_bytes)
    return Night(
        record=record,
        options=NightOptions(dry_run=True, again=record.again),
        home=house.home,
        state=house.state,
        door=house.door,
        sessions=found.sessions,
        roots=found.roots,
        secrets=house.secrets,
        engine=engine,
        progress=Silent(),
        seconds=lambda: 0.0,
        began=0.0,
        present=max(house.clock(), record.moment),
    )
