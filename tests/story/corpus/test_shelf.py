"""The shelf: every memory of one commit, faults as a list, and nothing read twice."""

from collections.abc import Callable
from datetime import datetime

import pytest

from slowwave.corpus import shelf as shelf_module
from slowwave.corpus.branches import MAIN
from slowwave.corpus.door import Commit, Door
from slowwave.corpus.format import render
from slowwave.corpus.shelf import Shelf
from slowwave.corpus.stream import Change, Step, signature
from slowwave.corpus.worktree import PENDING
from slowwave.disk.git import Git
from slowwave.facts.ids import MemoryPath
from slowwave.facts.limits import MOST_MEMORY_BYTES
from slowwave.facts.memory import Kind, Memory
from slowwave.facts.refusal import NothingToDoError

CommitMaker = Callable[..., Commit]


@pytest.fixture
def memory(moment: datetime) -> Memory:
    """A memory that the format accepts."""
    return Memory(
        kind=Kind.SEMANTIC, claim="The build needs swap.", body="Or it stops.", created=moment, updated=moment
    )


def test_a_shelf_holds_every_memory_and_a_fault_for_everything_else(
    door: Door, one_commit: CommitMaker, memory: Memory, moment: datetime
) -> None:
    """Memories by path; broken, huge, linked and oddly named files as faults; other files are nobody's business."""
    good = render(memory)
    files = {
        "areas/inbox/good.md": good,
        "projects/é/tasks/ü.md": good,
        "areas/broken.md": b"no front matter\n",
        "areas/binary.md": b"\xff\x00",
        "areas/huge.md": b"x" * (MOST_MEMORY_BYTES + 1),
        "areas/picture.png": b"\x89",
        "reports/2026.md": b"a report",
    }
    door.commit_batch(MAIN, [one_commit(path, content) for path, content in files.items()], expected=door.main())
    odd = (
        Change(path="areas/link.md", content=b"/etc/passwd", mode="120000"),
        Change(path="areas/other", blob=door.main(), mode="160000"),
        Change(path="areas/con.md", content=good),
        Change(path="areas/\udcff.md", content=good),
    )
    step = Step(changes=odd, message=b"odd\n", author=signature(moment), committer=signature(moment))
    tip = door._branches.make((step,), door.main())[-1]
    found = Shelf.at(door.git, tip)
    assert list(found.memories) == ["areas/inbox/good.md", "projects/é/tasks/ü.md"]
    assert {one.claim for one in found.memories.values()} == {memory.claim}
    paths = {fault.path for fault in found.faults}
    broken = {"areas/broken.md", "areas/binary.md", "areas/huge.md", "areas/link.md", "areas/other"}
    assert broken <= paths
    assert len(paths) == 7
    assert not {"areas/picture.png", "reports/2026.md"} & paths
    assert {fault.code for fault in found.faults if fault.path in ("areas/link.md", "areas/other")} == {"not_a_file"}


def test_only_what_changed_is_read_again(
    door: Door, git: Git, one_commit: CommitMaker, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later snapshot takes unchanged memories from the earlier one, and forgets removed ones."""
    names = ("areas/a.md", "areas/b.md", "areas/c.md")
    door.commit_batch(MAIN, [one_commit(name, render(memory)) for name in names], expected=door.main())
    first = Shelf.at(git, MAIN)
    assert Shelf.at(git, MAIN, first) is first
    changes = [one_commit("areas/b.md", render(memory) + b"\nMore.\n"), one_commit("areas/c.md", None)]
    door.commit_batch(PENDING, changes, expected=door.main())
    parsed = []
    real = shelf_module._parse

    def counted(content: bytes | None, path: MemoryPath) -> object:
        parsed.append(path)
        return real(content, path)

    monkeypatch.setattr(shelf_module, "_parse", counted)
    second = Shelf.at(git, PENDING, first)
    assert parsed == ["areas/b.md"]
    assert list(second.memories) == ["areas/a.md", "areas/b.md"]
    assert second.memories == Shelf.at(git, PENDING).memories
    assert second.blobs == Shelf.at(git, PENDING).blobs
    hashes = second.content_hashes()
    assert len(set(hashes.values())) == 2
    assert second.content(git, MemoryPath("areas/b.md")).endswith(b"More.\n")


def test_a_ref_without_commit_is_nothing_to_work_on(door: Door, git: Git) -> None:
    """Before the first night there is no pending branch."""
    with pytest.raises(NothingToDoError):
        Shelf.at(git, PENDING)
    assert dict(Shelf.at(git, MAIN).memories) == {}
