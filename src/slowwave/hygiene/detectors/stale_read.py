"""``stale_read``: a file that was written later, or read whole again; what was read of it is history."""

from collections.abc import Iterator

from slowwave.hygiene.actions import Sort, is_same_file
from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.scene import Scene, Step

LEAST_CHARACTERS = 400  # of what was read; less is not worth a stub


def find_stale(scene: Scene) -> Iterator[Hit]:
    """Reads of one file each that a later successful write, or a later whole read, made old."""
    later: dict[str, list[tuple[Step, str]]] = {}
    for step in reversed(scene.steps):
        action = step.action
        if action.sort is Sort.READ and len(action.paths) == 1 and step.result.characters >= LEAST_CHARACTERS:
            evidence = _superseded(step, later)
            if evidence and not step.result.is_error:
                yield Hit(item=step.result.number, detector=Detector.STALE_READ, evidence=evidence)
        if step.result.is_error or step.result.is_rejected:
            continue
        if action.sort is Sort.WRITE or (action.sort is Sort.READ and action.is_whole and len(action.paths) == 1):
            for path in action.paths:
                later.setdefault(_name(path), []).append((step, path))


def _superseded(read: Step, later: dict[str, list[tuple[Step, str]]]) -> dict[str, object]:
    """The newest step that makes a read old: a write by anybody, or a whole read by the same agent."""
    path = read.action.paths[0]
    for step, other in later.get(_name(path), ()):
        is_written = step.action.sort is Sort.WRITE
        if is_same_file(path, other) and (is_written or step.is_aside == read.is_aside):
            return {"written_by" if is_written else "read_again_by": step.result.id, "path": path}
    return {}


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]
