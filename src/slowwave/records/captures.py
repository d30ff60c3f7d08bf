"""The line of a capture: bytes of a producer's file as a capture or a refusal, and a capture as the line we write.

A capture file is appended to by several programs, some of them not ours, so each line is held to the rules of spec 05
("Lines") where it is decoded and nothing behind this file meets an unchecked value.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, NoReturn
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from slowwave.facts.capture import Capture, Tag
from slowwave.facts.ids import digest
from slowwave.facts.limits import MOST_CAPTURE_BYTES, REJECT_HEAD_CHARACTERS
from slowwave.facts.text import fold, is_visible

BLANK, MALFORMED, NON_OBJECT, TOO_LONG, INVALID = "blank", "malformed", "non_object", "too_long", "invalid"
_BOM = b"\xef\xbb\xbf"
_ID_DIGITS = 24  # 96 bits: no accidental pair among all captures anybody will have
_REACH = timedelta(days=2)  # a moment nearer to the ends of the calendar cannot be shown in every zone
_SPEAKERS = ("user", "agent")
_TAGS = {tag.value: tag for tag in Tag}
_SURROGATE = re.compile("[\ud800-\udfff]")
_BREAK = re.compile(r"\r\n?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A line that is no capture.

    Attributes:
        reason: ``blank``, ``malformed``, ``non_object``, ``too_long`` or ``invalid`` (spec 05).
        head: Its first characters, not yet masked; at most ``REJECT_HEAD_CHARACTERS``.
        sha256: Hex digest over its bytes without the break.
    """

    reason: str
    head: str
    sha256: str


def parse_line(raw: bytes, *, zone: tzinfo) -> Capture | Rejected:
    """A line of a capture file, with or without its break.

    Args:
        raw: Its bytes. Of a line that is too long, the first ``MOST_CAPTURE_BYTES`` + 1 are enough to say so.
        zone: The loop's, whose day is part of the content id of a capture that has neither id nor session nor zone.
    """
    line = raw.removesuffix(b"\n").removesuffix(b"\r")
    if len(line) > MOST_CAPTURE_BYTES:
        return _rejected(line, TOO_LONG)
    bare = line.removeprefix(_BOM)
    if not bare.strip():
        return _rejected(line, BLANK)
    try:
        value = _decoded(bare.decode("utf-8"))
        if isinstance(value, str):
            value = _decoded(value)  # the outer string of a capture that was encoded twice
    except (ValueError, RecursionError):
        return _rejected(line, MALFORMED)
    if not isinstance(value, dict):
        return _rejected(line, NON_OBJECT)
    return _capture(value, zone) or _rejected(line, INVALID)


def content_id(*, tag: Tag, text: str, session_id: str, day: date) -> str:
    """The id of a capture that brings none (spec 05): tag, text with white space collapsed, and session or local day.

    Args:
        tag: Its tag.
        text: Its text.
        session_id: Its session; empty for none.
        day: The local day; counts only where there is no session.
    """
    where = ("session", session_id) if session_id else ("day", day.isoformat())
    return "c-" + digest(tag.value, fold(text), *where)[:_ID_DIGITS]


def identified(capture: Capture, zone: tzinfo) -> Capture:
    """The capture with its content id in place of whatever id it has."""
    day = local_day(capture, zone)
    made = content_id(tag=capture.tag, text=capture.text, session_id=capture.session_id, day=day)
    return replace(capture, id=made)


def local_day(capture: Capture, zone: tzinfo) -> date:
    """The day on which it was said: in the zone that it carries, else in the loop's."""
    own = zone_named(capture.zone)
    return capture.ts.astimezone(own or zone).date()


def zone_named(name: str) -> ZoneInfo | None:
    """The zone of an IANA name; None for an empty or unknown one."""
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def capture_line(capture: Capture) -> bytes:
    """The line of a capture, without its break; ``parse_line`` reads it back as the same capture."""
    record: dict[str, Any] = {
        "id": capture.id,
        "ts": capture.ts.isoformat(),
        "tag": capture.tag.value,
        "text": capture.text,
        "source": capture.source,
    }
    more = {
        "session_id": capture.session_id,
        "line": capture.line,
        "zone": capture.zone,
        "speaker": capture.speaker,
    }
    record |= {name: value for name, value in more.items() if value}
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace")


def _decoded(text: str) -> object:
    """A JSON value; of one key twice the last counts, a lone surrogate becomes U+FFFD.

    Raises:
        ValueError: It is none; ``NaN`` and ``Infinity`` are none either.
        RecursionError: It nests without end.
    """
    return json.loads(text, parse_constant=_refuse)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _capture(record: Mapping[str, Any], zone: tzinfo) -> Capture | None:
    """The capture that an object is; None where tag, text or moment are missing or wrong."""
    tag, ts, text = _tag(record.get("tag")), _moment(record.get("ts")), words_of(record.get("text"))
    if tag is None or ts is None or not is_visible(text):
        return None
    name, line, speaker = words_of(record.get("zone")), record.get("line"), words_of(record.get("speaker"))
    capture = Capture(
        id=words_of(record.get("id")),
        ts=ts,
        tag=tag,
        text=text,
        source=words_of(record.get("source")),
        session_id=words_of(record.get("session_id")),
        line=line if type(line) is int and line > 0 else None,
        zone=name if zone_named(name) else "",
        speaker=speaker if speaker in _SPEAKERS else "",
    )
    return capture if fold(capture.id) else identified(capture, zone)


def _tag(value: object) -> Tag | None:
    return _TAGS.get(value.strip().lower()) if isinstance(value, str) else None


def _moment(value: object) -> datetime | None:
    """An aware moment with the offset it was written with; None for anything else."""
    if not isinstance(value, str) or len(value) > 40:
        return None
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            return None
        utc = moment.astimezone(UTC)
        _ = (utc - _REACH, utc + _REACH)
    except (ValueError, OverflowError):
        return None
    return moment


def words_of(value: object) -> str:
    """A text as it can be stored: whole characters, line breaks as LF, ends trimmed; empty for what is no text."""
    if not isinstance(value, str):
        return ""
    return _BREAK.sub("\n", _SURROGATE.sub("\ufffd", value)).strip()


def _rejected(line: bytes, reason: str) -> Rejected:
    head = line[: REJECT_HEAD_CHARACTERS * 4].decode("utf-8", "replace")[:REJECT_HEAD_CHARACTERS]
    return Rejected(reason=reason, head=head, sha256=hashlib.sha256(line).hexdigest())
