"""The schemas of the tools say what the tools take: an answer or a call that fits its schema is no fault of form."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_forms import HONEST, forms
from made_transcripts import ClaudeSession
from made_turns import NONCE, SECRETS, refused, scanned

from slowwave.facts import limits
from slowwave.facts.answer import Answer
from slowwave.facts.memory import CONSOLIDATED_KINDS
from slowwave.proof.answer_schema import ACTORS
from slowwave.proof.contract import parse_answer
from slowwave.sleep.tool_specs import LIST, READ, SEARCH, SPECS, SUBMIT
from slowwave.sleep.turn import Turn

SCHEMAS = {spec.name: spec.schema for spec in SPECS}
TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


def fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a value fits a schema, as far as ours go: JSON Schema in a few lines, read anew."""
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(_is(value, name) for name in names):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, str):
        return _within(len(value), schema, "minLength", "maxLength")
    if isinstance(value, list):
        return _within(len(value), schema, "minItems", "maxItems") and all(fits(v, schema["items"]) for v in value)
    if isinstance(value, dict):
        known = schema["properties"]
        is_closed = set(schema["required"]) <= set(value) <= set(known)
        return is_closed and all(fits(one, known[key]) for key, one in value.items())
    return isinstance(value, bool | None) or _within(value, schema, "minimum", "maximum")


def _within(value: float, schema: Mapping[str, Any], least: str, most: str) -> bool:
    return bool(schema.get(least, value) <= value <= schema.get(most, value))


def _is(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, TYPES[name])


def rarely(odd: st.SearchStrategy[Any], sound: st.SearchStrategy[Any], odds: int = 60) -> st.SearchStrategy[Any]:
    """Something odd once in so many times; an answer has many members, and one fault is a fault of the whole."""
    return st.integers(0, odds).flatmap(lambda n: odd if n == odds else sound)


def near(bound: int) -> st.SearchStrategy[str]:
    """Texts that are not blank, up to the bound and rarely past it; counted in characters, not in bytes."""
    return rarely(st.just("é" * (bound + 1)), st.sampled_from(["a", "wörd", "🌊", "é" * bound]))


def times(one: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[list[Any]]:
    """A few, as many as may be, or rarely one more."""
    flood = st.tuples(one, st.sampled_from([most, most + 1])).map(lambda pair: [pair[0]] * pair[1])
    return rarely(flood, st.lists(one, max_size=2), odds=12)


ODD: st.SearchStrategy[Any] = st.sampled_from([None, True, 0, 1, 1.5, -1, [], {}, "", "x", ["x"], {"x": 1}])


def member(**sound: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """An object of these members; rarely with one that is odd, missing, or too many."""
    whole = st.fixed_dictionaries({key: rarely(ODD, value) for key, value in sound.items()})
    without = st.tuples(whole, st.sampled_from(sorted(sound))).map(lambda pair: _without(*pair))
    return rarely(st.one_of(without, whole.map(lambda made: {**made, "more": 1})), whole)


def _without(made: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in made.items() if name != key}


QUOTE = member(sessionId=st.just("s"), quote=near(limits.QUOTE_CHARACTERS))
ENTITY = member(type=near(limits.ENTITY_CHARACTERS), name=near(limits.ENTITY_CHARACTERS))
CANDIDATE = member(
    kind=rarely(st.just("task"), st.sampled_from([str(kind) for kind in CONSOLIDATED_KINDS])),
    claim=near(limits.CLAIM_CHARACTERS),
    gist=near(limits.GIST_CHARACTERS),
    entities=times(ENTITY, limits.MOST_ENTITIES),
    evidence=rarely(
        times(QUOTE, limits.MOST_QUOTES), st.lists(QUOTE, min_size=limits.FEWEST_QUOTES, max_size=3), odds=12
    ),
)
DAYS = st.one_of(st.none(), st.dates().map(str))
COMMITMENT = member(
    statement=near(limits.STATEMENT_CHARACTERS),
    actor=rarely(st.just("User"), st.sampled_from(ACTORS)),
    dueHint=DAYS,
    evidence=QUOTE,
    confidence=rarely(st.floats(-0.1, 1.1), st.sampled_from([0, 1, 0.0, 0.7, 1.0]), odds=12),
    resolved=st.booleans(),
)
ANSWER = member(
    candidates=times(CANDIDATE, limits.MOST_CANDIDATES),
    commitments=times(COMMITMENT, limits.MOST_COMMITMENTS),
    readSessionIds=st.lists(st.just("s"), max_size=2),
)


def is_taken(answer: Any) -> bool:
    """Whether the contract finds no fault of form; the number of quotes has codes of its own there."""
    read = parse_answer(json.dumps(answer).encode())
    if not isinstance(read, Answer):
        return False
    return all(limits.FEWEST_QUOTES <= len(one.evidence) <= limits.MOST_QUOTES for one in read.candidates)


def has_day(answer: Any) -> bool:
    """Whether a text that is no day stands for one, of which the schema says so in words alone."""
    made = answer.get("commitments") if isinstance(answer, dict) else None
    kept = [one for one in made if isinstance(one, dict)] if isinstance(made, list) else []
    return any(one.get("dueHint") in ("", "x") for one in kept)


@settings(max_examples=300, deadline=None)
@given(answer=ANSWER.filter(lambda one: not has_day(one)))
def test_an_answer_fits_the_schema_exactly_where_the_contract_takes_its_form(answer: Any) -> None:
    """So that nobody who keeps to what is offered is refused for form, and nobody else gets through."""
    assert fits(answer, SCHEMAS[SUBMIT]) is is_taken(answer)


def test_both_kinds_of_answer_are_tried() -> None:
    """The honest one fits; of the answers of another shape that are JSON none does, but for days and blanks."""
    assert fits(json.loads(HONEST), SCHEMAS[SUBMIT])
    fitting = set()
    for name, text, _ in forms():
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        is_fit = json.dumps(value) == text and fits(value, SCHEMAS[SUBMIT])
        fitting |= {name} if is_fit else set()
    assert fitting == {
        "a day that is none", "a moment for a day", "an empty day", "a blank statement", "a blank claim",
        "half a surrogate pair",
    }  # fmt: skip


NUMBERS = st.one_of(st.integers(-1, 3), st.sampled_from([50, 51, 400, 401, 2_000, 2_001, 1.0, 1.5, True, None, "1"]))
SEARCHES = st.fixed_dictionaries(
    {"sessionId": st.just("s-one")},
    optional={
        "phrase": st.one_of(near(limits.PHRASE_CHARACTERS), ODD),
        "maxHits": NUMBERS,
        "context": NUMBERS,
        "ignoreCase": st.one_of(st.booleans(), ODD),
        "regex": ODD,
    },
)
READS = st.fixed_dictionaries(
    {"sessionId": st.just("s-one"), "start": st.just(1)},
    optional={"end": st.just(1), "file": NUMBERS, "width": NUMBERS, "column": NUMBERS, "path": ODD},
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One session of one line, with a side file for each number above nought that is tried."""
    made = ClaudeSession("s-one")
    made.user("A sentence.")
    root = tmp_path_factory.mktemp("one")
    made.write(root)
    return root


@settings(max_examples=80, deadline=None)
@given(calls=st.lists(st.one_of(SEARCHES.map(lambda a: (SEARCH, a)), READS.map(lambda a: (READ, a))), max_size=20))
def test_a_call_fits_its_schema_exactly_where_it_is_answered(folder: Path, calls: list[tuple[str, Any]]) -> None:
    """But for what only the session can say: whether it has such a file."""
    turn = Turn(scanned(folder), secrets=SECRETS, nonce=NONCE)
    turn.call(LIST, "{}")
    for name, arguments in calls:
        reply = turn.call(name, json.dumps(arguments))
        is_there = not arguments.get("file") or isinstance(arguments["file"], bool | str)
        assert fits(arguments, SCHEMAS[name]) is not reply.is_error or not is_there
        if reply.is_error:
            assert {code for code, _ in refused(reply)} <= {"schema", "bound"}
