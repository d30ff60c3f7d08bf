"""The import stream: many commits as the one text that ``git fast-import`` reads.

The stream leaves no ref behind (it resets its own branch to nothing at the end), so that a killed import changes
nothing anybody can see: the branch is moved afterwards, in one step, by whoever asked for the commits. The same steps
on the same commit always give the same ids.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from slowwave.disk.git_settings import ADDRESS, NAME

_REF = "refs/slowwave/import"
_NOWHERE = "0" * 40
REGULAR = "100644"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a commit does to one path: new ``content``, a ``blob`` that git has already, or (both ``None``) removal."""

    path: str
    content: bytes | None = None
    blob: str | None = None
    mode: str = REGULAR


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One commit to be made; ``author`` and ``committer`` are lines as git stores them, without the first word."""

    changes: tuple[Change, ...]
    message: bytes
    author: bytes
    committer: bytes


def signature(moment: datetime) -> bytes:
    """The author line of slowwave at a moment.

    Raises:
        ValueError: The moment carries no zone.
    """
    if moment.tzinfo is None:
        raise ValueError("a moment must carry its zone")
    return f"{NAME} <{ADDRESS}> {int(moment.timestamp())} +0000".encode("ascii")


def render_stream(steps: Sequence[Step], parent: str | None) -> bytes:
    """The stream that makes the steps, each on the one before it; it answers with their ids, a line each."""
    parts: list[bytes] = [b"feature done\n"]
    for number, step in enumerate(steps, start=1):
        parts.append(b"commit %b\nmark :%d\n" % (_REF.encode(), number))
        parts.append(b"author %b\ncommitter %b\n" % (step.author, step.committer))
        parts.append(_data(step.message))
        if number == 1 and parent is not None:
            parts.append(b"from %b\n" % parent.encode("ascii"))
        parts.extend(_change(change) for change in step.changes)
        parts.append(b"\n")
    parts.extend(b"get-mark :%d\n" % number for number in range(1, len(steps) + 1))
    parts.append(b"reset %b\nfrom %b\n\ndone\n" % (_REF.encode(), _NOWHERE.encode()))
    return b"".join(parts)


def _change(change: Change) -> bytes:
    path = _quoted(change.path)
    mode = change.mode.encode("ascii")
    if change.content is not None:
        return b"M %b inline %b\n%b" % (mode, path, _data(change.content))
    if change.blob is not None:
        return b"M %b %b %b\n" % (mode, change.blob.encode("ascii"), path)
    return b"D %b\n" % path


def _data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)


def _quoted(path: str) -> bytes:
    """A path in the stream's own quotes: every byte that is not plain as an octal escape."""
    raw = path.encode("utf-8", "surrogateescape")
    plain = b"".join(bytes((b,)) if 0x20 <= b < 0x7F and b not in b'"\\' else b"\\%03o" % b for b in raw)
    return b'"%b"' % plain
