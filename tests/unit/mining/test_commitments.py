"""Promises: the few shapes that hold, what only looks like one, and whether it was kept."""

from typing import Any

import pytest

from slowwave.facts.answer import Commitment
from slowwave.mining import commitments
from slowwave.mining.episodes import listen


def found(*acts: Any) -> tuple[Commitment, ...]:
    """The commitments of some made-up sessions."""
    return commitments.find(listen([act.recording() for act in acts]))


def test_a_persons_own_promise_is_kept_with_its_date(stage: Any) -> None:
    """First person, a work verb, an ISO date: the quote is the sentence, the statement stands alone."""
    act = stage("s").user("looks good. i'll rotate the signing key by 2026-03-02").agent("Good.")
    (promise,) = found(act)
    assert promise.actor == "user"
    assert promise.due_hint == "2026-03-02"
    assert promise.evidence.quote == "i'll rotate the signing key by 2026-03-02"
    assert promise.statement.startswith("Rotate the signing key")
    assert not promise.resolved


@pytest.mark.parametrize(
    "words",
    [
        "should i rotate the key tomorrow?",
        "if the key leaks i'll rotate it",
        "i would rotate the key at some point",
        "let's rotate the key now",
        "rotate the key",
        "maybe i'll rotate the key",
        "i rotated the key",
    ],
)
def test_what_only_looks_like_a_promise_of_a_person(stage: Any, words: str) -> None:
    """Questions, conditions, wishes, orders and records promise nothing."""
    assert found(stage("s").user(words).agent("Right.")) == ()


@pytest.mark.parametrize(
    "words",
    [
        "I'll add the missing fields now.",
        "Let me run the tests.",
        "Want me to open a PR?",
        "If you like, I can add an alias.",
        "Next steps:\n- wire the exporter\n- write the docs",
        "You'll want to add tests later.",
    ],
)
def test_what_only_looks_like_a_promise_of_the_agent(stage: Any, words: str) -> None:
    """Narration, offers and lists are forgotten with the turn."""
    act = stage("s").user("carry on").agent(words).shell("make test", "ok").agent("All done.")
    assert found(act) == ()


def test_the_agent_waits_for_a_word(stage: Any) -> None:
    """It names an act and stops; when the push comes later the promise is resolved."""
    act = stage("s").user("rebase please").agent("A force-push is needed to update the branch, let me know when.")
    (promise,) = found(act)
    assert promise.actor == "agent"
    assert not promise.resolved
    act.user("go").shell("git push --force-with-lease", "done")
    (promise,) = found(act)
    assert promise.resolved


def test_a_stash_is_no_push(stage: Any) -> None:
    """``git stash push`` does not keep the promise to push."""
    act = stage("s").user("rebase please").agent("The push to origin is left, let me know when.")
    act.user("later").shell("git stash push -m x", "saved")
    (promise,) = found(act)
    assert not promise.resolved


def test_a_session_that_ends_before_the_act(stage: Any) -> None:
    """The last message announces a push that no command performs; with the push there is nothing to keep."""
    act = (
        stage("s")
        .user("move the block")
        .agent("Moved. I'll amend and push the branch.")
        .shell("git commit --amend", "ok")
    )
    (promise,) = found(act)
    assert "push" in promise.statement
    act.shell("git push", "ok")
    assert found(act) == ()


def test_work_put_off_by_name(stage: Any) -> None:
    """``once that is back`` in a last message is a promise; followed by a call it is narration."""
    act = stage("s").user("fix the flake").agent("Fixed. I'll run it on the slow machine once that machine is back.")
    (promise,) = found(act)
    assert promise.statement.startswith("Run it on the slow machine once that machine is back")
    act.shell("make test", "ok")
    assert found(act) == ()


def test_a_person_tells_that_it_is_done(stage: Any) -> None:
    """A later turn that speaks of the same as done resolves it."""
    act = stage("s").user("i will restart the staging database after lunch").agent("Good.")
    act.user("the staging database is restarted, check it")
    (promise,) = found(act)
    assert promise.resolved


@pytest.mark.parametrize(
    ("words", "statement"),
    [
        ("no tag, i'll do that from the release machine", "Tag from the release machine"),
        ("The token of the mirror has leaked. i'll rotate it tonight", "about “The token of the mirror has leaked”"),
    ],
)
def test_a_promise_says_what_it_is_about(stage: Any, words: str, statement: str) -> None:
    """``that`` and ``it`` are told as what they stand for."""
    (promise,) = found(stage("s").user(words).agent("Good."))
    assert statement in promise.statement
    assert promise.confidence >= 0.7


@pytest.mark.parametrize(
    "words", ["commit it. i'll ask petra about the set", "i'll tell tomasz", "i'll handle it later"]
)
def test_a_word_with_somebody_makes_no_task(stage: Any, words: str) -> None:
    """Talk is kept in the next conversation, and work without an object cannot be told later."""
    assert all(promise.confidence < 0.7 for promise in found(stage("s").user(words).agent("Good.")))
