"""Shapes compared: what was wrong before is no new defect, and what was there before must be found again."""

import json
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from made_wires import Session, agent, call, placed, result, text, user

from slowwave.facts.refusal import UsageError
from slowwave.hygiene.document import UnknownContextError, of_messages, open_document, read_document
from slowwave.hygiene.shapes import (
    Code,
    Defect,
    anthropic,
    chat,
    check_shape,
    claude_code,
    codex,
    new_defects,
    responses,
)
from slowwave.hygiene.shapes.anthropic import check
from slowwave.hygiene.shapes.defect import Record, Records

POINT = {"cache_control": {"type": "ephemeral"}}
SEEN = {
    ("claude-code", Code.CHAIN): 7,
    ("claude-code", Code.DUPLICATE_ID): 6,
    ("claude-code", Code.EMPTY): 7,
    ("claude-code", Code.PAIRING): 7,
    ("codex", Code.PAIRING): 4,
}
"""What is wrong in the public sessions, each looked up by hand: files that begin in the middle of their chain, records
told twice, texts of line feeds alone, calls open when the file ended, and what hand-made fixtures leave out."""


def defect(key: str, code: Code = Code.PAIRING, index: int = 0) -> Defect:
    """A defect of no list in particular."""
    return Defect(code=code, key=key, index=index, message="")


def test_a_defect_that_was_there_is_not_new() -> None:
    """Code and key decide, not the index; one that shows more often than before is new."""
    before = [defect("a"), defect("b")]

    assert new_defects(before, [defect("b", index=7), defect("a")]) == ()
    assert new_defects(before, [defect("a", Code.ORDER)]) == (defect("a", Code.ORDER),)
    assert new_defects(before, [defect("a"), defect("a", index=9)]) == (defect("a", index=9),)


def test_a_broken_list_curated_elsewhere_has_no_new_defect() -> None:
    """A call that was open stays open."""
    before = [user("q"), agent(call("a"), call("open")), user(result("a", "long"))]
    after = [*before[:2], user(result("a", "[stub]"))]

    assert new_defects(check(placed(before)), check(placed(after))) == ()


def test_a_cache_point_may_move_inside_its_message_and_not_go() -> None:
    """The provider's cache would be written anew without it."""
    blocks = [text("one"), text("two", **POINT)]
    before = [user("q"), agent(call("a")), user(result("a", blocks))]
    moved = [*before[:2], user({**result("a", [text("[stub]")]), **POINT})]
    gone = [*before[:2], user(result("a", [text("[stub]")]))]
    shape = check_shape(of_messages(before))

    assert new_defects(shape, check_shape(of_messages(moved))) == ()
    assert [(one.code, one.key) for one in new_defects(shape, check_shape(of_messages(gone)))] == [(Code.EMPTY, "[2]")]


def test_the_last_permission_mode_stands() -> None:
    """An earlier one may differ; the last one decides how the session goes on."""

    def shape(*modes: str) -> Any:
        session = Session()
        session.user("q")
        for mode in modes:
            session.bare(type="permission-mode", permissionMode=mode, sessionId="s-1")
        return check_shape(read_document(b"".join(json.dumps(record).encode() + b"\n" for record in session.records)))

    assert new_defects(shape("plan", "default"), shape("auto", "default")) == ()
    lost = new_defects(shape("plan", "default"), shape("plan", "plan"))
    assert [(one.code, one.key) for one in lost] == [(Code.CHAIN, "permission-mode")]


@pytest.mark.parametrize("look", [anthropic.check, chat.check, responses.check, claude_code.check, codex.check])
def test_a_check_keeps_ids_alone(look: Callable[[Records], tuple[Defect, ...]]) -> None:
    """Sixty million characters pass by, and next to nothing stays."""

    def passing() -> Iterator[tuple[int, int, Record]]:
        for index in range(0, 600, 2):
            words = "x" * 100_000 + str(index)
            said = {"role": "user", "content": words, "type": "message"}
            yield index, 0, {"type": "response_item", "payload": said, "message": said, "uuid": f"u-{index}"}
            yield index + 1, 0, {**said, "message": said}

    tracemalloc.start()
    try:
        look(passing())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 2_000_000


def test_rules_are_those_of_whoever_it_is_sent_to() -> None:
    """A plain list keeps the rules of its own form, or of the provider that is named; a session those of its agent."""
    plain = of_messages([{"role": "user", "content": ""}])
    session = Session()
    session.user("q")
    lines = read_document(json.dumps(session.records[0]).encode() + b"\n")

    assert list(check_shape(plain)) == []
    assert [one.code for one in check_shape(plain, "anthropic")] == [Code.EMPTY]
    assert list(check_shape(lines, "openai-chat")) == []
    with pytest.raises(UsageError):
        check_shape(plain, "nobody")


def test_a_request_that_continues_another_is_named() -> None:
    """``previous_response_id`` stands around the list, not in it."""
    item = {"type": "function_call_output", "call_id": "a", "output": "x"}
    held = read_document(json.dumps({"previous_response_id": "resp_1", "input": [item]}).encode())

    assert [one.code for one in check_shape(held)] == [Code.SERVER_HELD]


def test_the_public_sessions_have_just_the_defects_that_are_there(shared: Path) -> None:
    """Every defect that is found was looked up: what real programs write is not called broken."""
    met: Counter[tuple[str, Code]] = Counter()
    for path in sorted([*(shared / "transcripts").rglob("*.jsonl*"), *(shared / "gold").rglob("*.jsonl")]):
        try:
            document = open_document(path)
        except UnknownContextError:
            continue
        met.update((document.wire.name, one.code) for one in check_shape(document))
        document.close()

    assert {name: count for name, count in met.items() if name[0].startswith(("claude", "codex"))} == SEEN
