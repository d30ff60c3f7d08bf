"""One look into one session for all the quotes that cite it.

The session's files are read once: a sieve over raw lines, then the few lines it lets through are decoded by
``records``. A string that several speakers share arrives in pieces; a quote is looked for in the whole of it, and one
that runs from one speaker's piece into another's stands there, but is nobody's.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from slowwave.disk.fence import FenceError, open_beneath, relative_to_root
from slowwave.facts.evidence import Quote, Speaker
from slowwave.facts.limits import PLACES_OF_A_SORT, PLACES_OF_ONE, SECRET_REACH_CHARACTERS
from slowwave.facts.markers import MEMORY_BEGIN, injected_spans
from slowwave.facts.text import fold
from slowwave.proof.batch import Batch
from slowwave.proof.places import Place
from slowwave.proof.secret_finder import SecretFinder
from slowwave.proof.sieve import Sieve
from slowwave.proof.spans import DecodedText, Spot, Words
from slowwave.records.entries import EntryKind
from slowwave.records.recording import StringValue, strings
from slowwave.records.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """Whose the words at one spot are."""

    speaker: Speaker
    kind: EntryKind | None
    is_tainted: bool
    is_sidechain: bool
    is_recalled: bool
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _String:
    """A decoded string, the pieces of those who share it, and its number in this look."""

    number: int
    text: str
    pieces: tuple[StringValue, ...]


class Look:
    """Finds where quotes stand in one session.

    Attributes:
        recalled: After ``run``: the texts that slowwave itself had put into the session.
    """

    def __init__(
        self, session: Session, batch: Batch, quotes: Iterable[Quote], *, secrets: SecretFinder | None
    ) -> None:
        self._session = session
        self._batch = batch
        self._words = {quote: Words(folded=fold(quote.quote)) for quote in quotes}
        self._secrets = secrets
        self._counts: dict[tuple[object, ...], int] = {}
        self._places: dict[Quote, list[Place]] = {quote: [] for quote in self._words}
        self.recalled: list[str] = []

    def run(self) -> dict[Quote, tuple[Place, ...]]:
        """The places of each quote, in the order of the record.

        Raises:
            OSError: The main file cannot be read.
            FenceError: It does not lie where sessions may lie.
        """
        lines = self._possible_lines()
        values = strings(self._session, ends=self._batch.ends.get(self._session.id), only_lines=lines) if lines else ()
        for number, pieces in enumerate(_whole_strings(values)):
            self._read(_String(number=number, text="".join(piece.text for piece in pieces), pieces=pieces))
        return {quote: tuple(found) for quote, found in self._places.items()}

    def _possible_lines(self) -> frozenset[int]:
        """Lines, of whichever file, that may hold a quote or text of ours; one too many costs only time."""
        sieve = Sieve([*(words.folded for words in self._words.values()), MEMORY_BEGIN])
        paths = (self._session.path, *self._session.side_files)
        ends: Sequence[int | None] = self._batch.ends.get(self._session.id, (None,) * len(paths))
        lines: set[int] = set()
        for at, (path, end) in enumerate(zip(paths, ends, strict=False)):
            try:
                stream = open_beneath(self._session.root, str(relative_to_root(self._session.root, path)))
            except (OSError, FenceError):
                if at == 0:
                    raise
                continue
            with stream:
                lines.update(sieve.lines(stream, end=end))
        return frozenset(lines)

    def _read(self, string: _String) -> None:
        own = injected_spans(string.text)
        self.recalled.extend(string.text[start:end] for start, end in own)
        decoded = DecodedText(string.text)
        for quote, words in self._words.items():
            for spot in decoded.spots(words):
                whose = _whose(spot, string.pieces, self._session.id, is_recalled=_touches(spot, own))
                self._keep(quote, string, spot, whose)

    def _keep(self, quote: Quote, string: _String, spot: Spot, whose: _Words) -> None:
        value = string.pieces[0]
        is_new = not whose.is_recalled and self._batch.is_new(self._session.id, value.file, value.line)
        sort = (quote, whose.speaker, whose.kind, whose.is_tainted, is_new)
        if not self._has_room((*sort, whose.origin), PLACES_OF_ONE) or not self._has_room(sort, PLACES_OF_A_SORT):
            return
        self._places[quote].append(
            Place(
                session_id=self._session.id,
                file=value.file,
                line=value.line,
                part=value.part,
                field=value.field,
                string=string.number,
                start=spot.start,
                end=spot.end,
                words=self._words[quote].folded,
                before=spot.before,
                after=spot.after,
                speaker=whose.speaker,
                kind=whose.kind,
                is_tainted=whose.is_tainted,
                is_sidechain=whose.is_sidechain,
                origin=whose.origin,
                is_new=is_new,
                is_recalled=whose.is_recalled,
                is_secret=self._is_secret(string.text, spot),
            )
        )

    def _has_room(self, sort: tuple[object, ...], most: int) -> bool:
        count = self._counts.get(sort, 0)
        self._counts[sort] = count + 1
        return count < most

    def _is_secret(self, text: str, spot: Spot) -> bool:
        if self._secrets is None:
            return False
        first = max(0, spot.start - SECRET_REACH_CHARACTERS)
        spans = self._secrets.find(text[first : spot.end + SECRET_REACH_CHARACTERS])
        return any(span.start + first < spot.end and spot.start < span.end + first for span in spans)


def whose_words(value: StringValue) -> Speaker:
    """A string's real speaker: injected text is nobody's, and neither is the prompt one agent writes for another."""
    if value.injected or (value.speaker is Speaker.USER and value.is_sidechain):
        return Speaker.SYSTEM
    return value.speaker


def _whole_strings(values: Iterable[StringValue]) -> Iterator[tuple[StringValue, ...]]:
    """The pieces of each string together; a piece that begins at 0 begins another string."""
    pieces: list[StringValue] = []
    for value in values:
        if pieces and value.start == 0:
            yield tuple(pieces)
            pieces.clear()
        pieces.append(value)
    if pieces:
        yield tuple(pieces)


def _touches(spot: Spot, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start < spot.end and spot.start < end for start, end in spans)


def _pieces_at(spot: Spot, pieces: Sequence[StringValue]) -> Iterator[StringValue]:
    start = 0
    for piece in pieces:
        end = start + len(piece.text)
        if start < spot.end and spot.start < end:
            yield piece
        start = end


def _whose(spot: Spot, pieces: Sequence[StringValue], session_id: str, *, is_recalled: bool) -> _Words:
    owners = tuple(_pieces_at(spot, pieces))
    first = owners[0]
    is_one = len({whose_words(owner) for owner in owners}) == 1
    record = f"{session_id}:{first.file}:{first.line}.{first.part}"
    return _Words(
        speaker=whose_words(first) if is_one and not is_recalled else Speaker.SYSTEM,
        kind=first.kind,
        is_tainted=any(owner.is_tainted for owner in owners),
        is_sidechain=first.is_sidechain,
        is_recalled=is_recalled,
        origin=first.origin or record,
    )
