"""Lines: where they end, what is read of them, and how far a file was read."""

import io
from collections.abc import Iterator

import pytest

from slowwave.facts.limits import MOST_LINE_BYTES, READ_BLOCK_BYTES
from slowwave.records import lines as lines_module
from slowwave.records.lines import Line, Loss, read_lines


def read(content: bytes, *, start: int = 0, first_line: int = 1, end: int | None = None) -> list[Line]:
    """What a scan of these bytes yields."""
    return list(read_lines(io.BytesIO(content), start=start, first_line=first_line, end=end))


def records(content: bytes) -> list[object]:
    """The records in these bytes."""
    return [record for line in read(content) for record in line.records]


def losses(content: bytes) -> list[Loss]:
    """What is lost of these bytes."""
    return [loss for line in read(content) for loss in line.losses]


def test_each_line_has_its_number_its_place_and_its_record() -> None:
    """Lines are counted from 1 and their bytes from 0, LF included."""
    assert read(b'{"a":1}\n{"b":22}\n') == [
        Line(1, 0, 8, ({"a": 1},)),
        Line(2, 8, 9, ({"b": 22},)),
    ]


def test_only_line_feed_ends_a_line() -> None:
    """U+2028, U+0085, form feed and a lone CR are characters of a record."""
    content = '{"a":"x\u2028y\u0085z"}\r\n{"b":"\\f"}\n'.encode()
    assert records(content) == [{"a": "x\u2028y\u0085z"}, {"b": "\f"}]


def test_blank_lines_are_counted_and_lose_nothing() -> None:
    """A blank line, also one with blanks and CR, holds no record and is no loss, but has a number."""
    found = read(b'\n \r\n{"a":1}\n')
    assert [line.number for line in found] == [1, 2, 3]
    assert not losses(b"\n \r\n")


def test_byte_order_mark_is_not_part_of_the_record() -> None:
    """A BOM before the first record costs nothing."""
    assert records(b'\xef\xbb\xbf{"a":1}\n') == [{"a": 1}]
    assert not losses(b'\xef\xbb\xbf{"a":1}\n')


def test_last_line_without_line_feed_is_read_when_it_is_complete() -> None:
    """Many real files end without LF; their last record is complete and counts."""
    found = read(b'{"a":1}\n{"b":2}')
    assert found[-1] == Line(2, 8, 7, ({"b": 2},))


@pytest.mark.parametrize("tail", [b'{"b":', b'{"b":2}{"c"', b'{"b":2}\x00\x00', b"\x00\x00", b"7"])
def test_incomplete_last_line_waits(tail: bytes) -> None:
    """What is still being written is neither read nor lost: the scan ends before it."""
    found = read(b'{"a":1}\n' + tail)
    assert [line.offset + line.length for line in found] == [8]


def test_scan_goes_on_where_it_stopped() -> None:
    """A second scan from the end of the first reads only what is new, with the right numbers."""
    content = b'{"a":1}\n{"b":2}\n{"c":3}\n'
    assert read(content, start=16, first_line=3) == [Line(3, 16, 8, ({"c": 3},))]


def test_line_that_was_read_without_its_line_feed_is_not_counted_twice() -> None:
    """A complete tail was line 2; once its LF came, the next record is line 3."""
    found = read(b'{"a":1}\n{"b":2}\n{"c":3}\n', start=15, first_line=3)
    assert [(line.number, line.records) for line in found] == [(3, ({"c": 3},))]


def test_record_glued_to_a_tail_that_was_read_is_a_further_part_of_its_line() -> None:
    """After a crash the next record may be glued to the tail: it belongs to the same line, as its second record."""
    found = read(b'{"a":1}{"b":2}\n{"c":3}\n', start=7, first_line=2)
    assert [(line.number, line.first_part, line.records) for line in found] == [
        (1, 1, ({"b": 2},)),
        (2, 0, ({"c": 3},)),
    ]


def test_end_is_the_end_of_the_file() -> None:
    """Bytes behind ``end`` are not looked at."""
    content = b'{"a":1}\n{"b":2}\n'
    assert len(read(content, end=8)) == 1
    assert len(read(content, end=15)) == 2
    assert len(read(content, end=12)) == 1


def test_lines_longer_than_a_block_are_put_together() -> None:
    """A line over several blocks is read whole, and its neighbours with it."""
    long = b'{"x":"' + b"y" * (2 * READ_BLOCK_BYTES + 17) + b'"}'
    content = b'{"a":1}\n' + long + b'\n{"b":2}\n'
    found = read(content)
    assert [line.length for line in found] == [8, len(long) + 1, 8]
    assert found[1].records[0]["x"] == "y" * (2 * READ_BLOCK_BYTES + 17)


def test_line_past_the_bound_is_counted_and_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a line that is too long only the length is kept; the next line is read."""
    monkeypatch.setattr(lines_module, "MOST_LINE_BYTES", 1000)
    monkeypatch.setattr(lines_module, "READ_BLOCK_BYTES", 64)
    content = b'{"x":"' + b"y" * 5000 + b'"}\n{"b":2}\n'
    found = read(content)
    assert found[0].losses == (Loss("too_long", 1, 0, 5009),)
    assert found[1].records == ({"b": 2},)
    assert MOST_LINE_BYTES > 1000


def test_line_of_the_greatest_length_is_still_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound itself is allowed; one byte more is not."""
    monkeypatch.setattr(lines_module, "MOST_LINE_BYTES", 100)
    fits = b'{"x":"' + b"y" * 92 + b'"}'
    assert len(fits) == 100
    assert len(records(fits + b"\n")) == 1
    assert [loss.reason for loss in losses(fits + b" \n")] == ["too_long"]


@pytest.mark.parametrize("value", [b"7", b'"text"', b"null", b"[1,2]", b"true"])
def test_value_that_is_no_object_is_a_loss(value: bytes) -> None:
    """A number, a text or a list is no record."""
    assert losses(b'{"a":1}\n' + value + b"\n") == [Loss("not_object", 2, 8, len(value))]


def test_record_written_as_a_json_string_is_read() -> None:
    """A record that was encoded twice is decoded twice."""
    assert records(b'"{\\"type\\":\\"user\\"}"\n') == [{"type": "user"}]


@pytest.mark.parametrize("deep", [b"[" * 64 + b"]" * 64, b'{"a":' * 64 + b"1" + b"}" * 64])
def test_nesting_past_the_bound_is_refused(deep: bytes) -> None:
    """65 levels are one too many, however they are made; 64 are read."""
    assert [loss.reason for loss in losses(b'{"x":' + deep + b"}\n")] == ["too_deep"]
    assert len(records(b'{"x":' + deep[1:-1] + b"}\n" if deep.startswith(b"[") else deep + b"\n")) == 1


def test_many_brackets_in_a_text_are_no_depth() -> None:
    """Brackets inside strings, and many flat containers, do not make a record deep."""
    flat = b'{"x":"' + b"{[" * 500 + b'","y":[' + b"{}," * 500 + b"{}]}\n"
    assert len(records(flat)) == 1


def test_reader_stops_at_an_empty_file() -> None:
    """An empty file has no lines."""
    assert read(b"") == []


def test_lines_are_read_one_after_the_other() -> None:
    """The reader is lazy: it does not need the end of the file to hand out the first line."""
    found: Iterator[Line] = read_lines(io.BytesIO(b'{"a":1}\n' * 10))
    assert next(found).number == 1
