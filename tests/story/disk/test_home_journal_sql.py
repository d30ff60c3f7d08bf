"""Home, journal and databases: private, versioned, and calm about what they cannot read."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from slowwave.disk.home import Home, check_format
from slowwave.disk.journal import Journal
from slowwave.disk.sql import connect, migrate
from slowwave.facts.limits import STATE_FORMAT
from slowwave.facts.refusal import DamageError, NewerFormatError, NothingToDoError, SlowwaveError


def test_a_home_is_private_and_made_once(tmp_path: Path) -> None:
    """Folders are 0700 and files 0600 even where the root was open before; a second time changes nothing."""
    root = tmp_path / "home"
    root.mkdir(mode=0o755)
    home = Home(root)
    home.prepare()
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    home.prepare()
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == before
    assert {path.stat().st_mode & 0o077 for path in (root, *root.rglob("*"))} == {0}


def test_a_newer_home_is_left_exactly_as_it_is(tmp_path: Path) -> None:
    """A newer format is refused before anything is made or changed."""
    root = tmp_path / "home"
    root.mkdir(mode=0o755)
    (root / "format").write_text(json.dumps({"format": STATE_FORMAT + 1}))
    with pytest.raises(NewerFormatError) as caught:
        Home(root).prepare()
    assert caught.value.hint
    assert [path.name for path in root.iterdir()] == ["format"]
    assert root.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"1", b'{"format": "1"}', b'{"format": true}', b'{"format": 0}', b"\xff"]
)
def test_a_broken_format_file_is_damage(content: bytes) -> None:
    """What cannot be understood is not guessed at."""
    with pytest.raises(DamageError):
        check_format(content, what="x", newest=1)


def test_the_journal_remembers_what_was_begun_and_not_ended(tmp_path: Path) -> None:
    """Entries come back by name with their payload until they are done."""
    journal = Journal(tmp_path / "journal")
    assert journal.open_entries() == ()
    journal.begin("b", {"old": None, "new": "x"})
    journal.begin("a", {})
    assert [(entry.name, dict(entry.payload)) for entry in journal.open_entries()] == [
        ("a", {}),
        ("b", {"old": None, "new": "x"}),
    ]
    journal.done("b")
    journal.done("b")
    assert [entry.name for entry in Journal(tmp_path / "journal").open_entries()] == ["a"]


@pytest.mark.parametrize("content", [b"", b"\x00" * 40, b'{"name": "x"', b"[" * 9999, b'{"name": "y", "payload": {}}'])
def test_a_broken_entry_is_set_aside_once(tmp_path: Path, content: bytes) -> None:
    """An unreadable file leaves the list, is kept under another name, and is named to whoever asks."""
    journal = Journal(tmp_path)
    (tmp_path / "x.json").write_bytes(content)
    journal.begin("good", {})
    assert [entry.name for entry in journal.open_entries()] == ["good"]
    assert [path.name for path in journal.set_aside()] == ["x.json.broken"]
    assert [entry.name for entry in journal.open_entries()] == ["good"]


@pytest.mark.parametrize("name", ["", "../x", "A", "x/y", ".x", "x" * 99])
def test_an_entry_cannot_leave_its_folder(tmp_path: Path, name: str) -> None:
    """Only short plain names are names."""
    with pytest.raises(ValueError, match="journal"):
        Journal(tmp_path).begin(name, {})


FIRST = "CREATE TABLE t (a TEXT DEFAULT ';') STRICT; CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; SELECT 2; END;"
SECOND = "ALTER TABLE t ADD COLUMN b INTEGER"


def test_a_schema_grows_step_by_step_and_only_once(tmp_path: Path) -> None:
    """A first format is brought to a second with its rows; running again changes nothing; the file is private."""
    path = tmp_path / "state.db"
    sql = connect(path)
    migrate(sql, name="state", version=1, steps=(FIRST,))
    with sql:
        sql.execute("INSERT INTO t (a) VALUES ('kept')")
    migrate(sql, name="state", version=2, steps=(FIRST, SECOND))
    migrate(sql, name="state", version=2, steps=(FIRST, SECOND))
    assert tuple(sql.execute("SELECT a, b FROM t").fetchone()) == ("kept", None)
    sql.close()
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["state.db"]


def test_a_failing_step_leaves_the_schema_as_it_was(tmp_path: Path) -> None:
    """Half a migration is none."""
    sql = connect(tmp_path / "state.db")
    with pytest.raises(SlowwaveError):
        migrate(sql, name="state", version=2, steps=(FIRST, "CREATE TABLE t (x)"))
    assert sql.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    assert sql.execute("PRAGMA user_version").fetchone()[0] == 0
    sql.close()


def test_two_that_begin_at_once_make_the_schema_once(tmp_path: Path) -> None:
    """Whoever waited for the other finds the work done, and does none of it again."""
    path = tmp_path / "state.db"

    class Slower(sqlite3.Connection):
        """A process that another overtakes right before its transaction."""

        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            """As ever, once the other is done."""
            if statement == "BEGIN IMMEDIATE":
                migrate(other, name="state", version=2, steps=(FIRST, SECOND))
            return super().execute(statement, *values)

    with closing(connect(path)) as other, closing(sqlite3.connect(path, factory=Slower)) as slower:
        migrate(slower, name="state", version=2, steps=(FIRST, SECOND))
        assert slower.execute("PRAGMA user_version").fetchone()[0] == 2
        assert [row[1] for row in slower.execute("PRAGMA table_info(t)")] == ["a", "b"]


def test_a_newer_database_is_refused_untouched(tmp_path: Path) -> None:
    """A version above ours is named and left."""
    path = tmp_path / "state.db"
    sql = connect(path)
    migrate(sql, name="state", version=3, steps=())
    before = path.read_bytes()
    with pytest.raises(NewerFormatError):
        migrate(sql, name="state", version=2, steps=(FIRST, SECOND))
    sql.close()
    assert path.read_bytes() == before


def test_what_is_no_database_is_damage(tmp_path: Path) -> None:
    """A file of other bytes is not overwritten."""
    path = tmp_path / "state.db"
    path.write_bytes(b"not a database at all " * 100)
    with pytest.raises(DamageError):
        connect(path)
    assert path.read_bytes().startswith(b"not a database")


def test_reading_only_makes_no_file(tmp_path: Path) -> None:
    """A database that is not there is nothing to work on; one that is there cannot be written."""
    with pytest.raises(NothingToDoError):
        connect(tmp_path / "x.db", read_only=True)
    assert not (tmp_path / "x.db").exists()
    migrate(made := connect(tmp_path / "odd #?%name.db"), name="x", version=1, steps=(FIRST,))
    made.close()
    sql = connect(tmp_path / "odd #?%name.db", read_only=True)
    with pytest.raises(sqlite3.OperationalError):
        sql.execute("INSERT INTO t (a) VALUES ('x')")
    sql.close()
