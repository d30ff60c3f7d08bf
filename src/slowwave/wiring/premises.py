"""The premises: one open home with what every verb needs, so that verbs need not know one another."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from pathlib import Path

import platformdirs

from slowwave.corpus.door import Door
from slowwave.disk.config import Config, read_config
from slowwave.disk.git import Git
from slowwave.disk.home import Home
from slowwave.disk.lock import Holder, WriterLock
from slowwave.disk.sql import is_writable
from slowwave.disk.trouble import DeniedError
from slowwave.facts.moment import Clock, stamp
from slowwave.records.secrets import Secrets
from slowwave.records.sources import Exclusions, Source
from slowwave.sleep.nights import unfinished
from slowwave.sleep.state import BEGUN_ANEW, State
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


def system_zone() -> tzinfo:
    """The system's zone as it is now.

    Where the system names its zone only by an offset, a day that changes to summer time begins by the offset before it.
    """
    return system_clock().astimezone().tzinfo or UTC


class Premises:
    """An open home: its settings, book, corpus and transcripts.

    With ``only_reads`` nothing is made, brought up to date or locked, and the book is a copy of what it says now: for
    whoever looks in while a night goes on.
    """

    def __init__(
        self,
        home: Home,
        *,
        environment: Mapping[str, str],
        clock: Clock,
        on_wait: Callable[[Holder | None], None] | None = None,
        only_reads: bool = False,
    ) -> None:
        self.is_read_only = (home.check_format() and not is_writable(home.state_db)) or only_reads
        if not self.is_read_only:
            home.prepare()
        self.home = home
        self.environment = environment
        self.clock = clock
        self.on_wait = on_wait
        self.config: Config = read_config(home.root)
        is_new_book = not home.state_db.exists() or not home.state_db.stat().st_size
        self.state = State(home.state_db, is_read_only=self.is_read_only)
        self.secrets = Secrets()
        self.door = Door(home, Git(home.corpus, environment=environment), self.secrets.holds_secret_or_mask)
        if self.door.exists:
            self.door.check()
            if is_new_book and not self.is_read_only:
                self.state.set_setting(BEGUN_ANEW, stamp(clock()))

    def close(self) -> None:
        """Let go of the state."""
        self.state.close()

    @contextmanager
    def writing(self, command: str) -> Iterator[None]:
        """The writer's lock around one short write, with what a killed command left cleared away first.

        Raises:
            DeniedError: Nothing may be written in this home.
        """
        self._require_writable(command)
        lock = WriterLock(self.home.locks, command=f"slowwave {command}", clock=self.clock, on_wait=self.on_wait)
        with lock:
            self.door.settle(lock, died_here=unfinished(self.state) is not None)
            yield

    def hold_day(self, command: str) -> WriterLock:
        """The lock over the files of the day, for one short write.

        Raises:
            DeniedError: Nothing may be written in this home.
        """
        self._require_writable(command)
        return WriterLock(
            self.home.locks / "day", command=f"slowwave {command}", clock=self.clock, on_wait=self.on_wait
        )

    def _require_writable(self, command: str) -> None:
        if self.is_read_only:
            raise DeniedError(
                f"{self.home.root} may only be read here, so `slowwave {command}` can change nothing",
                hint="give the folder back to your user, or set SLOWWAVE_HOME to a folder of yours",
            )

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
