"""The sieve lets through every line that could hold a text, and few others."""

import io
import json

import pytest

from slowwave.proof.sieve import Sieve


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain words", b'{"a": "some plain words"}'),
        ("plain words", b'{"a": "pl\\u0061in words"}'),
        ("plain words", b'{"a": "{\\"b\\": \\"\\\\u0077ords pl\\\\u0061in\\"}"}'),
        ("d\u00e9j\u00e0", "{'a': 'd\u00e9j\u00e0 vu'}".encode()),
        ("\u4e2d\u6587", "\u4e2d\u6587".encode()),
        ("\u4e2d\u6587", b'"\\u4e2d\\u6587"'),
        ("\u4e2d\u6587", b'"\\u4E2D' + "\u6587".encode() + b'"'),
        ("\U0001f419", b'"\\ud83d\\udc19"'),
        ("\U0001f419", json.dumps(json.dumps("\U0001f419")).encode()),
        ("?!", b"anything"),
        ("\ufffd", b"anything"),
    ],
)
def test_no_spelling_is_held_back(text: str, line: bytes) -> None:
    """Escapes of letters, of other scripts and of both encodings pass."""
    assert Sieve([text]).passes(line)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain words", b'{"a": "other text"}'),
        ("plain words", b'{"a": "\\u001b[31m \\u003c \\u00e9"}'),
        ("\u4e2d\u6587", b'{"a": "latin only, \\u001b"}'),
    ],
)
def test_what_cannot_hold_the_text_is_held_back(text: str, line: bytes) -> None:
    """Escapes of control characters, which real lines are full of, cost nothing."""
    assert not Sieve([text]).passes(line)


def test_lines_are_numbered_as_a_reader_counts_them() -> None:
    """LF alone ends a line; bytes behind the end are not looked at."""
    raw = "skip\nhit one\u2028still hit\n\nhit two\nhit three".encode()
    assert list(Sieve(["hit"]).lines(io.BytesIO(raw))) == [2, 4, 5]
    assert list(Sieve(["hit"]).lines(io.BytesIO(raw), end=raw.index(b"two"))) == [2, 4]
    assert list(Sieve(["hit"]).lines(io.BytesIO(raw), end=0)) == []
