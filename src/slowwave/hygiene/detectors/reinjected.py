"""``reinjected``: a notice that a program put in three times or more; the newest copy stays word for word."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.items import Item, Kind
from slowwave.hygiene.scene import Scene

LEAST_COPIES = 3  # spec 06: twice may be chance
LEAST_CHARACTERS = 160  # of a notice; a shorter one is no longer than what would stand in its place


def find_reinjected(scene: Scene) -> Iterator[Hit]:
    """All copies but the newest; copies differ in numbers at most."""
    notices = list(_alone(scene))
    counts = Counter((item.is_sidechain, scene.templates[item.number]) for item in notices)
    newest: dict[tuple[bool, str], str] = {}
    for item in reversed(notices):
        shape = (item.is_sidechain, scene.templates[item.number])
        if counts[shape] < LEAST_COPIES:
            continue
        later = newest.setdefault(shape, item.id)
        if later != item.id:
            evidence = {"repeated_by": later, "copies": counts[shape]}
            yield Hit(item=item.number, detector=Detector.REINJECTED, evidence=evidence)


def _alone(scene: Scene) -> Iterator[Item]:
    """Notices that are long enough, beside which nothing stands in the same text, so that it can be replaced."""
    for _, record in groupby(scene.context.window(), attrgetter("index")):
        held = list(record)
        fields = Counter(field for item in held for field in item.fields)
        for item in held:
            if item.kind is Kind.NOTICE and item.characters >= LEAST_CHARACTERS and fields[item.fields[0]] == 1:
                yield item
