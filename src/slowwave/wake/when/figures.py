"""Figures: numbers in digits or words, as the terms of a text hold them."""

from collections.abc import Sequence

from slowwave.wake.when.tongue import Term

Terms = Sequence[Term]


def term_at(terms: Terms, place: int) -> Term | None:
    """The term there; None past either end."""
    return terms[place] if 0 <= place < len(terms) else None


def has(terms: Terms, place: int, *senses: str) -> bool:
    """Whether the term there may mean one of these."""
    return 0 <= place < len(terms) and terms[place].has(*senses)


def number_at(terms: Terms, place: int) -> tuple[float, int] | None:
    """The number there and the place behind it; words add up as in "twenty five"."""
    term = term_at(terms, place)
    if term is None:
        return None
    if term.kind in ("number", "decimal"):
        return (term.piece.numbers[0] or 0, place + 1)
    if not term.has("number"):
        return None
    value = float(term.senses["number"])
    if 20 <= value <= 90 and value % 10 == 0:
        unit = _small_word(term_at(terms, place + 1))
        if unit:
            return value + unit, place + 2
    return value, place + 1


def hour_number_at(terms: Terms, place: int) -> tuple[int, int] | None:
    """A whole number that can be an hour, 0 to 24; "5." before a break is one too."""
    term = term_at(terms, place)
    if term is not None and term.kind == "ordinal" and term.piece.text.endswith("."):
        found: tuple[float, int] | None = (term.piece.numbers[0] or 0, place + 1)
    else:
        found = number_at(terms, place)
    if found is None or found[0] != int(found[0]) or not 0 <= found[0] <= 24:
        return None
    if term is not None and term.piece.text in ("a", "an"):
        return None
    return int(found[0]), found[1]


def ordinal_at(terms: Terms, place: int) -> tuple[int, int] | None:
    """The ordinal there, 1 to 31, and the place behind it."""
    term = term_at(terms, place)
    if term is None:
        return None
    if term.kind == "ordinal":
        return int(term.piece.numbers[0] or 0), place + 1
    if term.has("ordinal"):
        return int(term.senses["ordinal"]), place + 1
    if term.has("number") and float(term.senses["number"]) in (20, 30):
        behind = term_at(terms, place + 1)
        if behind is not None and behind.has("ordinal") and int(behind.senses["ordinal"]) < 10:
            return int(float(term.senses["number"])) + int(behind.senses["ordinal"]), place + 2
    return None


def _small_word(term: Term | None) -> int:
    if term is None or not term.has("number") or term.has("join"):
        return 0
    value = float(term.senses["number"])
    return int(value) if value in range(1, 10) and term.piece.text not in ("a", "an") else 0
