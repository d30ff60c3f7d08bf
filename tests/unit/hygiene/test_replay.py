"""Replay: a rewrite is believed when its bytes say what its plan says, and nothing else."""

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest
from small_contexts import MAKERS, bash, claude_code, lines, notice, say, think, user

from slowwave.hygiene.context import Context
from slowwave.hygiene.decide import Plan, Rules, propose
from slowwave.hygiene.document import read_document
from slowwave.hygiene.items import Kind
from slowwave.hygiene.replay import differences
from slowwave.hygiene.rewrite import rewrite
from slowwave.hygiene.scene import Scene, read_scene
from slowwave.hygiene.thinking import Policy, thinking_rule

TAIL = [*[bash(f"tool {letter}", f"out {letter}") for letter in "abcde"], user("Thanks."), user("Go on.")]
BEATS = [
    user("Begin."),
    bash("git status", lines(40)),
    say("I decided to keep it."),
    notice("Idle. " * 20),
    bash("git status", lines(40)),
    *TAIL,
]


def _planned(wire: str = "claude-code") -> tuple[Scene, Plan, bytes]:
    scene = read_scene(read_document(MAKERS[wire](BEATS)))
    plan = propose(scene, Rules())
    assert len(plan.operations) == 1
    return scene, plan, b"".join(rewrite(scene.context.document, plan.edits))


def _read(raw: bytes, wire: str) -> Context:
    return read_scene(read_document(raw, wire=wire)).context


@pytest.mark.parametrize("wire", MAKERS)
def test_a_rewrite_that_says_what_was_planned_is_believed(wire: str) -> None:
    """In every wire; also as a fork with another session id."""
    scene, plan, raw = _planned(wire)
    assert not list(differences(scene.context, _read(raw, wire), plan))


def _lines_of(change: Callable[[list[dict[str, Any]]], None]) -> Callable[[bytes], bytes]:
    def told(raw: bytes) -> bytes:
        records = [json.loads(line) for line in raw.splitlines()]
        change(records)
        return b"".join(json.dumps(record).encode() + b"\n" for record in records)

    return told


def _result(record: dict[str, Any], **more: Any) -> None:
    record["message"]["content"][0].update(more)


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (lambda records: records.pop(4), "records where"),
        (lambda records: records.append(records[0]), "records where"),
        (lambda records: records[0]["message"].update(content="Begun."), "record 0"),
        (lambda records: records[3]["message"]["content"][0].update(text="I kept it."), "record 3"),
        (lambda records: records[4]["message"].update(content="Idle."), "record 4"),
        (lambda records: _result(records[6], content="x"), "record 6"),
        (lambda records: _result(records[6], tool_use_id="toolu_0001"), "record 6"),
        (lambda records: _result(records[2], content="x"), "does not hold the words"),
        (lambda records: _result(records[2], content=lines(40)), "does not hold the words"),
        (lambda records: _result(records[2], tool_use_id="nobody"), "other calls or results"),
        (lambda records: records[2]["message"].update(content=[]), "does not hold the words"),
        (lambda records: records[1]["message"]["content"][0].update(name="Other"), "record 1"),
        (lambda records: records.__setitem__(slice(5, 7), records[6:4:-1]), "record 5"),
        (lambda records: records[4].update(isMeta=True, type="assistant"), "record 4"),
    ],
)
def test_whatever_else_was_changed_is_told(spoil: Callable[[Any], Any], what: str) -> None:
    """A record more or less, other words, other ids, another order, another role."""
    scene, plan, raw = _planned()
    spoiled = _lines_of(lambda records: spoil(records) and None)(raw)
    found = list(differences(scene.context, _read(spoiled, "claude-code"), plan))
    assert found
    assert what in found[0]


def test_a_pin_in_a_record_that_changes_is_held_as_well() -> None:
    """A person's words beside a result that goes."""
    records = [json.loads(line) for line in claude_code(BEATS).splitlines()]
    records[2]["message"]["content"].append({"type": "text", "text": "And mind the ledger."})
    raw = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    scene = read_scene(read_document(raw))
    plan = propose(scene, Rules())
    told = b"".join(rewrite(scene.context.document, plan.edits))
    assert not list(differences(scene.context, _read(told, "claude-code"), plan))
    spoiled = told.replace(b"And mind the ledger.", b"And burn the ledger.")
    found = list(differences(scene.context, _read(spoiled, "claude-code"), plan))
    assert found == ["user:00000000-0000-4000-8000-000000000002:1 is pinned and reads differently"]


def test_a_window_that_is_no_smaller_is_told() -> None:
    """Whatever was done, it did not help."""
    scene, plan, _ = _planned()
    untouched = dataclasses.replace(plan, operations=plan.operations)
    found = list(differences(scene.context, scene.context, untouched))
    assert any("which is not less than" in each for each in found)


def test_thoughts_that_were_taken_out_are_missed_only_where_they_were_planned_to_be() -> None:
    """Where stripping was asked for, in the records that it names."""
    beats = [*BEATS[:4], think("Hm."), *BEATS[4:]]
    scene = read_scene(read_document(claude_code(beats, model="a-model-nobody-knows")))
    plan = propose(scene, Rules())
    removals = thinking_rule(scene.context, Policy.STRIP).removals(plan.first_index)
    assert removals
    stripped = dataclasses.replace(plan, removals=removals)
    raw = b"".join(rewrite(scene.context.document, stripped.edits))
    after = _read(raw, "claude-code")
    assert not any(item.kind is Kind.THINKING for item in after.items)
    assert not list(differences(scene.context, after, stripped))
    assert list(differences(scene.context, after, plan))
