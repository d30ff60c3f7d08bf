"""A phrase is found in every spelling that JSON allows, once and twice escaped."""

import json

import pytest

from slowwave.records.needles import make_needles

PHRASE = 'say "naïve" 😀 / <b>\n'


def found(text: str, phrase: str = PHRASE, *, ignore_case: bool = False) -> list[str]:
    """The places of a phrase in a decoded text, as they stand there."""
    return [text[start:end] for start, end in make_needles(phrase, ignore_case=ignore_case).find(text)]


@pytest.mark.parametrize("is_ascii", [True, False])
@pytest.mark.parametrize("depth", [1, 2])
def test_the_raw_spellings_cover_what_writers_write(is_ascii: bool, depth: int) -> None:
    """The standard library's two ways of writing, and each once more, are among the byte strings."""
    text = PHRASE
    for _ in range(depth):
        text = json.dumps(text, ensure_ascii=is_ascii)[1:-1]
    assert text.encode().lower() in make_needles(PHRASE).spellings


@pytest.mark.parametrize("written", ["\\u00E9 / <b>", "é \\/ <b>", "é / \\u003cb\\u003e"])
def test_other_habits_of_writers_are_covered(written: str) -> None:
    """Capital hexadecimal digits, escaped slashes and HTML-safe signs."""
    assert written.encode().lower() in make_needles("é / <b>").scanned


def test_one_pass_is_enough_where_a_part_needs_no_escape() -> None:
    """The longest plain part is scanned for; the spellings settle the few lines that hold it."""
    needles = make_needles('the café "door" is shut')
    assert needles.scanned == (b" is shut",)
    assert len(needles.spellings) > 4


def test_json_inside_a_text_is_found_as_it_stands() -> None:
    """A decoded text may itself hold JSON: there the phrase stands escaped, and is shown so."""
    assert found('{"said": "say \\"hi\\" now"}', 'say "hi"') == ['say \\"hi\\"']


def test_places_do_not_overlap() -> None:
    """Like ``str.count``."""
    assert len(found("aaaa", "aa")) == 2


def test_ignoring_case_goes_character_by_character() -> None:
    """Letters of any script match their other case; nothing changes its length."""
    assert found("ÉCOLE école Ecole", "école", ignore_case=True) == ["ÉCOLE", "école"]
    assert found("STRASSE", "straße", ignore_case=True) == []
    assert found("a.c abc", "a.c", ignore_case=True) == ["a.c"]


def test_half_a_surrogate_pair_is_a_phrase_like_any_other() -> None:
    """Transcripts hold them."""
    assert found("x\ud800y", "\ud800") == ["\ud800"]
