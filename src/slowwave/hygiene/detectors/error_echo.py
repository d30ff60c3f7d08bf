"""``error_echo``: one error met several times, and then got past; its last telling stays."""

from collections.abc import Iterator

from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.scene import Scene

LEAST_CHARACTERS = 200  # of an output; less is not worth a stub


def find_echoes(scene: Scene) -> Iterator[Hit]:
    """Earlier tellings of an error of a tool that later succeeded."""
    succeeded: dict[tuple[bool, str], str] = {}
    last: dict[tuple[bool, str, str], str] = {}
    for step in reversed(scene.steps):
        if not step.result.is_error:
            succeeded.setdefault((step.is_aside, step.call.tool), step.result.id)
            continue
        key = (step.is_aside, step.call.tool, scene.errors.get(step.result.number, ""))
        later = last.setdefault(key, step.result.id)
        passed = succeeded.get((step.is_aside, step.call.tool), "")
        if later != step.result.id and passed and step.result.characters >= LEAST_CHARACTERS:
            yield Hit(
                item=step.result.number,
                detector=Detector.ERROR_ECHO,
                evidence={"told_again_by": later, "passed_by": passed},
                head=1,
            )
