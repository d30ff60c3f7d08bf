"""Marks lead to any line without reading those before it."""

from slowwave.facts.limits import MARK_BYTES
from slowwave.records.marks import Marks, unpack


def test_marks_are_sparse_and_found_from_both_sides() -> None:
    """At most one for each span of bytes; the last at or before a line or an offset answers."""
    marks = Marks()
    for number in range(1, 1_001):
        marks.note(number, (number - 1) * 1_000)
    assert len(marks.numbers) == 1_000 * 1_000 // MARK_BYTES + 1
    number, offset = marks.before_line(500)
    assert (number - 1) * 1_000 == offset
    assert 500 - number < MARK_BYTES // 1_000 + 2
    assert marks.before_offset(offset) == (number, offset)
    assert marks.before_offset(offset - 1)[0] < number


def test_marks_survive_the_index_and_damage_leaves_line_one() -> None:
    """Packed and unpacked they are the same; what is damaged is as none."""
    marks = Marks()
    marks.note(7, MARK_BYTES)
    assert unpack(marks.pack()) == marks
    assert unpack(b"damaged") == Marks()
    assert unpack(b"") == Marks()
