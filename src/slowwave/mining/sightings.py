"""Where quotes stand, as far as mining has to know: whose words they are, and whether they are new.

Proof looks again, in the raw lines; this spares it findings that it would refuse.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slowwave.facts.evidence import Quote, Speaker
from slowwave.facts.ids import SessionId
from slowwave.records.entries import Entry
from slowwave.records.recording import Recording

MOST_VALUES = 400  # strings looked at in one call's arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """One entry in which a quote stands."""

    speaker: Speaker
    line: int
    file: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class Sightings:
    """The entries of a batch, to look quotes up in."""

    entries: Mapping[SessionId, tuple[Entry, ...]]
    new_from: Mapping[SessionId, tuple[int, ...]] | None

    @classmethod
    def of(cls, recordings: Sequence[Recording], new_from: Mapping[SessionId, tuple[int, ...]] | None) -> "Sightings":
        """Over some recordings; ``new_from`` as the batch gives it, None when all is new."""
        return cls({r.session.id: tuple(e for e in r.entries if not e.is_copy) for r in recordings}, new_from)

    def best(self, quote: Quote) -> Sighting | None:
        """The best entry that holds a quote: spoken before shown, new before old, early before late; None for none."""
        found = [
            self._sighting(quote.session_id, e) for e in self.entries.get(quote.session_id, ()) if _holds(e, quote)
        ]
        return min(found, key=_rank, default=None)

    def _sighting(self, session: SessionId, entry: Entry) -> Sighting:
        speaker = Speaker.SYSTEM if entry.injected else entry.speaker
        return Sighting(speaker=speaker, line=entry.line, file=entry.file, is_new=self._is_new(session, entry))

    def _is_new(self, session: SessionId, entry: Entry) -> bool:
        if self.new_from is None:
            return True
        first = self.new_from.get(session, ())
        return entry.line >= first[entry.file] if entry.file < len(first) else True


def _rank(sighting: Sighting) -> tuple[bool, bool, int, int]:
    return (sighting.speaker in {Speaker.TOOL, Speaker.SYSTEM}, not sighting.is_new, sighting.file, sighting.line)


def _holds(entry: Entry, quote: Quote) -> bool:
    return quote.quote in entry.text or any(quote.quote in value for value in _strings(entry.args))


def _strings(value: Any) -> Iterator[str]:
    """The strings inside a call's arguments, breadth first, at most ``MOST_VALUES`` values looked at."""
    waiting: list[Any] = [value]
    for _ in range(MOST_VALUES):
        if not waiting:
            return
        item = waiting.pop(0)
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
