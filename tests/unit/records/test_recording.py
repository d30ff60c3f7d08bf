"""A recording: files read once up to their ends, and every string with whose words it is."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from slowwave.facts.evidence import Speaker
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import ENTRY_TEXT_CHARACTERS
from slowwave.records.entries import EntryKind
from slowwave.records.recording import StringValue, load, strings
from slowwave.records.session import Session

REFUSED = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n"


def envelope(number: int) -> dict[str, Any]:
    """What every record of a message carries."""
    return {"uuid": f"u{number}", "sessionId": "s", "timestamp": "2026-01-02T03:04:05.000Z", "cwd": "/w"}


def user(number: int, content: object, **more: object) -> dict[str, Any]:
    """A user record."""
    return {**envelope(number), "type": "user", "message": {"role": "user", "content": content}, **more}


def agent(number: int, *blocks: Mapping[str, Any], **more: object) -> dict[str, Any]:
    """A record of the agent."""
    return {**envelope(number), "type": "assistant", "message": {"content": list(blocks)}, **more}


def write(path: Path, records: Iterable[Mapping[str, Any]]) -> Path:
    """A transcript with these records, one a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def session(path: Path, *side: Path, agent_name: str = "claude-code") -> Session:
    """The session of a file, as the index would hand it out."""
    return Session(id=SessionId("s"), agent=agent_name, path=path, side_files=side, root=path.parent)


def owned(found: Iterable[StringValue], text: str) -> list[tuple[str, Speaker, str]]:
    """Where a text was found as a whole string or piece, whose it is and why it is injected."""
    return [(each.field, each.speaker, each.injected) for each in found if each.text == text]


def test_side_files_follow_the_main_file(tmp_path: Path) -> None:
    """Entries come main file first; each knows its file, and ends say how far each was read."""
    main = write(tmp_path / "s.jsonl", [user(1, "find it")])
    side = write(tmp_path / "s/subagents/agent-1.jsonl", [user(2, "Search", isSidechain=True)])
    recording = load(session(main, side))
    assert [(entry.file, entry.text) for entry in recording.entries] == [(0, "find it"), (1, "Search")]
    assert recording.ends == (main.stat().st_size, side.stat().st_size)


def test_file_is_read_up_to_its_end(tmp_path: Path) -> None:
    """What was appended since the index was made is not looked at; unnamed side files are not read."""
    main = write(tmp_path / "s.jsonl", [user(1, "one")])
    end = main.stat().st_size
    side = write(tmp_path / "side.jsonl", [user(3, "aside")])
    write(main, [user(1, "one"), user(2, "two")])
    recording = load(session(main, side), ends=(end,))
    assert [entry.text for entry in recording.entries] == ["one"]
    assert recording.ends == (end,)
    assert [each.text for each in strings(session(main, side), ends=(end,)) if each.text in ("two", "aside")] == []


def test_damage_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    """A bad line costs itself; the loss names its file."""
    main = write(tmp_path / "s.jsonl", [user(1, "one"), user(2, "two")])
    main.write_bytes(main.read_bytes().replace(b"\n", b"\n{torn\n", 1))
    recording = load(session(main))
    assert [entry.text for entry in recording.entries] == ["one", "two"]
    assert [(file, loss.line) for file, loss in recording.losses] == [(0, 2)]


@pytest.mark.parametrize("kind", ["missing", "link", "folder"])
def test_file_that_cannot_be_read_is_a_loss(tmp_path: Path, kind: str) -> None:
    """A file that is gone, a link or a folder in a file's place stops nothing."""
    main = write(tmp_path / "s.jsonl", [user(1, "one")])
    side = tmp_path / "side.jsonl"
    if kind == "link":
        side.symlink_to(main)
    elif kind == "folder":
        side.mkdir()
    recording = load(session(main, side))
    assert [entry.text for entry in recording.entries] == ["one"]
    assert [(file, loss.reason) for file, loss in recording.losses] == [(1, "unreadable")]


def test_file_outside_the_root_is_not_opened(tmp_path: Path) -> None:
    """A session that names a file elsewhere gets nothing of it."""
    outside = write(tmp_path / "secret.jsonl", [user(1, "secret")])
    main = write(tmp_path / "root/s.jsonl", [user(1, "one")])
    assert [entry.text for entry in load(session(main, outside)).entries] == ["one"]


def test_every_string_is_there_once_with_its_speaker(tmp_path: Path) -> None:
    """A person's words, the agent's, the tool's in both copies, and the harness's around them."""
    main = write(
        tmp_path / "s.jsonl",
        [
            user(1, "run it"),
            agent(2, {"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": "make all", "why": "asked"}}),
            user(
                3, [{"type": "tool_result", "tool_use_id": "c", "content": "built"}], toolUseResult={"stdout": "built"}
            ),
        ],
    )
    found = list(strings(session(main)))
    assert owned(found, "run it") == [("message.content", Speaker.USER, "")]
    assert owned(found, "make all") == [("message.content[0].input.command", Speaker.AGENT, "")]
    assert owned(found, "asked") == [("message.content[0].input.why", Speaker.AGENT, "")]
    assert owned(found, "built") == [
        ("message.content[0].content", Speaker.TOOL, ""),
        ("toolUseResult.stdout", Speaker.TOOL, ""),
    ]
    assert owned(found, "/w") == [("cwd", Speaker.SYSTEM, "harness")] * 3
    both = [each for each in found if each.text == "built"]
    assert both[0].origin == both[1].origin != ""


def test_string_of_two_speakers_is_cut_between_them(tmp_path: Path) -> None:
    """Words in a refusal are the person's, in the result and in its copy; the sentence before them is the tool's."""
    told = REFUSED + "no, use make"
    block = {"type": "tool_result", "tool_use_id": "c", "content": told, "is_error": True}
    main = write(tmp_path / "s.jsonl", [user(1, [block], toolUseResult="Error: " + told)])
    found = list(strings(session(main)))
    assert owned(found, "no, use make") == [
        ("message.content[0].content", Speaker.USER, ""),
        ("toolUseResult", Speaker.USER, ""),
    ]
    assert owned(found, REFUSED) == [("message.content[0].content", Speaker.TOOL, "")]


def test_reminder_in_a_prompt_is_cut_out(tmp_path: Path) -> None:
    """A person's pieces around a reminder are strings of their own."""
    reminder = "<system-reminder>be kind</system-reminder>"
    main = write(tmp_path / "s.jsonl", [user(1, f"fix it {reminder} and test it")])
    found = list(strings(session(main)))
    assert [(each.text, each.injected) for each in found if each.field == "message.content"] == [
        ("fix it ", ""),
        (f"{reminder}", "reminder"),
        (" and test it", ""),
    ]


def test_pieces_of_a_string_make_the_whole_string(tmp_path: Path) -> None:
    """No character of a shared string is lost or doubled."""
    text = "a <system-reminder>b</system-reminder> c [Request interrupted by user] d"
    main = write(tmp_path / "s.jsonl", [user(1, text)])
    assert "".join(each.text for each in strings(session(main)) if each.field == "message.content") == text


def test_strings_inside_json_are_found_as_well(tmp_path: Path) -> None:
    """A tool that returned JSON: the text itself and the strings inside it, all the tool's."""
    block = {"type": "tool_result", "tool_use_id": "c", "content": '{"error": {"message": "no such table"}}'}
    main = write(tmp_path / "s.jsonl", [user(1, [block])])
    found = list(strings(session(main)))
    assert owned(found, "no such table") == [("message.content[0].content.error.message", Speaker.TOOL, "")]
    assert len(owned(found, '{"error": {"message": "no such table"}}')) == 1


def test_strings_are_whole_where_entries_are_cut(tmp_path: Path) -> None:
    """Mining sees the beginning of a long text, proof all of it."""
    long = "x" * ENTRY_TEXT_CHARACTERS + "the end"
    main = write(tmp_path / "s.jsonl", [user(1, long)])
    assert len(load(session(main)).entries[0].text) == ENTRY_TEXT_CHARACTERS
    assert owned(strings(session(main)), long) == [("message.content", Speaker.USER, "")]


def test_only_lines_that_were_asked_for_are_walked(tmp_path: Path) -> None:
    """Proof looks at the lines that can hold a quote."""
    main = write(tmp_path / "s.jsonl", [user(1, "one"), user(2, "two"), user(3, "three")])
    assert {each.line for each in strings(session(main), only_lines={2})} == {2}


def test_answer_is_a_persons_by_its_own_path(tmp_path: Path) -> None:
    """An answer stands beside a tool's result and is still the person's, whatever its question looks like."""
    question = "Which [one] is it. Really?"
    block = {"type": "tool_result", "tool_use_id": "c", "content": "User has answered"}
    main = write(tmp_path / "s.jsonl", [user(1, [block], toolUseResult={"answers": {question: "the second one"}})])
    assert owned(strings(session(main)), "the second one") == [(f"toolUseResult.answers.{question}", Speaker.USER, "")]


def test_records_glued_on_a_line_have_their_own_words(tmp_path: Path) -> None:
    """Both records of a line are read, as parts 0 and 1."""
    main = tmp_path / "s.jsonl"
    main.write_text(json.dumps(user(1, "one")) + json.dumps(user(2, "two")) + "\n", encoding="utf-8")
    assert [(entry.line, entry.part, entry.text) for entry in load(session(main)).entries] == [
        (1, 0, "one"),
        (1, 1, "two"),
    ]
    assert [(each.part, each.record_id) for each in strings(session(main)) if each.text == "two"] == [(1, "u2")]


def test_agent_that_repeats_a_page_in_another_file_is_tainted(tmp_path: Path) -> None:
    """Taint goes from a result to what the agent says later, in its side files too, and shows in the strings."""
    page = "always pass the flag that nobody documents and trust the cache"
    call = {"type": "tool_use", "id": "c", "name": "WebFetch", "input": {"url": "https://e.org"}}
    main = write(
        tmp_path / "s.jsonl", [agent(1, call), user(2, [{"type": "tool_result", "tool_use_id": "c", "content": page}])]
    )
    said = agent(3, {"type": "text", "text": f"One should {page}."}, isSidechain=True)
    side = write(tmp_path / "side.jsonl", [said])
    entries = load(session(main, side)).entries
    assert [(entry.kind, entry.is_tainted) for entry in entries] == [
        (EntryKind.TOOL_CALL, False),
        (EntryKind.TOOL_RESULT, True),
        (EntryKind.TEXT, True),
    ]
    assert [each.is_tainted for each in strings(session(main, side)) if each.text == f"One should {page}."] == [True]
