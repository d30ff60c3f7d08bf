"""Reading: items with stable ids, groups that stay together, roles, turns, and what each item is marked with."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from small_contexts import MAKERS, SESSION, Beat, anthropic, bash, call, claude_code, lines, notice, say, think, user

from slowwave.hygiene import stubs
from slowwave.hygiene.context import Context
from slowwave.hygiene.document import of_messages, read_document
from slowwave.hygiene.items import Item, Kind, Role
from slowwave.hygiene.reading import ARGUMENT_CHARACTERS, MOST_ARGUMENTS, read_context, role_of
from slowwave.hygiene.tokens import IMAGE_TOKENS, estimate

BEATS = [user("Look."), bash("ls", lines(20)), say("Hm."), notice("Idle. " * 9), bash("ls", lines(20)), user("Good.")]


def _context(beats: Sequence[Beat], wire: str = "claude-code") -> Context:
    return read_context(read_document(MAKERS[wire](beats)))


def _of(records: Sequence[Mapping[str, Any]]) -> Context:
    return read_context(read_document(b"".join(json.dumps(record).encode() + b"\n" for record in records)))


def _records(beats: Sequence[Beat]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in claude_code(beats).splitlines()]


def _result(content: Any, **more: Any) -> Item:
    return next(item for item in _context([user("x"), call("T", content, **more)]).items if item.kind is Kind.RESULT)


@pytest.mark.parametrize("wire", MAKERS)
def test_ids_are_stable_while_a_document_grows(wire: str) -> None:
    """Also where nothing in it has a name, and where the same was said twice."""
    beats = [*BEATS, *BEATS]
    whole = [item.id for item in _context(beats, wire).items]
    part = [item.id for item in _context(beats[:7], wire).items]
    assert whole[: len(part)] == part
    assert len(set(whole)) == len(whole)


@pytest.mark.parametrize("wire", MAKERS)
def test_ids_stay_when_something_else_is_curated(wire: str) -> None:
    """What changes is another thing, if it has no name of its own; all others keep theirs."""
    other = [*BEATS[:4], bash("ls", "short"), BEATS[5]]
    before, after = _context(BEATS, wire).items, _context(other, wire).items
    same = [(one.id, two.id) for one, two in zip(before, after, strict=False) if one.digest == two.digest]
    assert len(same) >= 7
    assert all(one == two for one, two in same)


@pytest.mark.parametrize("wire", MAKERS)
def test_numbers_indices_and_groups_agree(wire: str) -> None:
    """Every item is in one group, in the order of the document."""
    context = _context(BEATS, wire)
    assert [item.number for item in context.items] == list(range(len(context.items)))
    assert [item.index for item in context.items] == sorted(item.index for item in context.items)
    listed = [number for group in context.groups for number in group.items]
    assert sorted(listed) == list(range(len(context.items)))
    assert all(number in context.groups[context.items[number].group].items for number in listed)
    assert [item for held in context.by_index.values() for item in held] == list(context.items)
    assert len(context.roles) == context.document.count


def test_the_digest_is_of_the_words_and_of_a_call_with_its_arguments() -> None:
    """Arguments in another order are the same call; other arguments are another."""
    context = _context([user("größe \U0001f600"), call("T", "x", a="1", b="2"), call("T", "x", a="1", b="3")])
    words = hashlib.sha256("größe \U0001f600".encode()).hexdigest()[:16]
    assert context.items[0].digest == words
    assert context.items[0].tokens == estimate("größe \U0001f600")
    records = _records([user("x"), call("T", "x", a="1", b="2")])
    records[1]["message"]["content"][0]["input"] = {"b": "2", "a": "1"}
    assert _of(records).items[1].digest == context.items[1].digest != context.items[3].digest


def test_arguments_are_kept_short_and_told_whole_to_whoever_listens() -> None:
    """A file's content in a call takes no memory."""
    told: list[Mapping[str, Any]] = []
    long: dict[str, Any] = {f"k{number:02d}": "v" for number in range(20)}
    beats = [user("x"), call("T", "y", path="/a", text="z" * 5_000, words=["a", "b"], n=7, more={"a": 1}, flag=True)]
    document = read_document(claude_code([*beats, call("T", "y", **long)]))
    context = read_context(document, tell=lambda item, _, args: told.append(args) if item.kind is Kind.CALL else None)
    held = context.items[1].args
    assert dict(held) == {
        "path": "/a",
        "text": "z" * ARGUMENT_CHARACTERS,
        "words": "a b",
        "n": 7,
        "more": "",
        "flag": True,
    }
    assert len(told[0]["text"]) == 5_000
    assert (len(context.items[3].args), len(told[1])) == (MOST_ARGUMENTS, 20)


def test_whatever_arguments_are_they_are_read() -> None:
    """Also none, and those that are no object."""
    arguments: tuple[Any, ...] = (None, [], "ls", 3, {}, {"a": None}, {"a": [1, {"b": 2}]})
    for given in arguments:
        records = _records([user("x"), call("T", "y")])
        records[1]["message"]["content"][0]["input"] = given
        assert [item.kind for item in _of(records).items] == [Kind.USER, Kind.CALL, Kind.RESULT]


def test_a_result_says_how_it_ended() -> None:
    """Failed, refused, from outside."""
    assert _result("Exit code 1\nno").is_error
    assert _result("no", is_error=True).is_error
    assert not _result("yes").is_error
    refused = _result("The user doesn't want to proceed with this tool use. the user said:\nnot today, thanks")
    assert (refused.is_rejected, refused.is_error, refused.is_person) == (True, False, True)
    tainted = _context([user("x"), bash("curl https://example.org", "y")]).items[2]
    assert tainted.is_tainted


def test_a_persons_words_in_a_refusal_are_an_item_and_a_turn() -> None:
    """The result that holds them is a person's as well, so that nothing touches it."""
    said = "The user doesn't want to proceed with this tool use. the user said:\nnot today, thanks"
    context = _context([user("x"), bash("rm y", said, is_error=True)])
    assert [(item.kind, item.is_person) for item in context.items[2:]] == [(Kind.RESULT, True), (Kind.USER, True)]
    assert len(context.turns) == 2


def test_a_reminder_behind_an_output_is_part_of_its_words() -> None:
    """It is no item of its own: whoever takes the output out takes it along."""
    told = "out\n<system-reminder>be brief</system-reminder>"
    context = _context([user("x"), bash("ls", told)])
    assert [item.kind for item in context.items] == [Kind.USER, Kind.CALL, Kind.RESULT]
    assert context.text(context.items[2]) == told


def test_a_notice_beside_a_persons_words_is_apart_from_them() -> None:
    """Both stand in one text; a record is what weighs most in it."""
    context = _context([user("Please look.\n<system-reminder>be brief</system-reminder>")])
    assert [(item.kind, item.is_person) for item in context.items] == [(Kind.USER, True), (Kind.NOTICE, False)]
    assert list(context.roles) == [Role.USER]


def test_pictures_and_forms_nobody_knows_are_marked() -> None:
    """A picture has a price, a reference names tools, anything else is opaque."""
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
    shown = _result([{"type": "text", "text": "a"}, picture, picture])
    assert (shown.images, shown.tokens, shown.is_opaque) == (2, 1 + 2 * IMAGE_TOKENS, False)
    assert _result([{"type": "tool_reference", "tool_name": "x"}]).is_reference
    for strange in ([{"type": "hologram"}], {"unknown": 1}, 7, None, [{"type": "text", "text": "a"}, 3]):
        assert _result(strange).is_opaque


def test_a_signed_thought_and_a_damaged_line_are_opaque() -> None:
    """Their bytes must come back as they are."""
    assert _context([user("x"), think("Hm.")]).items[1].is_opaque
    raw = claude_code([user("x"), bash("ls", "a")])
    torn = raw.replace(b"\n", b'{"torn\n')
    context = read_context(read_document(torn))
    assert len(context.items) == 3
    assert all(item.is_opaque for item in context.items)


def test_what_was_pruned_before_is_known_by_its_template() -> None:
    """Whole, trimmed, or a note; a look-alike is none."""
    line = stubs.stub(tool="T", characters=9, lines=1, reason="asked", digest="0" * 16)
    assert _result(line).is_stub
    assert _result(stubs.trimmed(line, [(0, "x")], 3)).is_stub
    assert not _result(f"it says {line}").is_stub
    assert not _result(line[:-1]).is_stub


def test_a_large_output_in_a_file_of_its_own_is_named() -> None:
    """The program moved it there; the name stands in what is left."""
    told = "<persisted-output>\nOutput too large (1.2MB). Saved to: /tmp/s/tool-results/toolu_01.txt\n\nPreview:\nabc"
    assert _result(told).outside == "/tmp/s/tool-results/toolu_01.txt"
    assert _result("see tool-results/x.txt").outside == ""


def test_the_session_its_models_and_its_times_are_read() -> None:
    """A model is told once until another one speaks."""
    records = _records([user("x"), say("a"), say("b"), say("c")])
    records[3]["message"]["model"] = "claude-sonnet-4-5-20250929"
    context = _of(records)
    assert context.session == SESSION
    assert list(context.models) == [(1, "claude-opus-4-5-20251101"), (3, "claude-sonnet-4-5-20250929")]
    assert [item.at.isoformat()[11:16] for item in context.items if item.at] == ["09:00", "09:01", "09:02", "09:03"]


def test_turns_count_what_a_person_typed() -> None:
    """Every item knows how many there were; copies of one record are told once."""
    records = _records(BEATS)
    records.insert(1, records[0])
    context = _of(records)
    assert [item.turn for item in context.items if item.kind is Kind.CALL] == [1, 1]
    assert len(context.turns) == 2
    assert [item.turn for item in context.items if item.kind is Kind.USER] == [1, 1, 2]


def test_roles_weigh() -> None:
    """A record with results is one of results, whatever else is in it."""
    assert role_of([]) is Role.NONE
    assert role_of([Role.NOTICE, Role.USER]) is Role.USER
    assert role_of([Role.ASSISTANT, Role.RESULTS, Role.USER]) is Role.RESULTS


def test_a_record_with_many_things_is_read_in_time() -> None:
    """The items of one record cost as many steps as there are."""
    blocks = [{"type": "tool_result", "tool_use_id": f"t{number}", "content": "x"} for number in range(20_000)]
    uses = [{"type": "tool_use", "id": f"t{number}", "name": "T", "input": {}} for number in range(20_000)]
    messages = [*anthropic([user("x")]), {"role": "assistant", "content": uses}, {"role": "user", "content": blocks}]
    context = read_context(of_messages(messages))
    assert [len(held) for held in context.by_index.values()] == [1, 20_000, 20_000]
    assert len(context.groups) == 2
