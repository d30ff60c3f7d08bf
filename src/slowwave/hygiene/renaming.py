"""Renaming: a session's id changed wherever a record carries it as its own, and nowhere else.

A tool that was asked about the session has the same id in its call and in its answer; those are words of the
conversation, and stay.
"""

import re

from slowwave.hygiene.splice import SpliceError, apply, encode, record_starts, span_of, steps_of, value_at
from slowwave.hygiene.wires.wire import Record
from slowwave.records.whole import decode

_TOP = ("sessionId", "session_id")
_HEAD = ("payload.id", "payload.session_id")
_EVENT = ("payload.thread_id", "payload.session_id", "payload.conversation_id")
_PLACES = {"session_meta": _HEAD, "event_msg": _EVENT}
_MEMBER = rb'("(?:sessionId|session_id|thread_id|conversation_id|id)"[ \t]*:[ \t]*)'
_DAMAGED = rb'("(?:sessionId|session_id)"[ \t]*:[ \t]*)'


def renamed(line: bytes, old: str, new: str) -> bytes:
    """A line with its session's id changed wherever its records carry it.

    Args:
        line: Whatever stands on it.
        old: The id they may carry.
        new: The one they are to carry.
    """
    if old.encode() not in line:
        return line
    is_ascii = line.isascii()
    told, wanted = encode(old, is_ascii=is_ascii), encode(new, is_ascii=is_ascii)
    try:
        record = decode(line)
    except ValueError:
        return _renamed_apart(line, old, told, wanted)
    if not isinstance(record, dict):
        return line
    fields = _carried(record, old)
    every, count = re.subn(_MEMBER + re.escape(told), lambda found: found.group(1) + wanted, line)
    # Inside a string every quote is escaped, so that what looks like a member there is never taken for one.
    if count == len(fields):
        return every
    text = line.decode("latin-1")
    return apply(line, [(*span_of(text, 0, steps_of(field)), wanted) for field in fields])


def carried_at(record: Record) -> tuple[str, ...]:
    """Where a record may carry the id of its session."""
    if isinstance(record.get("payload"), dict):
        return _PLACES.get(str(record.get("type")), ())
    return ("id",) if "instructions" in record and "type" not in record else _TOP


def _carried(record: Record, session: str) -> list[str]:
    return [field for field in carried_at(record) if value_at(record, field) == session]


def _renamed_apart(line: bytes, old: str, told: bytes, wanted: bytes) -> bytes:
    """A line of several records, or with damage in it, which is looked at by its bytes alone."""
    text = line.decode("latin-1")
    try:
        splices = []
        for start in record_starts(text.rstrip("\r\n")):
            begin, end = span_of(text, start, ())
            record = decode(line[begin:end])
            fields = _carried(record, old) if isinstance(record, dict) else []
            splices += [(*span_of(text, start, steps_of(field)), wanted) for field in fields]
    except (SpliceError, ValueError):
        return re.sub(_DAMAGED + re.escape(told), lambda found: found.group(1) + wanted, line)
    return apply(line, splices)
