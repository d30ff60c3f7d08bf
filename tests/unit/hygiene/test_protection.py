"""Protection: ranges that may not be touched; a source that cannot be read protects everything."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_contexts import bash, claude_code, lines, user

from slowwave.hygiene import protection as protection_module
from slowwave.hygiene.document import read_document
from slowwave.hygiene.items import Item
from slowwave.hygiene.protection import Protected, Protection, Status, parse_protection, read_protection
from slowwave.hygiene.reading import read_context


def _item(index: int) -> Item:
    context = read_context(read_document(claude_code([user("x"), *[bash("ls", lines(2)) for _ in range(index)]])))
    return next(item for item in context.items if item.index == index)


def _one(start: int, end: int | None, status: Status = Status.QUARANTINED, memory: str = "m") -> Protected:
    return Protected(start=start, end=end, status=status, memory=memory)


def test_a_range_is_read_as_it_is_written() -> None:
    """Half open; null is all of it; a memory may be missing."""
    raw = {
        "ranges": [
            {"range": [3, 5], "status": "QUARANTINED", "memory": "semantic/a.md"},
            {"range": None, "status": "ACTIVE", "memory": None},
            {"range": [7, 7], "status": "ACTIVE"},
        ]
    }
    assert parse_protection(json.dumps(raw).encode()).ranges == (
        _one(3, 5, memory="semantic/a.md"),
        _one(0, None, Status.ACTIVE, ""),
        _one(7, 7, Status.ACTIVE, ""),
    )
    assert parse_protection(b'{"ranges": []}') == Protection()


@pytest.mark.parametrize(
    "raw",
    [
        "", "{", "[]", "3", "null", '{"range": []}', '{"ranges": {}}', '{"ranges": [3]}', '{"ranges": [null]}',
        '{"ranges": [{"range": [0, 1]}]}',
        '{"ranges": [{"status": "ACTIVE"}]}',
        '{"ranges": [{"range": [0, 1], "status": "quarantined"}]}',
        '{"ranges": [{"range": [0, 1], "status": ["ACTIVE"]}]}',
        '{"ranges": [{"range": [0, 1], "status": null}]}',
        '{"ranges": [{"range": [0], "status": "ACTIVE"}]}',
        '{"ranges": [{"range": [0, 1, 2], "status": "ACTIVE"}]}',
        '{"ranges": [{"range": [-1, 1], "status": "ACTIVE"}]}',
        '{"ranges": [{"range": [2, 1], "status": "ACTIVE"}]}',
        '{"ranges": [{"range": [0, 1.0], "status": "ACTIVE"}]}',
        '{"ranges": [{"range": [0, true], "status": "ACTIVE"}]}',
        '{"ranges": [{"range": ["0", "1"], "status": "ACTIVE"}]}',
        '{"ranges": [{"range": {"0": 1}, "status": "ACTIVE"}]}',
        '{"ranges": [{"range": [0, 1], "status": "ACTIVE", "memory": 3}]}',
        '{"ranges": [{"range": [0, 1], "status": "ACTIVE", "note": "x"}]}',
        '{"ranges": [{"range": [0, 1], "status": "ACTIVE"}, {"range": [0, 1], "status": "GONE"}]}',
    ],
)  # fmt: skip
def test_whatever_is_not_understood_protects_everything(raw: str) -> None:
    """One range of a form nobody knows may be the one that mattered."""
    found = parse_protection(raw.encode())
    assert found.trouble
    assert found.quarantine(0, 1) == found.trouble


def test_too_much_protects_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """More ranges or bytes than any session needs are not looked at."""
    raw = b'{"ranges": [' + b",".join([b'{"range": [0, 1], "status": "ACTIVE"}'] * 4) + b"]}"
    assert not parse_protection(raw).trouble
    monkeypatch.setattr(protection_module, "MOST_RANGES", 3)
    assert parse_protection(raw).trouble
    monkeypatch.setattr(protection_module, "MOST_RANGES", 9)
    monkeypatch.setattr(protection_module, "MOST_BYTES", len(raw) - 1)
    assert parse_protection(raw).trouble


def test_a_file_that_cannot_be_read_protects_everything(tmp_path: Path) -> None:
    """Missing, a folder, a link that leads nowhere."""
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("missing", "link", "."):
        assert "could not be read" in read_protection(tmp_path / name).trouble
    (tmp_path / "good").write_bytes(b'{"ranges": [{"range": [0, 1], "status": "QUARANTINED"}]}')
    assert read_protection(tmp_path / "good").quarantine(0, 1)


def test_two_sources_are_both_held() -> None:
    """And the trouble of one is the trouble of both."""
    one, other = Protection(ranges=(_one(1, 2),)), Protection(ranges=(_one(4, 5),))
    both = one + other
    assert both.quarantine(1, 2)
    assert both.quarantine(4, 5)
    assert (one + Protection(trouble="no")).quarantine(8, 9) == "no"
    assert (Protection(trouble="no") + one).trouble == "no"


def test_what_is_active_refuses_nothing_and_is_told() -> None:
    """Every memory once, in the order of the ranges of one index and of the wider ones."""
    held = Protection(
        ranges=(
            _one(0, None, Status.ACTIVE, "all.md"),
            _one(2, 3, Status.ACTIVE, "a.md"),
            _one(2, 3, Status.ACTIVE, "a.md"),
            _one(1, 4, Status.ACTIVE, "b.md"),
            _one(2, 3, Status.ACTIVE, ""),
            _one(3, 4, Status.ACTIVE, "c.md"),
        )
    )
    assert held.quarantine(0, 99) == ""
    assert set(held.citing(_item(2))) == {"a.md", "all.md", "b.md"}
    assert held.citing(_item(1)) == ("all.md", "b.md")


_RANGES = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 6) | st.none(), st.sampled_from(list(Status))), max_size=8
)


@given(_RANGES, st.integers(0, 14), st.integers(1, 6))
def test_a_range_is_refused_when_any_index_of_it_is_under_review(
    ranges: list[tuple[int, int | None, Status]], start: int, length: int
) -> None:
    """As a plain look at every index has it."""
    held = [_one(at, None if width is None else at + width, status) for at, width, status in ranges]
    indices = range(start, start + length)
    expected = any(
        each.status is Status.QUARANTINED and each.start <= index and (each.end is None or index < each.end)
        for each in held
        for index in indices
    )
    assert bool(Protection(ranges=tuple(held)).quarantine(start, start + length)) is expected
