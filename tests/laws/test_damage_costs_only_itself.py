"""Law: whatever is done to some lines of a file, every untouched record is read, and nothing is made up."""

import io
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.records.lines import Line, read_lines

WORDS = st.text(st.characters(codec="utf-8"), max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)


@st.composite
def made_records(draw: st.DrawFn) -> list[bytes]:
    """A few records with an envelope, each with an id of its own."""
    count = draw(st.integers(2, 6))
    records = []
    for number in range(count):
        record = {"type": "user", "uuid": f"u{number}", "message": {"content": draw(VALUES)}, "more": draw(VALUES)}
        records.append(json.dumps(record, ensure_ascii=draw(st.booleans())).encode())
    return records


def read(content: bytes) -> list[Line]:
    """What a scan of these bytes yields."""
    return list(read_lines(io.BytesIO(content)))


def ids(lines: list[Line]) -> list[object]:
    """The ids of the records read, in order."""
    return [record.get("uuid") for line in lines for record in line.records]


def lost(lines: list[Line]) -> int:
    """Bytes told as lost."""
    return sum(loss.length for line in lines for loss in line.losses)


@given(made_records())
def test_whole_file_loses_nothing(records: list[bytes]) -> None:
    """Undamaged records are all read, their bytes add up, and they say what was written."""
    content = b"\n".join(records) + b"\n"
    lines = read(content)
    assert [record for line in lines for record in line.records] == [json.loads(raw) for raw in records]
    assert sum(line.length for line in lines) == len(content)
    assert lost(lines) == 0


@given(made_records(), st.data())
def test_joined_records_are_all_read(records: list[bytes], data: st.DataObject) -> None:
    """Any line feed may be missing or replaced by NUL: no record is lost, and NUL alone is told."""
    content = b""
    nul = 0
    for raw in records:
        between = data.draw(st.sampled_from([b"\n", b"", b"\x00\x00", b"\r\n", b" "]))
        content += raw + between
        nul += between.count(b"\x00")
    lines = read(content + b"\n")
    assert ids(lines) == [f"u{number}" for number in range(len(records))]
    assert lost(lines) == nul


@given(made_records(), st.data())
def test_spliced_record_costs_its_own_bytes(records: list[bytes], data: st.DataObject) -> None:
    """A record cut anywhere, with the next one right behind it, is told as lost; all others are read."""
    victim = data.draw(st.integers(0, len(records) - 1))
    cut = data.draw(st.integers(1, len(records[victim]) - 1))
    spliced = records[victim][:cut]
    content = b"".join(raw if number != victim else spliced for number, raw in enumerate(_ended(records, victim)))
    lines = read(content)
    assert ids(lines) == [f"u{number}" for number in range(len(records)) if number != victim]
    assert lost(lines) <= cut


def _ended(records: list[bytes], victim: int) -> list[bytes]:
    return [raw + b"\n" if number != victim else raw for number, raw in enumerate(records)]


@given(made_records(), st.data())
def test_flipped_bytes_cost_one_record_at_most(records: list[bytes], data: st.DataObject) -> None:
    """A changed byte costs the record it stands in and no other."""
    victim = data.draw(st.integers(0, len(records) - 1))
    at = data.draw(st.integers(0, len(records[victim]) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != 0x0A))
    broken = records[victim][:at] + bytes([byte]) + records[victim][at + 1 :]
    content = b"\n".join(raw if number != victim else broken for number, raw in enumerate(records)) + b"\n"
    others = [f"u{number}" for number in range(len(records)) if number != victim]
    assert [each for each in ids(read(content)) if each in others] == others


@given(made_records(), st.data())
def test_scan_in_steps_reads_the_same(records: list[bytes], data: st.DataObject) -> None:
    """A file that grows by any number of bytes between scans yields the records of one scan, once each."""
    content = b"\n".join(records) + b"\n"
    whole = [(line.number, record) for line in read(content) for record in line.records]
    stops = [*sorted(data.draw(st.lists(st.integers(0, len(content)), max_size=4))), len(content)]
    seen: list[tuple[int, object]] = []
    at, number = 0, 1
    for stop in stops:
        for line in read_lines(io.BytesIO(content[:stop]), start=at, first_line=number):
            seen += [(line.number, record) for record in line.records]
            at, number = line.offset + line.length, line.number + 1
    assert seen == whole


@settings(max_examples=200)
@given(st.binary(max_size=400))
def test_no_bytes_stop_a_scan(content: bytes) -> None:
    """Any bytes are read without an error, and no byte is told as lost twice."""
    lines = read(content)
    assert lost(lines) <= len(content)
    assert all(line.offset <= loss.offset for line in lines for loss in line.losses)
