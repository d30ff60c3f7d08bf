"""``dup_call``: the same call gave the same output again; the newest copy says all of it."""

from collections.abc import Iterator

from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.scene import Scene

LEAST_CHARACTERS = 200  # of an output; a shorter one is hardly longer than what would stand in its place


def find_duplicates(scene: Scene) -> Iterator[Hit]:
    """All copies but the newest of each output of one call."""
    newest: dict[tuple[bool, str, str], str] = {}
    for step in reversed(scene.steps):
        if step.result.characters < LEAST_CHARACTERS:
            continue
        key = (step.is_aside, step.call.digest, step.result.digest)
        later = newest.setdefault(key, step.result.id)
        if later != step.result.id:
            yield Hit(item=step.result.number, detector=Detector.DUP_CALL, evidence={"same_as": later})
