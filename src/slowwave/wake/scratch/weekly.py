"""Folding a page into ``weekly.md``: under its ISO week and date, headings two levels lower, without empty sections."""

from datetime import date

from slowwave.wake.scratch.days import without_day
from slowwave.wake.scratch.page import break_of, headings_of, lines_of, parts_of, spliced, unclosed

_LOWER = 2
_LOWEST = 6


def folded(weekly: bytes, page: bytes, *, day: date, archive: str) -> bytes:
    """The weeks with the page among them; unchanged where the page of that archive file is there already."""
    mark = f"<!-- archive/{archive} -->".encode()
    if mark in weekly:
        return weekly
    lines = lines_of(weekly)
    year, number, _ = day.isocalendar()
    week = f"{year}-W{number:02d}"
    stop = break_of(lines)
    new = [f"### {day.isoformat()} ".encode() + mark + stop, stop, *_lowered(page, stop)]
    heads = [head for head in headings_of(lines) if head.depth <= 2]
    own = next((at for at, head in enumerate(heads) if _week_of(head.title) == week), None)
    if own is None:
        new = [f"## {week}".encode() + stop, stop, *new]
        at = next((head.at for head in heads if _week_of(head.title) > week), len(lines))
    else:
        at = heads[own + 1].at if own + 1 < len(heads) else len(lines)
    if at and lines[at - 1].strip():
        new.insert(0, stop)
    if at < len(lines):
        new.append(stop)
    return b"".join(spliced(lines, at, new))


def _week_of(title: str) -> str:
    """The week a heading begins with, whatever a person wrote behind it; empty where it is none."""
    first = title.partition(" ")[0]
    return first if len(first) == 8 and first[4:6] == "-W" else ""


def _lowered(page: bytes, stop: bytes) -> list[bytes]:
    """The page's lines as they stand below a day: what opens a fence or comment and never closes it is made text."""
    lines = without_day(lines_of(page))
    empty = {
        at
        for part in parts_of(lines)
        if part.section is not None and not b"".join(lines[part.start + 1 : part.end]).strip()
        for at in range(part.start, part.end)
    }
    deeper = {head.at: min(_LOWER, _LOWEST - head.depth) for head in headings_of(lines)}
    endless = set(unclosed(lines))
    kept = [
        _escaped(line) if at in endless else line.replace(b"#", b"#" * (1 + deeper.get(at, 0)), 1)
        for at, line in enumerate(lines)
        if at not in empty
    ]
    body = b"".join(kept).strip(b"\r\n")
    return [*lines_of(body + stop)]


def _escaped(line: bytes) -> bytes:
    bare = line.lstrip(b" ")
    return line[: len(line) - len(bare)] + b"\\" + bare
