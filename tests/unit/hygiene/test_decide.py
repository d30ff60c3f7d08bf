"""Deciding: every code of the validator, in every wire that can show it, and what is done where nothing is refused."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from small_contexts import (
    MAKERS,
    Beat,
    anthropic,
    bash,
    call,
    chat,
    claude_code,
    lines,
    notice,
    read,
    say,
    think,
    user,
)

from slowwave.hygiene import stubs
from slowwave.hygiene.answer import parse_answer
from slowwave.hygiene.decide import Plan, Rules, judge, propose
from slowwave.hygiene.document import of_messages, read_document
from slowwave.hygiene.items import Kind
from slowwave.hygiene.protection import Protected, Protection, Status, parse_protection
from slowwave.hygiene.scene import Scene, read_scene

NEWEST = [bash(f"tool {letter}", f"out {letter}") for letter in "abcde"]
"""Five results behind everything else, so that nothing before them is among the newest."""
TAIL = [*NEWEST, user("Thanks."), user("Go on.")]
"""Two turns of a person, so that nothing before them is recent."""


def _scene(beats: Sequence[Beat], wire: str = "claude-code") -> Scene:
    return read_scene(read_document(MAKERS[wire](beats)))


def _index(scene: Scene, kind: Kind, place: int = 0) -> int:
    return [item.index for item in scene.context.items if item.kind is kind][place]


def _ops(*ops: dict[str, Any]) -> bytes:
    return json.dumps({"ops": [{"rationale": "it has served", **op} for op in ops]}).encode()


def _prune(start: int, end: int) -> dict[str, Any]:
    return {"op": "prune_tool_results", "range": [start, end]}


def _collapse(start: int, end: int, **more: Any) -> dict[str, Any]:
    return {"op": "collapse", "range": [start, end], **more}


def _judged(scene: Scene, *ops: dict[str, Any], rules: Rules | None = None) -> Plan:
    asked, rejected = parse_answer(_ops(*ops), scene.context.document.count)
    return judge(scene, rules or Rules(), asked, rejected, is_ours=False)


def _codes(plan: Plan) -> list[str]:
    return [each.code for each in plan.rejected]


@pytest.mark.parametrize("wire", MAKERS)
def test_a_dead_result_is_pruned_in_every_wire(wire: str) -> None:
    """A dead result is pruned in every wire."""
    scene = _scene([user("See what is there."), bash("ls", lines(60)), *TAIL], wire)
    at = _index(scene, Kind.RESULT)
    plan = _judged(scene, _prune(at, at + 1))
    assert not plan.rejected
    (operation,) = plan.operations
    assert operation.op == "prune_tool_results"
    assert plan.after < plan.before
    assert operation.changes[0].text.startswith("[slowwave:pruned ")


@pytest.mark.parametrize("wire", MAKERS)
def test_an_assistant_is_no_tool_result(wire: str) -> None:
    """An assistant is no tool result."""
    scene = _scene([user("Hm."), say("On we go."), bash("ls", lines(60)), *TAIL], wire)
    at = _index(scene, Kind.ASSISTANT)
    assert _codes(_judged(scene, _prune(at, at + 1))) == ["ILLEGAL_ROLE"]
    assert _codes(_judged(scene, _prune(at, _index(scene, Kind.RESULT) + 1))) == ["ILLEGAL_ROLE"]


@pytest.mark.parametrize("wire", MAKERS)
def test_a_persons_words_are_pinned(wire: str) -> None:
    """A persons words are pinned."""
    scene = _scene([user("Tabs here, spaces in the docs."), user("Yes, and soon."), bash("ls", lines(60)), *TAIL], wire)
    at = _index(scene, Kind.USER)
    assert _codes(_judged(scene, _collapse(at, at + 2))) == ["PINNED"]


@pytest.mark.parametrize("wire", MAKERS)
def test_tool_activity_is_not_collapsed(wire: str) -> None:
    """Tool activity is not collapsed."""
    scene = _scene([user("Hm."), bash("ls", lines(60)), *TAIL], wire)
    call_at, result_at = _index(scene, Kind.CALL), _index(scene, Kind.RESULT)
    assert _codes(_judged(scene, _collapse(call_at, result_at + 1))) == ["ILLEGAL_ROLE"]
    assert _codes(_judged(scene, _collapse(result_at, result_at + 1))) == ["SPLIT_GROUP"]


def test_the_newest_results_and_the_last_turns_are_recent() -> None:
    """The newest results and the last turns are recent."""
    newest = _scene([user("Hm."), *[bash(f"ls {letter}", lines(60)) for letter in "abcdef"]])
    at = _index(newest, Kind.RESULT, 1)
    assert _codes(_judged(newest, _prune(at, at + 1))) == ["RECENT"]
    assert not _codes(_judged(newest, _prune(at - 2, at - 1)))
    turns = _scene([user("One."), user("Two."), bash("ls", lines(60)), *NEWEST, user("Three.")])
    at = _index(turns, Kind.RESULT)
    assert _codes(_judged(turns, _prune(at, at + 1))) == ["RECENT"]


def test_a_decision_of_the_agent_is_pinned() -> None:
    """A decision of the agent is pinned."""
    said = say("I decided to keep SQLite, because the file travels with the project.")
    scene = _scene([user("Hm."), said, say("On we go."), *TAIL])
    at = _index(scene, Kind.ASSISTANT)
    assert _codes(_judged(scene, _collapse(at, at + 2))) == ["PINNED"]


def test_the_newest_read_of_a_file_is_pinned_until_the_file_is_written() -> None:
    """The newest read of a file is pinned until the file is written."""
    edit = call("Edit", "done", file_path="/shop/cart.py", old_string="a", new_string="b")
    kept = _scene([user("Hm."), read("/shop/cart.py", lines(60)), *TAIL])
    gone = _scene([user("Hm."), read("/shop/cart.py", lines(60)), edit, *TAIL])
    at = _index(kept, Kind.RESULT)
    assert _codes(_judged(kept, _prune(at, at + 1))) == ["PINNED"]
    assert not _codes(_judged(gone, _prune(at, at + 1)))


@pytest.mark.parametrize("tool", ["TodoWrite", "update_plan", "TaskList", "mcp__memory__read"])
def test_plans_lists_and_memory_are_pinned(tool: str) -> None:
    """Plans lists and memory are pinned."""
    scene = _scene([user("Hm."), call(tool, lines(60)), *TAIL])
    at = _index(scene, Kind.RESULT)
    assert _codes(_judged(scene, _prune(at, at + 1))) == ["PINNED"]


def test_the_last_failure_and_the_last_error_stay() -> None:
    """The last failure and the last error stay."""
    failing = bash("pytest -q", lines(60, "failed"), is_error=True)
    scene = _scene([user("Hm."), failing, bash("pytest -q", "fine"), *TAIL])
    at = _index(scene, Kind.RESULT)
    assert _codes(_judged(scene, _prune(at, at + 1))) == ["PINNED"]


def test_what_a_person_pinned_stays() -> None:
    """What a person pinned stays."""
    scene = _scene([user("Hm."), bash("ls", lines(60)), *TAIL])
    item = next(item for item in scene.context.items if item.kind is Kind.RESULT)
    for name in (item.id, item.digest):
        plan = _judged(scene, _prune(item.index, item.index + 1), rules=Rules(pinned=[name]))
        assert _codes(plan) == ["PINNED"]


def test_a_person_speaking_inside_a_result_pins_it() -> None:
    """A person speaking inside a result pins it."""
    refusal = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit). "
        "To tell you how to proceed, the user said:\n" + "take the other table " * 40
    )
    scene = _scene([user("Hm."), bash("rm x", refusal, is_error=True), *TAIL])
    at = _index(scene, Kind.RESULT)
    assert _codes(_judged(scene, _prune(at, at + 1))) == ["PINNED"]


def test_a_call_without_its_result_blocks_its_group() -> None:
    """Two calls of one reply, of which one has not come back."""
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "Hm."},
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "a", "name": "Bash", "input": {"command": "ls"}},
                {"type": "tool_use", "id": "b", "name": "Bash", "input": {"command": "sleep"}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": lines(60)}]},
        *anthropic(TAIL),
    ]
    scene = read_scene(of_messages(messages))
    assert _codes(_judged(scene, _prune(2, 3))) == ["PENDING_CALL"]


def test_a_launch_that_has_not_ended_blocks_its_group() -> None:
    """A launch that has not ended blocks its group."""
    started = "Command running in background with ID: bsh42\n" + lines(60)
    open_one = _scene([user("Hm."), bash("serve", started), *TAIL])
    at = _index(open_one, Kind.RESULT)
    assert _codes(_judged(open_one, _prune(at, at + 1))) == ["PENDING_CALL"]
    ended = _scene([user("Hm."), bash("serve", started), call("BashOutput", "exit 0", bash_id="bsh42"), *TAIL])
    assert not _codes(_judged(ended, _prune(at, at + 1)))


def test_what_was_pruned_before_is_not_pruned_again() -> None:
    """What was pruned before is not pruned again."""
    line = stubs.stub(tool="Bash", characters=9_000, lines=90, reason="asked", digest="0" * 16)
    stub = stubs.trimmed(line, [(3, "what stayed " * 20)], 90)
    scene = _scene([user("Hm."), bash("ls", stub), *TAIL])
    at = _index(scene, Kind.RESULT)
    assert _codes(_judged(scene, _prune(at, at + 1))) == ["ALREADY_STUB"]


def test_a_short_result_is_not_worth_a_stub() -> None:
    """A short result is not worth a stub."""
    scene = _scene([user("Hm."), bash("ls", "a"), *TAIL])
    at = _index(scene, Kind.RESULT)
    assert _codes(_judged(scene, _prune(at, at + 1))) == ["NOT_SMALLER"]


def test_quarantine_refuses_and_citing_is_written_down() -> None:
    """Quarantine refuses and citing is written down."""
    scene = _scene([user("Hm."), bash("ls", lines(60)), *TAIL])
    at = _index(scene, Kind.RESULT)
    kept = Protection(ranges=(Protected(start=at, end=at + 1, status=Status.QUARANTINED, memory="semantic/a.md"),))
    cited = Protection(ranges=(Protected(status=Status.ACTIVE, memory="semantic/b.md"),))
    assert _codes(_judged(scene, _prune(at, at + 1), rules=Rules(protection=kept))) == ["QUARANTINED"]
    plan = _judged(scene, _prune(at, at + 1), rules=Rules(protection=cited))
    assert plan.operations[0].cited_by == ("semantic/b.md",)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b'{"ranges": 1}',
        b'{"ranges": [{"range": [0, 1], "status": "SECRET"}]}',
        b'{"ranges": [{"range": [1, 0], "status": "ACTIVE"}]}',
        b'{"ranges": [{"range": [true, 2], "status": "ACTIVE"}]}',
        b'{"ranges": [{"status": "ACTIVE"}]}',
        b'{"ranges": [{"range": [0, 1], "status": "ACTIVE", "more": 1}]}',
    ],
)
def test_protection_that_cannot_be_read_protects_everything(raw: bytes) -> None:
    """Protection that cannot be read protects everything."""
    scene = _scene([user("Hm."), bash("ls", lines(60)), *TAIL])
    at = _index(scene, Kind.RESULT)
    rules = Rules(protection=parse_protection(raw))
    assert _codes(_judged(scene, _prune(at, at + 1), rules=rules)) == ["QUARANTINED"]
    assert propose(scene, rules).operations == ()


def test_null_protects_the_whole_transcript() -> None:
    """Null protects the whole transcript."""
    scene = _scene([user("Hm."), bash("ls", lines(60)), *TAIL])
    at = _index(scene, Kind.RESULT)
    rules = Rules(protection=parse_protection(b'{"ranges": [{"range": null, "status": "QUARANTINED"}]}'))
    assert _codes(_judged(scene, _prune(at, at + 1), rules=rules)) == ["QUARANTINED"]


def _with_boundary(beats: Sequence[Beat], behind: Sequence[Beat]) -> Scene:
    records = [json.loads(line) for line in claude_code([*beats, *behind]).splitlines()]
    place = len(claude_code(beats).splitlines())
    mark = {**records[0], "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}
    mark |= {"uuid": "99999999-0000-4000-8000-000000000000", "parentUuid": None}
    del mark["message"]
    records.insert(place, mark)
    return read_scene(read_document(b"".join(json.dumps(record).encode() + b"\n" for record in records)))


def test_what_stands_before_a_compaction_saves_nothing() -> None:
    """What stands before a compaction saves nothing."""
    scene = _with_boundary([user("Hm."), bash("ls", lines(60))], [say("On."), bash("ls b", lines(60)), *TAIL])
    before, behind = _index(scene, Kind.RESULT), _index(scene, Kind.RESULT, 1)
    assert _codes(_judged(scene, _prune(before, before + 1))) == ["BELOW_MIN_SAVING"]
    assert _codes(_judged(scene, _prune(before, behind + 1))) == ["CROSSES_BOUNDARY"]
    assert not _codes(_judged(scene, _prune(behind, behind + 1)))


def test_a_sub_agents_records_are_not_mixed_with_the_conversation() -> None:
    """A sub agents records are not mixed with the conversation."""
    records = [
        json.loads(line)
        for line in claude_code([user("Hm."), bash("a", lines(60)), bash("b", lines(60)), *TAIL]).splitlines()
    ]
    for record in records[3:5]:
        record["isSidechain"] = True
    scene = read_scene(read_document(b"".join(json.dumps(record).encode() + b"\n" for record in records)))
    assert _codes(_judged(scene, _prune(2, 5))) == ["SIDECHAIN_MIX"]


def test_what_is_signed_run_by_the_provider_or_named_for_it_stays() -> None:
    """What is signed run by the provider or named for it stays."""
    thought = _scene([user("Hm."), say("a"), think("b"), say("c"), *TAIL])
    at = _index(thought, Kind.ASSISTANT)
    assert _codes(_judged(thought, _collapse(at, at + 3))) == ["OPAQUE_ITEM"]
    named = _scene([user("Hm."), call("ToolSearch", [{"type": "tool_reference", "tool_name": "x"}] * 9), *TAIL])
    at = _index(named, Kind.RESULT)
    assert _codes(_judged(named, _prune(at, at + 1))) == ["TOOL_REFERENCE"]
    served: list[dict[str, Any]] = [
        {"role": "user", "content": "Hm."},
        {
            "role": "assistant",
            "content": [
                {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "x"}},
                {
                    "type": "web_search_tool_result",
                    "tool_use_id": "s",
                    "content": [{"type": "text", "text": lines(60)}],
                },
            ],
        },
        *anthropic(TAIL),
    ]
    assert _codes(_judged(read_scene(of_messages(served)), _prune(1, 2))) == ["SERVER_PAIR"]
    strange = _scene([user("Hm."), call("Novel", [{"type": "hologram", "data": "x" * 900}]), *TAIL])
    at = _index(strange, Kind.RESULT)
    assert _codes(_judged(strange, _prune(at, at + 1))) == ["OPAQUE_ITEM"]


def test_a_part_of_a_reply_is_not_collapsed() -> None:
    """A part of a reply is not collapsed."""
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "Hm."},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Let me look."},
                {"type": "tool_use", "id": "a", "name": "Bash", "input": {"command": "ls"}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]},
        *anthropic(TAIL),
    ]
    assert _codes(_judged(read_scene(of_messages(messages)), _collapse(1, 2))) == ["SPLIT_GROUP"]


def test_notices_collapse_into_a_note_and_the_newest_stays() -> None:
    """Notices collapse into a note and the newest stays."""
    polls = [
        notice(f"Nothing is due at {hour} o'clock; the list of things to do is empty, and nobody has asked.")
        for hour in range(4)
    ]
    scene = _scene([user("Hm."), *polls, *TAIL])
    at = _index(scene, Kind.NOTICE)
    plan = _judged(scene, _collapse(at, at + 4, replacement="four repeated schedule-poll notices, all idle"))
    assert not plan.rejected
    (operation,) = plan.operations
    texts = [change.text for change in operation.changes]
    assert len(texts) == 3  # the newest stays word for word
    assert "four repeated schedule-poll notices, all idle" in texts[0]


def test_one_notice_alone_collapses_into_nothing_shorter() -> None:
    """One notice alone collapses into nothing shorter."""
    scene = _scene([user("Hm."), notice("The list of things to do is empty. " * 9), *TAIL])
    at = _index(scene, Kind.NOTICE)
    assert _codes(_judged(scene, _collapse(at, at + 1))) == ["NOT_SMALLER"]


def test_an_item_that_is_used_later_is_trimmed_instead_and_it_is_said() -> None:
    """An item that is used later is trimmed instead and it is said."""
    told = lines(30) + "\ndeployed as release-candidate-4471\n" + lines(30, start=30)
    scene = _scene([user("Hm."), bash("deploy", told), say("I check release-candidate-4471 next."), *TAIL])
    at = _index(scene, Kind.RESULT)
    (operation,) = _judged(scene, _prune(at, at + 1)).operations
    assert operation.op == "trim"
    assert "release-candidate-4471" in operation.changes[0].text
    assert operation.as_json()["evidence"] == {"turned_into": "trim", "used_later": 1}


def test_one_refusal_refuses_all_where_that_was_asked_for() -> None:
    """One refusal refuses all where that was asked for."""
    scene = _scene([user("Hm."), say("On."), bash("ls", lines(60)), *TAIL])
    result, said = _index(scene, Kind.RESULT), _index(scene, Kind.ASSISTANT)
    ops = (_prune(result, result + 1), _prune(said, said + 1))
    assert len(_judged(scene, *ops).operations) == 1
    plan = _judged(scene, *ops, rules=Rules(is_atomic=True))
    assert (plan.operations, plan.withheld, plan.before) == ((), 1, plan.after)


def test_an_answer_that_is_not_worth_it_is_refused_whole() -> None:
    """An answer that is not worth it is refused whole."""
    scene = _scene([user("Hm."), bash("ls", lines(60)), *TAIL])
    at = _index(scene, Kind.RESULT)
    rules = Rules(weigh=lambda *_: ("CACHE_LOSS", "it would cost more than it saves"))
    assert _codes(_judged(scene, _prune(at, at + 1), rules=rules)) == ["CACHE_LOSS"]


def test_a_thought_bound_to_what_stands_before_it_refuses() -> None:
    """A thought bound to what stands before it refuses."""
    scene = _scene([user("Hm."), bash("ls", lines(60)), *TAIL])
    at = _index(scene, Kind.RESULT)
    rules = Rules(thinking=lambda index: "a thought stands behind it" if index < 99 else "")
    assert _codes(_judged(scene, _prune(at, at + 1), rules=rules)) == ["THINKING_BOUND"]


def test_a_plan_of_ours_names_items_and_is_held_against_them() -> None:
    """A plan of ours names items and is held against them."""
    scene = _scene([user("Hm."), bash("ls", lines(60)), bash("ls", lines(60)), *TAIL])
    plan = propose(scene, Rules())
    told = plan.as_json()
    asked, rejected = parse_answer(json.dumps(told), scene.context.document.count)
    again = judge(scene, Rules(), asked, rejected, is_ours=True)
    assert again.as_json()["operations"] == told["operations"] != []
    told["operations"][0]["items"][0]["digest"] = "0" * 16
    told["operations"].append({**told["operations"][0], "items": [{"id": "result:nobody", "digest": "1" * 16}]})
    asked, rejected = parse_answer(json.dumps(told), scene.context.document.count)
    assert _codes(judge(scene, Rules(), asked, rejected, is_ours=True)) == ["STALE_REVISION", "UNKNOWN_ITEM"]


def test_proposing_nothing_is_the_common_case() -> None:
    """Proposing nothing is the common case."""
    assert propose(_scene([user("Hm."), say("Yes."), bash("ls", "a b"), *TAIL]), Rules()).operations == ()
    assert propose(read_scene(of_messages(chat([user("Hm."), say("Yes.")]))), Rules()).operations == ()
