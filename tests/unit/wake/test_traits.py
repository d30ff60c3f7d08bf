"""Traits: the seed's hash, tolerant lines, and lines that keep what others wrote."""

import json

import pytest

from slowwave.wake.traits import Trait, decode_line, line_of, trait_hash, trait_of


@pytest.mark.parametrize(
    "text",
    ["Prefers tea", "prefers tea", "  PREFERS \n\t tea ", "prefers\u00a0tea"],
    ids=["as is", "lower", "spaces", "nbsp"],
)
def test_words_that_differ_only_in_case_and_space_hash_alike(text: str) -> None:
    """The first 16 hex digits of SHA-256 over `prefers tea`."""
    assert trait_hash(text) == "6e165f42701ef7dc"


def test_other_words_hash_otherwise() -> None:
    """A changed word is another trait."""
    assert trait_hash("prefers tea") != trait_hash("prefers teas")


@pytest.mark.parametrize("raw", [b"", b"  ", b"{", b"[1]", b'"no json"', b"3", b"null", b"[" * 100_000, b"\xff{}"])
def test_a_line_that_is_no_object_is_none(raw: bytes) -> None:
    """Blank, malformed, non-object and absurdly nested lines are stepped over."""
    assert decode_line(raw) is None


def test_a_line_encoded_twice_is_decoded_once_more() -> None:
    """The old double encoding is understood."""
    row = {"obs": "prefers tea"}
    assert decode_line(json.dumps(json.dumps(row)).encode()) == row


def test_a_line_without_ids_still_is_a_trait() -> None:
    """The seed's own lines carry less than ours."""
    trait = trait_of({"obs": "Prefers tea", "ts": 3})
    assert trait is not None
    assert (trait.id, trait.ts, trait.needs_review) == (trait_hash("prefers tea"), "", True)


@pytest.mark.parametrize("row", [{}, {"obs": ""}, {"obs": "  "}, {"obs": 3}, {"obs": None}])
def test_a_line_that_observes_nothing_is_no_trait(row: dict[str, object]) -> None:
    """There is nothing to review."""
    assert trait_of(row) is None


def test_a_false_hash_is_not_believed() -> None:
    """Repetitions are known by the words themselves."""
    trait = trait_of({"obs": "prefers tea", "hash": "0" * 16})
    assert trait is not None
    assert trait.hash == trait_hash("prefers tea")


def test_a_line_comes_back_as_it_went() -> None:
    """Written and read, with keys of other writers, and with half a character."""
    trait = Trait(
        id="c-1",
        ts="2026-11-01T08:00:00+01:00",
        obs="mag \u201eTee\u201c",
        source="x",
        needs_review=False,
        hash=trait_hash("mag \u201eTee\u201c"),
        capture_id="c-1",
    )
    row = decode_line(line_of(trait, {"theme": "taste"}))
    assert row is not None
    assert trait_of(row) == trait
    assert row["theme"] == "taste"
