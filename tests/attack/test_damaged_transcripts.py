"""Attack: files as they are really damaged, and files made to stop a reader or eat its time and memory."""

import io
import json
import time
import tracemalloc
import zipfile
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from slowwave.records.lines import Line, read_lines

LARGE = 1_000_000
SECONDS_A_LINE = 3.0  # many times what is needed; a quadratic reader needs hours
MOST_HELD_BYTES = 200 * 1024 * 1024


def record(name: str, text: str = "words") -> bytes:
    """A whole record."""
    content = [{"type": "text", "text": text}]
    return json.dumps({"type": "assistant", "message": {"content": content}, "uuid": name}).encode()


def read(content: bytes) -> list[Line]:
    """What a scan of these bytes yields."""
    return list(read_lines(io.BytesIO(content)))


def ids(lines: list[Line]) -> list[object]:
    """The ids of the records read."""
    return [found.get("uuid") for line in lines for found in line.records]


MIDDLE = record("middle", "x" * 300)
SHAPES = {
    "whole": (MIDDLE, ["middle"], 0),
    "spliced": (MIDDLE[:200] + record("behind"), ["behind"], 200),
    "spliced in its envelope": (MIDDLE[:20] + record("behind"), ["behind"], 20),
    "spliced twice": (MIDDLE[:200] + MIDDLE[:100] + record("behind"), ["behind"], 300),
    "interleaved": (MIDDLE[:200] + record("inside") + MIDDLE[200:], ["inside"], len(MIDDLE)),
    "joined": (MIDDLE + record("behind"), ["middle", "behind"], 0),
    "joined over blanks": (MIDDLE + b" \r" + record("behind"), ["middle", "behind"], 0),
    "NUL before": (b"\x00" * 700 + MIDDLE, ["middle"], 700),
    "NUL behind": (MIDDLE + b"\x00" * 284, ["middle"], 284),
    "NUL alone": (b"\x00" * 9000, [], 9000),
    "NUL between": (MIDDLE + b"\x00" * 10 + record("behind"), ["middle", "behind"], 10),
    "NUL in place of the end": (MIDDLE[:200] + b"\x00" * 50, [], 250),
    "torn": (MIDDLE[:200], [], 200),
    "tail of a record": (MIDDLE[200:], [], len(MIDDLE) - 200),
    "BOM": (b"\xef\xbb\xbf" + MIDDLE, ["middle"], 0),
    "CR": (MIDDLE + b"\r", ["middle"], 0),
    "lone surrogate": (record("middle").replace(b"words", b"wor\\ud83d"), ["middle"], 0),
    "bad UTF-8": (record("middle").replace(b"words", b"wor\xff\xfe"), ["middle"], 0),
    "other words": (b"Segmentation fault (core dumped)", [], 32),
    "a number": (b"42", [], 2),
    "encoded twice": (json.dumps(MIDDLE.decode()).encode(), ["middle"], 0),
    "empty": (b"", [], 0),
}
"""Damage, what is read of it all the same, and how many bytes are told as lost."""


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("where", ["first", "between", "last"])
def test_damage_costs_exactly_the_damaged_bytes(shape: str, where: str) -> None:
    """Each shape of real damage, at the start, in the middle and at the end of a file."""
    damaged, inner, lost = SHAPES[shape]
    before = [] if where == "first" else [record("before")]
    after = [] if where == "last" else [record("after")]
    lines = read(b"".join(raw + b"\n" for raw in [*before, damaged, *after]))
    assert ids(lines) == ["before"] * len(before) + inner + ["after"] * len(after)
    assert sum(loss.length for line in lines for loss in line.losses) == lost
    assert {loss.line for line in lines for loss in line.losses} <= {len(before) + 1}


def suite(shared: Path) -> dict[str, bytes]:
    """The files of the JSON test suite."""
    path = shared / "attack/json_test_suite/json_test_suite.zip"
    if not path.is_file():
        pytest.skip("the JSON test suite is not beside the project")
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.endswith(".json")}


def test_neighbours_of_every_json_case_are_intact(shared: Path) -> None:
    """204 cases, each as a line between good lines: both neighbours are read, nothing is made up, nothing raises."""
    cases = suite(shared)
    assert len(cases) == 204
    for name, case in cases.items():
        found = read(record("before") + b"\n" + case + b"\n" + record("after") + b"\n")
        own = [each for each in ids(found) if each is not None]
        assert own == ["before", "after"], name


def test_every_value_that_must_be_accepted_is_read(shared: Path) -> None:
    """A record that holds a value from the suite's accepted cases is read as the standard library reads it."""
    accepted = {name: case for name, case in suite(shared).items() if Path(name).name.startswith("y_")}
    assert accepted
    for name, case in accepted.items():
        flat = case.replace(b"\n", b" ")
        found = read(b'{"uuid":"middle","x":' + flat + b"}\n")
        assert [dict(each) for line in found for each in line.records] == [{"uuid": "middle", "x": json.loads(flat)}], (
            name
        )


HOSTILE = {
    "objects without end": b'{"a":' * (LARGE // 5),
    "lists without end": b"[" * LARGE,
    "deep and closed": b'{"a":' * (LARGE // 6) + b"1" + b"}" * (LARGE // 6),
    "starts of records": b'{"' * (LARGE // 2),
    "starts of texts": b'{"type":"' * (LARGE // 9),
    "fragments": b'{"a":[' + b'{"x":1},' * (LARGE // 8),
    "glued": b'{"type":1}' * (LARGE // 10),
    "glued over garbage": b'{"type":1}x' * (LARGE // 11),
    "encoded twice and glued": b'"' + b'{\\"a\\":1}' * (LARGE // 9) + b'"',
    "long texts cut": (b'{"a":"' + b"x" * 1000 + b'"x') * (LARGE // 1010),
    "deep pieces": (b'{"a":' * 900 + b"x") * (LARGE // 4501),
    "wide": b"{" + b",".join(b'"k%d":1' % number for number in range(LARGE // 10)) + b"}",
    "one key again and again": b"{" + b'"k":1,' * (LARGE // 6) + b'"k":2}',
    "one number": b'{"a":' + b"9" * LARGE + b"}",
    "backslashes": b'{"a":"' + b"\\\\" * (LARGE // 2) + b'\\ud800"}',
    "half pairs": b'{"a":"' + b"\\ud800" * (LARGE // 6) + b'"}',
    "blanks": b" " * LARGE + b"x",
    "opened blanks": (b"{" + b" " * 999) * (LARGE // 1000),
    "no text": b"\xff" * LARGE,
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_line_costs_bounded_time(shape: str) -> None:
    """A megabyte made to be slow is done with in moments, and both neighbours are read."""
    began = time.perf_counter()
    lines = read(record("before") + b"\n" + HOSTILE[shape] + b"\n" + record("after") + b"\n")
    assert time.perf_counter() - began < SECONDS_A_LINE
    own = [each for each in ids(lines) if each is not None]
    assert own == ["before", "after"]


class _Endless:
    """A file of one line of one character, made while it is read."""

    def __init__(self, size: int) -> None:
        self.left = size
        self.tail = b'\n{"uuid":"after"}\n'

    def read(self, most: int) -> bytes:
        """The next bytes."""
        taken = min(most, self.left)
        self.left -= taken
        if taken:
            return b"x" * taken
        tail, self.tail = self.tail, b""
        return tail


def test_line_of_a_gigabyte_is_counted_and_not_held() -> None:
    """Memory is bounded by the longest line that is parsed, whatever the longest line is."""
    size = 1024 * 1024 * 1024
    tracemalloc.start()
    try:
        lines = list(read_lines(cast("BinaryIO", _Endless(size))))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [(loss.reason, loss.length) for loss in lines[0].losses] == [("too_long", size + 1)]
    assert ids(lines) == ["after"]
    assert peak < MOST_HELD_BYTES


def test_many_lines_are_read_in_bounded_memory() -> None:
    """Lines are handed out one by one; a reader that forgets them holds one block."""
    content = (record("u", "y" * 20) + b"\n") * 200_000
    stream = io.BytesIO(content)
    tracemalloc.start()
    try:
        count = sum(len(line.records) for line in read_lines(stream))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 200_000
    assert peak < 16 * 1024 * 1024
