"""Changing: the new words of each item, and every value that is written for them: the payload and its second copies."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from small_contexts import MAKERS, Beat, bash, call, claude_code, codex, lines, notice, say, user

from slowwave.hygiene.changing import SECOND_COPY_CHARACTERS, changes_of
from slowwave.hygiene.document import AnyDocument, read_document
from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.items import Kind
from slowwave.hygiene.names import Names
from slowwave.hygiene.operations import COLLAPSE, PRUNE, TRIM, Change, Request
from slowwave.hygiene.rewrite import rewrite
from slowwave.hygiene.scene import Scene, read_scene
from slowwave.hygiene.stubs import stub_of

STUB = "[slowwave:pruned "


def _scene(raw: bytes) -> Scene:
    return read_scene(read_document(raw))


def _request(scene: Scene, op: str, kind: Kind, *, replacement: str = "", hit: Detector | None = None) -> Request:
    targets = tuple(item for item in scene.context.items if item.kind is kind)
    targets = targets[:-1] if op == COLLAPSE and hit is None else targets
    hits = {item.number: Hit(item=item.number, detector=hit, evidence={}) for item in targets} if hit else {}
    return Request(
        number=0,
        op=op,
        start=0,
        end=99,
        targets=targets,
        covered=targets,
        rationale="",
        replacement=replacement,
        hits=hits,
    )


def _changed(
    beats: Sequence[Beat], wire: str = "claude-code", op: str = PRUNE, names: Names | None = None, **more: Any
) -> tuple[str, tuple[Change, ...], Scene]:
    scene = _scene(MAKERS[wire](beats))
    kind = Kind.NOTICE if op == COLLAPSE else Kind.RESULT
    told, changes = changes_of(scene, _request(scene, op, kind, **more), names)
    return told, changes, scene


def _records(document: AnyDocument, changes: Sequence[Change]) -> list[dict[str, Any]]:
    raw = b"".join(rewrite(document, [edit for change in changes for edit in change.edits]))
    return [dict(record) for _, _, record in read_document(raw, wire=document.wire.name).records()]


@pytest.mark.parametrize("wire", MAKERS)
def test_a_payload_becomes_its_stub_in_every_wire(wire: str) -> None:
    """Tool, sizes, reason and digest are told; the digest is that of the words that stood there."""
    op, (change,), scene = _changed([user("x"), bash("ls", lines(30))], wire)
    stub = stub_of(change.text)
    assert op == PRUNE
    assert stub is not None
    assert (stub.name, stub.lines, stub.reason) == ("Bash", 30, "asked")
    assert (stub.characters, stub.digest) == (len(lines(30)), change.item.digest)
    again = read_scene(read_document(b"".join(rewrite(scene.context.document, change.edits)), wire=wire))
    item = again.context.items[change.item.number]
    assert (again.context.text(item), item.digest, item.tokens) == (change.text, change.digest, change.tokens)


def test_a_trim_keeps_both_ends() -> None:
    """Three lines each, and a prune of what is used later becomes one."""
    op, (change,), _ = _changed([user("x"), bash("ls", lines(30))], op=TRIM)
    assert (op, change.kept_lines, change.text.count("\n")) == (TRIM, 6, 7)
    used = [user("x"), bash("ls", lines(30) + "\nrelease-candidate-4471"), say("release-candidate-4471")]
    op, (change,), _ = _changed(used)
    assert (op, change.kept_lines, change.referenced) == ("trim", 1, 1)


def test_the_copy_beside_a_result_goes_with_it() -> None:
    """What is long in it; short members, which say how it ended, stay."""
    beside = {"stdout": lines(30), "stderr": "", "interrupted": False, "n": 12345678901234567890, "code": "x" * 199}
    records = [json.loads(line) for line in claude_code([user("x"), bash("ls", lines(30))]).splitlines()]
    records[2]["toolUseResult"] = beside
    scene = _scene(b"".join(json.dumps(record).encode() + b"\n" for record in records))
    _, changes = changes_of(scene, _request(scene, PRUNE, Kind.RESULT), None)
    told = _records(scene.context.document, changes)[2]["toolUseResult"]
    assert told["stdout"].startswith(STUB)
    assert {**told, "stdout": ""} == {**beside, "stdout": ""}


@pytest.mark.parametrize("name", ["a.b", "x[0]", "", 'say "hi"', "[", "größe", "plain", "a.b[1].c"])
def test_a_copy_may_stand_under_any_name(name: str) -> None:
    """Names of files and questions are keys as well."""
    records = [json.loads(line) for line in claude_code([user("x"), bash("ls", lines(30))]).splitlines()]
    records[2]["toolUseResult"] = {"files": {name: [{"text": "y" * 400}, "short"]}, "y": 1}
    scene = _scene(b"".join(json.dumps(record).encode() + b"\n" for record in records))
    _, changes = changes_of(scene, _request(scene, PRUNE, Kind.RESULT), None)
    ((key, (first, second)),) = _records(scene.context.document, changes)[2]["toolUseResult"]["files"].items()
    assert (key, second) == (name, "short")
    assert first["text"].startswith(STUB)


def test_what_a_person_typed_beside_a_result_stays() -> None:
    """An answer to a question is long enough to be taken for an output."""
    answer = "I want the other one, and not before noon. " * 9
    records = [json.loads(line) for line in claude_code([user("x"), bash("ls", lines(30))]).splitlines()]
    records[2]["toolUseResult"] = {"answers": {"Which one? 1. or 2.?": answer}, "text": "z" * 400}
    scene = _scene(b"".join(json.dumps(record).encode() + b"\n" for record in records))
    _, changes = changes_of(scene, _request(scene, PRUNE, Kind.RESULT), None)
    told = _records(scene.context.document, changes)[2]["toolUseResult"]
    assert told["answers"] == {"Which one? 1. or 2.?": answer}
    assert told["text"].startswith(STUB)


def test_an_event_beside_an_output_loses_the_output_and_nothing_else() -> None:
    """The command in it, however long, is the call told again."""
    records = [json.loads(line) for line in codex([user("x"), bash("ls", lines(30))]).splitlines()]
    end = records[-1]["payload"]
    end |= {"command": ["bash", "-lc", "ls #" + "x" * 400], "cwd": "/" + "d" * 300, "formatted_output": "z" * 300}
    end |= {"aggregated_output": lines(30), "stderr": "short", "parsed_cmd": [{"cmd": "y" * 300}], "exit_code": 3}
    scene = _scene(b"".join(json.dumps(record).encode() + b"\n" for record in records))
    _, changes = changes_of(scene, _request(scene, PRUNE, Kind.RESULT), None)
    told = _records(scene.context.document, changes)[-1]["payload"]
    gone = {"stdout", "aggregated_output", "formatted_output"}
    assert {name for name in told if told[name] != end[name]} == gone
    assert all(told[name].startswith(STUB) for name in gone)


def test_a_progress_record_loses_the_output_and_keeps_the_call() -> None:
    """A sub-agent's message told again in its parent's file."""
    beats = [user("x"), bash("ls " + "q" * 300, lines(30))]
    records = [json.loads(line) for line in claude_code(beats).splitlines()]
    side = [{**record, "isSidechain": True} for record in records[1:]]
    echoes = [
        {
            "type": "progress",
            "uuid": f"p{number}",
            "sessionId": "s",
            "data": {"message": {**record, "uuid": f"q{number}"}},
        }
        for number, record in enumerate(side)
    ]
    raw = b"".join(json.dumps(record).encode() + b"\n" for record in [records[0], *side, *echoes])
    scene = _scene(raw)
    _, changes = changes_of(scene, _request(scene, PRUNE, Kind.RESULT), None)
    *_, call_told, result_told = _records(scene.context.document, changes)
    assert call_told == echoes[0]
    inner = result_told["data"]["message"]
    assert inner["message"]["content"][0]["content"].startswith(STUB)
    assert inner["toolUseResult"]["stdout"].startswith(STUB)


def test_short_strings_of_a_copy_stay() -> None:
    """They are names and numbers."""
    text = "y" * (SECOND_COPY_CHARACTERS - 1)
    _, (change,), _ = _changed([user("x"), bash("ls", text)])
    assert [edit.field for edit in change.edits] == ["message.content[0].content"]
    _, (change,), _ = _changed([user("x"), bash("ls", text + "y")])
    assert [edit.field for edit in change.edits] == ["message.content[0].content", "toolUseResult.stdout"]


@pytest.mark.parametrize("wire", ["claude-code", "anthropic-messages", "openai-chat", "codex"])
def test_a_list_of_parts_keeps_its_kind(wire: str) -> None:
    """One part of the same type is left."""
    kind = "input_text" if wire == "codex" else "text"
    _, (change,), _ = _changed([user("x"), call("T", [{"type": kind, "text": lines(30)}] * 2)], wire)
    assert change.edits[0].value == [{"type": kind, "text": change.text}]


def test_an_output_in_a_text_keeps_its_exit_code() -> None:
    """As Codex wrote it once."""
    told = json.dumps({"output": lines(30), "metadata": {"exit_code": 7, "duration_seconds": 1.5}})
    _, (change,), _ = _changed([user("x"), bash("ls", told)], "codex")
    held = json.loads(str(change.edits[0].value))
    assert held == {"output": change.text, "metadata": {"exit_code": 7, "duration_seconds": 1.5}}


def test_of_collapsed_notices_the_first_says_what_there_was() -> None:
    """Earlier copies point at what is kept; the newest is not touched."""
    told = [notice(f"Nothing is due at {hour}; nobody has asked for anything.") for hour in range(4)]
    op, changes, _ = _changed([user("x"), *told], op=COLLAPSE, replacement="four notices of the schedule, all idle")
    assert op == COLLAPSE
    assert [change.text[:18] for change in changes] == ["<slowwave-note v=1", STUB + "r", STUB + "r"]
    assert "4 messages, newest kept: four notices of the schedule, all idle" in changes[0].text


def test_a_detectors_notices_are_earlier_copies_each() -> None:
    """And one that says something of its own stays."""
    told = [notice(f"Nothing is due{more}; nobody has asked. " * 5) for more in ("", " but marmot-larch", "")]
    names = Names()
    names.add(["Nothing is due; nobody has asked. system-reminder"])
    _, changes, _ = _changed([user("x"), *told], op=COLLAPSE, hit=Detector.REINJECTED, names=names)
    assert [change.item.number for change in changes] == [1, 3]
    assert all("newest copy below" in change.text for change in changes)
