"""Law 3: a mark moves only after the work it marks is durable; re-reading may happen, skipping never."""

from typing import Any

import pytest
from made_nights import Place, fix_session, promise_session, write_all

from slowwave.disk.git import Git
from slowwave.disk.trouble import DiskError


def marks(place: Place) -> int:
    """How many files are marked."""
    return int(place.house.state.connection.execute("SELECT count(*) FROM marks").fetchone()[0])


def filled(place: Place) -> Place:
    """The place with one pattern and one promise in its sessions."""
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6), promise_session(3, day=7)])
    return place


def test_law_3_when_a_mark_is_written_every_item_stands_in_git(place: Place) -> None:
    """At the statement that moves a mark, each item of the night already has its commit on ``pending``."""
    filled(place)
    seen: list[str] = []

    def look(statement: str) -> None:
        if "INTO marks" in statement and not seen:
            seen.append(place.git("log", "--format=%B", "main..pending"))

    place.house.state.connection.set_trace_callback(look)
    night = place.sleep()
    place.house.state.connection.set_trace_callback(None)
    (messages,) = seen
    items = [entry["item"] for entry in (*night["memories"], *night["tasks"])]
    assert len(items) == 2
    assert all(f"Slowwave-Item: {item}" in messages for item in items)
    assert marks(place) == 3


@pytest.mark.parametrize("fails_at", [1, 2])
def test_law_3_a_write_that_fails_moves_no_mark(place: Place, monkeypatch: pytest.MonkeyPatch, fails_at: int) -> None:
    """Where the memories or the tasks cannot be written nothing is marked, and the next night loses nothing."""
    filled(place).house.begin_corpus()
    real, count = Git.fast_import, 0

    def broken(git: Git, stream: bytes) -> bytes:
        nonlocal count
        count += 1
        if count == fails_at:
            raise DiskError("the disk is full")
        return real(git, stream)

    monkeypatch.setattr(Git, "fast_import", broken)
    with pytest.raises(DiskError):
        place.sleep()
    assert marks(place) == 0
    monkeypatch.undo()
    place.close()
    place.sleep()
    assert marks(place) == 3
    types = sorted(str(row[0]) for row in place.house.state.connection.execute("SELECT type FROM items"))
    assert types == ["memory", "report", "task"]


def test_law_3_a_session_that_was_not_read_is_not_marked(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that answers without having read a session leaves it for the next night."""
    filled(place)
    engine = pytest.importorskip("slowwave.wiring.engines").MinedEngine
    real = engine.propose

    def lazy(self: Any, recordings: Any, new_from: Any) -> Any:
        answer, findings = real(self, recordings[:1], new_from)
        return answer, findings

    monkeypatch.setattr(engine, "propose", lazy)
    counts = place.counts(place.sleep())
    assert (counts["sessions_consolidated"], counts["sessions_unread"]) == (1, 2)
    assert marks(place) == 1
    monkeypatch.undo()
    place.close()
    again = place.counts(place.sleep())
    assert again["sessions_consolidated"] == 2
