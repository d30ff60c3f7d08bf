"""The shelf: every memory of the corpus as it stood at one commit, read by two git commands.

Files are read from the commit and never from a folder, so edits that are not committed, links and half-written files
cannot mislead it. A file that is no memory becomes a fault in a list, not an error.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from slowwave.corpus.format import FormatError, content_hash, parse
from slowwave.corpus.paths import ROOTS, check_path
from slowwave.disk.git import Git
from slowwave.facts.ids import MemoryPath
from slowwave.facts.limits import MOST_MEMORY_BYTES
from slowwave.facts.memory import Memory
from slowwave.facts.refusal import NothingToDoError, Refusal
from slowwave.facts.text import showable

_REGULAR_MODES = ("100644", "100755")
_ENDING = ".md"


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """One entry of a tree; ``size`` is in bytes, 0 for what is no file."""

    path: MemoryPath
    mode: str
    blob: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """A snapshot.

    Attributes:
        commit: The commit it shows.
        memories: Every file that is a memory, by path, in order of path.
        blobs: The blob id of each of these.
        faults: Every file in a memory's place that is none, and why.
    """

    commit: str
    memories: Mapping[MemoryPath, Memory]
    blobs: Mapping[MemoryPath, str]
    faults: tuple[Refusal, ...]

    @staticmethod
    def at(git: Git, ref: str, earlier: "Shelf | None" = None) -> "Shelf":
        """The snapshot at a commit or branch; what an earlier one has read already is not read again.

        Raises:
            NothingToDoError: The ref stands for no commit.
        """
        commit = git.resolve(ref)
        if commit is None:
            raise NothingToDoError(f"the corpus has no commit {ref}", hint="Run `slowwave sleep` first.")
        if earlier is not None and earlier.commit == commit:
            return earlier
        files, faults = _sorted_out(_list_files(git, commit))
        memories, blobs = _known(files, earlier)
        fresh = [file for file in files if file.path not in memories]
        contents = git.cat_batch([file.blob for file in fresh])
        for file in fresh:
            outcome = _parse(contents.get(file.blob), file.path)
            if isinstance(outcome, Memory):
                memories[file.path], blobs[file.path] = outcome, file.blob
            else:
                faults.extend(outcome)
        return Shelf(
            commit=commit,
            memories=dict(sorted(memories.items())),
            blobs=dict(sorted(blobs.items())),
            faults=tuple(sorted(faults, key=lambda fault: (fault.path, fault.code, fault.message))),
        )

    def content_hashes(self) -> Mapping[MemoryPath, str]:
        """The content hash of each memory, computed from what it says now."""
        return {path: content_hash(memory.claim, memory.body) for path, memory in self.memories.items()}

    def content(self, git: Git, path: MemoryPath) -> bytes:
        """The bytes of one memory's file.

        Raises:
            KeyError: No such memory at this commit.
        """
        blob = self.blobs[path]
        return git.cat_batch([blob])[blob]


def _list_files(git: Git, commit: str) -> Sequence[_File]:
    files = []
    for line in git.run("ls-tree", "-r", "-z", "--long", "--full-tree", commit, "--", *ROOTS).split(b"\0"):
        head, tab, name = line.partition(b"\t")
        if not tab:
            continue
        mode, _, blob, size = head.decode("ascii").split()
        path = MemoryPath(name.decode("utf-8", "surrogateescape"))
        files.append(_File(path=path, mode=mode, blob=blob, size=0 if size == "-" else int(size)))
    return files


def _sorted_out(files: Sequence[_File]) -> tuple[list[_File], list[Refusal]]:
    """The files that may be memories, and why the others may not; what is not called ``.md`` is nobody's business."""
    kept: list[_File] = []
    faults: list[Refusal] = []
    for file in files:
        fault = _fault(file)
        if fault is not None:
            faults.append(fault)
        elif file.path.endswith(_ENDING):
            kept.append(file)
    return kept, faults


def _fault(file: _File) -> Refusal | None:
    shown = showable(file.path.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    if file.mode not in _REGULAR_MODES:
        return Refusal(code="not_a_file", path=shown, message="this is a link or another repository, not a file")
    if not file.path.endswith(_ENDING):
        return None
    if file.size > MOST_MEMORY_BYTES:
        return Refusal(
            code="too_large", path=shown, message=f"{file.size} bytes; a memory has at most {MOST_MEMORY_BYTES}"
        )
    return check_path(file.path)


def _known(files: Sequence[_File], earlier: Shelf | None) -> tuple[dict[MemoryPath, Memory], dict[MemoryPath, str]]:
    """What the earlier snapshot has of these very contents at these very paths."""
    if earlier is None:
        return {}, {}
    same = [file for file in files if earlier.blobs.get(file.path) == file.blob]
    return {file.path: earlier.memories[file.path] for file in same}, {file.path: file.blob for file in same}


def _parse(content: bytes | None, path: MemoryPath) -> Memory | tuple[Refusal, ...]:
    if content is None:
        return (Refusal(code="git_damage", path=path, message="git has lost this file's content"),)
    try:
        return parse(content, path)
    except FormatError as error:
        return error.refusals
