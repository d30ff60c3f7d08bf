"""A page of the scratch as its bytes: lines, sections, and what may be put between them; nothing of it is written anew.

A section begins with a level-2 heading and ends before the next heading of level 1 or 2. Headings inside closed code
fences and closed comments are text. Lines end at LF; a CR before it belongs to the break.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.facts.capture import Section
from slowwave.facts.text import fold

BOM = b"\xef\xbb\xbf"
_HEADING = re.compile(rb" {0,3}(#{1,6})(?=[ \t\r\n]|$)")
_FENCE = re.compile(rb" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_BY_NAME = {section.casefold(): section for section in Section}


@dataclass(frozen=True, slots=True)
class Part:
    """A section of a page: line ``start`` is its heading, ``end`` the line behind its last."""

    section: Section | None
    start: int
    end: int


def lines_of(content: bytes) -> list[bytes]:
    """The lines with their breaks; joined they are the content."""
    return [line for line in re.split(rb"(?<=\n)", content) if line]


def break_of(lines: Sequence[bytes]) -> bytes:
    """How lines end on this page: as most of them do."""
    return b"\r\n" if 2 * sum(line.endswith(b"\r\n") for line in lines) > len(lines) else b"\n"


def parts_of(lines: Sequence[bytes]) -> list[Part]:
    """The sections in the order of the page, those of the person's own with None."""
    heads = [head for head in headings_of(lines) if head.depth <= 2]
    ends = [head.at for head in heads[1:]] + [len(lines)] if heads else []
    return [
        Part(section=_BY_NAME.get(head.title.casefold()), start=head.at, end=end)
        for head, end in zip(heads, ends, strict=True)
        if head.depth == 2
    ]


def part_called(lines: Sequence[bytes], section: Section) -> Part | None:
    """The first section of that name."""
    return next((part for part in parts_of(lines) if part.section is section), None)


def with_section(lines: list[bytes], section: Section) -> list[bytes]:
    """The page with that section, put in at its place in the spec's order where it is missing."""
    parts = parts_of(lines)
    if any(part.section is section for part in parts):
        return lines
    order = list(Section)
    before = order[: order.index(section)]
    behind = order[order.index(section) :]
    above = max((part for part in parts if part.section in before), key=lambda p: order.index(_known(p)), default=None)
    below = min((part for part in parts if part.section in behind), key=lambda p: order.index(_known(p)), default=None)
    at = above.end if above else below.start if below else len(lines)
    return _put_heading(lines, at, section)


def _known(part: Part) -> Section:
    assert part.section is not None
    return part.section


def _put_heading(lines: list[bytes], at: int, section: Section) -> list[bytes]:
    """A heading between two lines, a blank one before and behind it where text stands."""
    stop = break_of(lines)
    new = [b"## " + section.encode() + stop]
    if at and lines[at - 1].strip():
        new.insert(0, stop)
    if at < len(lines):
        new.append(stop)
    return spliced(lines, at, new)


def spliced(lines: list[bytes], at: int, new: list[bytes]) -> list[bytes]:
    """New lines before line ``at``; a page that ends without a break goes on to, and its last line gets one."""
    if new and at and not lines[at - 1].endswith(b"\n"):
        stop = break_of(lines)
        whole = stop + b"".join(new)
        return [*lines[: at - 1], *lines_of(lines[at - 1] + whole.removesuffix(stop)), *lines[at:]]
    return [*lines[:at], *new, *lines[at:]]


def with_lines(lines: list[bytes], section: Section, new: Sequence[bytes]) -> list[bytes]:
    """The page with lines, given without breaks, at the end of a section's text."""
    lines = with_section(lines, section)
    part = part_called(lines, section)
    if part is None or not new:
        return lines
    stop = break_of(lines)
    put = [line + stop for line in new]
    last = next((at for at in range(part.end - 1, part.start, -1) if lines[at].strip()), part.start)
    if last > part.start:
        return spliced(lines, last + 1, put)
    at = part.start + 1
    if at < part.end:
        at += 1
    else:
        put.insert(0, stop)
    if at == part.end and at < len(lines):
        put.append(stop)
    return spliced(lines, at, put)


def without(lines: Sequence[bytes], section: Section) -> list[bytes]:
    """The page without every section of that name."""
    gone = {at for part in parts_of(lines) if part.section is section for at in range(part.start, part.end)}
    return [line for at, line in enumerate(lines) if at not in gone]


def body_of(lines: Sequence[bytes], section: Section) -> bytes:
    """What stands in the sections of that name, without their headings and the white space around."""
    bodies = [b"".join(lines[p.start + 1 : p.end]).strip() for p in parts_of(lines) if p.section is section]
    return b"\n\n".join(body for body in bodies if body)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page: its line, level and words."""

    at: int
    depth: int
    title: str


def headings_of(lines: Sequence[bytes]) -> list[Heading]:
    """The headings of a page."""
    return _looked_at(lines)[0]


def unclosed(lines: Sequence[bytes]) -> list[int]:
    """The lines that would open a code fence or a comment, had it an end."""
    return _looked_at(lines)[1]


def _looked_at(lines: Sequence[bytes]) -> tuple[list[Heading], list[int]]:
    headings: list[Heading] = []
    open_at: list[int] = []
    endless: dict[bytes, int] = {}
    hidden_to = -1
    for at, line in enumerate(lines):
        if at <= hidden_to:
            continue
        bare = line.removeprefix(BOM) if at == 0 else line
        opener = _opener(bare)
        if opener is not None:
            end = _end_of_block(lines, at, opener, endless)
            hidden_to = at if end is None else end
            open_at += [at] if end is None else []
        elif found := _HEADING.match(bare):
            title = bare[found.end() :].strip()
            without_marks = title.rstrip(b"#")
            title = without_marks.rstrip() if without_marks != without_marks.rstrip() or not without_marks else title
            headings.append(Heading(at, len(found.group(1)), fold(title.decode("utf-8", "replace"))))
    return headings, open_at


def _opener(line: bytes) -> bytes | None:
    """The mark with which a code fence or a comment of several lines begins here."""
    fence = _FENCE.match(line.rstrip(b"\r\n"))
    if fence:
        return fence.group(1)
    return b"<!--" if re.match(rb" {0,3}<!--", line) and b"-->" not in line else None


def _is_comment_end(line: bytes) -> bool:
    """Whether a comment begun before ends here; one that is begun and ended on this line, as an entry's, is another."""
    before, end, _ = line.partition(b"-->")
    return bool(end) and b"<!--" not in before


def _end_of_block(lines: Sequence[bytes], at: int, opener: bytes, endless: dict[bytes, int]) -> int | None:
    """The last line of what begins here; None where it never ends, which is remembered for all that are alike."""
    kind = opener[:1]
    if len(opener) >= endless.get(kind, len(opener) + 1):
        return None
    if kind == b"<":
        end = next((end for end in range(at + 1, len(lines)) if _is_comment_end(lines[end])), None)
    else:
        closing = re.compile(rb" {0,3}" + re.escape(kind) + b"{%d,}[ \t]*\r?\n?" % len(opener))
        end = next((end for end in range(at + 1, len(lines)) if closing.fullmatch(lines[end])), None)
    if end is None:
        endless[kind] = len(opener)
    return end


def with_summary(lines: list[bytes], text: str) -> list[bytes]:
    """The page with the running summary's text in place of what stood there; further ones of the name go."""
    part = part_called(lines, Section.RUNNING_SUMMARY)
    stop = break_of(lines)
    if part is None:
        return with_lines(lines, Section.RUNNING_SUMMARY, [text.encode()])
    heading = lines[part.start]
    is_last = part.end == len(lines)
    own = [heading.rstrip(b"\r\n") + stop, stop, text.encode() + stop, *([] if is_last else [stop])]
    gone = {
        at
        for other in parts_of(lines)
        if other.section is Section.RUNNING_SUMMARY
        for at in range(other.start, other.end)
    }
    kept = [[line] if at not in gone else [] for at, line in enumerate(lines)]
    kept[part.start] = own
    return [line for row in kept for line in row]


_COMMENT = re.compile(r"[ \t]*<!--.*?-->")


def words_of(lines: Sequence[bytes]) -> str:
    """What a page says, for whoever sums it up: without comments, empty sections and blank lines."""
    empty = {
        at
        for part in parts_of(lines)
        if not b"".join(lines[part.start + 1 : part.end]).strip()
        for at in range(part.start, part.end)
    }
    texts = (line.decode("utf-8", "replace") for at, line in enumerate(lines) if at not in empty)
    said = (_COMMENT.sub("", text).rstrip() for text in texts)
    return "\n".join(text for text in said if text.strip())
