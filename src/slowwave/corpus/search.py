"""Search over the corpus as it lies in the checkout: BM25, any term, stemmed, in every script.

The index is a derived file: it holds nothing that the memory files do not, is brought up to date before each search
by looking only at what changed, and is thrown away and built again when its format is another or it is damaged.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slowwave.corpus.fields import parse_entity
from slowwave.corpus.index import drop_files, lay_out, put_file
from slowwave.corpus.query import match_terms, snippet
from slowwave.corpus.slugs import slug
from slowwave.corpus.tree import TreeFile
from slowwave.disk.sql import connect_derived
from slowwave.facts.ids import MemoryPath
from slowwave.facts.limits import INDEX_FORMAT
from slowwave.facts.memory import Entity, Kind, Status
from slowwave.facts.refusal import DamageError, Refusal
from slowwave.facts.text import normal, showable

MOST_HITS = 100  # more is not a search but a listing
_FEW = 500  # files that are ranked in a millisecond, however large their share
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One memory that was found; ``score`` is positive, more is better, and comparable within one search only."""

    path: MemoryPath
    claim: str
    score: float
    snippet: str
    kind: Kind
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """What a refresh did: files seen, and of them new or changed, gone, and unreadable (each with its reason).

    ``memories`` counts those that an ordinary search covers: readable, active, no task.
    """

    files: int
    changed: int
    gone: int
    faults: tuple[Refusal, ...]
    memories: int = 0
    rebuilt: bool = False


class SearchIndex:
    """The index of one corpus in one database file."""

    def __init__(self, db: Path) -> None:
        self._path = db
        self._sql: sqlite3.Connection | None = None

    def refresh(self, files: Iterable[TreeFile]) -> IndexReport:
        """Bring the index up to the files given, which are all there are."""
        listed = tuple(files)
        try:
            return self._refresh(listed, is_new=self._open())
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
        except DamageError:
            pass
        self.close()
        self._open(is_anew=True)
        return self._refresh(listed, is_new=True)

    def search(
        self,
        query: str,
        *,
        kind: Kind | None = None,
        project: str | None = None,
        entity: str | Entity | None = None,
        limit: int = 10,
        with_retired: bool = False,
    ) -> tuple[Hit, ...]:
        """Memories that hold any word of the query, the best first.

        Args:
            query: A person's words; nothing in it is syntax. Without a letter or digit nothing is found.
            kind: Only memories of this kind.
            project: Only memories of this project, by name or slug.
            entity: Only memories about this ``type:name``, letter case aside.
            limit: At most this many, 1 to 100.
            with_retired: Whether archived and superseded memories are found too.

        Raises:
            DamageError: The index is damaged; it was removed, and the next refresh builds it again.
        """
        terms = match_terms(query)
        wanted: dict[str, str | int] = {
            "kind": kind.value if kind else "",
            "project": slug(project) if project else "",
            "entity": _reference(entity) if entity else "",
            "retired": int(with_retired),
        }
        try:
            self._open()
            return tuple(_hit(row, query) for row in self._rows(terms, wanted, max(1, min(limit, MOST_HITS))))
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            self.close()
            connect_derived(self._path, is_anew=True).close()
            raise DamageError("the search index is damaged", hint="run the search again; it is rebuilt then") from None

    def _rows(self, terms: Sequence[str], wanted: Mapping[str, str | int], limit: int) -> list[sqlite3.Row]:
        """Memories with a telling word first; those that hold only words of every second file fill what is left."""
        telling = self._telling(terms)
        rows: list[sqlite3.Row] = []
        for expression in dict.fromkeys((" OR ".join(telling), " OR ".join(terms))):
            if expression and len(rows) < limit:
                found = {row["path"] for row in rows}
                values = {**wanted, "expression": expression, "limit": limit}
                rows.extend(row for row in self._connection().execute(_QUERY, values) if row["path"] not in found)
        return rows[:limit]

    def _telling(self, terms: Sequence[str]) -> tuple[str, ...]:
        """The terms found in at most a quarter of all files: counting is cheap, ranking all that holds one is not."""
        sql = self._connection()
        total = int(sql.execute(_COUNT_ALL).fetchone()[0])
        counts = {term: int(sql.execute(_COUNT, (term,)).fetchone()[0]) for term in terms}
        return tuple(term for term, count in counts.items() if 0 < count <= max(_FEW, total // 4))

    def close(self) -> None:
        """Close the database."""
        if self._sql is not None:
            self._sql.close()
            self._sql = None

    def _connection(self) -> sqlite3.Connection:
        assert self._sql is not None
        return self._sql

    def _open(self, *, is_anew: bool = False) -> bool:
        """Connect; whether the index had to be laid out anew, since there was none or one of another format."""
        if self._sql is not None:
            return False
        self._sql = connect_derived(self._path, is_anew=is_anew)
        found = int(self._sql.execute("PRAGMA user_version").fetchone()[0])
        if found == INDEX_FORMAT:
            return False
        if found or self._sql.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
            self.close()
            self._sql = connect_derived(self._path, is_anew=True)
        with self._sql:
            self._sql.execute("BEGIN IMMEDIATE")
            lay_out(self._sql)
        return True

    def _refresh(self, listed: tuple[TreeFile, ...], *, is_new: bool) -> IndexReport:
        sql = self._connection()
        known = {str(path): (int(number), str(digest)) for number, path, digest in sql.execute(_KNOWN)}
        changed = [file for file in listed if known.get(file.path, (0, ""))[1] != file.digest]
        present = {file.path for file in listed}
        gone = [number for path, (number, _) in known.items() if path not in present]
        stale = [known[file.path][0] for file in changed if file.path in known]
        if changed or gone:
            with sql:
                sql.execute("BEGIN IMMEDIATE")
                drop_files(sql, gone + stale)
                for file in changed:
                    put_file(sql, file)
        faults = tuple(_fault(path, fault) for path, fault in sql.execute(_FAULTS))
        return IndexReport(
            files=len(listed),
            changed=len(changed),
            gone=len(gone),
            faults=faults,
            memories=int(sql.execute(_COUNT_ACTIVE).fetchone()[0]),
            rebuilt=is_new,
        )


_QUERY = """
SELECT files.path, memories.claim, memories.body, memories.kind, memories.status, found.score
FROM (
    SELECT texts.rowid AS id, bm25(texts, 4.0, 1.0, 2.0) AS score
    FROM texts JOIN memories ON memories.id = texts.rowid JOIN files USING (id)
    WHERE texts MATCH :expression
        AND (:retired OR memories.status = 'active')
        AND (:kind = '' OR memories.kind = :kind)
        AND (:project = '' OR memories.project = :project)
        AND (:entity = '' OR memories.id IN (SELECT id FROM entities WHERE reference = :entity))
    ORDER BY score, files.path
    LIMIT :limit
) AS found JOIN memories USING (id) JOIN files USING (id)
ORDER BY found.score, files.path
"""
"""A word of the claim tells most, one of the gist least; entities, tags and the path stand between."""
_COUNT_ALL = "SELECT count(*) FROM memories"
_COUNT_ACTIVE = "SELECT count(*) FROM memories WHERE status = 'active' AND kind != 'task'"
_COUNT = "SELECT count(*) FROM texts WHERE texts MATCH ?"
_KNOWN = "SELECT id, path, digest FROM files"
_FAULTS = "SELECT path, fault FROM files WHERE fault IS NOT NULL ORDER BY path"


def _fault(path: str, code: str) -> Refusal:
    return Refusal(code=code, path=path, message="the file is no readable memory; `slowwave doctor` says what is wrong")


def _hit(row: sqlite3.Row, query: str) -> Hit:
    return Hit(
        path=MemoryPath(row["path"]),
        claim=showable(row["claim"]),
        score=round(-float(row["score"]), 6),
        snippet=snippet(query, row["body"]),
        kind=Kind(row["kind"]),
        status=Status(row["status"]),
    )


def _reference(entity: str | Entity) -> str:
    found = parse_entity(entity) if isinstance(entity, str) else entity
    return normal(str(found)) if found else "\x00"  # a reference that cannot be one finds nothing


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
