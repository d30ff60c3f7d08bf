"""Commits read back: what each did, why, and which files it changed, in three git commands however many there are."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from slowwave.corpus import message
from slowwave.corpus.message import CommitMessage, parse_message
from slowwave.disk.git import Git
from slowwave.facts.ids import ItemId, SessionId

_AUTHOR = re.compile(rb"(?:.*) (-?\d{1,12}) [+-]\d{4}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST_SECONDS = 253_402_300_799  # the last second a datetime can hold


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """What a commit did to one path; ``None`` stands for no file before, or none after."""

    path: str
    old: str | None
    new: str | None
    mode: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryItem:
    """One commit.

    Attributes:
        commit: Its id.
        parents: Ids of its parents.
        message: What slowwave wrote; ``None`` for a commit of a person or another program.
        raw: The message as stored.
        author: The author line as stored.
        committer: The committer line as stored.
        moment: When it was authored, UTC.
        files: What it changed, by path; empty for merges.
    """

    commit: str
    parents: tuple[str, ...]
    message: CommitMessage | None
    raw: bytes
    author: bytes
    committer: bytes
    moment: datetime
    files: tuple[FileChange, ...]

    @property
    def item(self) -> ItemId:
        """The stable id of the item; empty for foreign commits."""
        return ItemId(self._value(message.ITEM))

    @property
    def type(self) -> str:
        """The item's type, as its trailer says; empty for foreign commits."""
        return self._value(message.TYPE)

    @property
    def run(self) -> str:
        """The run that made it."""
        return self._value(message.RUN)

    @property
    def phase(self) -> str:
        """The phase that made it."""
        return self._value(message.PHASE)

    @property
    def engine(self) -> str:
        """The engine that proposed it."""
        return self._value(message.ENGINE)

    @property
    def sessions(self) -> tuple[SessionId, ...]:
        """The sessions it names."""
        found = self.message.values(message.SESSION) if self.message else ()
        return tuple(SessionId(one) for one in found)

    @property
    def subject(self) -> str:
        """The message's first line."""
        return self.raw.split(b"\n", 1)[0].decode("utf-8", "replace")

    def _value(self, name: str) -> str:
        return self.message.value(name) if self.message else ""


def read_history(git: Git, tip: str, *, since: str | None = None, path: str | None = None) -> tuple[HistoryItem, ...]:
    """The commits that a branch has and ``since`` has not, oldest first.

    Args:
        git: The corpus.
        tip: A commit or branch.
        since: A commit or branch whose commits are left out; ``None`` for all of them.
        path: Only commits that touched this path.
    """
    wanted = [tip] if since is None else [tip, "^" + since]
    only = () if path is None else ("--", path)
    listed = git.text("rev-list", "--reverse", "--topo-order", "--end-of-options", *wanted, *only).split()
    return read_commits(git, listed)


def read_commits(git: Git, ids: Sequence[str]) -> tuple[HistoryItem, ...]:
    """The commits of these ids, in this order."""
    if not ids:
        return ()
    contents = git.cat_batch(ids)
    files = _changed_files(git, ids)
    return tuple(_parse_commit(one, contents[one], files.get(one, ())) for one in ids if one in contents)


def changes_between(git: Git, old: str, new: str) -> tuple[FileChange, ...]:
    """What differs between the trees of two commits, by path."""
    raw = git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index", old, new)
    return tuple(sorted(_parse_changes(raw.split(b"\0")), key=lambda change: change.path))


def _changed_files(git: Git, ids: Sequence[str]) -> Mapping[str, tuple[FileChange, ...]]:
    flags = ("--stdin", "-r", "-z", "--raw", "--root", "--no-renames", "--full-index")
    raw = git.run("diff-tree", *flags, stdin="".join(f"{one}\n" for one in ids).encode("ascii"))
    found: dict[str, tuple[FileChange, ...]] = {}
    part: list[bytes] = []
    commit = ""
    for token in raw.split(b"\0"):
        if _is_header(token, part):
            found[commit] = tuple(_parse_changes(part))
            commit, part = token.decode("ascii"), []
        else:
            part.append(token)
    found[commit] = tuple(_parse_changes(part))
    return found


def _is_header(token: bytes, part: Sequence[bytes]) -> bool:
    """Whether a token names the next commit: it stands where a change would begin, and begins like none."""
    return len(part) % 2 == 0 and bool(token) and not token.startswith(b":")


def _parse_changes(tokens: Sequence[bytes]) -> Iterator[FileChange]:
    for head, name in zip(tokens[0::2], tokens[1::2], strict=False):
        old_mode, new_mode, old, new, _ = head.decode("ascii").removeprefix(":").split(" ")
        yield FileChange(
            path=name.decode("utf-8", "surrogateescape"),
            old=None if old_mode == "000000" else old,
            new=None if new_mode == "000000" else new,
            mode=old_mode if new_mode == "000000" else new_mode,
        )


def _parse_commit(commit: str, content: bytes, files: tuple[FileChange, ...]) -> HistoryItem:
    head, _, raw = content.partition(b"\n\n")
    fields: dict[bytes, list[bytes]] = {}
    for line in head.split(b"\n"):
        name, _, value = line.partition(b" ")
        fields.setdefault(name, []).append(value)
    author = fields.get(b"author", [b""])[0]
    return HistoryItem(
        commit=commit,
        parents=tuple(one.decode("ascii") for one in fields.get(b"parent", [])),
        message=parse_message(raw),
        raw=raw,
        author=author,
        committer=fields.get(b"committer", [b""])[0],
        moment=_moment(author),
        files=files,
    )


def _moment(author: bytes) -> datetime:
    found = _AUTHOR.fullmatch(author)
    seconds = int(found[1]) if found else 0
    return datetime.fromtimestamp(seconds, UTC) if 0 <= seconds <= _LATEST_SECONDS else _EPOCH
