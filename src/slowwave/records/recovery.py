"""Recovery: every whole record on a line that is not one clean record.

Real damage is two records glued together, a record cut in the middle and followed by a complete one, runs of NUL, half
a surrogate pair, bytes that are no UTF-8. The line is read as Latin-1, so that a character is a byte; at each place
where a record can begin the standard library's decoder says where it ends; only that slice is then decoded for good.
The work is bounded by a number of attempts and by bytes looked at, so that no line can make it quadratic.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

import orjson

from slowwave.facts.limits import JSON_DEPTH, RECOVERY_ATTEMPTS, RECOVERY_OBJECTS, RECOVERY_PASSES

_INT_DIGITS = 18  # always fit in 64 bits
_CONTAINERS = frozenset({dict, list})
_BLANK = " \t\r\n"
_BLANKS = re.compile(rf"[{_BLANK}]*")
_START = re.compile(r'\{[ \t\r]*(?:"|\})')
_NEAR = 64  # characters before a record that are looked at
_BEFORE = frozenset(":,[")
_AFTER = frozenset(",]}")
_SKIPPED = re.compile(r"[ \t\r\n\x00]*")
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)
_BYTE_ORDER_MARK = "\xef\xbb\xbf"
_ENVELOPE = frozenset({"uuid", "timestamp", "sessionId", "payload", "leafUuid", "messageId", "record_type"})


@dataclass(frozen=True, slots=True)
class Gap:
    """Bytes of a line, half open, that belong to no record, and why."""

    reason: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a line held: its whole records in order, and the gaps between them."""

    records: tuple[dict[str, Any], ...]
    gaps: tuple[Gap, ...]


def depth(value: object, most: int) -> int:
    """How deep containers are nested in a decoded value, counted up to ``most`` + 1, without recursion."""
    level: list[Any] = [value] if type(value) in _CONTAINERS else []
    reached = 0
    while level and reached <= most:
        reached += 1
        level = [
            child
            for node in level
            for child in (node.values() if type(node) is dict else node)
            if type(child) in _CONTAINERS
        ]
    return reached


def recover(raw: bytes) -> Recovered:
    """The whole records on one line, and what had to be left out."""
    text = raw.decode("latin-1")
    at = len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0
    at = _skip_blank(text, at)
    if at == len(text):
        return Recovered((), ())
    alone = _read_alone(raw, text, at)
    return alone or _Walk(raw, text, at).run()


def _read_alone(raw: bytes, text: str, at: int) -> Recovered | None:
    """A line that is one JSON value of another kind, or one record written as a JSON string."""
    if text[at] == "{":
        return None
    try:
        value = orjson.loads(raw[at:])
    except orjson.JSONDecodeError:
        return None
    if isinstance(value, str) and value.startswith("{"):
        found = recover(value.encode())
        if found.records and not found.gaps:
            return found
    return Recovered((), (Gap("not_object", at, len(raw)),))


class _Walk:
    """One pass over a damaged line.

    ``attempts`` and ``budget`` say how many more may fail and on how many bytes, ``objects`` how many more may succeed.
    """

    def __init__(self, raw: bytes, text: str, at: int) -> None:
        self.raw = raw
        self.text = text
        self.at = at
        self.lost_from = at
        self.budget = RECOVERY_PASSES * len(raw)
        self.attempts = RECOVERY_ATTEMPTS
        self.objects = RECOVERY_OBJECTS
        self.records: list[dict[str, Any]] = []
        self.gaps: list[Gap] = []

    def run(self) -> Recovered:
        while self.attempts and self.objects and self.budget > 0 and (start := self._next_start()) >= 0:
            end = self._end_of(start)
            if end < 0:
                self.attempts -= 1
                self.at = start + 1
                continue
            self.objects -= 1
            if self._take(start, end):
                self.lost_from = end
            self.at = end
        self._lose(len(self.text))
        return Recovered(tuple(self.records), tuple(self.gaps))

    def _next_start(self) -> int:
        found = _START.search(self.text, self.at)
        return found.start() if found else -1

    def _end_of(self, start: int) -> int:
        """Where the value that begins at ``start`` ends, or -1."""
        try:
            return _OUTLINE.raw_decode(self.text, start)[1]
        except json.JSONDecodeError as error:
            is_open = error.msg.startswith("Unterminated string")
            self.budget -= (len(self.text) if is_open else error.pos) - start
        except RecursionError:
            self._lose(start)
            self.gaps.append(Gap("too_deep", start, len(self.text)))
            self.lost_from = len(self.text)
            self.budget = 0
        except ValueError:
            self.budget -= len(self.text) - start
        return -1

    def _take(self, start: int, end: int) -> bool:
        value = _decode(self.raw[start:end])
        if not isinstance(value, dict) or not self._is_record(value, start, end):
            return False
        self._lose(start)
        if depth(value, JSON_DEPTH) > JSON_DEPTH:
            self.gaps.append(Gap("too_deep", start, end))
            return True
        self.records.append(value)
        first = self.text.find("\x00", start, end)
        if first >= 0:
            self.gaps.append(Gap("binary", first, first + self.text.count("\x00", first, end)))
        return True

    def _is_record(self, value: dict[str, Any], start: int, end: int) -> bool:
        """Whether this is a record and not a part of one that was cut off.

        Inside JSON an object follows a colon, a comma or a bracket, and a comma or a closing bracket follows it. Where
        one does, only an object that carries a record's envelope is believed.
        """
        before = self.text[max(self.lost_from, start - _NEAR) : start].rstrip(_BLANK)[-1:]
        behind = _skip_blank(self.text, end)
        after = self.text[behind : behind + 1]
        if before not in _BEFORE and after not in _AFTER:
            return True
        return ("type" in value or "record_type" in value) and not _ENVELOPE.isdisjoint(value)

    def _lose(self, end: int) -> None:
        """Everything from the last record's end up to ``end`` is lost, unless it is blank."""
        start = _skip_blank(self.text, self.lost_from)
        lost = self.text[start:end]
        if end == len(self.text):
            lost = lost.rstrip(_BLANK)
        if lost:
            self.gaps.append(Gap(_reason(lost), start, start + len(lost)))
        self.lost_from = end


def _skip_blank(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def _reason(lost: str) -> str:
    first = _SKIPPED.match(lost)
    if first is not None and first.end() == len(lost):
        return "binary"
    if "{" in lost and '"' in lost and not lost.endswith("}"):
        return "torn"
    return "binary" if "\x00" in lost else "bad_json"


def _refuse(name: str) -> Any:
    """No agent writes NaN or Infinity, and no two readers agree what they mean.

    Raises:
        ValueError: Always.
    """
    raise ValueError(f"{name} is no JSON")


def _number(digits: str) -> int | float:
    """A whole number; past 64 bits as a float, which is what orjson makes of it, and costs no time."""
    return int(digits) if len(digits) <= _INT_DIGITS else float(digits)


_OUTLINE = json.JSONDecoder(strict=False, parse_constant=_refuse, parse_int=_number)


def _decode(raw: bytes) -> object:
    """A JSON value, its broken characters replaced, or None."""
    text = _ESCAPE.sub(lambda found: "\\ufffd" if found.group(1) else found.group(), raw.decode("utf-8", "replace"))
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    try:
        value: object = _OUTLINE.decode(text)
    except (ValueError, RecursionError):
        return None
    return value
