"""The house: every verb over one home, below all doors. A door parses words, calls one verb, shows what comes back."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import Any

from slowwave.disk.config import Exclude
from slowwave.disk.home import Home
from slowwave.disk.lock import Holder
from slowwave.facts.moment import Clock, parse
from slowwave.facts.refusal import NothingToDoError, UsageError
from slowwave.sleep.person import renew_token
from slowwave.sleep.plan import NightOptions, Progress
from slowwave.wiring import nightshift, settings, verbs_export, verbs_init, verbs_memories, verbs_review, verbs_tasks
from slowwave.wiring.context import context_of
from slowwave.wiring.day_house import DayHouse
from slowwave.wiring.premises import home_folder, system_clock


def open_house(
    *,
    home: Path | None,
    environment: Mapping[str, str],
    clock: Clock = system_clock,
    must_exist: bool = False,
    on_wait: Callable[[Holder | None], None] | None = None,
    only_reads: bool = False,
) -> "House":
    """Open a home, making it where it is missing; with ``only_reads`` nothing is made or changed.

    Raises:
        NothingToDoError: It must exist and does not.
        NewerFormatError: A newer slowwave wrote it.
    """
    place = Home(home_folder(home, environment))
    if must_exist and not place.check_format():
        raise NothingToDoError(
            f"there is no home at {place.root} yet", hint="`slowwave sleep` makes one and runs the first night"
        )
    return House(place, environment=environment, clock=clock, on_wait=on_wait, only_reads=only_reads)


class House(DayHouse):
    """An open home with its verbs. Whatever changes it says so in its name; everything else only looks."""

    def has_sessions(self) -> bool:
        """Whether any session can be read."""
        return bool(self.find().sessions)

    def describe(self) -> dict[str, Any]:
        """Where things stand, for the state screen."""
        return settings.describe_home(self)

    def initialise(
        self, *, transcripts: Sequence[Path] = (), exclude: Exclude | None = None, include: Exclude | None = None
    ) -> dict[str, Any]:
        """Write the settings, make the home, show what will be read."""
        return verbs_init.initialise(self, transcripts=transcripts, exclude=exclude, include=include)

    def settings(self) -> list[dict[str, str]]:
        """Every setting with where its value comes from."""
        return settings.list_settings(self)

    def set_setting(self, name: str, value: str) -> list[dict[str, str]]:
        """Write one setting."""
        return settings.set_setting(self, name, value)

    def renew_token(self) -> str:
        """A new person token, in place of the one before."""
        with self.writing("config new-token"):
            return renew_token(self.state)

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

    def context(self, evidence: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """What was said around some evidence, window by window; none where the transcript is gone."""
        return context_of(self, evidence)

    def preview(self, decision: str, names: Sequence[str], *, everything: bool = False) -> list[dict[str, Any]]:
        """The items that a decision would be about."""
        return verbs_review.preview(self, decision, names, everything=everything)

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
        self,
        query: str,
        *,
        kind: str | None,
        project: str | None,
        entity: str | None,
        limit: int,
        archived: bool = False,
    ) -> dict[str, Any]:
        """Search memories."""
        return verbs_memories.search(
            self, query, kind=kind, project=project, entity=entity, limit=limit, archived=archived
        )

    def why(self, path: str) -> dict[str, Any]:
        """Why a memory is believed."""
        return verbs_memories.why(self, path)

    def move_memory(self, path: str, decision: str) -> dict[str, Any]:
        """Archive a memory, or restore it."""
        return verbs_memories.move_memory(self, path, decision)

    def export_agents(self, out: Path, *, project: str, budget: int, dry_run: bool) -> dict[str, Any]:
        """Write a project's memories where agents read them."""
        return verbs_export.export_agents(self, out, project=project, budget=budget, dry_run=dry_run)

    def tasks(self, *, everything: bool) -> list[dict[str, Any]]:
        """Proposed and open tasks."""
        return verbs_tasks.list_tasks(self, everything=everything)

    def preview_task(self, name: str) -> dict[str, Any]:
        """The task that a decision would be about."""
        return verbs_tasks.preview(self, name)

    def decide_task(self, name: str, decision: str, *, channel: str, why: str = "") -> dict[str, Any]:
        """Confirm, dismiss or close a task."""
        return verbs_tasks.decide(self, name, decision, channel, why)


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
