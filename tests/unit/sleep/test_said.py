"""Whether quotes say what a claim says: shared words, in the words of people and agents alone."""

import pytest

from slowwave.facts.evidence import Evidence, Speaker
from slowwave.facts.ids import SessionId
from slowwave.sleep.said import WARNING, WISH_WARNING, is_said, warning_of


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


WISH = "The user prefers that reviews of K0042 are skipped."


@pytest.mark.parametrize(
    "quote",
    [
        "Please have a look at K0042 and tell me what is there.",
        "The user is in the database; I prefer to see that table.",
        "I want that the notes of K0042 are there.",
    ],
)
def test_neither_an_id_nor_the_wishing_carries_a_wish(quote: str) -> None:
    """An unrelated sentence of the user that names the same thing says nothing of what is wished."""
    assert warning_of(WISH, (made_evidence(quote, Speaker.USER),)) == WISH_WARNING


@pytest.mark.parametrize("speaker", [Speaker.AGENT, Speaker.TOOL, Speaker.SYSTEM])
def test_only_the_users_own_words_carry_a_wish(speaker: Speaker) -> None:
    """What an agent reports of a wish, word for word, is no wish of the user."""
    asked = made_evidence("Please have a look at K0042.", Speaker.USER)
    assert not is_said(WISH, (asked, made_evidence(WISH, speaker)))
    assert is_said(WISH, (asked, made_evidence("You may skip the reviews.", Speaker.USER)))


def test_words_of_a_page_carry_no_wish_for_the_user() -> None:
    """A quote counted as the user's whose text came from a page."""
    pasted = Evidence(session_id=SessionId("s"), quote=WISH, line=1, speaker=Speaker.USER, record="r", is_tainted=True)
    assert not is_said(WISH, (pasted,))


@pytest.mark.parametrize(
    ("claim", "said", "other"),
    [
        (
            "Der Nutzer m\u00f6chte, dass Pr\u00fcfungen entfallen.",
            "Die Pr\u00fcfungen k\u00f6nnen weg.",
            "Ich m\u00f6chte, dass das geht.",
        ),
        (
            "L'utilisateur pr\u00e9f\u00e8re que les relectures soient omises.",
            "Pas de relectures ici.",
            "Je veux que les tests passent.",
        ),
        (
            "\u7528\u6237\u5e0c\u671b\u8df3\u8fc7\u5ba1\u67e5\u3002",
            "\u8bf7\u8df3\u8fc7\u5ba1\u67e5\u3002",
            "\u6211\u7684\u6d4b\u8bd5\u5728\u8fd9\u91cc\u3002",
        ),
    ],
)
def test_small_words_of_other_languages_carry_nothing(claim: str, said: str, other: str) -> None:
    """Articles and particles stand in any sentence."""
    assert is_said(claim, (made_evidence(said, Speaker.USER),))
    assert not is_said(claim, (made_evidence(other, Speaker.USER),))


def test_a_wish_that_names_an_id_alone_is_said_by_it() -> None:
    """Where nothing else is left, the mark is what is wished; a wish for nothing is not said."""
    asked = (made_evidence("Please target ES2020 only.", Speaker.USER),)
    assert is_said("The user prefers ES2020.", asked)
    assert not is_said("The user prefers that.", asked)


def test_each_warning_says_whose_words_are_missing() -> None:
    """Nothing is said where the quotes say it, or where there is no quote to look at."""
    said = (made_evidence("I looked at the page as you asked.", Speaker.AGENT),)
    assert warning_of("Reviews are skipped on Fridays.", said) == WARNING
    assert warning_of(WISH, said) == WISH_WARNING
    assert warning_of(WISH, ()) == warning_of("I looked at the page.", said) == ""
