"""A message as sentences: what Markdown wraps around them is taken off, where they stand verbatim is kept."""

import re
from dataclasses import dataclass
from functools import lru_cache

MOST_SENTENCES = 400  # of one message; a longer one is a dump
REMEMBERED = 4_096  # messages whose sentences are kept: each lens asks for the same ones again
LABEL = 14  # characters of an item in which its own label (``Option B:``) stands
SHORTEST = 8  # characters; less is a label or a number

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_BULLET = re.compile(r"^\s*(?:[-*+•◦▪]|\d{1,2}[.)]|[a-zA-Z][.)])\s+")
_HEADING = re.compile(r"^\s*(?:#{1,6}\s|\*\*[^*]{1,60}\*\*:?\s*$)")
_SKIPPED = re.compile(r"^\s*(?:\||>|</?[!a-zA-Z][^>\n]*>\s*$|::|[-=_*]{3,}\s*$|[{}\[\]]\s*$|\$ |\"\w+\":)")
_NUMBER = re.compile(r"^(?:\d{1,2}[.)]|[-*•])\s+")
_CODE = re.compile(r"`[^`\n]{1,200}`")
_END = re.compile(
    r"[.!?…](?:[\"'”\u2019)\]*_]{0,3})(?=\s+[\"'“\u2018(\[`*_]{0,3}[A-Za-z0-9`“\u3040-\u9fff]|\s*$)|[。\uff01\uff1f]"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|z\.b|etc|min|max|sec|ver|est|ca|dr|mr|ms|al|op|p|pp|vs|cf|approx|fig|incl|resp|bzw|usw)|(?:^|\s)\d{1,2})\.$",
    re.IGNORECASE,
)
_LINK = re.compile(r"!?\[([^\]\n]{0,200})\]\([^)\s]{0,500}\)")
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=[\w.,:;!?])[*_](?!\w)")
_PICTURES = re.compile("[\u2190-\u21ff\u2600-\u27bf\u2b50-\u2b55\U0001f000-\U0001faff\ufe0f]")
_INLINE = re.compile(r"(?<=\S)\s+(?=\d{1,2}[.)]\s+[*`A-Z])")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of a message.

    Attributes:
        raw: The sentence exactly as the message holds it.
        text: The same without Markdown, on one line; code stays in backticks.
        start: Where ``raw`` begins in the message.
        order: Its number in the message, from 0.
        is_bullet: It opens an item of a list.
        opens: It opens a paragraph or item.
        label: The list marker before it, with the first words of the item where those are the marker.
    """

    raw: str
    text: str
    start: int
    order: int
    is_bullet: bool = False
    opens: bool = False
    label: str = ""


@lru_cache(maxsize=REMEMBERED)
def split(text: str) -> tuple[Sentence, ...]:
    """The sentences of a message, in order; code blocks, tables, headings, quotations and mark-up are left out."""
    found: list[Sentence] = []
    for start, end, is_bullet in _paragraphs(text):
        for first, last in _bounds(text, start, end):
            clean = clean_text(text[first:last])
            if len(clean) < SHORTEST:
                continue
            sentence = Sentence(
                raw=text[first:last],
                text=clean,
                start=first,
                order=len(found),
                is_bullet=is_bullet and first == start,
                opens=first == start,
                label=text[text.rfind("\n", 0, first) + 1 : first + LABEL] if first == start else "",
            )
            found.append(sentence)
            if len(found) == MOST_SENTENCES:
                return tuple(found)
    return tuple(found)


def clean_text(raw: str) -> str:
    """A sentence without emphasis, links and pictures, on one line, no list marker before it."""
    text = _LINK.sub(r"\1", _BULLET.sub("", raw))
    text = _outside_code(text)
    return _NUMBER.sub("", _SPACE.sub(" ", text).strip(" \t-\u2013—>"))


def _outside_code(text: str) -> str:
    """Emphasis and pictures taken out, but not inside backticks, where they are code."""
    parts: list[str] = []
    at = 0
    for code in _CODE.finditer(text):
        parts += [_plain(text[at : code.start()]), code.group()]
        at = code.end()
    return "".join([*parts, _plain(text[at:])])


def _plain(text: str) -> str:
    return _PICTURES.sub(lambda hit: "->" if hit.group() in "→⇒" else "", _EMPHASIS.sub("", text))


def _paragraphs(text: str) -> list[tuple[int, int, bool]]:
    """Ranges of running text with whether they are list items; lines that flow on are one range."""
    ranges: list[tuple[int, int, bool]] = []
    in_code, at, is_open = False, 0, False
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        if _FENCE.match(line):
            in_code, is_open = not in_code, False
            continue
        if in_code or not line.strip() or _SKIPPED.match(line) or _HEADING.match(line):
            is_open = False
            continue
        bullet = _BULLET.match(line)
        if bullet or not is_open or not _flows_on(text[ranges[-1][0] : ranges[-1][1]], line):
            ranges.append((start + (bullet.end() if bullet else 0), at, bullet is not None))
        else:
            ranges[-1] = (ranges[-1][0], at, ranges[-1][2])
        is_open = True
    return ranges


def _flows_on(before: str, line: str) -> bool:
    """Whether a line continues the one before: that one did not end and this one does not begin a sentence."""
    last = before.rstrip()[-1:]
    first = line.strip()[:1]
    return last not in ".!?:;。\uff01\uff1f" and (first.islower() or len(before) > 60)


def _bounds(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Ranges of the sentences of one paragraph, blanks trimmed; a stop inside code or an abbreviation ends none."""
    masked = _CODE.sub(lambda code: "`" + "x" * (len(code.group()) - 2) + "`", text[start:end])
    ranges: list[tuple[int, int]] = []
    at = 0
    for stop in _END.finditer(masked):
        if _ABBREVIATION.search(masked[max(0, stop.start() - 8) : stop.start() + 1]):
            continue
        ranges.append((at, stop.end()))
        at = stop.end()
    ranges.append((at, len(masked)))
    ranges = [piece for first, last in ranges for piece in _items(masked, first, last)]
    trimmed: list[tuple[int, int]] = []
    for first, last in ranges:
        piece = masked[first:last]
        left = first + len(piece) - len(piece.lstrip())
        right = first + len(piece.rstrip())
        if left < right:
            trimmed.append((start + left, start + right))
    return trimmed


def _items(text: str, first: int, last: int) -> list[tuple[int, int]]:
    """A range cut before each number of a list that runs on within it."""
    starts = [hit.start() for hit in _INLINE.finditer(text, first, last) if hit.start() > first]
    return list(zip([first, *starts], [*starts, last], strict=True))
