"""Rewriting: the value an edit names changes, and not one byte beside it, whatever stands there."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_nasty import NASTY
from small_contexts import MAKERS, SESSION, anthropic, bash, claude_code, codex, lines, say, user

from slowwave.hygiene.document import AnyDocument, Lines, of_messages, read_document
from slowwave.hygiene.items import Edit, Kind
from slowwave.hygiene.reading import read_context
from slowwave.hygiene.rewrite import rewrite, rewrite_messages
from slowwave.hygiene.splice import SpliceError

BEATS = [user("Look."), bash("ls", lines(9)), say("Done."), bash("ls", lines(9))]
NEW = "what stands there now"


def _written(document: AnyDocument, *edits: Edit, rename: tuple[str, str] | None = None) -> bytes:
    return b"".join(rewrite(document, edits, rename=rename))


def _edit(document: AnyDocument, place: int = 0, value: Any = NEW) -> Edit:
    """An edit of the payload of a result."""
    item = [item for item in read_context(document).items if item.kind is Kind.RESULT][place]
    return Edit(index=item.index, part=item.part, field=item.fields[0], value=value)


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("make", [claude_code, codex], ids=["claude-code", "codex"])
@pytest.mark.parametrize("rename", [None, (SESSION, "99999999-0000-4000-8000-000000000000")], ids=["same", "fork"])
def test_a_line_that_no_edit_names_keeps_its_bytes(
    name: str, make: Callable[[Any], bytes], rename: tuple[str, str] | None
) -> None:
    """Whatever else is in the file; in the line that changes, only the value does."""
    raw = NASTY[name](make(BEATS))
    document = read_document(raw)
    assert isinstance(document, Lines)
    edit = _edit(document)
    told = read_document(_written(document, edit, rename=rename), wire=document.wire.name)
    assert isinstance(told, Lines)
    assert told.count == document.count
    for index in range(document.count):
        old, new = document.raw(index), told.raw(index)
        if rename is not None:
            new = new.replace(rename[1].encode(), rename[0].encode())
        if index == edit.index:
            payload = json.dumps(lines(9)).encode()
            assert new == old.replace(payload, json.dumps(NEW).encode(), 1)
        else:
            assert new == old
    assert told.length - document.length == len(json.dumps(NEW)) - len(json.dumps(lines(9)))


@pytest.mark.parametrize("wire", MAKERS)
def test_every_wire_takes_the_new_words(wire: str) -> None:
    """And reads them back where the old ones stood."""
    document = read_document(MAKERS[wire](BEATS))
    told = read_context(read_document(_written(document, _edit(document, 1)), wire=wire))
    results = [told.text(item) for item in told.items if item.kind is Kind.RESULT]
    assert results == [lines(9), NEW]


def test_unknown_members_and_the_order_of_keys_stay() -> None:
    """In the record itself, around the value and inside what is beside it."""
    record = json.loads(claude_code(BEATS).splitlines()[2])
    record["message"]["content"][0] = {
        "zeta": [1, {"y": None}],
        **record["message"]["content"][0],
        "alpha": {"b": 1, "a": 2},
    }
    line = json.dumps({"unknown": {"z": 1, "a": [True, 1.50, 1e5]}, **record, "more": "\u00e9"}) + "  \n"
    raw = b"".join(claude_code(BEATS).splitlines(keepends=True)[:2]) + line.encode()
    document = read_document(raw)
    told = _written(document, _edit(document))
    expected = json.loads(line)
    expected["message"]["content"][0]["content"] = NEW
    assert told.splitlines()[2] == json.dumps(expected).encode() + b"  "


@pytest.mark.parametrize(
    ("members", "around"),
    [
        (b'"n": 12345678901234567890123456789, ', "huge numbers"),
        (b'"content": "first", ', "a key twice"),
        (b'"f": 1.0000000000000000001e+5, ', "a float of many digits"),
        (b'"t": "\\u00e9\\/\\ud83d", ', "escapes and half a pair"),
        (b'"b": "\xff\xfe", ', "no UTF-8"),
        (b'"k\\u0065y": 1, ', "an escaped key"),
        (b' \t"a" : [ 1 , 2 ] , ', "blanks"),
    ],
)
def test_what_stands_beside_the_value_stays_whatever_it_is(members: bytes, around: str) -> None:
    """Values that no library would write again as they were: here with {around}."""
    raw = claude_code(BEATS).replace(b'{"tool_use_id"', b"{" + members + b'"tool_use_id"', 1)
    document = read_document(raw)
    told = _written(document, _edit(document))
    assert told == raw.replace(json.dumps(lines(9)).encode(), json.dumps(NEW).encode(), 1), around


@pytest.mark.parametrize(("text", "is_escaped"), [("plain", True), ("größe", False)])
def test_new_words_are_written_as_the_line_is(text: str, is_escaped: bool) -> None:
    """Escaped where it is plain ASCII."""
    document = read_document(claude_code([user(text), bash("ls", lines(9) + ("" if is_escaped else "ö"))]))
    told = _written(document, _edit(document, value="größe \u2028"))
    assert (b"gr\\u00f6\\u00dfe \\u2028" in told) is is_escaped
    assert ("größe \u2028".encode() in told) is not is_escaped


def test_half_a_pair_is_always_escaped() -> None:
    """It has no bytes of its own."""
    document = read_document(claude_code([user("x"), bash("ls", "größe")]))
    assert b'"half \\ud83d"' in _written(document, _edit(document, value="half \ud83d"))


def test_the_second_record_of_a_line_is_edited_in_its_place() -> None:
    """Two records glued together are two parts."""
    rows = claude_code(BEATS).splitlines()
    raw = rows[0] + rows[1] + rows[2] + b"\n" + rows[3] + b"\n"
    document = read_document(raw)
    edit = _edit(document)
    assert (edit.index, edit.part) == (0, 2)
    assert _written(document, edit) == raw.replace(json.dumps(lines(9)).encode(), json.dumps(NEW).encode(), 1)
    with pytest.raises(SpliceError):
        _written(document, Edit(index=0, part=3, field="a", value=1))


def test_what_is_not_there_cannot_be_edited() -> None:
    """A path that leads nowhere ends in one error of ours."""
    document = read_document(claude_code(BEATS))
    for field in ("nobody", "message.content[9]", "message.content.role", "uuid.more", 'message["x"]'):
        with pytest.raises(SpliceError):
            _written(document, Edit(index=2, part=0, field=field, value=1))


def test_elements_that_stay_in_a_list_keep_their_bytes() -> None:
    """Where only some of a list go, the others are copied."""
    blocks = b'[{"type":"thinking","thinking":"a"}, {"n":123456789012345678901234567890},\t{"x":"\\u00e9"}]'
    record = (
        b'{"type":"assistant","sessionId":"s","uuid":"u","message":{"content":' + blocks + b',"role":"assistant"}}\n'
    )
    document = read_document(claude_code(BEATS) + record)
    index = document.count - 1
    edit = Edit(index=index, part=0, field="message.content", value=["told"], kept=(1, 2))
    told = _written(document, edit).splitlines(keepends=True)[-1]
    assert told == record.replace(blocks, b'[{"n":123456789012345678901234567890},{"x":"\\u00e9"}]')


def test_lists_in_a_request_are_edited_where_they_stand() -> None:
    """Behind a byte order mark, between members of any name."""
    body = json.dumps({"messages": [], "n": 10**25}, indent=2).replace("[]", json.dumps(anthropic(BEATS)))
    for mark in (b"", b"\xef\xbb\xbf"):
        raw = mark + body.encode()
        document = read_document(raw)
        assert (
            _written(document, _edit(document, 1))
            == NEW.join(raw.decode().rsplit(json.dumps(lines(9))[1:-1], 1)).encode()
        )


def test_messages_that_no_edit_names_are_the_very_same_objects() -> None:
    """And those that one names share what is beside it."""
    messages = anthropic(BEATS)
    document = of_messages(messages)
    edit = _edit(document)
    told = rewrite_messages(document, [edit])
    assert [one is other for one, other in zip(messages, told, strict=True)] == [True, True, False, True, True, True]
    assert told[2]["content"][0] == {**messages[2]["content"][0], "content": NEW}
    assert messages[2]["content"][0]["content"] == lines(9)


@given(st.text(), st.sampled_from(sorted(MAKERS)))
def test_any_words_can_be_written(text: str, wire: str) -> None:
    """What is written is what is read back."""
    document = read_document(MAKERS[wire](BEATS))
    again = read_document(_written(document, _edit(document, value=text)), wire=wire)
    item = next(item for item in read_context(again).items if item.kind is Kind.RESULT)
    assert read_context(again).value(item) == text
