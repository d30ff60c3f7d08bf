"""An oracle for quotes: where words stand in a transcript, by a slow and plain reading of its own."""

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

WHITE = set("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {chr(code) for code in range(0x2000, 0x200B)}


def folded(text: str) -> str:
    """White-space runs as one blank, none at the ends; written without a regular expression."""
    kept: list[str] = []
    for character in text:
        if character not in WHITE:
            kept.append(character)
        elif kept and kept[-1] != " ":
            kept.append(" ")
    return "".join(kept).removesuffix(" ")


def values(node: object) -> Iterator[str]:
    """Every string value, however deep."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for child in node.values():
            yield from values(child)
    elif isinstance(node, list):
        for child in node:
            yield from values(child)


def decoded(line: bytes) -> Iterator[str]:
    """Every string value of a clean line, and those inside strings that hold an object or a list as JSON."""
    try:
        record = json.loads(line)
    except ValueError:
        return
    if not isinstance(record, dict):
        return
    for text in values(record):
        yield text
        if text[:1] in ("{", "["):
            try:
                yield from values(json.loads(text))
            except ValueError:
                continue


def lines_with(path: Path, quote: str) -> set[int]:
    """Physical lines on which the quote stands in one decoded string."""
    return lines_among(tuple(path.read_bytes().split(b"\n")), quote)


def lines_among(lines: tuple[bytes, ...], quote: str) -> set[int]:
    """The same for lines that were read before, so that many quotes cost one reading."""
    words = folded(quote)
    return {number for number, texts in enumerate(_texts(lines), start=1) if any(words in text for text in texts)}


@lru_cache(maxsize=64)
def _texts(lines: tuple[bytes, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(folded(text) for text in decoded(line)) for line in lines)


def occurrences(path: Path, quote: str) -> int:
    """How often the quote stands anywhere."""
    words = folded(quote)
    return sum(folded(text).count(words) for line in path.read_bytes().split(b"\n") for text in decoded(line))
