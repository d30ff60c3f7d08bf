"""Home: where everything of ours lies, and the version of how it lies there."""

import json
from dataclasses import dataclass
from pathlib import Path

from slowwave.disk.durable import clear_leftovers, make_folder, read_whole, write_atomic
from slowwave.disk.places import Places
from slowwave.disk.trouble import speaking
from slowwave.facts.limits import STATE_FORMAT
from slowwave.facts.refusal import DamageError, NewerFormatError, UsageError


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of one person's memory; nothing is made before ``prepare``."""

    root: Path
    data: Path | None = None
    """Where the files of the day lie; None for ``data`` below the root."""

    @property
    def corpus(self) -> Path:
        """The git repository, the person's own checkout."""
        return self.root / "corpus"

    @property
    def night(self) -> Path:
        """The linked worktree on branch ``pending``."""
        return self.root / "night"

    @property
    def state_db(self) -> Path:
        """Decisions and watermarks; cannot be rebuilt."""
        return self.root / "state.db"

    @property
    def budget_db(self) -> Path:
        """What was spent on models; cannot be rebuilt."""
        return self.root / "budget.db"

    @property
    def wake_db(self) -> Path:
        """What the waking loop decided and what it has still to send; cannot be rebuilt."""
        return self.root / "wake.db"

    @property
    def day(self) -> Places:
        """The files of the day."""
        return Places(self.data or self.root / "data")

    @property
    def index_db(self) -> Path:
        """What is known of the transcripts; rebuildable."""
        return self.root / "index.db"

    @property
    def search_db(self) -> Path:
        """The search index over the corpus; rebuildable."""
        return self.root / "search.db"

    @property
    def locks(self) -> Path:
        """Folder of the writer lock."""
        return self.root / "locks"

    @property
    def runs(self) -> Path:
        """Folder of reports and recorded turns."""
        return self.root / "runs"

    @property
    def revisions(self) -> Path:
        """Folder of what hygiene changed, with every original; cannot be rebuilt."""
        return self.root / "revisions"

    @property
    def proposals(self) -> Path:
        """Folder of what the night would have hygiene do, a file a context; rebuildable."""
        return self.root / "proposals"

    @property
    def pins(self) -> Path:
        """What a person pinned for hygiene, a line each."""
        return self.root / "pins.jsonl"

    @property
    def journal(self) -> Path:
        """Folder of what was about to happen."""
        return self.root / "journal"

    @property
    def format_file(self) -> Path:
        """The file that names the format."""
        return self.root / "format"

    def check_format(self) -> bool:
        """Whether this is a home already.

        Raises:
            NewerFormatError: A newer slowwave wrote it.
            DamageError: The format file cannot be understood.
            UsageError: A file stands where the folder should be.
        """
        if self.root.exists() and not self.root.is_dir():
            raise UsageError(f"{self.root} is not a folder", hint="name a folder for the home, or leave --home out")
        content = read_whole(self.format_file)
        if content is None:
            return False
        check_format(content, what=str(self.root), newest=STATE_FORMAT)
        return True

    def prepare(self) -> None:
        """Make the folders, open to their owner alone; a home of a newer format is left exactly as it is.

        Raises:
            NewerFormatError: A newer slowwave wrote it.
            DamageError: The format file cannot be understood.
            DiskError: The system refused.
        """
        is_known = self.check_format()
        for folder in (self.root, self.locks, self.runs, self.journal):
            make_folder(folder)
            with speaking(folder):
                if folder.stat().st_mode & 0o077:
                    folder.chmod(0o700)
        if not is_known:
            write_atomic(self.format_file, format_content(STATE_FORMAT))

    def clear_leftovers(self) -> tuple[Path, ...]:
        """Remove what killed writers left; call it while holding the writer lock."""
        folders = (self.root, self.locks, self.runs, self.journal)
        return tuple(path for folder in folders for path in clear_leftovers(folder))


def format_content(version: int) -> bytes:
    """What a format file holds."""
    return json.dumps({"format": version}).encode("ascii") + b"\n"


def check_format(content: bytes, *, what: str, newest: int) -> int:
    """The version a format file names.

    Raises:
        NewerFormatError: It is above ``newest``.
        DamageError: The content is no format file.
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        value = None
    version = value.get("format") if isinstance(value, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise DamageError(f"the format file of {what} cannot be understood", hint='It should hold {"format": 1}.')
    if version > newest:
        raise NewerFormatError(
            f"{what} has format {version}; this slowwave knows formats up to {newest}",
            hint="Upgrade slowwave; nothing was changed.",
        )
    return version
