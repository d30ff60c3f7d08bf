"""Law 9: no memory without two verbatim quotes of read sessions, one at least by a person or agent, one at least new.

What proof lets through is held against hostile answers in ``test_hostile_answers``; here whole nights are, by a reader
that shares no code with ours.
"""

import json
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from made_nights import Place, fix_session, promise_session, write_all
from made_samples import Slept, role_at, sample_place, stands_at

Evidence = Mapping[str, Any]
SPOKEN = ("user", "assistant", "function_call", "custom_tool_call", "local_shell_call", "agent_message", "user_message")


def evidence_of(place: Place, commit: str) -> list[Evidence]:
    """The evidence lines of a commit's message, as anybody with git reads them."""
    body = place.git("show", "--no-patch", "--format=%B", commit)
    return [json.loads(line.removeprefix("Evidence: ")) for line in body.splitlines() if line.startswith("Evidence: ")]


def files_of(place: Place) -> dict[str, tuple[Path, ...]]:
    """Each session's files."""
    return {str(s.id): (s.path, *s.side_files) for s in place.house.find().sessions}


def uphold(place: Place, entry: Mapping[str, Any]) -> list[Evidence]:
    """Two quotes and more, each where it says, one of them spoken by a person or the agent."""
    found = evidence_of(place, entry["commit"])
    files = files_of(place)
    assert len(found) >= (2 if entry["type"] == "memory" else 1), entry
    for one in found:
        assert stands_at(files[one["session"]], one.get("file", 0), one["line"], one["quote"]), one
    spoken = [one for one in found if one["speaker"] in ("user", "agent")]
    assert spoken, entry
    assert any(role_at(files[one["session"]], one.get("file", 0), one["line"]) in SPOKEN for one in spoken), entry
    assert len({(one["session"], one["line"], one["quote"]) for one in found}) == len(found)
    return found


def test_law_9_every_memory_of_the_samples_stands_on_its_quotes(slept: Slept) -> None:
    """Each item of a night over the samples has its quotes in the files, word for word, on the lines it names."""
    proposed = [*slept.night["memories"], *slept.night["tasks"]]
    assert len(slept.night["memories"]) >= 5
    for entry in proposed:
        uphold(slept.place, entry)


@pytest.mark.slow
@pytest.mark.parametrize("day", [1, 3])
def test_law_9_every_memory_of_real_sessions_stands_on_its_quotes(tmp_path: Path, shared: Path, day: int) -> None:
    """The same over labelled sessions of real people."""
    place = Place(tmp_path)
    place.transcripts = shared / "gold" / f"D{day}" / "sessions"
    night = place.sleep()
    assert night["memories"]
    for entry in (*night["memories"], *night["tasks"]):
        uphold(place, entry)
    place.close()


def test_law_9_what_was_read_before_needs_something_new(place: Place) -> None:
    """Whatever a later night proposes rests on a session, or lines of one, that no night had read."""
    read: set[str] = set()
    proposed = 0
    for number, new in enumerate(
        (
            fix_session(1),
            fix_session(2, day=12),
            promise_session(4, day=20, promise="I will rename the cart next week."),
        )
    ):
        write_all(place.transcripts, [new])
        night = place.sleep()
        for entry in (*night["memories"], *night["tasks"]):
            assert {one["session"] for one in uphold(place, entry)} - read, (number, entry)
            proposed += 1
        read.add(new.name)
        place.now += timedelta(days=1)
    assert proposed >= 2
    assert place.sleep()["memories"] == []


@pytest.mark.slow
def test_law_9_why_finds_each_quote_again_and_says_when_it_is_gone(tmp_path: Path) -> None:
    """``why`` verifies every quote of what landed; when the sessions are gone it says so and the memory stays."""
    place = sample_place(tmp_path)
    night = place.sleep()
    place.house.merge((), everything=True, channel="token")
    paths = [entry["path"] for entry in night["memories"]]
    for path in paths:
        assert {one["verified"] for one in place.house.why(path)["evidence"]} == {True}
    for path in place.transcripts.rglob("*.jsonl"):
        path.unlink()
    assert {one["verified"] for one in place.house.why(paths[0])["evidence"]} == {"gone"}
    place.close()
