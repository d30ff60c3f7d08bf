"""A batch as it was decided and written down: which sessions, and up to which byte of which file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from slowwave.facts.ids import ITEM_DIGITS, SessionId, digest
from slowwave.records.session import Session
from slowwave.sleep.marks import file_key


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchPlan:
    """One batch as it was decided.

    Attributes:
        number: Order in its night, from 1.
        project: The project its sessions belong to.
        new: Sessions to be consolidated and watermarked, newest first.
        context: Sessions consolidated before, for patterns across nights.
        files: For each session the names of its files, main file first.
        ends: For each session the byte each of its files ends at.
        lines: For each session the lines each file has up to that byte.
        new_from: For each session the first new line of each file; past the end where nothing is new.
        digests: For each session a digest of how each of its files begins, so that a rewritten one is another batch.
    """

    number: int
    project: str
    new: tuple[SessionId, ...]
    context: tuple[SessionId, ...]
    files: Mapping[SessionId, tuple[str, ...]]
    ends: Mapping[SessionId, tuple[int, ...]]
    lines: Mapping[SessionId, tuple[int, ...]]
    new_from: Mapping[SessionId, tuple[int, ...]]
    digests: Mapping[SessionId, tuple[str, ...]] = field(default_factory=dict)

    @property
    def bytes(self) -> int:
        """Bytes of all its sessions."""
        return sum(sum(ends) for ends in self.ends.values())

    @property
    def id(self) -> str:
        """The batch by what it holds, whatever its number: which sessions, which bytes, from which new lines on."""
        held = {
            "files": self.files,
            "ends": self.ends,
            "new_from": self.new_from,
            "new": sorted(self.new),
            "digests": self.digests,
        }
        return "b-" + digest(json.dumps(held, sort_keys=True))[:ITEM_DIGITS]

    def written(self) -> str:
        """The plan as JSON."""
        return json.dumps(
            {
                "number": self.number,
                "project": self.project,
                "new": self.new,
                "context": self.context,
                "files": self.files,
                "ends": self.ends,
                "lines": self.lines,
                "new_from": self.new_from,
                "digests": self.digests,
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
        files={SessionId(s): tuple(v) for s, v in read["files"].items()},
        ends={SessionId(s): tuple(v) for s, v in read["ends"].items()},
        lines={SessionId(s): tuple(v) for s, v in read["lines"].items()},
        new_from={SessionId(s): tuple(v) for s, v in read["new_from"].items()},
        digests={SessionId(s): tuple(v) for s, v in read.get("digests", {}).items()},
    )


def as_planned(plan: BatchPlan, session: Session) -> Session | None:
    """A session with the very files a plan was made on; None where one is gone or shorter than it was then.

    Between a crash and the next start a file may have come or gone, so that positions in a list say nothing.
    """
    by_name = {file_key(session, number): file for number, file in enumerate(session.files)}
    names, ends = plan.files[session.id], plan.ends[session.id]
    if any(name not in by_name or by_name[name].bytes_read < end for name, end in zip(names, ends, strict=True)):
        return None
    files = tuple(by_name[name] for name in names)
    return replace(session, path=files[0].path, side_files=tuple(file.path for file in files[1:]), files=files)
