"""Payloads: the words in whatever shape a format keeps them, and the same shape with other words."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.hygiene.payloads import count_images, is_plain, is_reference, payload_text, replaced

PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
POINT = {"type": "ephemeral"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("words", "words"),
        ("", ""),
        (["a", "b"], "a\nb"),
        ([{"type": "text", "text": "a"}, PICTURE, {"type": "text", "text": ""}], "a\n"),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "x"}], "a"),
        ([], ""),
        ({"output": "a"}, "a"),
        ({"content": [{"type": "text", "text": "a"}], "success": True}, "a"),
        ({"output": {"more": 1}}, ""),
        ('{"output":"a\\nb","metadata":{"exit_code":0}}', "a\nb"),
        ('{"output": "a", "metadata": {}}', "a"),
        ('{"metadata": {"exit_code": 1}, "output": "a"}', "a"),
        ('{"output": 3}', '{"output": 3}'),
        ('{"a": "b"}', '{"a": "b"}'),
        ('{"output": "torn', '{"output": "torn'),
        (None, ""),
        (7, ""),
        ([None, 7, {"type": "text"}, {"text": 3}], ""),
    ],
)
def test_words_are_found_in_any_shape(value: Any, text: str) -> None:
    """Texts, lists of parts, objects, JSON in a text; what holds none is empty."""
    assert payload_text(value) == text


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("words", "new"),
        (["a", "b"], ["new"]),
        ([{"type": "text", "text": "a", "more": 1}, PICTURE], [{"type": "text", "text": "new"}]),
        ([{"type": "input_text", "text": "a"}], [{"type": "input_text", "text": "new"}]),
        ([{"type": "output_text", "text": "a"}], [{"type": "output_text", "text": "new"}]),
        ([PICTURE], [{"type": "text", "text": "new"}]),
        ([{"type": "input_image", "image_url": "x"}], [{"type": "input_text", "text": "new"}]),
        ([{"type": "input_file", "file_id": "x"}, {"type": "input_text", "text": "a"}],
         [{"type": "input_text", "text": "new"}]),
        ([], [{"type": "text", "text": "new"}]),
        ({"output": "a", "exit": 3}, {"output": "new", "exit": 3}),
        ({"success": True, "content": ["a"]}, {"success": True, "content": ["new"]}),
        ('{"output":"a","metadata":{"exit_code":1,"duration_seconds":0.5}}',
         '{"output":"new","metadata":{"exit_code":1,"duration_seconds":0.5}}'),
        ('{"a": "b"}', "new"),
    ],
)  # fmt: skip
def test_the_shape_stays(value: Any, told: Any) -> None:
    """Types of parts, members beside the words, the exit code inside a text."""
    assert replaced(value, "new") == told
    assert payload_text(replaced(value, "new")) == "new"


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_cache_point_stays_on_whichever_part_it_was(place: int) -> None:
    """One part is left, and carries it."""
    parts: list[dict[str, Any]] = [{"type": "text", "text": "a"}, dict(PICTURE), {"type": "text", "text": "b"}]
    parts[place]["cache_control"] = POINT
    assert replaced(parts, "new") == [{"type": "text", "text": "new", "cache_control": POINT}]


def test_what_a_payload_holds_beside_words_is_counted() -> None:
    """Pictures and files in any spelling; references to tools; forms that nobody here knows."""
    assert count_images([PICTURE, {"type": "input_image"}, {"type": "document"}, {"type": "text"}, "x", None]) == 3
    assert count_images("image") == count_images(None) == count_images({"type": "image"}) == 0
    assert is_reference([{"type": "tool_reference", "tool_name": "x"}])
    assert not is_reference("tool_reference")
    assert all(map(is_plain, ["x", [], ["x"], [PICTURE, {"type": "text"}], {"output": "x"}, {"content": []}]))
    assert not any(map(is_plain, [None, 7, {"a": "x"}, {"output": 3}, [{"type": "hologram"}], [3], [{}]]))


_PARTS = st.lists(
    st.builds(lambda kind, text: {"type": kind, "text": text}, st.sampled_from(["text", "input_text"]), st.text()),
    max_size=3,
)
_ENVELOPES = st.builds(
    lambda text, code: json.dumps({"output": text, "metadata": {"exit_code": code}}), st.text(), st.integers(-9, 9)
)


@given(
    st.text() | _PARTS | _ENVELOPES | st.builds(lambda text: {"output": text, "n": 1}, st.text()), st.text(min_size=1)
)
def test_new_words_are_read_back(value: Any, text: str) -> None:
    """Whatever the shape: what was written is what stands there."""
    told = replaced(value, text)
    assert type(told) is type(value)
    if not text.startswith("{"):
        assert payload_text(told) == text
