"""The guard: who counts as a person."""

from collections.abc import Callable

import pytest

from slowwave.desk.guard import AGENT_VARIABLES, NeedsPersonError, require_person


def asked(answer: str) -> Callable[[str], str]:
    """Somebody at a terminal who gives this answer."""
    return lambda question: answer if "Type yes" in question else ""


def decide(*, token: str = "", variable: str = "", terminal: bool = True, answer: str = "yes\n") -> str:
    """One attempt to decide."""
    return require_person(
        lambda text: text == "the-token",
        token=token,
        environment={variable: "1"} if variable else {},
        has_terminal=terminal,
        ask=asked(answer),
        what="land everything",
    )


def test_a_person_at_a_terminal_who_says_yes() -> None:
    """A terminal and the typed word are enough."""
    assert decide() == "terminal"
    assert decide(answer="  YES \n") == "terminal"


@pytest.mark.parametrize("answer", ["", "\n", "y\n", "no\n", "yes please\n"])
def test_only_the_word_yes_is_yes(answer: str) -> None:
    """Anything else, a closed terminal too, decides nothing."""
    with pytest.raises(NeedsPersonError, match="answer was not yes"):
        decide(answer=answer)


def test_the_token_stands_for_a_person_everywhere() -> None:
    """A script with the token needs no terminal, and an agent's environment does not matter to it."""
    assert decide(token="the-token", terminal=False, variable="CLAUDECODE") == "token"


def test_a_wrong_token_is_refused_even_at_a_terminal() -> None:
    """Whoever gives a wrong token is not asked instead."""
    with pytest.raises(NeedsPersonError, match="not the person token"):
        decide(token="another")


@pytest.mark.parametrize("variable", AGENT_VARIABLES)
def test_an_agents_environment_is_no_person(variable: str) -> None:
    """Each variable that an agent sets is named in the refusal."""
    with pytest.raises(NeedsPersonError, match=variable):
        decide(variable=variable)


def test_without_a_terminal_nobody_can_be_asked() -> None:
    """The refusal has its own code and exit status, and says what to do."""
    with pytest.raises(NeedsPersonError, match="no terminal is here") as refused:
        decide(terminal=False)
    assert (refused.value.code, refused.value.exit_status) == ("needs_person", 1)
    assert "--yes-i-am-a-person" in refused.value.hint
