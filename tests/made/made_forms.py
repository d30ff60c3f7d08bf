"""Answers of another shape than the contract has, each with the paths it is refused at."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from made_evidence import FIRST, GOOD, LATER, PROMISE_QUOTE, A, B, C
from made_transcripts import answer, candidate, commitment

from slowwave.facts.limits import (
    CLAIM_CHARACTERS,
    ENTITY_CHARACTERS,
    GIST_CHARACTERS,
    QUOTE_CHARACTERS,
    STATEMENT_CHARACTERS,
)

Codes = list[tuple[str, str]]
HONEST = answer(candidates=[candidate(*GOOD)], commitments=[commitment(A, PROMISE_QUOTE)], read=[A, B, C]).decode()
"""A true answer; what is wrong with the others is wrong in one place of it."""


def one(*quotes: tuple[str, str], **changes: Any) -> str:
    """An answer with one candidate."""
    return answer(candidates=[candidate(*quotes, **changes)], read=[A, B]).decode()


def promise(made: Mapping[str, Any]) -> str:
    """An answer with one commitment."""
    return answer(commitments=[made], read=[A, B]).decode()


def changed(**changes: Any) -> str:
    """The honest answer, a member of the whole changed."""
    return json.dumps({**json.loads(HONEST), **changes})


def at(path: str) -> Codes:
    """One fault of form."""
    return [("schema", path)]


KEPT = commitment(A, PROMISE_QUOTE)
_COMMITMENT: tuple[tuple[str, str, Any], ...] = (
    ("a boolean as confidence", "confidence", True),
    ("a text as confidence", "confidence", "0.9"),
    ("a confidence above one", "confidence", 1.0001),
    ("a confidence below nothing", "confidence", -0.1),
    ("a number as flag", "resolved", 1),
    ("a null flag", "resolved", None),
    ("an actor in capitals", "actor", "Agent"),
    ("a null actor", "actor", None),
    ("a day that is none", "dueHint", "2026-02-30"),
    ("a moment for a day", "dueHint", "2026-08-20T00:00:00Z"),
    ("an empty day", "dueHint", ""),
    ("a list as evidence of a promise", "evidence", [KEPT["evidence"]]),
    ("a statement too long by one", "statement", "x" * (STATEMENT_CHARACTERS + 1)),
    ("a blank statement", "statement", " \t"),
)
_CANDIDATE: tuple[tuple[str, str, Any], ...] = (
    ("a kind that is none", "kind", "task"),
    ("a kind in capitals", "kind", "Semantic"),
    ("a null claim", "claim", None),
    ("a blank claim", "claim", "\u2003"),
    ("a claim too long by one", "claim", "é" * (CLAIM_CHARACTERS + 1)),
    ("a gist too long by one", "gist", "\U0001f30a" * (GIST_CHARACTERS + 1)),
    ("a number as gist", "gist", 7),
    ("null entities", "entities", None),
    ("an object as evidence", "evidence", {}),
    ("half a surrogate pair", "claim", "\ud800 is no character"),
)
_WHOLE: Mapping[str, str] = {
    "no JSON": "I found nothing.",
    "nothing": "",
    "a list": "[]",
    "null": "null",
    "half an answer": HONEST[:-40],
    "two answers": HONEST + HONEST,
    "prose around it": f"Here it is:\n{HONEST}",
    "a fence around it": f"```json\n{HONEST}\n```",
    "NaN": HONEST.replace("0.9", "NaN"),
    "Infinity": HONEST.replace("0.9", "Infinity"),
    "a number of ten thousand digits": HONEST.replace("0.9", "9" * 10_000),
    "nested without end": "[" * 5_000,
    "UTF-16 read as Latin-1": HONEST.encode("utf-16-le").decode("latin-1"),
    "a raw lone surrogate": HONEST.replace("Tests of", "Tests \udcff of"),
    "a NUL behind it": HONEST + "\x00",
}


def forms() -> Iterator[tuple[str, str, Codes]]:
    """Each with its name and the faults it is refused with."""
    for name, key, value in _COMMITMENT:
        yield name, promise({**KEPT, key: value}), at(f"commitments[0].{key}")
    for name, key, value in _CANDIDATE:
        yield name, one(*GOOD, **{key: value}), at(f"candidates[0].{key}")
    for name, text in _WHOLE.items():
        yield name, text, at("answer")
    yield from _lists()


def _lists() -> Iterator[tuple[str, str, Codes]]:
    yield (
        "an entity too long",
        one(*GOOD, entities=[{"type": "file", "name": "x" * (ENTITY_CHARACTERS + 1)}]),
        at("candidates[0].entities[0].name"),
    )
    yield "an entity as a text", one(*GOOD, entities=["file:x"]), at("candidates[0].entities[0]")
    yield "a quote too long by one", one((A, "q" * (QUOTE_CHARACTERS + 1)), (B, LATER)), at(FIRST)
    yield "an unknown field of a candidate", one(*GOOD, confidence=1), at("candidates[0].confidence")
    yield "twenty-one candidates", answer(candidates=[candidate(*GOOD)] * 21).decode(), at("candidates")
    yield "fifty-one commitments", answer(commitments=[KEPT] * 51).decode(), at("commitments")
    yield "an unknown field", changed(notes="accept this"), at("notes")
    yield "null for a list", changed(candidates=None), at("candidates")
    yield "a number as session", changed(readSessionIds=[1]), at("readSessionIds[0]")
    yield "no member at all", "{}", [*at("candidates"), *at("commitments"), *at("readSessionIds")]
    yield "a repeated key", HONEST.replace("{", '{"candidates": [], ', 1), at("candidates")
    yield (
        "a repeated key deep inside",
        HONEST.replace('"kind":', '"kind": "episodic", "kind":', 1),
        at("candidates[0].kind"),
    )
