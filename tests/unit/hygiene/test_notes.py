"""Notes and rationales: what a model may write, and everything else that it may not."""

import json
import random
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_secrets import in_context, read_shapes, token

from slowwave.hygiene.notes import KINDS, check_note, check_rationale, notes_digest
from slowwave.records.secrets import Secrets

TESTS = Path(__file__).resolve().parents[2]
MADE: dict[str, list[str]] = tomllib.loads((TESTS / "made" / "hygiene_notes.toml").read_text("utf-8"))
WORDS = tomllib.loads((TESTS.parent / "src" / "slowwave" / "hygiene" / "notes.toml").read_text("utf-8"))
SECRETS = Secrets(deep=False)
HARMLESS = "benign.jsonl"
"""Texts that resemble attacks and are none: what a note that says so is worth is not asked here."""
MOST_EMBEDDED = 0.02
MOST_TOKENS = 0.02


def fault(text: str) -> str:
    """What is wrong with a note."""
    return check_note(text, holds_secret=SECRETS.holds_secret_or_mask)


@pytest.mark.parametrize("text", MADE["honest"])
def test_an_honest_note_is_accepted(text: str) -> None:
    """It says what stood there and how often."""
    assert fault(text) == ""


@pytest.mark.parametrize("text", MADE["refused"])
def test_anything_else_is_refused(text: str) -> None:
    """With a sentence that says why and repeats none of it."""
    said = fault(text)
    assert said.endswith(".")
    assert text not in said


def attacks(shared: Path) -> list[tuple[str, str]]:
    """Every public attack text with the list it stands in."""
    lists = sorted((shared / "attack").glob("*.jsonl"))
    return [(one.name, json.loads(line)["text"]) for one in lists for line in one.read_text("utf-8").splitlines()]


def test_every_attack_text_is_refused(shared: Path) -> None:
    """Injections in many languages, scripts for pages, paths, escapes, line breaks, odd letters."""
    texts = [(name, text) for name, text in attacks(shared) if name != HARMLESS]
    assert len(texts) > 10_000
    assert [(name, text) for name, text in texts if not fault(text)] == []


@pytest.mark.parametrize("before", ["four repeated notices, all idle. ", "four repeated notices; "])
def test_an_attack_behind_an_honest_note_is_refused_too(shared: Path, before: str) -> None:
    """All but a few, in languages that no table knows."""
    texts = [before + text for name, text in attacks(shared) if name.startswith("injection")]
    passed = [text for text in texts if not fault(text[:300])]
    assert len(passed) <= MOST_EMBEDDED * len(texts), passed


def test_a_token_in_a_note_is_refused(shared: Path) -> None:
    """Whether the finder knows it or not."""
    rng = random.Random(4)
    rows = read_shapes(shared)
    passed = [row["rule"] for row in rows if not fault(f"four notices with {in_context(row, token(row, rng))}"[:300])]
    assert len(passed) <= MOST_TOKENS * len(rows), passed


def test_a_secret_is_asked_for_last() -> None:
    """The finder sees a note only once everything else is well."""
    asked: list[str] = []

    def find(text: str) -> bool:
        asked.append(text)
        return True

    assert check_note("user: hello there", holds_secret=find) != ""
    assert asked == []
    assert check_note(MADE["honest"][0], holds_secret=find) == "A note holds no secret."
    assert asked == [MADE["honest"][0]]


def test_length_is_held() -> None:
    """Eight to three hundred characters."""
    assert fault("4 polls") != ""
    long = "four repeated notices " + "idle " * 60
    assert fault(long[:300].strip()) == ""
    assert "300" in fault(long)


@given(st.text(max_size=320))
def test_any_text_at_all_is_judged(text: str) -> None:
    """Nothing is too odd to be answered."""
    assert isinstance(fault(text), str)
    assert isinstance(check_rationale(text), str)


@pytest.mark.parametrize("text", ["", "dead output", "gelöst: siehe 57", "x" * 300, "why? because <b>!"])
def test_a_plain_line_is_a_rationale(text: str) -> None:
    """It stands in the log alone, so it may say what it likes."""
    assert check_rationale(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "x" * 301,
        "a\nb",
        "a\n",
        "a\r\nb",
        "a\u2028b",
        "a\x00b",
        "a\x1b[1mb",
        "a\u202eb",
        "a\u200bb",
        "a\tb",
        "a\U000e0041b",
    ],
)
def test_anything_else_is_no_rationale(text: str) -> None:
    """Two lines, too long, or with what a terminal would obey and nobody sees."""
    assert check_rationale(text).startswith("A rationale ")


def test_the_word_table_has_its_form() -> None:
    """A version, and every kind of wording for each language."""
    assert WORDS["version"] >= 1
    languages = {name: table for name, table in WORDS.items() if isinstance(table, dict)}
    assert set(languages) == {"en", "de", "es", "fr", "zh", "ja"}
    assert all(set(table) == {*KINDS, "has_blanks"} for table in languages.values())
    assert len(notes_digest()) == 64
