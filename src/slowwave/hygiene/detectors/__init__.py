"""Detectors: rules that see what a context no longer needs, one a file, each with the evidence for it.

``DETECTORS`` is their order: the first to name an item keeps it. A new one is one file and one line here.
"""

from collections.abc import Callable, Iterator

from slowwave.hygiene.detectors.bulk_old import find_bulk
from slowwave.hygiene.detectors.consumed_search import find_consumed
from slowwave.hygiene.detectors.dup_call import find_duplicates
from slowwave.hygiene.detectors.error_echo import find_echoes
from slowwave.hygiene.detectors.media_old import find_media
from slowwave.hygiene.detectors.noise import find_noise
from slowwave.hygiene.detectors.poll import find_polls
from slowwave.hygiene.detectors.reinjected import find_reinjected
from slowwave.hygiene.detectors.stale_read import find_stale
from slowwave.hygiene.detectors.superseded_run import find_superseded
from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.scene import Scene

DETECTORS: dict[Detector, Callable[[Scene], Iterator[Hit]]] = {
    Detector.DUP_CALL: find_duplicates,
    Detector.STALE_READ: find_stale,
    Detector.SUPERSEDED_RUN: find_superseded,
    Detector.POLL: find_polls,
    Detector.CONSUMED_SEARCH: find_consumed,
    Detector.ERROR_ECHO: find_echoes,
    Detector.REINJECTED: find_reinjected,
    Detector.MEDIA_OLD: find_media,
    Detector.BULK_OLD: find_bulk,
    Detector.NOISE: find_noise,
}


def find_hits(scene: Scene) -> dict[int, Hit]:
    """What may go, by the number of the item; of several detectors the first one's word counts."""
    found: dict[int, Hit] = {}
    for find in DETECTORS.values():
        for hit in find(scene):
            if not scene.context.items[hit.item].is_stub:
                found.setdefault(hit.item, hit)
    return found


def stale_reads(scene: Scene) -> frozenset[int]:
    """Numbers of the reads that something later made old, whichever detector names them first."""
    return frozenset(hit.item for hit in find_stale(scene))
