"""Promises that became tasks: confirm, dismiss, done, and what later nights make of them."""

from datetime import timedelta

import pytest
from made_nights import PROMISE, Place, promise_session, session_name, write_all

from slowwave.facts.refusal import UsageError


@pytest.fixture
def promised(place: Place) -> Place:
    """A home after a night that found one promise."""
    write_all(place.transcripts, [promise_session(3, day=7)])
    assert len(place.sleep()["tasks"]) == 1
    return place


def only_task(place: Place, *, everything: bool = False) -> dict[str, object]:
    """The one task there is."""
    tasks = place.house.tasks(everything=everything)
    assert len(tasks) == 1
    return tasks[0]


def test_a_promise_is_a_proposed_task_until_a_person_says_so(promised: Place) -> None:
    """A proposed task is listed and stands on no branch but ``pending``."""
    task = only_task(promised)
    assert task["taskStatus"] == "proposed"
    assert "migration note" in str(task["claim"])
    assert str(task["path"]) not in promised.git("ls-tree", "-r", "--name-only", "main").splitlines()


def test_a_confirmed_task_is_open_on_main(promised: Place) -> None:
    """Confirming lands the task and opens it; its evidence is in the commit that landed it."""
    name = str(only_task(promised)["id"])
    changed = promised.house.decide_task(name, "confirm", channel="token")
    assert changed["taskStatus"] == "open"
    text = promised.git("show", f"main:{changed['path']}")
    assert "task_status: open" in text
    assert session_name(3) in promised.git("log", "main", "--format=%B", "--", str(changed["path"]))
    assert promised.house.review_list() == []


def test_a_dismissed_promise_is_not_proposed_again(promised: Place) -> None:
    """Neither the same words nor a rewording of them come back after a person dismissed the task."""
    promised.house.decide_task(str(only_task(promised)["id"]), "dismiss", channel="token")
    assert promised.house.tasks(everything=False) == []
    reworded = promise_session(
        5, day=20, promise="I will write that migration note as soon as the new gateway has landed."
    )
    write_all(promised.transcripts, [promise_session(4, day=19), reworded])
    promised.now += timedelta(days=1)
    night = promised.sleep()
    assert night["tasks"] == []
    assert promised.counts(night).get("proposed", 0) == 0


@pytest.mark.slow
def test_an_open_task_is_not_proposed_twice_and_may_be_done(promised: Place) -> None:
    """A promise that is an open task already is known; a person closes it by ``done``."""
    name = str(only_task(promised)["id"])
    promised.house.decide_task(name, "confirm", channel="token")
    write_all(promised.transcripts, [promise_session(4, day=20, promise=PROMISE.replace("the new", "that new"))])
    promised.now += timedelta(days=1)
    assert promised.sleep()["tasks"] == []
    done = promised.house.decide_task(str(only_task(promised)["path"]), "done", channel="token")
    assert done["taskStatus"] == "done"
    assert promised.house.tasks(everything=False) == []
    assert only_task(promised, everything=True)["taskStatus"] == "done"


@pytest.mark.slow
def test_a_proposed_task_may_be_done_at_once(promised: Place) -> None:
    """Closing a proposed task lands it and closes it."""
    done = promised.house.decide_task(str(only_task(promised)["id"]), "done", channel="token")
    assert "task_status: done" in promised.git("show", f"main:{done['path']}")


@pytest.mark.slow
def test_a_task_that_landed_may_be_dismissed_and_stays_away(promised: Place) -> None:
    """A dismissed task stays in the corpus as dismissed, and its promise is not proposed again."""
    name = str(only_task(promised)["id"])
    promised.house.decide_task(name, "confirm", channel="token")
    dismissed = promised.house.decide_task(name, "dismiss", channel="token")
    assert "task_status: dismissed" in promised.git("show", f"main:{dismissed['path']}")
    write_all(promised.transcripts, [promise_session(4, day=20)])
    promised.now += timedelta(days=1)
    assert promised.sleep()["tasks"] == []


def test_a_task_nobody_knows_is_a_usage_error(promised: Place) -> None:
    """An unknown task is refused by name; nothing changes."""
    before = promised.git("for-each-ref")
    with pytest.raises(UsageError, match="task i-none does not exist"):
        promised.house.decide_task("i-none", "confirm", channel="token")
    assert promised.git("for-each-ref") == before


def test_the_quote_of_a_promise_leaves_the_state_when_a_commit_holds_it(promised: Place) -> None:
    """Once the task is committed no byte of ``state.db`` holds the quote."""
    promised.close()
    assert b"migration note as soon as the new gateway has landed." not in (promised.home / "state.db").read_bytes()
    assert "as soon as the new gateway has landed." in promised.git("log", "pending", "--format=%B")


@pytest.mark.slow
def test_more_than_ten_tasks_wait_for_another_night(place: Place) -> None:
    """Ten new tasks a night; the rest is counted as cut and proposed the next night."""
    works = (
        "rename the cart module",
        "split the checkout controller",
        "rotate the invoice signing key",
        "archive old refund tickets",
        "measure basket rendering time",
        "print labels in landscape",
        "ask Petra about parcel tariffs",
        "translate voucher mails",
        "reconcile the ledger export",
        "delete stale stock rows",
        "compress product photos",
        "benchmark price lookups",
    )
    sessions = [
        promise_session(n, day=n + 1, promise=f"I will {work} as soon as the new gateway has landed.")
        for n, work in enumerate(works, 1)
    ]
    write_all(place.transcripts, sessions)
    first = place.sleep()
    counts = place.counts(first)
    assert (len(first["tasks"]), counts["proposed"]) == (10, 10)
    assert counts["cut"] == counts["promises"] - 10 > 0
    place.now += timedelta(days=1)
    second = place.sleep()
    assert len(second["tasks"]) == counts["cut"]
