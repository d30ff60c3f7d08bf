"""Sayings: a text as the terms of the language it is most likely written in, cut into clauses, its conditions found."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from slowwave.wake.when.figures import Terms
from slowwave.wake.when.items import Run
from slowwave.wake.when.lexer import pieces_of
from slowwave.wake.when.runs import runs_of
from slowwave.wake.when.tongue import NAMES, Term, Tongue, evidence, terms_of, tongue


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A piece of a text up to its full stop.

    Attributes:
        runs: The times it names, up to its condition where it has one.
        condition: From where to where it names a condition; None where it does not.
        is_soft: Whether the condition only counts where no time is named ("after the meeting").
    """

    runs: tuple[Run, ...]
    condition: tuple[int, int] | None
    is_soft: bool


def share_known(text: str) -> float:
    """The part of a cleaned text's letters that the table which knows most of them knows, 0 to 1."""
    pieces = pieces_of(text)
    letters = sum(piece.end - piece.start for piece in pieces if piece.kind == "word")
    return max(evidence(terms_of(pieces, tongue(name))) for name in NAMES) / letters if letters else 0.0


def sayings_of(text: str) -> Iterator[tuple[Clause, ...]]:
    """The clauses of a cleaned text in each language it may be written in, the likeliest first."""
    pieces = pieces_of(text)
    spoken = [(tongue(name), terms_of(pieces, tongue(name))) for name in NAMES]
    weights = [evidence(terms) for _, terms in spoken]
    most = max(weights, default=0)
    order = sorted(range(len(spoken)), key=lambda place: -weights[place])
    for place in order:
        if weights[place] * 2 >= most:
            yield tuple(_clauses(*spoken[place], is_known=weights[place] > 0))


def _clauses(spoken: Tongue, terms: Sequence[Term], *, is_known: bool) -> Iterator[Clause]:
    for clause in _parted(terms):
        yield _clause(clause, is_day_first=spoken.is_day_first and is_known)


def _parted(terms: Terms) -> Iterator[Terms]:
    begin = 0
    for place, term in enumerate(terms):
        if term.kind == "stop":
            yield terms[begin:place]
            begin = place + 1
    yield terms[begin:]


def _clause(terms: Terms, *, is_day_first: bool) -> Clause:
    cue = next((place for place in range(len(terms)) if terms[place].senses.get("condition") == "yes"), None)
    runs = tuple(runs_of(terms[:cue], is_day_first=is_day_first))
    if cue is not None:
        return Clause(runs=runs, condition=(terms[cue].start, terms[-1].end), is_soft=False)
    soft = next((place for place in range(len(terms)) if _is_soft(terms, place, runs)), None)
    span = None if soft is None else (terms[soft].start, terms[-1].end)
    return Clause(runs=runs, condition=span, is_soft=True)


def _is_soft(terms: Terms, place: int, runs: tuple[Run, ...]) -> bool:
    """Whether a word such as "after" leads to something that is no time."""
    is_cue = terms[place].senses.get("condition") == "soft"
    return is_cue and not any(run.first <= place < run.behind for run in runs)
