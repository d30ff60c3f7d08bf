"""What a line says, decoded: the one rendering that the search and the reading of lines share.

A line's rendering is the decoded strings of its records, one after another with a line break between them: first what
somebody said, thought, called or returned, in the order of the record, then the strings nobody owns (ids, times,
folders), which are the harness's. Keys and numbers are not shown. A line that is no record is shown as its text.
Columns count the characters of this rendering, from 1, with secrets already masked.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from slowwave.facts.evidence import Speaker
from slowwave.records.formats import FORMATS
from slowwave.records.formats.draft import Draft
from slowwave.records.lines import Record
from slowwave.records.secrets import Secrets
from slowwave.records.walk import strings_of


@dataclass(frozen=True, slots=True)
class Piece:
    """One decoded string of a line, or the part of one that a single speaker said.

    Attributes:
        text: Unmasked; it never leaves without ``mask``.
        speaker: Whose words.
        name: Key under which the string stands, such as ``password``; it tells what the string may be.
    """

    text: str
    speaker: Speaker
    name: str

    def mask(self, secrets: Secrets) -> str:
        """The text as it may leave."""
        return secrets.mask(self.text, name=self.name)


def render(records: Sequence[Record], agent: str) -> list[Piece]:
    """The pieces of a line's records, in the order in which they are shown."""
    read = FORMATS[agent].reader().read
    pieces: list[Piece] = []
    for record in records:
        pieces += _render_record(record, read(record))
    return pieces


def render_raw(raw: bytes) -> list[Piece]:
    """The one piece of a line that holds no record."""
    return [Piece(raw.decode("utf-8", "replace"), Speaker.SYSTEM, "")]


def _render_record(record: Record, drafts: Sequence[Draft]) -> list[Piece]:
    owners: dict[str, list[int]] = {}
    for number, draft in enumerate(drafts):
        for field in draft.fields:
            owners.setdefault(field, []).append(number)
    owned: list[tuple[int, int, Piece]] = []
    rest: list[Piece] = []
    for path, text in strings_of(record):
        at, numbers = _owners_of(path, owners)
        name = path.rpartition(".")[2]
        if not numbers:
            rest.append(Piece(text, Speaker.SYSTEM, name))
            continue
        place = drafts[numbers[0]].fields.index(at)
        shared = [drafts[number] for number in numbers]
        owned += [(numbers[0], place, Piece(part, owner.speaker, name)) for part, owner in _parts(text, shared)]
    owned.sort(key=lambda item: item[:2])
    return [*(piece for _, _, piece in owned), *rest]


def _owners_of(path: str, owners: Mapping[str, list[int]]) -> tuple[str, list[int]]:
    """The longest path above a string that somebody owns, and by whom it is owned."""
    while path and path not in owners:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return path, owners.get(path, [])


def _parts(text: str, owners: Sequence[Draft]) -> Iterator[tuple[str, Draft]]:
    """A string that several share, cut where the words of each begin."""
    starts: list[tuple[int, Draft]] = []
    behind = 0
    for owner in owners if len(owners) > 1 else ():
        found = text.find(owner.text, behind) if owner.text else -1
        if found >= 0:
            starts.append((found, owner))
            behind = found + len(owner.text)
    if len(starts) < 2:
        yield text, starts[0][1] if starts else owners[0]
        return
    stops = [start for start, _ in starts[1:]] + [len(text)]
    begins = [0, *stops[:-1]]
    for begin, stop, (_, owner) in zip(begins, stops, starts, strict=True):
        yield text[begin:stop], owner
