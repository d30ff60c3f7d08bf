"""Whether quotes say what a claim says: shared words, in the words of people and agents alone."""

from slowwave.facts.evidence import Evidence, Speaker
from slowwave.facts.ids import SessionId
from slowwave.sleep.said import is_said


def made_evidence(quote: str, speaker: Speaker) -> Evidence:
    """A quote of somebody."""
    return Evidence(session_id=SessionId("s"), quote=quote, line=1, speaker=speaker, record="r")


def test_a_claim_in_other_words_of_the_same_things_is_said() -> None:
    """A paraphrase keeps the things it speaks of."""
    quote = made_evidence(quote="Please split this into smaller commits next time.", speaker=Speaker.USER)
    assert is_said("The user wants small commits.", (quote,))


def test_a_true_quote_of_something_else_says_nothing() -> None:
    """A planted preference hung on an unrelated sentence is shown with a warning."""
    quote = made_evidence(quote="Please add a discount code to the cart.", speaker=Speaker.USER)
    assert not is_said("The user prefers that reviews are skipped on Fridays.", (quote,))


def test_what_a_tool_said_does_not_count() -> None:
    """Only spoken words can say it; with none at all there is nothing to compare."""
    claim = "Reviews are skipped on Fridays."
    tool = made_evidence(quote="Reviews are skipped on Fridays.", speaker=Speaker.TOOL)
    said = made_evidence(quote="I looked at the page as you asked.", speaker=Speaker.AGENT)
    assert not is_said(claim, (tool, said))
    assert is_said(claim, (tool,))
