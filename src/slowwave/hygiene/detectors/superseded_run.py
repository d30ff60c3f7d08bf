"""``superseded_run``: tests, builds and linters run again; the newest run counts, and the last that failed."""

from collections.abc import Iterator

from slowwave.hygiene.actions import Sort
from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.scene import Scene

LEAST_CHARACTERS = 300  # of an output; less is not worth a stub


def find_superseded(scene: Scene) -> Iterator[Hit]:
    """Earlier runs of the very same line, but for the last one that failed."""
    newest: dict[tuple[bool, str], str] = {}
    failed: set[tuple[bool, str]] = set()
    for step in reversed(scene.steps):
        if step.action.sort is not Sort.RUN:
            continue
        line = (step.is_aside, step.action.line)
        later = newest.setdefault(line, step.result.id)
        is_last_failure = step.result.is_error and line not in failed
        if step.result.is_error:
            failed.add(line)
        if later != step.result.id and not is_last_failure and step.result.characters >= LEAST_CHARACTERS:
            yield Hit(
                item=step.result.number,
                detector=Detector.SUPERSEDED_RUN,
                evidence={"run_again_by": later},
                tail=1,
            )
