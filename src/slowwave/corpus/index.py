"""Tables of the search index, and how one memory file gets into them."""

import sqlite3
from collections.abc import Iterable

from slowwave.corpus.format import FormatError, read
from slowwave.corpus.paths import project_of
from slowwave.corpus.query import spaced
from slowwave.corpus.tree import TreeFile
from slowwave.disk.fence import FenceError
from slowwave.facts.limits import INDEX_FORMAT
from slowwave.facts.memory import Memory
from slowwave.facts.text import normal

_SCHEMA = """
CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, fault TEXT);
CREATE TABLE memories (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, status TEXT NOT NULL, project TEXT NOT NULL,
    claim TEXT NOT NULL, body TEXT NOT NULL
);
CREATE TABLE entities (reference TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (reference, id)) WITHOUT ROWID;
CREATE INDEX entities_of ON entities (id);
CREATE VIRTUAL TABLE texts USING fts5 (claim, body, about, tokenize = 'porter unicode61 remove_diacritics 2')
"""
_REMOVALS = (
    "DELETE FROM texts WHERE rowid = ?",
    "DELETE FROM entities WHERE id = ?",
    "DELETE FROM memories WHERE id = ?",
    "DELETE FROM files WHERE id = ?",
)


def lay_out(sql: sqlite3.Connection) -> None:
    """Make the tables of an empty database, within the caller's transaction."""
    for statement in _SCHEMA.split(";"):
        sql.execute(statement)
    sql.execute(f"PRAGMA user_version = {INDEX_FORMAT:d}")


def drop_files(sql: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Forget files by number."""
    rows = [(number,) for number in numbers]
    for statement in _REMOVALS:
        sql.executemany(statement, rows)


def put_file(sql: sqlite3.Connection, file: TreeFile) -> None:
    """Index one file; one that cannot be read is kept with its fault and not opened again until it changes."""
    memory = _read(file)
    if isinstance(memory, str):
        sql.execute("INSERT INTO files (path, digest, fault) VALUES (?, ?, ?)", (file.path, file.digest, memory))
        return
    number = sql.execute("INSERT INTO files (path, digest) VALUES (?, ?)", (file.path, file.digest)).lastrowid
    sql.execute(
        "INSERT INTO memories (id, kind, status, project, claim, body) VALUES (?, ?, ?, ?, ?, ?)",
        (number, memory.kind, memory.status, project_of(file.path), memory.claim, memory.body),
    )
    references = sorted({normal(str(entity)) for entity in memory.entities})
    sql.executemany("INSERT INTO entities (reference, id) VALUES (?, ?)", [(one, number) for one in references])
    about = " ".join([*(entity.name for entity in memory.entities), *memory.tags, file.path])
    sql.execute(
        "INSERT INTO texts (rowid, claim, body, about) VALUES (?, ?, ?, ?)",
        (number, spaced(memory.claim), spaced(memory.body), spaced(about)),
    )


def _read(file: TreeFile) -> Memory | str:
    """The memory of a file, as far as a person's hand left it readable, or the code of what is wrong with it."""
    try:
        return read(file.load(), file.path).memory
    except FormatError as error:
        return error.refusals[0].code
    except FenceError as error:
        return error.code
    except OSError:
        return "unreadable"
