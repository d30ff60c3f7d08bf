"""Arguments of a tool call: from a stranger's JSON to values, or one refusal that names every fault in them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from slowwave.facts.ids import SessionId
from slowwave.facts.limits import LINE_WIDTH, MOST_ARGUMENT_BYTES, SEARCH_CONTEXT, SEARCH_HITS
from slowwave.facts.refusal import Refusal
from slowwave.proof.faults import Faults, below, read_flag, read_object, read_text
from slowwave.proof.json_text import BadJsonError, JsonObject, JsonValue, read_json

_WHOLE = "arguments"
_MOST_NUMBER = 2**53  # past it JSON numbers are no longer exact


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchArguments:
    """What ``search_transcript`` was asked."""

    session_id: SessionId
    phrase: str
    max_hits: int
    context: int
    ignore_case: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesArguments:
    """What ``read_lines`` was asked."""

    session_id: SessionId
    file: int
    start: int
    end: int
    width: int
    column: int


def read_no_arguments(text: str) -> tuple[Refusal, ...] | None:
    """Nothing, as it should be; or the fault."""
    faults = Faults()
    value = _value(text, faults)
    if not faults.refusals() and not (isinstance(value, JsonObject) and not value.members):
        faults.add(_WHOLE, "This tool takes no arguments; call it with an empty object, {}.")
    return faults.refusals() or None


def read_search(text: str) -> SearchArguments | tuple[Refusal, ...]:
    """The arguments of a search."""
    faults = Faults()
    optional = ("maxHits", "context", "ignoreCase")
    members = _members(text, faults, required=("sessionId", "phrase"), optional=optional)
    read = SearchArguments(
        session_id=SessionId(read_text(members, "sessionId", "", faults, most=None)),
        phrase=read_text(members, "phrase", "", faults, most=None),
        max_hits=_number(members, "maxHits", SEARCH_HITS, faults),
        context=_number(members, "context", SEARCH_CONTEXT, faults),
        ignore_case=read_flag(members, "ignoreCase", "", faults),
    )
    return _refused(faults) or read


def read_range(text: str) -> LinesArguments | tuple[Refusal, ...]:
    """The arguments of a reading of lines."""
    faults = Faults()
    optional = ("file", "width", "column")
    members = _members(text, faults, required=("sessionId", "start", "end"), optional=optional)
    read = LinesArguments(
        session_id=SessionId(read_text(members, "sessionId", "", faults, most=None)),
        file=_number(members, "file", 0, faults),
        start=_number(members, "start", 1, faults),
        end=_number(members, "end", 1, faults),
        width=_number(members, "width", LINE_WIDTH, faults),
        column=_number(members, "column", 1, faults),
    )
    return _refused(faults) or read


def _refused(faults: Faults) -> tuple[Refusal, ...]:
    """The faults; those of the whole are faults of the arguments, as these are no answer."""
    return tuple(replace(one, path=_WHOLE) if one.path == "answer" else one for one in faults.refusals())


def _members(
    text: str, faults: Faults, *, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> dict[str, JsonValue]:
    value = _value(text, faults)
    if faults.refusals():
        return {}
    return read_object(value, "", faults, required=required, optional=optional) or {}


def _value(text: str, faults: Faults) -> JsonValue:
    """The JSON value of a call's arguments; no text at all counts as an empty object."""
    try:
        return read_json(text.encode("utf-8", "surrogatepass") or b"{}", most_bytes=MOST_ARGUMENT_BYTES)
    except BadJsonError as error:
        faults.add(_WHOLE, f"{error} Write the arguments as one JSON object.")
        return None


def _number(members: Mapping[str, JsonValue], key: str, default: int, faults: Faults) -> int:
    value = members.get(key, default)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > _MOST_NUMBER:
        faults.add(below("", key), "This must be a whole number.")
        return default
    return value
