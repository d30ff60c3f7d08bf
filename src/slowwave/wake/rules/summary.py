"""Summary: one paragraph over a day's scratch, made of its own lines: events, decisions, open items, the theme.

Extractive: nothing is said that does not stand on the page. Of each section the lines are taken that hold most of the
day's own words, since what a day keeps coming back to is what it was about.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from slowwave.facts.capture import Section
from slowwave.facts.limits import MOST_SUMMARY_CHARACTERS
from slowwave.facts.text import cut, fold, showable
from slowwave.wake.rules.lexicon import plain, words_of
from slowwave.wake.rules.relevance import stem, stems

LINES_A_PART = 3  # of one part of a summary: with three parts it stays a paragraph
LINE_CHARACTERS = 140  # of one line in it
THEME_WORDS = 3  # that the theme names
_PARTS = (
    ("Key events", (Section.EVENTS, Section.PROJECTS, Section.PEOPLE)),
    ("Decisions", (Section.DECISIONS,)),
    ("Open items", (Section.FOLLOW_UPS,)),
    ("Notes", (Section.NOTES, Section.SESSION_NOTES)),
)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_STAMP = re.compile(r"^(?:\d{4}-\d{2}-\d{2}[ T])?\d{1,2}:\d{2}(?::\d{2})?\s+")
_DONE = re.compile(r"^\s*[-*+]\s+\[[xX]\]")
_KNOWN = {str(section).casefold(): section for section in Section}


def summarise(text: str) -> str:
    """One paragraph, bounded, without control characters; empty where the day has no line."""
    lines = _by_section(text)
    every = [line for kept in lines.values() for line in kept]
    if not every:
        return ""
    counts = Counter(word for line in every for word in stems(line))
    parts = [
        _part(title, [one for name in sections for one in lines.get(name, ())], counts) for title, sections in _PARTS
    ]
    theme = _theme(every, counts)
    said = " ".join(part for part in (*parts, theme) if part)
    return cut(said, MOST_SUMMARY_CHARACTERS)


def _by_section(text: str) -> Mapping[Section, list[str]]:
    """The lines of each section, without bullets, times and ids; lines under no known heading count as notes."""
    found: dict[Section, list[str]] = {}
    at = Section.NOTES
    for raw in _COMMENT.sub(" ", text).splitlines():
        heading = _HEADING.match(raw)
        if heading:
            at = _KNOWN.get(heading.group(1).casefold(), Section.NOTES)
            continue
        line = fold(_STAMP.sub("", _BULLET.sub("", raw)))
        if line and at is not Section.RUNNING_SUMMARY and not _DONE.match(raw) and line not in found.get(at, ()):
            found.setdefault(at, []).append(line)
    return found


def _part(title: str, lines: Sequence[str], counts: Counter[str]) -> str:
    """The weightiest lines of a part, in the order of the day, and how many more there are."""
    if not lines:
        return ""
    heaviest = sorted(range(len(lines)), key=lambda at: (-_weight(lines[at], counts), at))[:LINES_A_PART]
    told = [cut(showable(lines[at]), LINE_CHARACTERS).rstrip(".;") for at in sorted(heaviest)]
    more = len(lines) - len(told)
    return f"{title}: {'; '.join(told)}{f' (and {more} more)' if more else ''}."


def _weight(line: str, counts: Counter[str]) -> float:
    """How much of the day's own words a line holds: the mean, so that a long line does not win by length alone."""
    held = stems(line)
    return sum(counts[one] for one in held) / (len(held) + 2) if held else 0.0


def _theme(lines: Sequence[str], counts: Counter[str]) -> str:
    """What the day came back to, in the words it used; empty where no word came twice."""
    often = [one for one, times in counts.most_common(THEME_WORDS) if times > 1]
    if not often:
        return ""
    spelled = {stem(word): word for line in reversed(lines) for word in words_of(plain(line))}
    return f"Theme of the day: {', '.join(showable(spelled.get(one, one)) for one in often)}."
