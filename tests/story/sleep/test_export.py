"""Taking memories to where agents read them: only into Markdown, only what is true, never through a link."""

from pathlib import Path

import pytest
from made_nights import Place, Ran

from slowwave.facts.markers import EXPORT_BEGIN


@pytest.fixture
def landed(shop: Place) -> Place:
    """A home in which one memory and one task landed, both of project ``shop``."""
    shop.sleep()
    shop.house.merge([], everything=True, channel="token")
    return shop


def export(place: Place, out: Path, *words: str, project: str = "shop") -> Ran:
    """The command, into a file."""
    return place.run("export", "agents-md", "--out", str(out), "--project", project, *words)


def test_only_a_markdown_file_is_written(landed: Place, tmp_path: Path) -> None:
    """Any other name, a folder and a missing folder are refused, and what stands there stays."""
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "README.txt").write_text("mine\n", encoding="utf-8")

    for name in ("README.txt", "AGENTS", "Makefile", "folder.md", "none/AGENTS.md"):
        ran = export(landed, tmp_path / name)
        assert (ran.status, ran.code) == (2, "usage"), name

    assert (tmp_path / "README.txt").read_text(encoding="utf-8") == "mine\n"
    assert not (tmp_path / "AGENTS").exists()


def test_a_link_is_neither_replaced_nor_written_through(landed: Place, tmp_path: Path) -> None:
    """The file behind a link keeps its bytes, the link stays one, and the hint names that file."""
    (tmp_path / "CLAUDE.md").write_text("mine\n", encoding="utf-8")
    (tmp_path / "AGENTS.md").symlink_to("CLAUDE.md")

    ran = export(landed, tmp_path / "AGENTS.md")

    assert ran.status == 2
    assert str(tmp_path / "CLAUDE.md") in ran.envelope["error"]["hint"]
    assert (tmp_path / "AGENTS.md").is_symlink()
    assert (tmp_path / "CLAUDE.md").read_text(encoding="utf-8") == "mine\n"


def test_an_unknown_project_writes_nothing_and_names_the_others(landed: Place, tmp_path: Path) -> None:
    """A misspelt project leaves the block of the file as it is and ends with 3."""
    export(landed, tmp_path / "AGENTS.md")
    before = (tmp_path / "AGENTS.md").read_bytes()

    ran = export(landed, tmp_path / "AGENTS.md", project="shp")

    assert (ran.status, ran.code) == (3, "nothing_to_do")
    assert "shop (1)" in ran.envelope["error"]["hint"]
    assert (tmp_path / "AGENTS.md").read_bytes() == before


def test_a_block_whose_memories_were_taken_back_is_emptied(landed: Place, tmp_path: Path) -> None:
    """What is no longer believed leaves the file; a task is no memory, and without a block nothing is written."""
    export(landed, tmp_path / "AGENTS.md")
    memory = next(h for h in landed.run("search", "pytest").content["hits"] if h["kind"] != "task")
    landed.house.move_memory(memory["path"], "archive")

    ran = export(landed, tmp_path / "AGENTS.md")

    assert (ran.status, ran.content["memories"], ran.content["changed"]) == (0, 0, True)
    text = (tmp_path / "AGENTS.md").read_text(encoding="utf-8")
    assert EXPORT_BEGIN in text
    assert "pytest" not in text
    assert export(landed, tmp_path / "OTHER.md").status == 3
    assert not (tmp_path / "OTHER.md").exists()


def test_the_count_is_what_was_written(landed: Place, tmp_path: Path) -> None:
    """Numbers are those of the block; a budget for none is refused; a second export says that nothing changed."""
    first, second = export(landed, tmp_path / "AGENTS.md"), export(landed, tmp_path / "AGENTS.md")
    small = export(landed, tmp_path / "OTHER.md", "--budget", "50")

    assert (first.content["memories"], first.content["left"], first.content["changed"]) == (1, 0, True)
    assert second.content["changed"] is False
    assert (small.status, small.code) == (2, "usage")
    assert not (tmp_path / "OTHER.md").exists()
