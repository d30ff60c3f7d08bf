"""Consent where it is asked for: at a terminal, before the night that would send something; every answer understood."""

import re
import sys
from collections.abc import Iterator
from datetime import timedelta

import pexpect
import pytest
from made_model_nights import configure, honest
from made_nights import Place, fix_session, large_session, write_all
from made_providers import MadeProvider

QUESTION = "Type yes or no: "
AFTER_ALL = "slowwave consent give"


class Home:
    """A home with a model that its person was not yet asked about, and the terminal they sit at."""

    def __init__(self, place: Place, made: MadeProvider) -> None:
        self.place = place
        self.made = made
        self.there = configure(place, made.origin)
        assert place.run("consent", "revoke", self.there).status == 0

    def night(self, *typed: str, status: int = 0, words: tuple[str, ...] = ("sleep",)) -> str:
        """What a screen shows up to its end while this is typed, one word for each question; folded to one line."""
        at = self.place.now.isoformat().replace("+00:00", "Z")
        screen: pexpect.spawn[str] = pexpect.spawn(
            sys.executable,
            ["-m", "slowwave", *words, "--home", str(self.place.home), "--at", at],
            env=self.place.environment(),
            encoding="utf-8",
            timeout=60,
            dimensions=(50, 200),
        )
        seen = ""
        for word in typed:
            screen.expect_exact(QUESTION)
            seen += str(screen.before)
            screen.send(word)
        screen.expect(pexpect.EOF)
        seen += str(screen.before)
        screen.close()
        assert screen.exitstatus == status, seen
        assert QUESTION not in str(screen.before)
        self.place.now += timedelta(days=1)
        return " ".join(seen.split())

    def said(self) -> list[tuple[str, bool]]:
        """What is kept of what the person said."""
        return [(one["destination"], one["given"]) for one in self.place.run("consent").content["consents"]]


@pytest.fixture
def home(place: Place) -> Iterator[Home]:
    """Two sessions that would be sent, one more of another project that rules read, and a model."""
    write_all(place.transcripts, [large_session(1), large_session(2), fix_session(3, project="bakery")])
    place.house.initialise(transcripts=(place.transcripts,))
    with MadeProvider(honest) as made:
        yield Home(place, made)


def test_the_question_says_to_whom_what_and_at_what_cost(home: Home) -> None:
    """Only what would be sent is counted: the small session and its project stay here."""
    seen = home.night("no\n")
    shown = seen[: seen.index("Understood")]
    assert home.there in shown
    assert re.search(r"2 sessions, 0\.\d MB, of: shop\b", shown)
    assert re.search(r"about \d+ calls, for about \$\d+\.\d\d", shown)
    assert "bakery" not in shown
    assert "config show" in shown


@pytest.mark.slow
@pytest.mark.parametrize("word", ["no\n", "N\n"])
def test_no_is_kept_and_auto_asks_no_more(home: Home, word: str) -> None:
    """Rules read; the next night asks nothing at all; it says what changes that."""
    seen = home.night(word)
    assert "Understood: no" in seen
    assert AFTER_ALL in seen
    assert home.said() == [(home.there, False)]
    home.night()
    assert home.made.questions == []


@pytest.mark.slow
@pytest.mark.parametrize("word", ["yes\n", "y\n"])
def test_yes_asks_the_model_that_very_night_and_is_kept(home: Home, word: str) -> None:
    """The night goes on with the model; the next one, with a new session, asks the model and nobody else."""
    seen = home.night(word)
    assert "Understood: yes" in seen
    assert f'consent revoke "{home.there}"' in seen
    assert home.said() == [(home.there, True)]
    asked = len(home.made.questions)
    assert asked > 0
    write_all(home.place.transcripts, [large_session(4)])
    home.night()
    assert len(home.made.questions) > asked


@pytest.mark.slow
@pytest.mark.parametrize("word", ["\n", "maybe\n", "\x04"])
def test_what_is_neither_is_not_kept_and_asked_again(home: Home, word: str) -> None:
    """An empty line, another word, the end of input: rules read tonight, the next night asks."""
    seen = home.night(word)
    assert "neither yes nor no" in seen
    assert AFTER_ALL in seen
    assert home.said() == []
    assert home.made.questions == []
    assert home.place.git("rev-parse", "pending") != home.place.git("rev-parse", "main")
    home.night("yes\n")
    assert home.said() == [(home.there, True)]


@pytest.mark.slow
def test_a_yes_taken_back_is_asked_for_again(home: Home) -> None:
    """Revoked is as if nothing had been said."""
    home.night("yes\n")
    assert home.place.run("consent", "revoke", home.there).status == 0
    home.night("no\n")
    assert home.said() == [(home.there, False)]


@pytest.mark.slow
def test_an_engine_asked_for_by_name_is_refused_after_a_no_and_asks_again(home: Home) -> None:
    """Naming it is no yes; whoever names it again is asked again, as they may have changed their mind."""
    by_name = ("sleep", "--engine", "model")
    assert "have not said that they may" in home.night("no\n", status=1, words=by_name)
    assert home.made.questions == []
    home.night("yes\n", words=by_name)
    assert home.made.questions


@pytest.mark.slow
def test_consent_give_takes_the_same_words(home: Home) -> None:
    """It changes a no into a yes, a yes into a no, and neither into nothing."""
    for word, status, said in (("n\n", 1, False), ("y\n", 0, True), ("\n", 0, True), ("no\n", 1, False)):
        home.night(word, status=status, words=("consent", "give"))
        assert home.said() == [(home.there, said)]
