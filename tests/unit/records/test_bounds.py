"""Each bound of the tools names itself and the value."""

import pytest

from slowwave.records import bounds
from slowwave.records.bounds import BoundError


@pytest.mark.parametrize(
    ("phrase", "hits", "context", "says"),
    [
        ("", 20, 120, "empty"),
        ("x" * 1_001, 20, 120, "1,001"),
        ("x", 51, 120, "maxHits is 51"),
        ("x", 0, 120, "maxHits is 0"),
        ("x", 20, 401, "context is 401"),
        ("x", 20, -1, "context is -1"),
    ],
)
def test_a_search_out_of_bounds_is_refused(phrase: str, hits: int, context: int, says: str) -> None:
    """The message holds what was asked for."""
    with pytest.raises(BoundError, match=says):
        bounds.check_search(phrase, hits, context)


@pytest.mark.parametrize(
    ("start", "end", "width", "column", "says"),
    [
        (0, 5, 400, 1, "start is 0"),
        (9, 5, 400, 1, "before start 9"),
        (1, 101, 400, 1, "101 lines"),
        (1, 5, 2_001, 1, "width is 2,001"),
        (1, 5, 400, 0, "column is 0"),
    ],
)
def test_a_reading_out_of_bounds_is_refused(start: int, end: int, width: int, column: int, says: str) -> None:
    """The message holds what was asked for."""
    with pytest.raises(BoundError, match=says):
        bounds.check_lines(start, end, width, column)


def test_a_line_that_is_not_there_is_named_with_how_many_there_are() -> None:
    """``line 90,000 of 1,204``."""
    with pytest.raises(BoundError, match=r"line 90,000 of 1,204"):
        bounds.check_start(90_000, 1_204)
    with pytest.raises(BoundError, match="file 3 of 2"):
        bounds.check_file(3, 2)


def test_what_is_within_bounds_passes() -> None:
    """The bounds themselves are allowed."""
    bounds.check_search("x" * 1_000, 50, 400)
    bounds.check_lines(1, 100, 2_000, 1)
    bounds.check_start(1_204, 1_204)
    bounds.check_file(0, 1)
