"""The bounds of the tools, held: each refusal names the bound and the value."""

from slowwave.facts.limits import (
    MOST_LINE_WIDTH,
    MOST_LINES,
    MOST_SEARCH_CONTEXT,
    MOST_SEARCH_HITS,
    PHRASE_CHARACTERS,
)
from slowwave.facts.refusal import UsageError


class BoundError(UsageError):
    """A tool was asked for more than it gives, or for what is not there."""

    code = "bound"


def check_search(phrase: str, most_hits: int, context: int) -> None:
    """Hold a search to its bounds.

    Raises:
        BoundError: One of them is passed.
    """
    if not phrase:
        raise BoundError("the phrase is empty; a search needs at least 1 character")
    _check("phrase", len(phrase), 1, PHRASE_CHARACTERS, "characters")
    _check("maxHits", most_hits, 1, MOST_SEARCH_HITS)
    _check("context", context, 0, MOST_SEARCH_CONTEXT, "characters")


def check_lines(start: int, end: int, width: int, column: int) -> None:
    """Hold a reading of lines to its bounds.

    Raises:
        BoundError: One of them is passed.
    """
    if start < 1:
        raise BoundError(f"start is {start:,}; lines count from 1")
    if end < start:
        raise BoundError(f"end is {end:,}, before start {start:,}")
    if end - start + 1 > MOST_LINES:
        raise BoundError(f"{end - start + 1:,} lines asked for; at most {MOST_LINES} at once")
    _check("width", width, 1, MOST_LINE_WIDTH, "characters")
    if column < 1:
        raise BoundError(f"column is {column:,}; columns count from 1")


def check_start(start: int, lines: int) -> None:
    """Hold the first line asked for to what the file has.

    Raises:
        BoundError: It lies behind the last line.
    """
    if start > lines:
        raise BoundError(f"line {start:,} of {lines:,}; the file has no more")


def check_file(file: int, files: int) -> None:
    """Hold the number of a session's file to what it has.

    Raises:
        BoundError: There is no such file.
    """
    if not 0 <= file < files:
        raise BoundError(f"file {file:,} of {files:,}; the main file is 0")


def _check(name: str, value: int, least: int, most: int, unit: str = "") -> None:
    if not least <= value <= most:
        raise BoundError(f"{name} is {value:,}; it may be {least:,} to {most:,} {unit}".rstrip())
