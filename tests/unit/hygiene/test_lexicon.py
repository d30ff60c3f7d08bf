"""Which words are kept for what they carry: a decision and its like are seen, narration mostly is not."""

import re
import time
import tomllib
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.hygiene.branching import branching
from slowwave.hygiene.lexicon import REASONS, lexicon_digest, reason_of, without_accents

FOLDER = Path(__file__).resolve().parents[3] / "src" / "slowwave" / "hygiene" / "lexicon"
TABLES: dict[str, dict[str, Any]] = {
    path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.toml"))
}
SENTENCES: dict[str, dict[str, list[str]]] = tomllib.loads(
    (Path(__file__).resolve().parents[2] / "made" / "hygiene_sentences.toml").read_text("utf-8")
)
CARRYING = [
    (language, reason, sentence)
    for language, kinds in SENTENCES.items()
    for reason in REASONS
    for sentence in kinds[reason]
]
NARRATION = [sentence for kinds in SENTENCES.values() for sentence in kinds["narration"]]
MOST_NARRATION = 0.05
MOST_SECONDS = 20.0
"""For a megabyte on a busy machine; a second or so is usual, and anything but linear would take hours."""


@pytest.mark.parametrize(("language", "reason", "sentence"), CARRYING)
def test_what_carries_something_is_kept(language: str, reason: str, sentence: str) -> None:
    """In every language; which of several reasons is told first does not matter."""
    assert reason_of(sentence) in REASONS


def test_plain_narration_is_mostly_not_kept() -> None:
    """Looking at a file is no decision."""
    kept = [sentence for sentence in NARRATION if reason_of(sentence)]
    assert len(kept) <= MOST_NARRATION * len(NARRATION), kept


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Decision: two replicas.", "decision"),
        ("It fails because the clock is wrong.", "rationale"),
        ("Sorry, I misread the column.", "correction"),
        ("The name must be unique.", "constraint"),
        ("Never restart the primary.", "prohibition"),
        ("The user approved it.", "approval"),
        ("Decided, because it must never fail.", "decision"),
        ("", ""),
        ("   \n ", ""),
        ("ok", ""),
    ],
)
def test_the_first_reason_is_told(text: str, reason: str) -> None:
    """In the order of the reasons, not of the words."""
    assert reason_of(text) == reason


@pytest.mark.parametrize(
    "text",
    [
        "WE DECIDED TO WAIT",
        "we\ndecided\nto wait",
        "- **Decision**: wait",
        "We don\N{RIGHT SINGLE QUOTATION MARK}t touch the schema",
        "das m\u00fcssen wir kl\u00e4ren",
        unicodedata.normalize("NFD", "das m\u00fcssen wir kl\u00e4ren"),
        "das muessen wir klaeren",
        "Decision \u00e9tablie",
        "debia haber usado la otra",
        "x" * 100_000 + ". We decided to wait.",
        "Now: 決定しました",
    ],
)
def test_spelling_hides_nothing(text: str) -> None:
    """Case, line breaks, markup, apostrophes, accents left out or put together, and length."""
    assert reason_of(text)


@pytest.mark.parametrize("word", ["undecidedly", "mustard", "becausex", "neverland", "sinceramente", "agreeable"])
def test_a_word_inside_a_word_is_none(word: str) -> None:
    """Wordings stand for whole words."""
    assert reason_of(f"Here is {word}.") == ""


@pytest.mark.parametrize("language", TABLES)
def test_a_table_has_its_form(language: str) -> None:
    """Version, language, and wordings for each reason: lower case, whole, none with a repeat in a repeat."""
    table = TABLES[language]
    assert table["version"] >= 1
    assert table["language"] == language
    assert set(table["wordings"]) == set(REASONS)
    for reason in REASONS:
        assert table["wordings"][reason]
        for wording in table["wordings"][reason]:
            re.compile(wording)
            assert wording == wording.strip() == wording.lower()
            assert not re.search(r"[+*]\)[+*{]|\)[+*]|\.[*+]|\(\?[^:=!<]", wording), wording
            assert "|" not in re.sub(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[[^\]]*\]", "", wording), wording


def test_the_tables_have_a_digest() -> None:
    """By it a profile names them."""
    assert re.fullmatch(r"[0-9a-f]{64}", lexicon_digest())


@pytest.mark.parametrize(
    "unit",
    ["a", " ", "\u4e2d", "\u00fc", "\u0301", "\n", "we ", "i'll ", "not ", "as it ", "leave ", "darf ", "um ", "ne ",
     "ni ", "dejar ", "laisser ", "so ", "we have to ", "don't", "decide", "-", "'", "我们", "\U0001f600"],
)  # fmt: skip
def test_a_megabyte_of_anything_is_read_in_linear_time(unit: str) -> None:
    """One character, and wordings that begin and never end."""
    text = unit * (1_000_000 // len(unit))
    reason_of("warm")
    began = time.perf_counter()
    reason_of(text)
    assert time.perf_counter() - began < MOST_SECONDS


def test_accents_are_left_out() -> None:
    """Composed or not, a letter reads the same."""
    assert without_accents("\u00c9T\u00c9 n\u0303 stra\u00dfe  \u2019") == "ete n strasse '"


POOL = [
    "a",
    "ab",
    "abc",
    "(?:a|b)c",
    "(?:ab|c)?d",
    "b{2}",
    "a+c",
    "(?:a(?:b|c)|d)a",
    "[ab]d",
    "(?<!b)c",
    "b?a",
    "(?:c)+d",
    "a\\)b",
]


@given(wordings=st.lists(st.sampled_from(POOL), min_size=1, max_size=8), text=st.text(alphabet="abcd)", max_size=8))
def test_branching_changes_no_match(wordings: list[str], text: str) -> None:
    """Whatever the plain alternation matches as a whole, the branching one matches, and nothing else."""
    plain = re.compile("|".join(wordings))
    assert bool(re.fullmatch(branching(wordings), text)) is bool(plain.fullmatch(text))


def test_a_group_that_never_closes_is_our_own_fault() -> None:
    """Said so at once."""
    with pytest.raises(ValueError, match="never closed"):
        branching(["(?:a|b"])
