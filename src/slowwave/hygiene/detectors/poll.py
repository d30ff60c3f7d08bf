"""``poll``: the same question asked again and again; the answers differ in times and counters alone."""

from collections.abc import Iterator

from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.scene import Scene

LEAST_CHARACTERS = 200  # of an answer; less is not worth a stub


def find_polls(scene: Scene) -> Iterator[Hit]:
    """All answers but the newest of one tool that say the same but for their numbers."""
    newest: dict[tuple[bool, str, str], str] = {}
    for step in reversed(scene.steps):
        if step.result.characters < LEAST_CHARACTERS or step.result.is_error:
            continue
        key = (step.is_aside, step.call.tool, scene.templates[step.result.number])
        later = newest.setdefault(key, step.result.id)
        if later != step.result.id:
            yield Hit(item=step.result.number, detector=Detector.POLL, evidence={"asked_again_by": later})
