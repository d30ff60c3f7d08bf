"""An answer of seed 002, or a plan of ours, read from a stranger's bytes: operations of good form, and refusals.

An answer is ``{"ops": [...]}`` and closed; a plan is known by its key ``operations``, alone or inside a command's
envelope, and only what an operation needs is read from it. One malformed operation is refused by itself. Nothing is
repaired: what was checked is what was meant. Codes come in this order: form, range, texts, and then what an operation
has to do with those before it.
"""

from bisect import bisect_left, insort
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from slowwave.facts.limits import MOST_ANSWER_BYTES
from slowwave.hygiene.notes import check_note, check_rationale
from slowwave.hygiene.stubs import REASONS
from slowwave.proof.json_text import BadJsonError, JsonObject, JsonValue, has_surrogate, read_json
from slowwave.records.secrets import Secrets

__all__ = ["Asked", "Rejected", "check_note", "check_rationale", "parse_answer"]

BAD_JSON = "BAD_JSON"
UNKNOWN_OP = "UNKNOWN_OP"
INVALID_RANGE = "INVALID_RANGE"
TEXT_NOT_ALLOWED = "TEXT_NOT_ALLOWED"
DUPLICATE_OP = "DUPLICATE_OP"
OVERLAP = "OVERLAP"

MOST_OPERATIONS = 20_000  # of one answer: every second record of the longest sessions known
MOST_REFERENCE_CHARACTERS = 200  # of an item's id or digest
ANSWER_OPS = ("prune_tool_results", "collapse")
PLAN_OPS = ("prune_tool_results", "trim", "collapse")
_REQUIRED = ("op", "range", "rationale")
_ALLOWED = (*_REQUIRED, "replacement")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One operation of good form.

    Attributes:
        number: Its place in the answer, from 0.
        op: ``prune_tool_results``, ``collapse``, or, in a plan, ``trim``.
        start: First index.
        end: One past the last.
        items: Id and digest of each item a plan names; empty in an answer.
        rationale: One line, perhaps empty.
        replacement: The words of a note; empty where none were given.
        detector: Who found it, in a plan; empty where somebody named it.
    """

    number: int
    op: str
    start: int
    end: int
    items: tuple[tuple[str, str], ...] = ()
    rationale: str = ""
    replacement: str = ""
    detector: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """Something that was refused.

    Attributes:
        op: Number of the operation, from 0; None for the whole answer.
        code: Stable, in capitals.
        message: One sentence; never the stranger's own words.
    """

    op: int | None
    code: str
    message: str


def parse_answer(
    raw: bytes | str, length: int, *, holds_secret: Callable[[str], bool] | None = None
) -> tuple[tuple[Asked, ...], tuple[Rejected, ...]]:
    """The operations of an answer or a plan, and everything that was refused, in its order.

    Args:
        raw: UTF-8, or text.
        length: How many indices there are.
        holds_secret: Tells whether a text holds a secret; our own rules where it is left out.
    """
    try:
        value = read_json(_bytes(raw), most_bytes=MOST_ANSWER_BYTES)
        entries, is_plan = _entries(value)
    except (BadJsonError, _FaultError) as error:
        return (), (Rejected(op=None, code=BAD_JSON, message=str(error)),)
    secret = holds_secret or Secrets(deep=False).holds_secret_or_mask
    asked: list[Asked] = []
    rejected: list[Rejected] = []
    before = _Before()
    for number, entry in enumerate(entries):
        try:
            one = _operation(entry, number, is_plan=is_plan)
            _check_range(one, length)
            _check_texts(one, secret)
            before.admit(one)
        except _FaultError as fault:
            rejected.append(Rejected(op=number, code=fault.code, message=str(fault)))
        else:
            asked.append(one)
    return tuple(asked), tuple(rejected)


class _FaultError(ValueError):
    """What is wrong with one operation, or with the whole answer."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def _bad(message: str) -> _FaultError:
    return _FaultError(BAD_JSON, message)


def _bytes(raw: bytes | str) -> bytes:
    return raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw


def _entries(value: JsonValue) -> tuple[list[JsonValue], bool]:
    """The list of operations, and whether it is a plan's."""
    if not isinstance(value, JsonObject):
        raise _bad('An answer is one object, {"ops": [...]}.')
    inner = value.members.get("data")
    plan = next((one for one in (value, inner) if isinstance(one, JsonObject) and "operations" in one.members), None)
    held, key = (value, "ops") if plan is None or "ops" in value.members else (plan, "operations")
    if value.repeated or held.repeated:
        raise _bad("A key occurs more than once; keep one.")
    listed = held.members.get(key)
    if key == "ops" and set(held.members) != {"ops"}:
        raise _bad('An answer has the key "ops" and no other.')
    if not isinstance(listed, list):
        raise _bad(f'The key "{key}" holds a list.')
    if len(listed) > MOST_OPERATIONS:
        raise _bad(f"An answer has at most {MOST_OPERATIONS:,} operations.")
    return listed, key == "operations"


def _operation(entry: JsonValue, number: int, *, is_plan: bool) -> Asked:
    if not isinstance(entry, JsonObject):
        raise _bad("An operation is an object.")
    members = entry.members
    if entry.repeated:
        raise _bad("A key of this operation occurs more than once; keep one.")
    if not is_plan and not set(_REQUIRED) <= set(members) <= set(_ALLOWED):
        raise _bad(f"An operation has {', '.join(_REQUIRED)}, perhaps replacement, and nothing else.")
    op = _text(members, "op")
    start, end = _range(members.get("range"))
    one = Asked(
        number=number,
        op=op,
        start=start,
        end=end,
        rationale=_text(members, "rationale", is_optional=is_plan),
        replacement=_text(members, "replacement", is_optional=True),
    )
    known = PLAN_OPS if is_plan else ANSWER_OPS
    if op not in known:
        raise _FaultError(UNKNOWN_OP, f"An operation is one of {', '.join(known)}.")
    return replace(one, items=_items(members), detector=_detector(members)) if is_plan else one


def _text(members: Mapping[str, JsonValue], key: str, *, is_optional: bool = False) -> str:
    value = members.get(key)
    if value is None and is_optional:
        return ""
    if not isinstance(value, str) or has_surrogate(value):
        raise _bad(f"The {key} of an operation is a text.")
    return value


def _range(value: JsonValue) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise _bad("A range is a list of two indices, [start, end).")
    start, end = value
    if isinstance(start, bool) or isinstance(end, bool) or not isinstance(start, int) or not isinstance(end, int):
        raise _bad("An index is a whole number.")
    return start, end


def _items(members: Mapping[str, JsonValue]) -> tuple[tuple[str, str], ...]:
    value = members.get("items")
    if not isinstance(value, list) or not value:
        raise _bad("An operation of a plan names its items.")
    return tuple((_reference(item, "id"), _reference(item, "digest")) for item in value)


def _reference(item: JsonValue, key: str) -> str:
    value = item.members.get(key) if isinstance(item, JsonObject) and not item.repeated else None
    if not isinstance(value, str) or has_surrogate(value) or not 0 < len(value) <= MOST_REFERENCE_CHARACTERS:
        raise _bad("An item of a plan has an id and a digest.")
    return value


def _detector(members: Mapping[str, JsonValue]) -> str:
    value = _text(members, "detector", is_optional=True)
    if value and value not in REASONS:
        raise _bad("The detector of an operation is none that is known here.")
    return value


def _check_range(one: Asked, length: int) -> None:
    if not 0 <= one.start < one.end <= length:
        raise _FaultError(INVALID_RANGE, f"A range lies within 0 and {length:,} and ends behind its start.")


def _check_texts(one: Asked, holds_secret: Callable[[str], bool]) -> None:
    fault = check_rationale(one.rationale)
    if not fault and one.rationale and holds_secret(one.rationale):
        fault = "A rationale holds no secret."
    if not fault and one.replacement:
        fault = check_note(one.replacement, holds_secret=holds_secret)
    if fault:
        raise _FaultError(TEXT_NOT_ALLOWED, fault)


@dataclass(slots=True)
class _Before:
    """The operations that stand so far: by range in an answer, by item in a plan."""

    spans: list[tuple[int, int]] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    seen: set[Asked] = field(default_factory=set)

    def admit(self, one: Asked) -> None:
        """Let an operation stand, or say why one before it leaves no place for it."""
        what = replace(one, number=0)
        if what in self.seen:
            raise _FaultError(DUPLICATE_OP, "The same operation stands before this one.")
        named = [name for name, _ in one.items]
        if self.ids.intersection(named) or len(set(named)) < len(named):
            raise _FaultError(OVERLAP, "An item of this operation is named before.")
        if not named:
            self._place(one.start, one.end)
        self.ids.update(named)
        self.seen.add(what)

    def _place(self, start: int, end: int) -> None:
        at = bisect_left(self.spans, (start, end))
        starts_inside = at > 0 and self.spans[at - 1][1] > start
        ends_inside = at < len(self.spans) and self.spans[at][0] < end
        if starts_inside or ends_inside:
            raise _FaultError(OVERLAP, "This range overlaps that of an operation before it.")
        insort(self.spans, (start, end))
