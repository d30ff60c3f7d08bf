"""Sentences made of fragments: openers and tails off, no run taken over."""

import pytest

from slowwave.facts.limits import CLAIM_CHARACTERS, TRANSCRIPT_SPAN_CHARACTERS
from slowwave.mining import compose


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
    assert compose.telling(said).replace(":12-14", "") == told.replace(":12-14", "")


@pytest.mark.parametrize("said", ["No key is set for the test repository.", "Right to left text is not handled."])
def test_an_opener_is_only_one_with_a_stop_behind_it(said: str) -> None:
    """A sentence that begins with ``No`` keeps it: without, it would say the opposite."""
    assert compose.telling(said) == said.rstrip(".")


def test_a_long_sentence_is_told_without_a_copied_run() -> None:
    """The joints of clauses are reworded, so that no run of the source is as long as the gate refuses."""
    source = (
        "The pool hands out a connection that the server has closed meanwhile, so the first query after a quiet "
        "night fails, but the second one works because the driver reconnects without saying anything to anybody"
    )
    told = compose.unrun(source, 300)
    assert not compose.copies(told, [source])
    assert compose.copies(source, [source])
    assert "reconnects" in told


def test_of_a_sentence_too_long_the_cause_is_kept() -> None:
    """Where not all fits, the stretch that holds the cause and the names stays."""
    source = (
        "The report was long and went through several people and places before it came to us, but `open_pool()` never "
        "checks the server, so the query fails"
    )
    assert "never checks the server" in compose.core(source, 100)


def test_a_condition_is_not_cut_off() -> None:
    """What binds a statement stays with it, or the statement is left out too."""
    source = "The second writer blocks the first one for good, unless `busy_timeout` is set before the table is opened"
    assert "unless" in compose.core(source, 110) or "blocks" not in compose.core(source, 60)


def test_a_claim_fits_and_ends() -> None:
    """One sentence within the bound, one stop."""
    text = compose.claim(["word " * 200])
    assert len(text) <= CLAIM_CHARACTERS
    assert text.endswith(("…", "."))
    assert compose.claim(["It holds."]) == "It holds."


def test_copies_are_runs_of_the_bound() -> None:
    """One character less than the bound is no copy."""
    source = "".join(chr(97 + i % 26) for i in range(400))
    assert compose.copies(source[:TRANSCRIPT_SPAN_CHARACTERS], [source])
    assert not compose.copies(source[: TRANSCRIPT_SPAN_CHARACTERS - 1], [source])


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("The cache is cold", "the cache is cold", "The cache is cold"),
        ("GitLab words it", "GitLab words it", "GitLab words it"),
        ("src/pay.go is", "src/pay.go is", "src/pay.go is"),
        ("it is", "it is", "It is"),
    ],
)
def test_names_keep_their_letters(text: str, low: str, high: str) -> None:
    """Only words of a language change their first letter."""
    assert compose.lowered(text) == low
    assert compose.raised(text) == high
