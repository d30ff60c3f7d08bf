"""Where quotes stand in the record, and whose words they are there.

A quote counts only inside one decoded string value of the session it cites. Each session is read once for all its
quotes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from slowwave.disk.fence import FenceError
from slowwave.facts.evidence import Quote
from slowwave.facts.ids import SessionId
from slowwave.proof.batch import Batch
from slowwave.proof.look import Look
from slowwave.proof.places import Place
from slowwave.proof.secret_finder import SecretFinder


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a look into the sessions found.

    Attributes:
        places: For each quote the places where it stands, best first; empty for one that stands nowhere.
        recalled: For each session the texts that slowwave itself had put there.
        unreadable: Sessions whose files could not be read; their quotes stand nowhere.
    """

    places: Mapping[Quote, tuple[Place, ...]]
    recalled: Mapping[SessionId, tuple[str, ...]]
    unreadable: frozenset[SessionId]


def locate(quotes: Sequence[Quote], batch: Batch) -> Mapping[Quote, tuple[Place, ...]]:
    """All places of each quote, best first; see ``find_quotes``."""
    return find_quotes(quotes, batch).places


def find_quotes(quotes: Iterable[Quote], batch: Batch, *, secrets: SecretFinder | None = None) -> Found:
    """Look for quotes in the sessions they cite.

    A session whose file cannot be read is no reason to stop: its quotes stand nowhere, and it is named.

    Args:
        quotes: What is looked for; one that cites a session outside the batch is found nowhere.
        batch: The sessions offered.
        secrets: Tells of each place whether a secret reaches into it; None leaves that unknown.
    """
    cited: dict[SessionId, dict[Quote, None]] = {}
    places: dict[Quote, tuple[Place, ...]] = {}
    for quote in quotes:
        places[quote] = ()
        if quote.session_id in batch.sessions:
            cited.setdefault(quote.session_id, {})[quote] = None
    recalled: dict[SessionId, tuple[str, ...]] = {}
    unreadable: set[SessionId] = set()
    for session_id, wanted in cited.items():
        look = Look(batch.sessions[session_id], batch, wanted, secrets=secrets)
        try:
            places.update(look.run())
        except (OSError, FenceError):
            unreadable.add(session_id)
        recalled[session_id] = tuple(look.recalled)
    return Found(places=_in_order(places), recalled=recalled, unreadable=frozenset(unreadable))


def _in_order(places: Mapping[Quote, tuple[Place, ...]]) -> dict[Quote, tuple[Place, ...]]:
    """Each quote's places, best first; a copy of what stands before a watermark is not new either."""
    old = {place.origin for found in places.values() for place in found if not (place.is_new or place.is_recalled)}
    return {
        quote: tuple(
            sorted((replace(p, is_new=p.is_new and p.origin not in old) for p in found), key=lambda p: p.order)
        )
        for quote, found in places.items()
    }
