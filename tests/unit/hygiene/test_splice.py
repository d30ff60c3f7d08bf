"""Splicing: only the named value's bytes change, whatever the rest of the line looks like."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.hygiene.splice import (
    SpliceError,
    apply,
    elements_of,
    encode,
    record_starts,
    span_of,
    steps_of,
    value_at,
    with_value,
)

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1), inner, max_size=4),
    max_leaves=12,
)


def test_a_path_is_read_as_keys_and_positions() -> None:
    """A path is read as keys and positions."""
    assert steps_of("message.content[0].text") == ("message", "content", 0, "text")
    assert steps_of("") == ()


def test_a_value_is_replaced_and_every_other_byte_stays() -> None:
    """A value is replaced and every other byte stays."""
    raw = b'\xef\xbb\xbf{"z" : 1e400, "a": [1, {"b" : "x\\ud83d"}], "t":"\xff\xe9"}  {"q":{"w":[]}}\r'
    text = raw.decode("latin-1")
    first, second = record_starts(text.rstrip("\r"))
    one, other = span_of(text, first, steps_of("a[1].b")), span_of(text, second, steps_of("q.w"))
    found = apply(raw, [(*other, b"7"), (*one, b'"new"')])
    assert found == raw.replace(b'"x\\ud83d"', b'"new"').replace(b"[]", b"7")


def test_of_two_members_with_one_name_the_last_is_meant() -> None:
    """Of two members with one name the last is meant."""
    text = '{"a": 1, "a": 2}'
    start, end = span_of(text, 0, ("a",))
    assert text[start:end] == "2"


@pytest.mark.parametrize("path", ["b", "a[3]", "a.b", "a[0].c"])
def test_a_path_that_leads_nowhere_is_refused(path: str) -> None:
    """A path that leads nowhere is refused."""
    with pytest.raises(SpliceError):
        span_of('{"a": [1, 2]}', 0, steps_of(path))


def test_a_line_that_is_no_record_has_no_places() -> None:
    """A line that is no record has no places."""
    with pytest.raises(SpliceError):
        record_starts('{"a": 1} rubbish')


def test_elements_are_found_in_one_walk() -> None:
    """Elements are found in one walk."""
    text = ' [ {"a":1} , "b", [3] ]'
    assert [text[at] for at in elements_of(text, 0)] == ["{", '"', "["]
    assert elements_of("[]", 0) == []


@given(value=_JSON, new=_JSON, is_ascii=st.booleans())
def test_any_value_can_stand_anywhere(value: object, new: object, *, is_ascii: bool) -> None:
    """Any value can stand anywhere."""
    record = {"head": value, "list": [value, {"deep": value}], "tail": value}
    raw = json.dumps(record, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass")
    text = raw.decode("latin-1")
    span = span_of(text, 0, steps_of("list[1].deep"))
    changed = json.loads(apply(raw, [(*span, encode(new, is_ascii=is_ascii))]).decode("utf-8", "surrogatepass"))
    assert changed == with_value(record, steps_of("list[1].deep"), new)
    assert value_at(changed, "list[1].deep") == new
    assert changed["head"] == value
