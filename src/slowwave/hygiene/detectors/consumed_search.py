"""``consumed_search``: hits of a search that were opened later; those stay, the rest has served."""

from collections.abc import Iterator
from itertools import islice

from slowwave.hygiene.actions import Sort
from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.scene import Scene

LEAST_CHARACTERS = 800  # of a list of hits; a shorter one is a map worth its room
MOST_OPENED = 50  # files opened later that are looked for; more were not found by one search


def find_consumed(scene: Scene) -> Iterator[Hit]:
    """Searches of which a hit was read or written later."""
    sides: dict[bool, dict[str, str]] = {False: {}, True: {}}
    for step in reversed(scene.steps):
        action, opened = step.action, sides[step.is_aside]
        if action.sort in (Sort.READ, Sort.WRITE):
            opened |= {path.rsplit("/", 1)[-1]: step.result.id for path in action.paths}
        if action.sort is not Sort.SEARCH or step.result.is_error or step.result.characters < LEAST_CHARACTERS:
            continue
        text = scene.context.text(step.result)
        newest = list(islice(reversed(opened), MOST_OPENED))[::-1]
        hits = [name for name in newest if len(name) > 2 and name in text]
        if hits:
            yield Hit(
                item=step.result.number,
                detector=Detector.CONSUMED_SEARCH,
                evidence={"opened_by": opened[hits[-1]], "opened": hits},
                head=1,
                words=frozenset(hits),
            )
