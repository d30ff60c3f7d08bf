"""``bulk_old``: a large output from long ago that nobody came back to."""

from collections.abc import Iterator

from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.scene import Scene

LEAST_CHARACTERS = 1_200  # of an output that counts as large: a screenful
OLD_GROUPS = 15  # replies and messages since; agents that return to an output mostly do so within ten
HEAD_LINES = 2  # that stay: what it was
TAIL_LINES = 2  # that stay: how it ended


def find_bulk(scene: Scene) -> Iterator[Hit]:
    """Large results, old ones."""
    for step in scene.steps:
        item = step.result
        if item.characters >= LEAST_CHARACTERS and scene.age(item) >= OLD_GROUPS:
            evidence = {"characters": item.characters, "age": scene.age(item)}
            yield Hit(item=item.number, detector=Detector.BULK_OLD, evidence=evidence, head=HEAD_LINES, tail=TAIL_LINES)
