"""Walking a record: every string once, with its path, and JSON inside strings."""

import pytest

from slowwave.records.walk import held_json, strings_of


def test_strings_come_in_order_with_their_paths() -> None:
    """Depth first, in the order of the record; numbers, keys and null are no strings."""
    record = {"a": "1", "b": [{"c": "2"}, "3", 4, None], "d": {"e.f": {"g": "5"}}, "h": True}
    assert list(strings_of(record)) == [("a", "1"), ("b[0].c", "2"), ("b[1]", "3"), ("d.e.f.g", "5")]


def test_walk_begins_below_a_path() -> None:
    """A value inside a string goes on under the string's own path."""
    assert list(strings_of({"cmd": "ls"}, "payload.arguments")) == [("payload.arguments.cmd", "ls")]


@pytest.mark.parametrize("text", ["", "{", "plain", "7", '"x"', "{not json}", "[" * 100 + "]" * 100, "{}x"])
def test_text_that_holds_no_record_is_left_alone(text: str) -> None:
    """Only a whole object or list within the depth is walked again."""
    assert held_json(text) is None


def test_json_in_a_string_is_found() -> None:
    """An object or a list, also with white space behind it."""
    assert held_json('{"a":[1]}\n') == {"a": [1]}
    assert held_json("[]") == []
