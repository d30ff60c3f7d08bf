"""The night's vocabulary: what a phase gets, what it answers, and in which order phases stand.

A phase is a function ``(Night) -> PhaseResult``. ``wiring`` builds the table, since some phases belong to other rooms;
a new phase is one file and one line there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from slowwave.corpus.door import Door
from slowwave.corpus.shelf import Shelf
from slowwave.disk.home import Home
from slowwave.disk.lock import Holder, WriterLock
from slowwave.facts.action import CorpusAction
from slowwave.facts.refusal import Refusal
from slowwave.records.secrets import Secrets
from slowwave.records.session import Session
from slowwave.sleep.engine import Engine, Estimate
from slowwave.sleep.nights import NightRecord
from slowwave.sleep.promises import Promise
from slowwave.sleep.state import State

PENDING = "pending"
"""The branch on which all undecided work lives."""
MAIN = "main"
"""The branch that holds what a person accepted."""


class PhaseStatus(StrEnum):
    """How a phase ended (spec 09)."""

    DONE = "done"
    DEGRADED = "degraded"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseResult:
    """What a phase did.

    Attributes:
        status: How it ended.
        counts: Named numbers; ``report`` checks that those of consolidation add up.
        refusals: Everything that was refused or lost, each with its code and sentence.
        reason: Why it was degraded, failed or skipped; empty when done.
    """

    status: PhaseStatus = PhaseStatus.DONE
    counts: Mapping[str, int] = field(default_factory=dict)
    refusals: tuple[Refusal, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseRun:
    """One phase that was walked: its result and the seconds it took."""

    name: str
    result: PhaseResult
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeseenBatch:
    """A batch of a dry run: its id, project, how much it holds, and what asking about it may use."""

    id: str
    project: str
    sessions: int
    bytes: int
    estimate: Estimate | None


class Progress(Protocol):
    """Where a night says how far it is; a terminal draws it, a log writes lines."""

    def phase(self, name: str, number: int, total: int) -> None:
        """A phase begins."""
        ...

    def step(self, text: str, done: float, total: float) -> None:
        """Work inside a phase went on; ``done`` of ``total`` bytes."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NightOptions:
    """What the person asked for.

    Attributes:
        phases: Only these phases; empty for all.
        dry_run: Change nothing, say what would be done.
        again: Offer consolidated sessions again.
        since: With ``again``, only sessions that ended on this day or later, YYYY-MM-DD; empty for all.
        leads: Give mined findings to the engine as places to look.
        keep_turns: Keep the records of model turns past the decision about what they proposed.
        replay: Folder of recorded turns to take the answers from; empty to ask.
        accept_empty: Go on although a source that held sessions is empty now (law 16).
        seconds: Time the night may take; 0 for as long as it needs.
    """

    phases: tuple[str, ...] = ()
    dry_run: bool = False
    again: bool = False
    since: str = ""
    leads: bool = False
    keep_turns: bool = False
    replay: str = ""
    accept_empty: bool = False
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """Everything a phase may use; built once a night.

    ``walked`` grows by each phase that ended. ``present`` decides which sessions are settled; dates come from
    ``moment``, which a night keeps when it is taken up again. ``foreseen``, ``batches`` and ``promised`` are what a
    dry run would have done, so that its later steps plan on top of it. ``skipped`` counts paths that were not
    read, by reason.
    """

    record: NightRecord
    options: NightOptions
    home: Home
    state: State
    door: Door
    sessions: tuple[Session, ...]
    roots: Mapping[str, int]
    secrets: Secrets
    engine: Engine
    progress: Progress
    seconds: Callable[[], float]
    began: float
    present: datetime
    walked: list[PhaseRun] = field(default_factory=list)
    foreseen: list[CorpusAction] = field(default_factory=list)
    batches: list[ForeseenBatch] = field(default_factory=list)
    promised: list[Promise] = field(default_factory=list)
    shelves: dict[str, Shelf] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    on_wait: Callable[[Holder | None], None] | None = None

    @property
    def moment(self) -> datetime:
        """The night's present."""
        return self.record.moment

    def tip(self) -> str:
        """Where undecided work stands: ``pending``, or ``main`` where there is none; empty before the first night."""
        return (self.door.tip(PENDING) or self.door.tip(MAIN) or "") if self.door.exists else ""

    def shelf(self, commit: str) -> Shelf:
        """The corpus at a commit; what one step read the next does not read again."""
        if not commit:
            return Shelf(commit="", memories={}, blobs={}, faults=())
        if commit not in self.shelves:
            earlier = next(iter(self.shelves.values()), None)
            self.shelves.clear()
            self.shelves[commit] = Shelf.at(self.door.git, commit, earlier)
        return self.shelves[commit]

    def writing(self, command: str) -> WriterLock:
        """The one writer's lock, held around each short write."""
        return WriterLock(self.home.locks, command=command, clock=lambda: self.moment, on_wait=self.on_wait)


Phase = Callable[[Night], PhaseResult]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the phase table: its name, the phase, and whether the night stops when it fails."""

    name: str
    run: Phase
    is_vital: bool = False
