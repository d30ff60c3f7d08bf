"""The ledger of calls: one row a call, written before it is made, in a file of its own that every process shares.

A row counts in full from the moment it is reserved; only its own reconciliation makes it smaller. So a process that
dies between the two has spent what it reserved, and no restart adds anything.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from slowwave.disk.sql import at_once, connect, connect_copy, migrate
from slowwave.disk.trouble import DiskError, speaking
from slowwave.facts.limits import BUDGET_FORMAT
from slowwave.facts.refusal import DamageError, SlowwaveError

_FIRST = """
CREATE TABLE calls (
    id INTEGER PRIMARY KEY, day TEXT NOT NULL, moment TEXT NOT NULL, consumer TEXT NOT NULL, phase TEXT NOT NULL,
    run_id TEXT NOT NULL, reason TEXT NOT NULL, model TEXT NOT NULL, status TEXT NOT NULL,
    input_tokens INTEGER NOT NULL CHECK (input_tokens >= 0), output_tokens INTEGER NOT NULL CHECK (output_tokens >= 0),
    cache_read_tokens INTEGER NOT NULL DEFAULT 0, cache_write_tokens INTEGER NOT NULL DEFAULT 0,
    micro_usd INTEGER NOT NULL CHECK (micro_usd >= 0), milliseconds INTEGER NOT NULL CHECK (milliseconds >= 0),
    reserved_tokens INTEGER NOT NULL, reserved_micro_usd INTEGER NOT NULL
) STRICT;
CREATE INDEX calls_by_day ON calls (day, consumer);
"""


class BudgetUnreadableError(SlowwaveError):
    """The ledger cannot be read or written, so that nothing may be asked: what was spent is not known."""

    code: ClassVar[str] = "budget_unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What one day's calls count: whole numbers, reservations in full."""

    calls: int
    tokens: int
    micro_usd: int
    milliseconds: int


class Ledger:
    """An open ledger.

    Args:
        path: Where it lies.
        is_read_only: Nothing may be written: a copy in memory stands in, an empty one where there is no such file.

    Raises:
        BudgetUnreadableError: It is damaged, foreign, or may not be opened.
    """

    def __init__(self, path: Path, *, is_read_only: bool = False) -> None:
        self._path = path
        self._is_read_only = is_read_only
        with self._closed_when_broken():
            self.connection = connect_copy(path) if is_read_only else connect(path)
            self._refuse_foreign()
            migrate(self.connection, name="the budget", version=BUDGET_FORMAT, steps=(_FIRST,))

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    @contextmanager
    def step(self) -> Iterator[sqlite3.Connection]:
        """One durable transaction that nobody else writes beside.

        Raises:
            BudgetUnreadableError: The ledger is damaged, only to be read, or the disk refused; nothing of the block
                was kept.
        """
        if self._is_read_only:  # else every process would spend the rest of the day in a copy of its own
            raise BudgetUnreadableError(
                f"{self._path} may only be read here, so that no call can be reserved and nothing is asked",
                hint="give the folder back to your user, or set SLOWWAVE_HOME to a folder of yours",
            )
        with self._closed_when_broken(), at_once(self.connection):
            yield self.connection

    def _refuse_foreign(self) -> None:
        """Leave a database alone that holds tables and none of ours: in it the day would begin anew."""
        names = {str(row[0]) for row in self.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if names and "calls" not in names:
            raise DamageError(f"{self._path} is a database of something else")

    @contextmanager
    def _closed_when_broken(self) -> Iterator[None]:
        try:
            with speaking(self._path):
                yield
        except (DamageError, DiskError, sqlite3.Error) as error:
            what = error.message if isinstance(error, SlowwaveError) else str(error)
            remedy = "move the damaged file away: the day begins anew" if isinstance(error, DamageError) else ""
            raise BudgetUnreadableError(
                f"what was spent cannot be known, so nothing is asked: {what}",
                hint=remedy or "`slowwave doctor` looks at the home; rules go on without a model",
            ) from error

    def rows(self, question: str, values: Sequence[str | int] = ()) -> list[sqlite3.Row]:
        """What a question in SQL finds.

        Raises:
            BudgetUnreadableError: The ledger is damaged.
        """
        with self._closed_when_broken():
            return self.connection.execute(question, values).fetchall()

    def spent(self, day: str, consumer: str = "") -> Spent:
        """What counts for a day: of one consumer, or of all.

        Raises:
            BudgetUnreadableError: The ledger is damaged.
        """
        row = self.rows(
            "SELECT COUNT(*), TOTAL(input_tokens + output_tokens), TOTAL(micro_usd), TOTAL(milliseconds)"
            " FROM calls WHERE day = ? AND (? = '' OR consumer = ?)",
            (day, consumer, consumer),
        )[0]
        return Spent(calls=int(row[0]), tokens=int(row[1]), micro_usd=int(row[2]), milliseconds=int(row[3]))

    def newest_day(self, *, until: str) -> str:
        """The newest day, up to one, that anything was reserved on; empty where there is none.

        Raises:
            BudgetUnreadableError: The ledger is damaged.
        """
        return str(self.rows("SELECT MAX(day) FROM calls WHERE day <= ?", (until,))[0][0] or "")

    def forget(self, *, days: int) -> None:
        """Drop the oldest calls; those of the newest so many days with calls stay.

        Days are counted as the ledger has them and not by the clock: one that jumps ahead forgets nothing that counts.
        """
        self.connection.execute(
            "DELETE FROM calls WHERE day < (SELECT MIN(day) FROM (SELECT DISTINCT day FROM calls"
            " ORDER BY day DESC LIMIT ?))",
            (days,),
        )
