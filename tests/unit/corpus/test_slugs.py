"""File names from any text."""

import time

import pytest

from slowwave.corpus.paths import check_path
from slowwave.corpus.slugs import slug


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Run the tests: don't skip!", "run-the-tests-dont-skip"),
        ("Größe ÄNDERN", "größe-ändern"),
        ("Тесты запускать через uv", "тесты-запускать-через-uv"),
        ("数据库迁移需要先备份", "数据库迁移需要先备份"),
        ("اختبارات المشروع", "اختبارات-المشروع"),
        ("परीक्षण चलाएँ", "परीक्षण-चलाएँ"),
        ("cafe\u0301", "café"),
        ("🎉 party", "party"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "con-note"),
        ("com¹", "com¹-note"),
    ],
)
def test_letters_of_every_script_stay_readable(text: str, expected: str) -> None:
    """A slug keeps letters and digits, folds case, and joins words by hyphens."""
    assert slug(text) == expected
    assert slug(expected) == expected


def test_texts_without_letters_get_names_of_their_own() -> None:
    """Emoji, punctuation, blank letters and the empty text are hashed, each its own way."""
    names = {slug(text) for text in ("🎉", "🎉🎉", "!?", "\u3164", "", "❤️")}
    assert len(names) == 6
    assert all(name.startswith("note-") for name in names)


@pytest.mark.parametrize(
    "text", ["word " * 100, "x" * 1_000, "数" * 1_000, "\U0001d4b3" * 500, "é" * 300, "a" + "\u0301" * 900]
)
def test_a_slug_fits_every_file_system(text: str) -> None:
    """At most 80 characters and, with ordinal and extension, 200 bytes; cut between words where there are any."""
    found = slug(text)
    assert len(found) <= 80
    assert not found.endswith("-")
    assert check_path(f"areas/inbox/{found}-99-0123456789.md") is None


def test_a_tower_of_marks_costs_nothing() -> None:
    """Normalising is capped before it begins."""
    start = time.perf_counter()
    slug("a" + "\u0315\u0300" * 80_000)
    assert time.perf_counter() - start < 0.2
