"""Text on its way into the search index, and a person's words as a query that cannot be a syntax error.

SQLite's tokeniser splits at blanks and punctuation, so letters of scripts without blanks are set apart, each a word of
its own; a query asks for neighbouring pairs of them.
"""

import re
from itertools import pairwise

from slowwave.corpus.lexicon import lexicon
from slowwave.corpus.words import IDEOGRAPH, stem
from slowwave.facts.text import cut, fold, normal, showable

_MOST_CHARACTERS = 1_000  # of a query; more is a document
_MOST_TERMS = 32
_RUN = re.compile(r"[^\W_]+")
SNIPPET_CHARACTERS = 160
_BEFORE = 60  # characters of a snippet before the word that was found


def spaced(text: str) -> str:
    """The text with blanks around each letter that stands for a word of its own."""
    return IDEOGRAPH.sub(r" \g<0> ", text)


def match_terms(query: str) -> tuple[str, ...]:
    """The query's words as FTS5 terms, each quoted, so that nothing a person types is syntax.

    Fillers are left out unless there is nothing else.
    """
    terms = [term for run in _RUN.findall(query[:_MOST_CHARACTERS]) for term in _terms(run)]
    telling = [term for term in terms if term.casefold() not in lexicon().fillers] or terms
    return tuple(f'"{term}"' for term in list(dict.fromkeys(telling))[:_MOST_TERMS])


def snippet(query: str, body: str) -> str:
    """A stretch of the body around the first word of the query it holds, else its beginning; safe to show."""
    text = fold(body)
    folded = text.lower()
    wanted = [normal(term.replace(" ", "")) for run in _RUN.findall(query[:_MOST_CHARACTERS]) for term in _terms(run)]
    places = [at for term in wanted if term not in lexicon().fillers and (at := folded.find(stem(term))) >= 0]
    at = min(places, default=0)
    start = 0
    if at > _BEFORE:
        start = text.find(" ", at - _BEFORE, at) + 1 or at - _BEFORE
    shown = cut(text[start:], SNIPPET_CHARACTERS)
    return showable(f"…{shown}" if start else shown)


def _terms(run: str) -> list[str]:
    """A run of letters as terms: whole, or its unspaced letters in pairs and the stretches between them."""
    if IDEOGRAPH.search(run) is None:
        return [run]
    terms: list[str] = []
    letters: list[str] = []
    for part in spaced(run).split():
        if IDEOGRAPH.fullmatch(part):
            letters.append(part)
            continue
        terms.extend(_pairs(letters))
        letters = []
        terms.append(part)
    return terms + _pairs(letters)


def _pairs(letters: list[str]) -> list[str]:
    if len(letters) < 2:
        return letters
    return [f"{one} {two}" for one, two in pairwise(letters)]
