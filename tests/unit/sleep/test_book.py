"""The night's book: nights, items, promises, steps as rows, and the person token."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from made_sleep import NOW, proved_commitment

from slowwave.facts.ids import ItemId, MemoryPath, RunId, SessionId
from slowwave.sleep import nights
from slowwave.sleep.items import Item, ItemStatus, forget_items, put_items, read_items, set_landed, set_status
from slowwave.sleep.marks import Mark, NewMark, put_marks, read_marks, release_marks
from slowwave.sleep.person import is_token, new_token
from slowwave.sleep.preflight import SourceEmptiedError, check_sources
from slowwave.sleep.promises import (
    Settled,
    known_keys,
    promise_of,
    put_promises,
    release,
    settle,
    waiting_promises,
)
from slowwave.sleep.state import State

ITEM = Item(
    id=ItemId("i-1"),
    run_id=RunId("night-1"),
    type="memory",
    kind="semantic",
    path=MemoryPath("projects/shop/x.md"),
    claim="The cart rounds half up.",
    status=ItemStatus.PENDING,
    created="2026-03-01T03:30:00Z",
    sessions=("s-1", "s-2"),
    records=("r-1",),
)


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    """An empty book."""
    made = State(tmp_path / "state.db")
    yield made
    made.close()


def test_a_night_is_found_again_with_what_was_asked(state: State) -> None:
    """An unfinished night comes back with its moment, phases and choice; a finished one does not."""
    begun = nights.begin(state, moment=NOW, profile="mined/1", phases=("report",), again=True)
    assert begun.run_id == "night-20260301t033000z"
    assert begun.is_first
    assert nights.unfinished(state) == begun
    nights.finish(state, begun.run_id, "{}")
    assert nights.unfinished(state) is None
    assert nights.last_report(state) == "{}"


def test_two_nights_of_one_second_have_two_names(state: State) -> None:
    """The second gets an ordinal."""
    first = nights.begin(state, moment=NOW, profile="mined/1")
    nights.finish(state, first.run_id, "{}")
    assert nights.begin(state, moment=NOW, profile="mined/1").run_id == f"{first.run_id}-2"


def test_only_a_night_without_steps_is_forgotten(state: State) -> None:
    """A night that was stopped at its door leaves nothing; one that had begun work stays to be finished."""
    begun = nights.begin(state, moment=NOW, profile="mined/1")
    nights.abandon(state, begun.run_id)
    assert nights.unfinished(state) is None
    begun = nights.begin(state, moment=NOW, profile="mined/1")
    with state.step() as sql:
        sql.execute("INSERT INTO steps (run_id, name, number, base, plan) VALUES (?, 'x', 1, '', '')", (begun.run_id,))
    nights.abandon(state, begun.run_id)
    assert nights.unfinished(state) == begun


def test_a_night_after_a_mark_is_no_first_one(state: State) -> None:
    """First is a night before which this engine marked nothing."""
    mark = NewMark(session_id=SessionId("s"), file="s.jsonl", mark=Mark(byte=1, line=1, prefix="p"))
    with state.step() as sql:
        put_marks(sql, [mark], profile="model/x", run_id=RunId("n"))
    assert nights.begin(state, moment=NOW, profile="mined/1").is_first
    assert not nights.begin(state, moment=NOW + timedelta(1), profile="model/x").is_first


def test_marks_belong_to_a_profile_and_are_released_by_session(state: State) -> None:
    """Another engine has marks of its own; releasing counts sessions, not files."""
    marks = [
        NewMark(session_id=SessionId(s), file=f, mark=Mark(byte=9, line=2, prefix="p"))
        for s, f in (("a", "a.jsonl"), ("a", "a/side.jsonl"), ("b", "b.jsonl"))
    ]
    with state.step() as sql:
        put_marks(sql, marks, profile="mined/1", run_id=RunId("n"))
    assert set(read_marks(state, "mined/1")) == {("a", "a.jsonl"), ("a", "a/side.jsonl"), ("b", "b.jsonl")}
    assert read_marks(state, "model/x") == {}
    with state.step() as sql:
        assert release_marks(sql, ["a", "a", "nobody"]) == 1
    assert set(read_marks(state, "mined/1")) == {("b", "b.jsonl")}


def test_an_item_reads_back_and_keeps_its_decision(state: State) -> None:
    """Writing an item again changes nothing about what a person decided."""
    with state.step() as sql:
        put_items(sql, [ITEM])
        set_status(sql, ["i-1"], ItemStatus.REJECTED, moment=NOW, channel="terminal", why="no")
        put_items(sql, [ITEM])
    decided = replace(ITEM, status=ItemStatus.REJECTED, decided="2026-03-01T03:30:00Z", channel="terminal", why="no")
    assert read_items(state) == (decided,)
    assert read_items(state, (ItemStatus.PENDING,)) == ()


def test_a_landed_item_knows_its_commit_and_a_forgotten_one_is_gone(state: State) -> None:
    """Landing writes commit and path; forgetting removes the row."""
    with state.step() as sql:
        put_items(sql, [ITEM])
        set_landed(sql, "i-1", "projects/shop/y.md", "c" * 40)
    assert (read_items(state)[0].landed, read_items(state)[0].path) == ("c" * 40, "projects/shop/y.md")
    with state.step() as sql:
        forget_items(sql, ["i-1"])
    assert read_items(state) == ()


def test_a_step_that_fails_leaves_nothing(state: State) -> None:
    """All of a transaction, or none of it."""

    def fail() -> None:
        with state.step() as sql:
            put_items(sql, [ITEM])
            raise KeyError("x")

    with pytest.raises(KeyError):
        fail()
    assert read_items(state) == ()


def test_a_promise_waits_once_and_is_settled_once(state: State) -> None:
    """The same promise of another night is the same row; settled, it waits no more and is still known."""
    promise = promise_of(proved_commitment("Write the  note.", due="2026-04-01"), run_id=RunId("n"), project="shop")
    again = promise_of(proved_commitment("write the note."), run_id=RunId("m"), project="shop")
    assert again.source_key == promise.source_key
    with state.step() as sql:
        put_promises(sql, [promise, again])
    assert waiting_promises(state) == (promise,)
    with state.step() as sql:
        settle(sql, [Settled(source_key=promise.source_key, reason="proposed", item="i-9")])
    assert waiting_promises(state) == ()
    assert known_keys(state) == {promise.source_key}


def test_kept_and_open_promises_are_two(state: State) -> None:
    """The same words as done are another promise than as open, and so are another actor's."""
    keys = {
        promise_of(proved_commitment("Write the note.", **said), run_id=RunId("n"), project="").source_key
        for said in ({}, {"resolved": True}, {"actor": "user"})
    }
    assert len(keys) == 3
    assert known_keys(state) == frozenset()


def test_a_settled_promise_drops_its_quote_from_the_file(state: State, tmp_path: Path) -> None:
    """No byte of the database holds the quote once a commit does."""
    promise = promise_of(proved_commitment("Write the note."), run_id=RunId("n"), project="")
    with state.step() as sql:
        put_promises(sql, [promise])
    quote = promise.evidence.quote.encode()
    assert quote in (tmp_path / "state.db").read_bytes()
    with state.step() as sql:
        settle(sql, [Settled(source_key=promise.source_key, reason="proposed")])
    assert quote not in (tmp_path / "state.db").read_bytes()


def test_a_lost_item_frees_the_promise_it_carried(state: State) -> None:
    """Only promises whose own task or closure is lost may be made again, whichever night they are from."""
    promises = [promise_of(proved_commitment(f"Write note {n}."), run_id=RunId("n"), project="") for n in range(3)]
    with state.step() as sql:
        put_promises(sql, promises)
        settled = [Settled(source_key=p.source_key, reason="proposed", item=f"i-{n}") for n, p in enumerate(promises)]
        settle(sql, settled[:2])
        release(sql, {"i-1", "i-2"})
    assert known_keys(state) == {promises[0].source_key, promises[2].source_key}


def test_an_emptied_source_stops_unless_it_is_accepted_or_no_source_any_more(state: State) -> None:
    """Law 16: full before and empty now stops; a folder that is not configured any more does not."""
    with state.step() as sql:
        sql.executemany("INSERT INTO sources VALUES (?, ?)", [("/a", 3), ("/b", 0)])
    with pytest.raises(SourceEmptiedError, match="/a held 3 sessions"):
        check_sources(state, {"/a": 0, "/b": 0}, accept_empty=False)
    check_sources(state, {"/a": 0, "/b": 0}, accept_empty=True)
    check_sources(state, {"/a": 1, "/b": 0}, accept_empty=False)
    check_sources(state, {"/b": 0}, accept_empty=False)


def test_the_token_is_made_once_and_only_it_is_one(state: State) -> None:
    """A token is given out once; anything else, the empty text too, is none."""
    token = new_token(state)
    assert token is not None
    assert new_token(state) is None
    assert is_token(state, token)
    for other in ("", token[:-1], token + "x", "person-\udcff"):
        assert not is_token(state, other)
    assert token not in "".join(state.connection.iterdump())


def test_without_a_token_nothing_is_one(state: State) -> None:
    """Before ``init`` no text stands for a person."""
    assert not is_token(state, "")
