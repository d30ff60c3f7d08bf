"""The house: every verb over one home, below all doors. A door parses words, calls one verb, shows what comes back."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

import platformdirs

from slowwave.corpus.door import Door
from slowwave.disk.config import Config, read_config
from slowwave.disk.git import Git
from slowwave.disk.home import Home
from slowwave.disk.lock import Holder, WriterLock
from slowwave.facts.moment import Clock, parse
from slowwave.facts.refusal import NothingToDoError, UsageError
from slowwave.records.secrets import Secrets
from slowwave.records.sources import Exclusions, Source
from slowwave.sleep.nights import unfinished
from slowwave.sleep.plan import NightOptions, Progress
from slowwave.sleep.state import State
from slowwave.wiring import nightshift, settings, verbs_memories, verbs_review, verbs_tasks
from slowwave.wiring.transcripts import Found, exclusions_of, find_sessions, sources_of

HOME_VARIABLE = "SLOWWAVE_HOME"


def home_folder(asked: Path | None, environment: Mapping[str, str]) -> Path:
    """Where a home lies: as asked, else ``SLOWWAVE_HOME``, else the platform's data folder."""
    if asked is not None:
        return asked.expanduser().absolute()
    named = environment.get(HOME_VARIABLE, "")
    if named:
        return Path(named).expanduser().absolute()
    return Path(platformdirs.user_data_dir("slowwave", appauthor=False))


def system_clock() -> datetime:
    """The present; the only place that asks the system."""
    return datetime.now(UTC)


def open_house(
    *,
    home: Path | None,
    environment: Mapping[str, str],
    clock: Clock = system_clock,
    must_exist: bool = False,
    on_wait: Callable[[Holder | None], None] | None = None,
) -> "House":
    """Open a home, making it where it is missing.

    Raises:
        NothingToDoError: It must exist and does not.
        NewerFormatError: A newer slowwave wrote it.
    """
    place = Home(home_folder(home, environment))
    if must_exist and not place.check_format():
        raise NothingToDoError(
            f"there is no home at {place.root} yet", hint="`slowwave sleep` makes one and runs the first night"
        )
    return House(place, environment=environment, clock=clock, on_wait=on_wait)


class House:
    """An open home. Whatever changes it says so in its name; everything else only looks."""

    def __init__(
        self,
        home: Home,
        *,
        environment: Mapping[str, str],
        clock: Clock,
        on_wait: Callable[[Holder | None], None] | None = None,
    ) -> None:
        home.prepare()
        self.home = home
        self.environment = environment
        self.clock = clock
        self.on_wait = on_wait
        self.config: Config = read_config(home.root)
        self.state = State(home.state_db)
        self.secrets = Secrets()
        self.door = Door(home, Git(home.corpus, environment=environment), self.secrets.holds_secret_or_mask)

    def close(self) -> None:
        """Let go of the state."""
        self.state.close()

    @contextmanager
    def writing(self, command: str) -> Iterator[None]:
        """The writer's lock around one short write, with what a killed command left cleared away first."""
        lock = WriterLock(self.home.locks, command=f"slowwave {command}", clock=self.clock, on_wait=self.on_wait)
        with lock:
            self.door.settle(lock, died_here=unfinished(self.state) is not None)
            yield

    def begin_corpus(self, moment: datetime | None = None) -> None:
        """Make the corpus where it is missing; finish what a killed command left."""
        with self.writing("init"):
            self.door.create(moment or self.clock())

    def sources(self) -> tuple[Source, ...]:
        """Where transcripts are read: as configured, else as found."""
        return sources_of(self.config, self.environment)

    def exclusions(self) -> Exclusions:
        """What is never read."""
        return exclusions_of(self.config)

    def find(self) -> Found:
        """All sessions of all sources, the index brought up to date."""
        return find_sessions(self.home.index_db, self.sources(), self.exclusions())

    def has_sessions(self) -> bool:
        """Whether any session can be read."""
        return bool(self.find().sessions)

    def describe(self) -> dict[str, Any]:
        """Where things stand, for the state screen."""
        return settings.describe_home(self)

    def initialise(self, **asked: tuple[Any, ...]) -> dict[str, Any]:
        """Write the settings, make the home, show what will be read."""
        return settings.initialise(self, **asked)

    def settings(self) -> list[dict[str, str]]:
        """Every setting with where its value comes from."""
        return settings.list_settings(self)

    def sleep(
        self, options: NightOptions, *, engine: str, date: str | None, resume: bool, progress: Progress
    ) -> Mapping[str, Any]:
        """Run a night."""
        return nightshift.sleep(
            self,
            options,
            engine_name=engine,
            moment=night_moment(date, self.clock()),
            resume=resume,
            progress=progress,
            seconds=monotonic,
        )

    def review_list(self) -> list[dict[str, Any]]:
        """What awaits a decision."""
        return verbs_review.list_items(self)

    def context(self, evidence: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The transcript's lines around a piece of evidence; none where the transcript is gone."""
        return verbs_review.context_of(self, evidence)

    def accept(self, names: Sequence[str], *, channel: str) -> list[dict[str, Any]]:
        """Accept items."""
        return verbs_review.accept_items(self, names, channel)

    def reject(self, names: Sequence[str], *, channel: str, why: str) -> list[dict[str, Any]]:
        """Reject items."""
        return verbs_review.reject_items(self, names, channel, why)

    def merge(self, names: Sequence[str], *, everything: bool, channel: str) -> list[dict[str, Any]]:
        """Land items on ``main``."""
        return verbs_review.merge_items(self, names, channel, everything=everything)

    def undo(self, target: str, *, channel: str) -> list[dict[str, Any]]:
        """Take landed items back."""
        return verbs_review.undo_items(self, target, channel)

    def search(
        self, query: str, *, kind: str | None, project: str | None, entity: str | None, limit: int
    ) -> dict[str, Any]:
        """Search memories."""
        return verbs_memories.search(self, query, kind=kind, project=project, entity=entity, limit=limit)

    def why(self, path: str) -> dict[str, Any]:
        """Why a memory is believed."""
        return verbs_memories.why(self, path)

    def move_memory(self, path: str, decision: str) -> dict[str, Any]:
        """Archive a memory, or restore it."""
        return verbs_memories.move_memory(self, path, decision)

    def export_agents(self, out: Path, *, project: str, budget: int, dry_run: bool) -> dict[str, Any]:
        """Write a project's memories where agents read them."""
        return verbs_memories.export_agents(self, out, project=project, budget=budget, dry_run=dry_run)

    def tasks(self, *, everything: bool) -> list[dict[str, Any]]:
        """Proposed and open tasks."""
        return verbs_tasks.list_tasks(self, everything=everything)

    def decide_task(self, name: str, decision: str, *, channel: str) -> dict[str, Any]:
        """Confirm, dismiss or close a task."""
        return verbs_tasks.decide(self, name, decision, channel)


def night_moment(date: str | None, now: datetime) -> datetime:
    """The night's present: now, or the given day at this hour.

    Raises:
        UsageError: The date is none.
    """
    if date is None:
        return now.replace(microsecond=0)
    moment = parse(date)
    if moment is None:
        raise UsageError(f"--date takes YYYY-MM-DD, not {date!r}", hint="for example --date 2026-05-01")
    return moment if "T" in date else moment.replace(hour=now.hour, minute=now.minute, second=now.second)
