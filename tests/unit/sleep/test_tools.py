"""The tools of a turn: bounded, masked, no byte past the plan; a wrong call is answered with what to change."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_evidence import TOKEN
from made_transcripts import ClaudeSession
from made_turns import NONCE, SECRETS, refused, say, scanned, shown

from slowwave.facts import limits
from slowwave.facts.ids import SessionId
from slowwave.models.toolbox import ToolReply
from slowwave.sleep.engine import Reading
from slowwave.sleep.leads import Lead
from slowwave.sleep.tool_specs import LIST, READ, SEARCH, SPECS, SUBMIT
from slowwave.sleep.turn import Turn

ONE, TWO, OLD = "s-one", "s-two", "s-old"
SAID = "The zebra gate is locked at nine."


def turn_over(reading: Reading, **more: Any) -> Turn:
    """A turn over a batch."""
    return Turn(reading, secrets=SECRETS, nonce=NONCE, **more)


def call(turn: Turn, name: str, **arguments: Any) -> ToolReply:
    """A call as a model makes it."""
    return turn.call(name, say(**arguments))


def talk(name: str) -> ClaudeSession:
    """A session of a few lines, one of which holds a token; with a sub-agent's file."""
    session = ClaudeSession(name)
    session.user("Please look after the zebras.")
    session.agent(SAID)
    session.agent(f"The gate opens with {TOKEN} only.")
    message = {"id": "m", "role": "assistant", "content": [{"type": "text", "text": "The giraffes sleep at ten."}]}
    session.side_record("a1", {"type": "assistant", "message": message})
    return session


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    """Two new sessions and one that is only context."""
    for name in (ONE, TWO, OLD):
        talk(name).write(tmp_path)
    whole = scanned(tmp_path)
    old = {SessionId(OLD): tuple(file.lines + 1 for file in whole.batch.sessions[SessionId(OLD)].files)}
    return replace(whole, batch=replace(whole.batch, new_from={**whole.batch.new_from, **old}))


@pytest.fixture
def turn(reading: Reading) -> Turn:
    """A turn whose index was called."""
    made = turn_over(reading)
    call(made, LIST)
    return made


def rows(turn: Turn) -> dict[str, dict[str, Any]]:
    """What ``list_sessions`` says of each session."""
    return {row["id"]: row for row in shown(call(turn, LIST))["sessions"]}


def test_there_are_four_tools_with_closed_forms() -> None:
    """Nothing else is offered, and no object of any schema takes a field that it does not name."""
    assert [spec.name for spec in SPECS] == [LIST, SEARCH, READ, SUBMIT]

    def check(node: Any) -> None:
        if isinstance(node, dict):
            if node.get("type") == "object":
                assert node["additionalProperties"] is False
                assert set(node["required"]) <= set(node["properties"])
            for inner in node.values():
                check(inner)

    for spec in SPECS:
        check(dict(spec.schema))


@pytest.mark.parametrize(
    ("tool", "bounds"),
    [
        (SEARCH, ("PHRASE_CHARACTERS", "MOST_SEARCH_HITS", "SEARCH_HITS", "MOST_SEARCH_CONTEXT", "SEARCH_CONTEXT")),
        (READ, ("MOST_LINES", "LINE_WIDTH", "MOST_LINE_WIDTH")),
        (
            SUBMIT,
            (
                "MOST_SUBMISSIONS",
                "MOST_CANDIDATES",
                "FEWEST_QUOTES",
                "MOST_QUOTES",
                "MOST_ENTITIES",
                "MOST_COMMITMENTS",
                "CLAIM_CHARACTERS",
                "GIST_CHARACTERS",
                "STATEMENT_CHARACTERS",
                "QUOTE_CHARACTERS",
                "ENTITY_CHARACTERS",
            ),
        ),
    ],
)
def test_each_bound_stands_in_its_tool_s_description(tool: str, bounds: tuple[str, ...]) -> None:
    """So that nobody has to find one out by being refused."""
    (spec,) = (one for one in SPECS if one.name == tool)
    numbers = set(re.findall(r"\d+(?:,\d{3})*", spec.description))
    missing = {name for name in bounds if f"{getattr(limits, name):,}" not in numbers}
    assert not missing


def test_the_index_holds_no_word_of_a_session(turn: Turn) -> None:
    """Ids, names of folders, numbers: what a session says is read with the other tools."""
    listed = rows(turn)
    assert set(listed) == {ONE, TWO, OLD}
    assert listed[ONE] == {
        "id": ONE,
        "agent": "claude-code",
        "slug": "invented",
        "cwd": "/work/invented",
        "started": "2026-01-05T10:00:01Z",
        "ended": "2026-01-05T10:00:03Z",
        "prompts": 1,
        "turns": 2,
        "bytes": listed[ONE]["bytes"],
        "context": False,
        "linkedMemories": [],
        "lines": [3, 1],
    }
    text = json.dumps(listed)
    assert not any(word in text for word in ("zebra", "giraffe", TOKEN))
    assert turn.log.touched == set()


def test_a_session_with_nothing_new_is_context(turn: Turn) -> None:
    """All its first new lines stand past the ends of its files; it has no line from which it is new."""
    listed = rows(turn)
    assert {name: row["context"] for name, row in listed.items()} == {ONE: False, TWO: False, OLD: True}
    assert not any("newSinceLine" in row for row in listed.values())


def test_a_session_that_grew_says_from_which_line_of_each_file(reading: Reading) -> None:
    """A number for the main file, then for each side file."""
    grown = replace(reading.batch, new_from={**reading.batch.new_from, SessionId(TWO): (3, 2)})
    listed = rows(turn_over(replace(reading, batch=grown)))
    assert listed[TWO]["newSinceLine"] == [3, 2]
    assert listed[TWO]["context"] is False


def test_a_session_read_before_that_has_a_new_side_file_says_so(reading: Reading) -> None:
    """Also where the file was not there on the earlier night, and nothing else is new."""
    for first_new in ((4, 1), (4,)):
        grown = replace(reading.batch, new_from={**reading.batch.new_from, SessionId(TWO): first_new})
        listed = rows(turn_over(replace(reading, batch=grown)))
        assert listed[TWO]["newSinceLine"] == [4, 1]
        assert listed[TWO]["context"] is False


def test_memories_and_leads_are_shown_where_there_are_any(reading: Reading) -> None:
    """A memory as the corpus links it, its words masked; a lead as a lens and lines."""
    memory = {"path": "memories/zebra.md", "claim": f"The gate opens with {TOKEN}.", "tags": ["a", TOKEN]}
    leads = {SessionId(ONE): (Lead(lens="decision", file=0, lines=(2,)),)}
    listed = rows(turn_over(replace(reading, linked={SessionId(ONE): (memory,)}), leads=leads))
    (linked,) = listed[ONE]["linkedMemories"]
    assert linked["path"] == memory["path"]
    assert TOKEN not in json.dumps(listed)
    assert listed[ONE]["leads"] == [{"lens": "decision", "file": 0, "lines": [2]}]
    assert "leads" not in listed[TWO]


def test_a_search_counts_all_places_and_shows_the_first(turn: Turn) -> None:
    """With file, line, column, speaker and what stands around; side files are searched too."""
    found = shown(call(turn, SEARCH, sessionId=ONE, phrase="zebra gate", context=4))
    assert (found["sessionId"], found["total"], found["truncated"]) == (ONE, 1, False)
    assert found["hits"] == [{"file": 0, "line": 2, "column": 5, "speaker": "agent", "text": "The zebra gate is "}]
    assert shown(call(turn, SEARCH, sessionId=ONE, phrase="GIRAFFES", ignoreCase=True))["hits"][0]["file"] == 1
    cut = shown(call(turn, SEARCH, sessionId=ONE, phrase="e", maxHits=1))
    assert cut["total"] > 1
    assert cut["truncated"] is True
    assert len(cut["hits"]) == 1
    assert turn.log.touched == {ONE}


def test_lines_are_read_with_their_speakers(turn: Turn) -> None:
    """From a line, of a file, from a column; and where to go on."""
    read = shown(call(turn, READ, sessionId=TWO, start=1, end=2, width=9))
    assert [(one["line"], one["speaker"], one["text"]) for one in read["lines"]] == [
        (1, "user", "Please lo"),
        (2, "agent", "The zebra"),
    ]
    assert (read["totalLines"], read["nextLine"], read["lines"][0]["truncated"]) == (3, None, True)
    side = shown(call(turn, READ, sessionId=TWO, start=1, end=1, file=1, column=5, width=8))
    assert side["lines"][0]["text"] == "giraffes"
    assert turn.log.touched == {TWO}


def test_no_secret_leaves(turn: Turn) -> None:
    """Neither read nor found, whole or in part."""
    read = json.dumps(shown(call(turn, READ, sessionId=ONE, start=1, end=3)))
    assert "[secret:" in read
    assert TOKEN[:12] not in read
    assert shown(call(turn, SEARCH, sessionId=ONE, phrase=TOKEN[:12]))["total"] == 0


def test_what_a_session_grew_by_since_the_plan_is_not_there(tmp_path: Path) -> None:
    """No line past the planned end is listed, counted, found or read, in a file that was scanned after it grew."""
    made = talk(ONE)
    made.write(tmp_path)
    planned = scanned(tmp_path).batch
    made.agent("A zebra that nobody planned for.")
    made.side_record("a2", {"type": "user", "message": {"role": "user", "content": "A zebra of a new file."}})
    made.write(tmp_path)
    late = scanned(tmp_path)
    turn = turn_over(replace(late, batch=replace(late.batch, ends=planned.ends, new_from=planned.new_from)))
    row = rows(turn)[ONE]
    assert row["lines"] == [3, 1]
    assert row["bytes"] == planned.sessions[SessionId(ONE)].bytes
    assert shown(call(turn, SEARCH, sessionId=ONE, phrase="zebra"))["total"] == 2
    assert shown(call(turn, READ, sessionId=ONE, start=1, end=100))["totalLines"] == 3
    assert refused(call(turn, READ, sessionId=ONE, start=4, end=4)) == [("bound", "arguments")]
    assert refused(call(turn, READ, sessionId=ONE, start=1, end=1, file=2)) == [("bound", "arguments")]


def test_a_session_that_grows_during_the_turn_is_seen_as_it_was(tmp_path: Path) -> None:
    """The file has more lines by the time it is read."""
    made = talk(ONE)
    made.write(tmp_path)
    turn = turn_over(scanned(tmp_path))
    made.agent("A zebra that nobody planned for.")
    made.write(tmp_path)
    rows(turn)
    assert shown(call(turn, SEARCH, sessionId=ONE, phrase="zebra"))["total"] == 2
    assert len(shown(call(turn, READ, sessionId=ONE, start=1, end=100))["lines"]) == 3


@pytest.mark.parametrize("becomes", ["gone", "a link", "a folder"])
def test_a_session_that_went_away_cannot_be_read(becomes: str, tmp_path: Path) -> None:
    """It is said that it cannot be, without a path of this machine; it counts as unread, the others go on."""
    for name in (ONE, TWO):
        talk(name).write(tmp_path / "sessions")
    turn = turn_over(scanned(tmp_path / "sessions"))
    path = tmp_path / "sessions" / f"{ONE}.jsonl"
    path.rename(tmp_path / "elsewhere.jsonl")
    if becomes == "a link":
        path.symlink_to(tmp_path / "elsewhere.jsonl")
    elif becomes == "a folder":
        path.mkdir()
    rows(turn)
    for arguments in ({"phrase": "zebra"}, {"start": 1, "end": 2}):
        reply = call(turn, SEARCH if "phrase" in arguments else READ, sessionId=ONE, **arguments)
        assert refused(reply) == [("unreadable", "sessionId")]
        assert "leave it out" in reply.text
        assert ".jsonl" not in reply.text
    assert shown(call(turn, SEARCH, sessionId=TWO, phrase="zebra"))["total"] == 2
    assert turn.log.touched == {TWO}


def test_a_session_that_became_shorter_cannot_be_read(tmp_path: Path) -> None:
    """Of lines that are gone nothing could be shown, and a look at nothing is none."""
    for name in (ONE, TWO):
        talk(name).write(tmp_path)
    turn = turn_over(scanned(tmp_path))
    rows(turn)
    for path in (tmp_path / f"{ONE}.jsonl", tmp_path / TWO / "subagents" / "agent-a1.jsonl"):
        path.write_bytes(path.read_bytes()[:40])
    for name, arguments in (
        (READ, {"sessionId": ONE, "start": 1, "end": 3}),
        (SEARCH, {"sessionId": ONE, "phrase": "zebra"}),
        (READ, {"sessionId": TWO, "start": 1, "end": 1, "file": 1}),
        (SEARCH, {"sessionId": TWO, "phrase": "zebra"}),
    ):
        assert refused(call(turn, name, **arguments)) == [("unreadable", "sessionId")]
    assert turn.log.touched == set()
    assert shown(call(turn, READ, sessionId=TWO, start=1, end=3))["totalLines"] == 3


def test_a_turn_can_be_opened_over_a_session_that_is_gone_already(tmp_path: Path) -> None:
    """Also where its lines would have to be counted again because it had grown."""
    made = talk(ONE)
    made.write(tmp_path)
    reading = scanned(tmp_path)
    ends = {SessionId(ONE): (10, 10)}
    (tmp_path / f"{ONE}.jsonl").unlink()
    turn = turn_over(replace(reading, batch=replace(reading.batch, ends=ends)))
    assert rows(turn)[ONE]["lines"] == [0, 0]
    assert refused(call(turn, SEARCH, sessionId=ONE, phrase="zebra")) == [("unreadable", "sessionId")]


def test_a_search_that_finds_nothing_has_looked(turn: Turn) -> None:
    """The whole session was read for it: that counts."""
    assert shown(call(turn, SEARCH, sessionId=ONE, phrase="okapi"))["total"] == 0
    assert turn.log.touched == {ONE}
