"""Files of ours in a scheduler's folder: written where they differ, never over those of others, taken away alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slowwave.desk.schedule.plan import MARK, ScheduleError
from slowwave.disk.durable import make_folder, read_whole, remove, write_atomic


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing that is written for a scheduler.

    Attributes:
        place: A file, or ``crontab``.
        is_installed: Whether something of ours does.
        is_current: Whether it is just that.
        is_active: Whether the scheduler knows it and waits or runs; None where it is never asked by itself.
    """

    place: str
    is_installed: bool = False
    is_current: bool = False
    is_active: bool | None = None


@dataclass(frozen=True, slots=True)
class Files:
    """Files of ours in a folder of a scheduler's."""

    folder: Path
    contents: Mapping[str, bytes]

    def shown(self) -> dict[str, str]:
        """What is to stand where."""
        return {str(self.folder / name): content.decode("utf-8") for name, content in self.contents.items()}

    def parts(self, active: Mapping[str, bool], standing: Sequence[str]) -> list[Part]:
        """What is to stand there, and what does; of ``standing`` what should be there no more."""
        wanted = [self._part(name, content, is_active=active.get(name)) for name, content in self.contents.items()]
        old = (name for name in standing if name not in self.contents)
        return [*wanted, *(Part(place=str(self.folder / name), is_installed=True, is_current=False) for name in old)]

    def _part(self, name: str, content: bytes, *, is_active: bool | None) -> Part:
        standing = read_whole(self.folder / name)
        return Part(
            place=str(self.folder / name),
            is_installed=standing is not None and is_ours(standing),
            is_current=standing == content,
            is_active=is_active,
        )

    def write(self) -> list[str]:
        """Write what is missing or old; the names of those.

        Raises:
            ScheduleError: A file stands there that is not ours; nothing was written.
        """
        standing = {name: read_whole(self.folder / name) for name in self.contents}
        for name, content in standing.items():
            if content is not None and not is_ours(content):
                raise ScheduleError(
                    f"{self.folder / name} is not ours, so it was left as it is", hint="move it away, or use --kind"
                )
        old = [name for name, content in self.contents.items() if standing[name] != content]
        make_folder(self.folder)
        for name in old:
            write_atomic(self.folder / name, self.contents[name], mode=0o644)
        return old

    def take_away(self, names: list[str]) -> list[str]:
        """Remove those that are ours; where they were."""
        paths = [self.folder / name for name in names if is_ours(read_whole(self.folder / name) or b"")]
        for path in paths:
            remove(path)
        return [str(path) for path in paths]


def is_ours(content: bytes) -> bool:
    """Whether we wrote something that stands among what others wrote."""
    return MARK.encode("ascii") in content
