"""Searching a checkout: real files, a real index."""

import os
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_memories import memory, task

from slowwave.corpus.format import render
from slowwave.corpus.search import SearchIndex
from slowwave.corpus.tree import tree_files
from slowwave.facts.memory import Entity, Kind, Memory, Status
from slowwave.facts.refusal import DamageError


class Corpus:
    """A checkout and its index in a folder of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "corpus"
        self.root.mkdir()
        self.db = folder / "search.db"
        self.index = SearchIndex(self.db)

    def write(self, path: str, content: Memory | bytes) -> None:
        """Put a file there, as a person or a night would."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(render(content) if isinstance(content, Memory) else content)

    def find(self, query: str, **filters: Any) -> list[str]:
        """Refresh, search, and answer the paths."""
        self.index.refresh(tree_files(self.root))
        return [hit.path for hit in self.index.search(query, **filters)]


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """An empty corpus."""
    made = Corpus(tmp_path)
    yield made
    made.index.close()


def test_any_term_stemmed_and_without_accents_finds(corpus: Corpus) -> None:
    """One word in common is enough, in another form, case or without its accent; more in common comes first."""
    corpus.write("areas/inbox/a.md", memory("The queue retries failed jobs.", ""))
    corpus.write("areas/inbox/b.md", memory("The café closes at six.", ""))

    assert corpus.find("retrying a failing JOB") == ["areas/inbox/a.md"]
    assert corpus.find("CAFE zebra") == ["areas/inbox/b.md"]
    assert corpus.find("queue failed cafe") == ["areas/inbox/a.md", "areas/inbox/b.md"]
    assert corpus.find("zebra") == corpus.find("") == corpus.find("🎉") == []


@pytest.mark.parametrize(
    ("claim", "query"),
    [
        ("数据库迁移之前必须先备份。", "备份"),
        ("数据库迁移之前必须先备份。", "数据库备份策略"),
        ("デプロイの前にテストを実行する。", "テスト"),
        ("배포 전에 테스트를 실행한다.", "테스트"),
        ("Перед релизом обновить журнал.", "ЖУРНАЛ"),
        ("يجب تشغيل الاختبارات قبل النشر", "الاختبارات"),
    ],
)
def test_every_script_is_found(corpus: Corpus, claim: str, query: str) -> None:
    """A word in the middle of unspaced text is found; what shares no pair of letters is not."""
    corpus.write("areas/inbox/a.md", memory(claim, ""))
    corpus.write("areas/inbox/b.md", memory("完全不同的内容", ""))
    assert corpus.find(query) == ["areas/inbox/a.md"]


def test_a_word_of_the_claim_outweighs_one_of_the_gist(corpus: Corpus) -> None:
    """The claim tells most; entities, tags and the path are found too."""
    corpus.write("areas/inbox/a.md", memory("Something else entirely here.", "The migration is slow."))
    corpus.write("areas/inbox/b.md", memory("The migration is slow.", "Something else entirely here."))
    corpus.write("areas/inbox/c.md", memory("No word.", "", entities=(Entity("tool", "alembic"),), tags=("schema",)))

    assert corpus.find("migration") == ["areas/inbox/b.md", "areas/inbox/a.md"]
    assert corpus.find("alembic") == corpus.find("schema") == ["areas/inbox/c.md"]


def test_filters_narrow(corpus: Corpus) -> None:
    """Kind, project and the whole reference of an entity, letter case aside."""
    corpus.write(
        "projects/payments-api/a.md", memory("One word.", kind=Kind.SEMANTIC, entities=(Entity("tool", "Uv"),))
    )
    corpus.write("projects/other/b.md", memory("One word.", entities=(Entity("person", "uv"), Entity("unknown", "x"))))
    corpus.write("areas/inbox/tasks/c.md", task("One word."))
    first, second, third = "projects/payments-api/a.md", "projects/other/b.md", "areas/inbox/tasks/c.md"

    assert corpus.find("word", kind=Kind.SEMANTIC) == [first]
    assert corpus.find("word", kind=Kind.TASK) == [third]
    assert corpus.find("word", project="Payments API") == [first]
    assert corpus.find("word", entity="TOOL:uv") == [first]
    assert corpus.find("word", entity=Entity("person", "UV")) == [second]
    assert corpus.find("word", entity="x") == [second]
    assert corpus.find("word", limit=1) == [third]


def test_retired_memories_are_found_on_request(corpus: Corpus) -> None:
    """Archived and superseded ones stay out of the way."""
    corpus.write("archive/2026/areas/inbox/a.md", memory("One word.", status=Status.ARCHIVED))
    corpus.write("archive/2026/areas/inbox/b.md", memory("One word.", status=Status.SUPERSEDED))
    assert corpus.find("word") == []
    assert len(corpus.find("word", with_retired=True)) == 2


def test_hand_edits_are_found_without_a_commit(corpus: Corpus) -> None:
    """A changed, new, moved or deleted file counts at the next search, and only those are read again."""
    corpus.write("areas/inbox/a.md", memory("One apple."))
    corpus.write("areas/inbox/b.md", memory("One pear."))
    assert corpus.find("apple") == ["areas/inbox/a.md"]

    corpus.write("areas/inbox/a.md", b"---\nkind: semantic\n---\n# Plum, by hand\n")
    (corpus.root / "areas/inbox/b.md").rename(corpus.root / "areas/inbox/c.md")
    report = corpus.index.refresh(tree_files(corpus.root))

    assert (report.files, report.changed, report.gone, report.faults) == (2, 2, 1, ())
    assert corpus.find("apple") == []
    assert corpus.find("plum") == ["areas/inbox/a.md"]
    assert corpus.find("pear") == ["areas/inbox/c.md"]
    assert corpus.index.refresh(tree_files(corpus.root)).changed == 0


def test_unreadable_files_are_counted_each_time(corpus: Corpus) -> None:
    """A broken file, a link and a pipe are no memories; they are named at every refresh and cost no other file."""
    corpus.write("areas/inbox/a.md", memory("One word."))
    corpus.write("areas/inbox/b.md", b"no front matter")
    (corpus.root / "areas/inbox/c.md").symlink_to("/etc/hosts")
    os.mkfifo(corpus.root / "areas/inbox/d.md")
    for _ in range(2):
        faults = corpus.index.refresh(tree_files(corpus.root)).faults
        assert [(fault.path, fault.code) for fault in faults] == [
            ("areas/inbox/b.md", "unparseable"),
            ("areas/inbox/c.md", "outside_root"),
            ("areas/inbox/d.md", "outside_root"),
        ]
    assert corpus.find("word") == ["areas/inbox/a.md"]


def test_only_the_four_roots_are_walked(corpus: Corpus) -> None:
    """Reports, hidden folders, linked folders and other files are no memories."""
    for path in ("reports/a.md", "areas/.git/a.md", "areas/.a.md", "areas/a.txt", "a.md", "areas/c.md"):
        corpus.write(path, memory("One word."))
    (corpus.root / "projects").symlink_to(corpus.root / "reports")
    (corpus.root / "resources").mkdir()
    (corpus.root / "resources/linked").symlink_to(corpus.root / "reports")
    assert [file.path for file in tree_files(corpus.root)] == ["areas/c.md"]


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\x00" * 8_192,
        b"not a database at all, but some text that is longer than a header " * 20,
    ],
)
def test_a_damaged_index_is_built_again(corpus: Corpus, damage: bytes) -> None:
    """The index is a derived file: emptied, zeroed or overwritten, it gives the same answers at the next search."""
    corpus.write("areas/inbox/a.md", memory("One word."))
    assert corpus.find("word") == ["areas/inbox/a.md"]
    corpus.index.close()
    corpus.db.write_bytes(damage)
    assert corpus.index.refresh(tree_files(corpus.root)).rebuilt
    assert corpus.find("word") == ["areas/inbox/a.md"]


def test_damage_met_while_searching_is_said_and_mended(corpus: Corpus) -> None:
    """Pages overwritten under an open index: the search says so, the next refresh builds it again."""
    for number in range(200):
        corpus.write(f"areas/inbox/{number}.md", memory(f"One word and number{number}."))
    corpus.find("word")
    corpus.index.close()
    content = bytearray(corpus.db.read_bytes())
    content[4_096:] = b"\xff" * (len(content) - 4_096)
    corpus.db.write_bytes(content)
    with pytest.raises(DamageError):
        corpus.index.search("word")
    assert len(corpus.find("word", limit=100)) == 100


def test_an_index_of_another_format_is_built_again(corpus: Corpus) -> None:
    """Older or newer, it holds nothing that the files do not."""
    corpus.write("areas/inbox/a.md", memory("One word."))
    corpus.find("word")
    corpus.index.close()
    with sqlite3.connect(corpus.db) as sql:
        sql.execute("PRAGMA user_version = 99")
    sql.close()
    assert corpus.index.refresh(tree_files(corpus.root)).rebuilt
    assert corpus.find("word") == ["areas/inbox/a.md"]


def test_common_words_only_fill_what_telling_words_leave(corpus: Corpus) -> None:
    """Where a rare word stands beside one that every file has, the rare one decides and the rest still follows."""
    for number in range(600):
        corpus.write(f"areas/inbox/{number:03}.md", memory(f"Common number{number}.", ""))
    found = corpus.find("common number599", limit=5)
    assert found[0] == "areas/inbox/599.md"
    assert len(found) == 5


def test_what_is_shown_is_safe_for_a_terminal(corpus: Corpus) -> None:
    """Escapes in a hand-edited file become pictures."""
    corpus.write("areas/inbox/a.md", replace(memory("One word\x1b[31m."), body="text\x1b]0;x\x07"))
    corpus.index.refresh(tree_files(corpus.root))
    (hit,) = corpus.index.search("word")
    assert "\x1b" not in hit.claim + hit.snippet
    assert "␛" in hit.claim
    assert hit.score > 0
