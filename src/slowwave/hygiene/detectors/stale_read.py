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
            evidence = _superseded(action.paths[0], later)
            if evidence and not step.result.is_error:
                yield Hit(item=step.result.number, detector=Detector.STALE_READ, evidence=evidence)
        if step.result.is_error or step.result.is_rejected:
            continue
        if action.sort is Sort.WRITE or (action.sort is Sort.READ and action.is_whole and len(action.paths) == 1):
            for path in action.paths:
                later.setdefault(_name(path), []).append((step, path))


def _superseded(path: str, later: dict[str, list[tuple[Step, str]]]) -> dict[str, object]:
    """The newest step that makes a read of a path old; a partial read never does."""
    for step, other in later.get(_name(path), ()):
        if is_same_file(path, other):
            key = "written_by" if step.action.sort is Sort.WRITE else "read_again_by"
            return {key: step.result.id, "path": path}
    return {}


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]
