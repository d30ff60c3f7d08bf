"""A person's words as a query, and what is shown of a hit."""

import sqlite3

import pytest

from slowwave.corpus.query import SNIPPET_CHARACTERS, match_terms, snippet, spaced


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("retry the queue", ('"retry"', '"queue"')),
        ("the of", ('"the"', '"of"')),
        ("FOO_TOKEN-x", ('"FOO"', '"TOKEN"', '"x"')),
        ("数据库", ('"数 据"', '"据 库"')),
        ("库", ('"库"',)),
        ("Git版本2号", ('"Git"', '"版 本"', '"2"', '"号"')),
        ("🎉 !?", ()),
        ("retry retry", ('"retry"',)),
    ],
)
def test_words_become_quoted_terms(query: str, terms: tuple[str, ...]) -> None:
    """Fillers go, identifiers fall into words, unspaced scripts into neighbouring pairs."""
    assert match_terms(query) == terms


@pytest.mark.parametrize(
    "query",
    ['"', "a AND", "NOT x", "claim: x", "x*", "(x", "x NEAR/2 y", "^x", "{a b}: c", "-x", "'; DROP TABLE t", "a\x00b"],
)
def test_no_query_is_a_syntax_error(query: str) -> None:
    """What SQLite takes for syntax is only words here."""
    sql = sqlite3.connect(":memory:")
    sql.execute("CREATE VIRTUAL TABLE t USING fts5 (claim)")
    sql.execute("SELECT * FROM t WHERE t MATCH ?", (" OR ".join(match_terms(query)) or '""',)).fetchall()
    sql.close()


def test_a_query_is_bounded() -> None:
    """A pasted document asks for its first 32 words only."""
    assert len(match_terms(" ".join(f"w{n}" for n in range(10_000)))) == 32


def test_the_snippet_surrounds_the_first_word_found() -> None:
    """It begins near the word, at a word's start, is one line, and is safe for a terminal."""
    body = "lead " * 60 + "then the queues\n\nretry\x1b[31m " + "tail " * 60
    shown = snippet("queue", body)
    assert shown.startswith("…lead")
    assert "then the queues retry␛[31m" in shown
    assert len(shown) <= SNIPPET_CHARACTERS + 1


def test_without_the_word_the_snippet_is_the_beginning() -> None:
    """A hit by its claim alone shows how the body begins."""
    assert snippet("zebra", "One two.") == "One two."
    assert snippet("zebra", "") == ""


def test_only_unspaced_scripts_are_set_apart() -> None:
    """Latin and Cyrillic words stay whole."""
    assert spaced("код abc 数据").split() == ["код", "abc", "数", "据"]
