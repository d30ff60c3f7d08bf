"""The closed form of an answer: from a stranger's bytes to ``facts.answer.Answer``, or every fault of form.

The wrong number of quotes is no fault of form: it has codes of its own and is found by ``contract``, which also
collapses a session that is claimed twice, so that paths point into the answer as it was written.
"""

import re
from datetime import date

from slowwave.facts.answer import Answer, Candidate, Commitment
from slowwave.facts.evidence import Quote
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import (
    CLAIM_CHARACTERS,
    ENTITY_CHARACTERS,
    GIST_CHARACTERS,
    MOST_ANSWER_BYTES,
    MOST_CANDIDATES,
    MOST_COMMITMENTS,
    MOST_ENTITIES,
    QUOTE_CHARACTERS,
    STATEMENT_CHARACTERS,
)
from slowwave.facts.memory import CONSOLIDATED_KINDS, Entity, Kind
from slowwave.facts.refusal import Refusal
from slowwave.proof.faults import (
    Faults,
    below,
    read_choice,
    read_flag,
    read_list,
    read_object,
    read_share,
    read_text,
)
from slowwave.proof.json_text import BadJsonError, JsonValue, has_surrogate, read_json

ACTORS = ("user", "agent", "other")
_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def parse_answer(raw: bytes) -> Answer | tuple[Refusal, ...]:
    """Read an answer (spec 03), or say every fault of form it has, each with code ``schema`` and its path."""
    try:
        value = read_json(raw, most_bytes=MOST_ANSWER_BYTES)
    except BadJsonError as error:
        return (Refusal(code="schema", path="answer", message=str(error)),)
    faults = Faults()
    answer = _answer(value, faults)
    return faults.refusals() or answer


def _answer(value: JsonValue, faults: Faults) -> Answer:
    members = read_object(value, "", faults, required=("candidates", "commitments", "readSessionIds")) or {}
    return Answer(
        candidates=tuple(
            _candidate(item, f"candidates[{at}]", faults)
            for at, item in enumerate(_capped(members, "candidates", faults, most=MOST_CANDIDATES))
        ),
        commitments=tuple(
            _commitment(item, f"commitments[{at}]", faults)
            for at, item in enumerate(_capped(members, "commitments", faults, most=MOST_COMMITMENTS))
        ),
        read_session_ids=_session_ids(members, faults),
    )


def _capped(members: dict[str, JsonValue], key: str, faults: Faults, *, most: int, path: str = "") -> list[JsonValue]:
    items = read_list(members, key, path, faults)
    if len(items) > most:
        faults.add(below(path, key), f"This list has {len(items):,} items; at most {most} are allowed.")
    return items[:most]


def _candidate(value: JsonValue, path: str, faults: Faults) -> Candidate:
    members = read_object(value, path, faults, required=("kind", "claim", "gist", "entities", "evidence")) or {}
    kinds = tuple(kind.value for kind in CONSOLIDATED_KINDS)
    return Candidate(
        kind=Kind(read_choice(members, "kind", path, faults, choices=kinds)),
        claim=read_text(members, "claim", path, faults, most=CLAIM_CHARACTERS),
        gist=read_text(members, "gist", path, faults, most=GIST_CHARACTERS),
        entities=tuple(
            _entity(item, f"{path}.entities[{at}]", faults)
            for at, item in enumerate(_capped(members, "entities", faults, most=MOST_ENTITIES, path=path))
        ),
        evidence=tuple(
            _quote(item, f"{path}.evidence[{at}]", faults)
            for at, item in enumerate(read_list(members, "evidence", path, faults))
        ),
    )


def _entity(value: JsonValue, path: str, faults: Faults) -> Entity:
    members = read_object(value, path, faults, required=("type", "name")) or {}
    return Entity(
        type=read_text(members, "type", path, faults, most=ENTITY_CHARACTERS).strip().lower(),
        name=read_text(members, "name", path, faults, most=ENTITY_CHARACTERS).strip(),
    )


def _commitment(value: JsonValue, path: str, faults: Faults) -> Commitment:
    required = ("statement", "actor", "evidence", "confidence", "resolved")
    members = read_object(value, path, faults, required=required, optional=("dueHint",)) or {}
    return Commitment(
        statement=read_text(members, "statement", path, faults, most=STATEMENT_CHARACTERS),
        actor=read_choice(members, "actor", path, faults, choices=ACTORS),
        due_hint=_due_hint(members.get("dueHint"), below(path, "dueHint"), faults),
        evidence=_commitment_quote(members, path, faults),
        confidence=read_share(members, "confidence", path, faults),
        resolved=read_flag(members, "resolved", path, faults),
    )


def _commitment_quote(members: dict[str, JsonValue], path: str, faults: Faults) -> Quote:
    if "evidence" not in members:
        return Quote(session_id=SessionId(""), quote="")
    return _quote(members["evidence"], below(path, "evidence"), faults)


def _quote(value: JsonValue, path: str, faults: Faults) -> Quote:
    members = read_object(value, path, faults, required=("sessionId", "quote")) or {}
    return Quote(
        session_id=SessionId(read_text(members, "sessionId", path, faults, most=None)),
        quote=read_text(members, "quote", path, faults, most=QUOTE_CHARACTERS),
    )


def _due_hint(value: JsonValue, path: str, faults: Faults) -> str | None:
    if value is None:
        return None
    if isinstance(value, str) and _ISO_DAY.fullmatch(value) and _is_day(value):
        return value
    faults.add(path, "This must be a date of the calendar as YYYY-MM-DD, or null, or absent.")
    return None


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _session_ids(members: dict[str, JsonValue], faults: Faults) -> tuple[SessionId, ...]:
    kept: list[SessionId] = []
    for at, item in enumerate(read_list(members, "readSessionIds", "", faults)):
        if not isinstance(item, str) or has_surrogate(item):
            faults.add(f"readSessionIds[{at}]", "This must be a session id, as a text.")
        else:
            kept.append(SessionId(item))
    return tuple(kept)
