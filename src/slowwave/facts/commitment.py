"""A commitment: what the person owes somebody, taken from a capture or a task."""

from dataclasses import dataclass
from enum import StrEnum


class CommitmentStatus(StrEnum):
    """Where it stands; of a task's four states proposed and open are pending, dismissed is dropped (spec 05)."""

    PENDING = "pending"
    DONE = "done"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """One commitment.

    Attributes:
        id: Stable.
        ts: When it was made, ISO with offset; may be empty in records of other writers.
        statement: What is owed, in the person's words.
        actor: Who owes it; ``me``, or a name.
        due: A day, an instant with offset, or empty; kept as written, also where nobody can read it.
        priority: ``critical``, ``high``, ``normal`` or ``low``; other writers' words as they are.
        blocking: Whether somebody waits for it.
        confidence: 0 to 1, how sure it is that it is one.
        status: Where it stands.
        source: Who brought it.
        capture_id: The capture it comes from; empty for none.
        task: Path or item of the corpus task that stands for the same; empty for none.
    """

    id: str
    ts: str = ""
    statement: str
    actor: str = "me"
    due: str = ""
    priority: str = "normal"
    blocking: bool = False
    confidence: float = 1.0
    status: CommitmentStatus = CommitmentStatus.PENDING
    source: str = ""
    capture_id: str = ""
    task: str = ""
