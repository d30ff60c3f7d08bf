"""What a session's people and agents really set aside: tags in their own words, not in anything that was put there.

Only texts count: no thought, no call, no result, nothing injected, no copy. An agent's text that repeats a page counts
for nothing (``tainted``), and neither does a capture of its whose words come from outside (``from_outside``). Once a
page or another foreign text was read, what an agent notes about the person, or to be done, must be what the person
spoke of.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from slowwave.facts.capture import Tag
from slowwave.facts.evidence import Speaker
from slowwave.facts.limits import ENTRY_TEXT_CHARACTERS, FOREIGN_SHARE, FOREIGN_SHARE_OF_PERSON
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.recording import Recording, StringValue, strings
from slowwave.records.tags import Tagged, extract
from slowwave.wake.outside import Heard, is_from_outside, is_said, stems

TAINTED, FROM_OUTSIDE = "tainted", "from_outside"
_OPENING = re.compile(rf"<(?:{'|'.join(Tag)})[\s/>]", re.IGNORECASE)
_NEEDS_PERSON = (Tag.OBSERVATION, Tag.FOLLOW_UP, Tag.ASK_NEXT_SESSION)
"""Tags whose captures speak of the person, or ask for something: of them, or of the next session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A capture that somebody said."""

    entry: Entry
    tagged: Tagged


@dataclass(slots=True, kw_only=True)
class Heeded:
    """What was found: captures in the order in which they were said, refused ones by reason, tags never closed."""

    spoken: list[Spoken] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    unclosed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """From where in a file entries are new: behind a line.

    A later record on that very line is new as well, unless the file did not grow (``is_whole``): the line may have had
    no break yet.
    """

    line: int
    is_whole: bool = False

    def covers(self, entry: Entry) -> bool:
        """Whether an entry of the file is new."""
        return entry.line > self.line or (entry.line == self.line and entry.part > 0 and not self.is_whole)


def heed(recording: Recording, since: Sequence[Since]) -> Heeded:
    """The captures of a session's new entries.

    Args:
        recording: The session, read whole: what was shown before matters.
        since: For each of its files, from where it is new.
    """
    heeded = Heeded()
    chosen: list[Spoken] = []
    texts = _Texts(recording)
    for entry in recording.entries:
        if not _speaks(entry) or not since[entry.file].covers(entry) or not _may_hold(entry):
            continue
        found = extract(texts.of(entry))
        if entry.is_tainted:
            heeded.refused[TAINTED] += len(found.captures)
            continue
        heeded.unclosed += found.unclosed
        chosen += [Spoken(entry=entry, tagged=tagged) for tagged in found.captures]
    judge = _Judge(recording, texts, [one for one in chosen if one.entry.speaker is Speaker.AGENT])
    for one in chosen:
        if one.entry.speaker is Speaker.AGENT and judge.refuses(one):
            heeded.refused[FROM_OUTSIDE] += 1
        else:
            heeded.spoken.append(one)
    return heeded


def _speaks(entry: Entry) -> bool:
    """Whether an entry is a person's or an agent's own text, said for the first time."""
    if entry.kind is not EntryKind.TEXT or entry.is_copy:
        return False
    return entry.is_person or (entry.speaker is Speaker.AGENT and not entry.injected)


def _may_hold(entry: Entry) -> bool:
    """Whether a tag may begin in an entry; of one that was cut nobody knows yet."""
    return len(entry.text) >= ENTRY_TEXT_CHARACTERS or _OPENING.search(entry.text) is not None


class _Texts:
    """Whole texts of a recording's entries: those that were cut are read again, all in one pass."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._whole: dict[tuple[int, int, int, str, Speaker], str] | None = None

    def of(self, entry: Entry) -> str:
        """The text of an entry, uncut."""
        if len(entry.text) < ENTRY_TEXT_CHARACTERS:
            return entry.text
        if self._whole is None:
            self._whole = self._read()
        found = self._whole.get(_place(entry), "")
        return found if found.startswith(entry.text) else entry.text

    def _read(self) -> dict[tuple[int, int, int, str, Speaker], str]:
        recording = self._recording
        cut = {_place(entry): entry.text for entry in recording.entries if len(entry.text) >= ENTRY_TEXT_CHARACTERS}
        lines = {entry.line for entry in recording.entries if len(entry.text) >= ENTRY_TEXT_CHARACTERS}
        whole: dict[tuple[int, int, int, str, Speaker], str] = {}
        for value in strings(recording.session, ends=recording.ends, only_lines=lines):
            key = _place(value)
            if key in cut and len(value.text) > len(whole.get(key, "")) and value.text.startswith(cut[key]):
                whole[key] = value.text
        return whole


def _place(one: Entry | StringValue) -> tuple[int, int, int, str, Speaker]:
    return (one.file, one.line, one.part, one.origin, one.speaker)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """A text that is not the agent's own: by whom, and the wanted words in it."""

    entry: Entry
    said: set[str]
    hits: list[list[tuple[int, str]]]


class _Judge:
    """Says of an agent's captures whether they come from outside; texts are looked at once for all of them."""

    def __init__(self, recording: Recording, texts: _Texts, asked: Sequence[Spoken]) -> None:
        self._words = {id(one): frozenset(stems(one.tagged.text)) for one in asked}
        self._shown: list[_Shown] = []
        if asked:
            heard = Heard(frozenset().union(*self._words.values()))
            self._shown = [_shown(entry, texts.of(entry), heard) for entry in recording.entries if _is_shown(entry)]

    def refuses(self, one: Spoken) -> bool:
        """Whether a capture's words come from outside, or are not the person's where they must be."""
        words = self._words[id(one)]
        before = [shown for shown in self._shown if _is_before(shown.entry, one.entry)]
        said = {word for shown in before for word in shown.said}
        is_of_person = one.tagged.tag in _NEEDS_PERSON
        share = FOREIGN_SHARE_OF_PERSON if is_of_person else FOREIGN_SHARE
        if any(is_from_outside(words, said, shown.hits, share=share) for shown in before):
            return True
        is_exposed = any(shown.entry.is_tainted for shown in before)
        return is_exposed and is_of_person and not is_said(words, said)


def _is_shown(entry: Entry) -> bool:
    """Whether the agent was shown an entry: a person's words, a result, or text that nobody typed."""
    is_result = entry.kind is EntryKind.TOOL_RESULT or entry.speaker is Speaker.TOOL
    return entry.is_person or is_result or bool(entry.injected) or entry.speaker is Speaker.SYSTEM


def _shown(entry: Entry, text: str, heard: Heard) -> _Shown:
    if entry.is_person:
        return _Shown(entry=entry, said=heard.said(text), hits=[])
    return _Shown(entry=entry, said=set(), hits=heard.hits(text))


def _is_before(entry: Entry, other: Entry) -> bool:
    """Whether an entry was said before another: by its place in the same file, by its moment in another."""
    if entry.file == other.file:
        return (entry.line, entry.part) <= (other.line, other.part)
    return _moment(entry.ts, other.ts)


def _moment(earlier: datetime | None, later: datetime | None) -> bool:
    return earlier is None or later is None or earlier <= later
