"""Replaying a recorded turn: its calls made again over the same batch, by nobody, for the same verdict."""

from dataclasses import replace

from slowwave.facts.ids import digest
from slowwave.records.read import MarksOf, no_marks
from slowwave.records.secrets import Secrets
from slowwave.sleep.engine import NOTHING_PROVED, Failure, Reading, Verdict
from slowwave.sleep.turn import Turn
from slowwave.sleep.turns import TurnRecord


def replay(record: TurnRecord, reading: Reading, secrets: Secrets, *, marks: MarksOf = no_marks) -> Verdict:
    """The verdict of a recorded turn, found again from its calls and the sessions themselves.

    A reply that differs from the one recorded changes nothing by itself: what holds is held against the record of the
    session, not against the reply. How many differed stands in ``findings`` under ``replies_changed``.
    """
    if record.batch_id != reading.batch_id:
        message = f"the record is of batch {record.batch_id or 'none'}, not of {reading.batch_id or 'none'}"
        failure = Failure(code="replay_mismatch", message=message)
        return Verdict(proved=NOTHING_PROVED, refusals=(), counts={}, failure=failure)
    turn = Turn(reading, secrets=secrets, nonce=record.nonce, marks=marks)
    changed = sum(digest(turn.call(one.name, one.arguments).text) != one.reply_digest for one in record.calls)
    return replace(turn.verdict(), usage=record.usage, findings={"replies_changed": changed})
