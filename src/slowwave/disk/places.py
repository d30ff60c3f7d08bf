"""Places of the day: where the files of seed 001 lie, below a folder that is usually ``data`` in the home."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Places:
    """The files of the day. Nothing is made by naming it.

    Attributes:
        data: The folder that seed 001 calls ``data``; ``goals`` lies beside it.
    """

    data: Path

    @property
    def captures(self) -> Path:
        """Folder of captures, a file an arrival day: ``YYYY-MM-DD.jsonl``."""
        return self.data / "stream-captures"

    @property
    def rejected(self) -> Path:
        """Lines that were no captures, with their reasons."""
        return self.captures / "rejected.jsonl"

    @property
    def scan_state(self) -> Path:
        """How far each session was scanned for tags."""
        return self.captures / ".cli-scan-state.json"

    @property
    def loop_state(self) -> Path:
        """The loop's own state, in the form of seed 001."""
        return self.data / "consolidation" / "state.json"

    @property
    def daily(self) -> Path:
        """The day's scratch."""
        return self.data / "scratch" / "daily.md"

    @property
    def weekly(self) -> Path:
        """What days were folded into."""
        return self.data / "scratch" / "weekly.md"

    @property
    def scratch_archive(self) -> Path:
        """Folder of whole past days, ``YYYY-MM-DD.md``."""
        return self.data / "scratch" / "archive"

    @property
    def summaries(self) -> Path:
        """Folder of every running summary there was, ``YYYY-MM-DD.jsonl``."""
        return self.data / "scratch" / "summaries"

    @property
    def observations(self) -> Path:
        """Traits."""
        return self.data / "identity" / "observations.jsonl"

    @property
    def refused_observations(self) -> Path:
        """Observations that are no durable traits, with their reasons."""
        return self.data / "identity" / "refused.jsonl"

    @property
    def identity_views(self) -> Path:
        """Folder of Markdown views over the traits; rebuildable."""
        return self.data / "identity" / "views"

    @property
    def commitments(self) -> Path:
        """Commitments from captures."""
        return self.data / "assistant" / "commitments.json"

    @property
    def coaching_map(self) -> Path:
        """Which traits bear on which goal."""
        return self.data / "coaching" / "goal-identity-map.json"

    @property
    def checkins(self) -> Path:
        """Folder of check-ins, ``YYYY-MM-DD.json``."""
        return self.data / "checkins"

    @property
    def health(self) -> Path:
        """Folder of daily health summaries, ``YYYY-MM-DD.json``."""
        return self.data / "health"

    @property
    def activities(self) -> Path:
        """Folder of activities, ``YYYY-MM-DD.json``."""
        return self.data / "activities"

    @property
    def goals(self) -> Path:
        """Folder of active goals, a file each; ``done`` lies beside it."""
        return self.data.parent / "goals" / "active"
