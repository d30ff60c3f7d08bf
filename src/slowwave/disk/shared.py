"""Files that people edit while slowwave writes them: no edit is lost, by an editor that replaces or one that writes.

The change is made on what was read and put in place by exchanging two files. What came out is compared with what was
read: where somebody was quicker, the change is made anew on theirs. What came out stays beside the file until the next
change, since an editor that had it open may write into it yet; what it wrote there is then merged in.
"""

import difflib
import hashlib
import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from slowwave.disk.durable import flush_folder, make_folder, read_whole, remove, write_atomic
from slowwave.disk.exchange import exchange
from slowwave.disk.trouble import speaking
from slowwave.facts.limits import MOST_SHARED_TRIES
from slowwave.facts.refusal import SlowwaveError

Change = Callable[[bytes | None], bytes | None]
"""From a file's content, None where there is none, to what it should be; None leaves it as it is."""
Merge = Callable[[bytes, bytes], bytes]
"""From what a file holds now and what was written into its forerunner to both."""

_EMPTIED = ".emptied"
_count = itertools.count()


class BusyFileError(SlowwaveError):
    """A file was changed by somebody else each time it was to be written."""

    code = "busy_file"


@dataclass(frozen=True, slots=True)
class _Out:
    """What an exchange took out of the place, and where it lies now."""

    content: bytes | None
    path: Path


def union(current: bytes, late: bytes) -> bytes:
    """Every line of both, in order: what only one of them has stands where it stood; nothing is taken away."""
    ours, theirs = current.splitlines(keepends=True), late.splitlines(keepends=True)
    merged: list[bytes] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        for line in [*ours[a:b], *(theirs[c:d] if kind != "equal" else ())]:
            if merged and not merged[-1].endswith((b"\n", b"\r")):
                merged[-1] += b"\n"
            merged.append(line)
    return b"".join(merged)


def edit_shared(path: Path, change: Change, *, merge: Merge = union) -> None:
    """Change a file that others may be writing. Call it while holding its lock.

    ``change`` may be called several times, each time on what the file then holds, and must bear its own result.

    Raises:
        BusyFileError: It was changed by others at every try; nothing of theirs was lost.
        DiskError: The system refused.
    """
    make_folder(path.parent)
    path = path.resolve()
    content = standing = read_whole(path)
    late = _late(path, standing, merge)
    is_placed = False
    for turn in range(MOST_SHARED_TRIES):
        merged = _merged(content, late, merge)
        changed = change(merged)
        changed = merged if changed is None else changed
        if changed is None or changed == standing:
            break
        out = _swap(path, standing, changed, is_patient=turn < MOST_SHARED_TRIES // 2)
        if out is None:
            content = standing = read_whole(path)
            late = _late(path, standing, merge)
            continue
        is_placed = True
        if out.content == standing:
            break
        # What came out stood aside for an instant: an editor that read ours in it saves without what came out.
        late[out.path] = out.content or b""
        content, standing = out.content, changed
    else:
        if not is_placed:
            raise BusyFileError(
                f"{path} is changed by another program all the time", hint="Close what writes it, then run this again."
            )


def _late(path: Path, standing: bytes | None, merge: Merge) -> dict[Path, bytes]:
    """What editors wrote into forerunners of the file after they were replaced, and the file does not have.

    Forerunners nobody wrote into, and those whose lines are seen in the file, are cleared away: seen, since an editor
    that read the file before they were merged in may save it behind that. One that is empty may be in the middle of
    being saved, and is looked at once more.
    """
    late: dict[Path, bytes] = {}
    for former in sorted(path.parent.glob(f".{path.name}.before-*")):
        content = read_whole(former) or b""
        is_late = _name_of(content) != former.name.split("-")[-2]
        if is_late and content and not _has_all(standing, content, merge):
            late[former] = content
        elif is_late and not content and former.suffix != _EMPTIED:
            with speaking(former):
                former.rename(former.with_name(former.name + _EMPTIED))
        else:
            remove(former)
    return late


def _has_all(standing: bytes | None, written: bytes, merge: Merge) -> bool:
    if standing is None:
        return False
    return set(merge(standing, written).splitlines()) <= set(standing.splitlines())


def _merged(content: bytes | None, late: dict[Path, bytes], merge: Merge) -> bytes | None:
    for written in late.values():
        content = written if content is None else merge(content, written)
    return content


def _swap(path: Path, standing: bytes | None, content: bytes, *, is_patient: bool) -> _Out | None:
    """Put content in the place of what stands there; None where that is no longer what it was.

    Without patience only the exchange itself tells, so that a file that never rests is written too.
    """
    former = path.with_name(f".{path.name}.before-{_name_of(standing or b'')}-{os.getpid()}.{next(_count)}")
    write_atomic(former, content)
    if is_patient and read_whole(path) != standing:
        remove(former)
        return None
    with speaking(path):
        is_placed = _place_new(former, path) if standing is None else _trade(former, path)
        if standing is None or not is_placed:
            former.unlink()
    flush_folder(path.parent)
    return _Out(content=read_whole(former), path=former) if is_placed else None


def _place_new(part: Path, path: Path) -> bool:
    """Give a file its name where nobody has it; False where somebody was quicker."""
    try:
        os.link(part, path)
    except FileExistsError:
        return False
    return True


def _trade(part: Path, path: Path) -> bool:
    """Exchange two files; where that cannot be, keep hold of what stands there by a second name and rename over it."""
    if exchange(part, path):
        return True
    held = path.with_name(f"{part.name}.held")
    try:
        os.link(path, held)
    except FileNotFoundError:
        return False
    part.replace(path)
    held.replace(part)
    return True


def _name_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
