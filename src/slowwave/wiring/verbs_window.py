"""The verb that looks: where the window of a context goes."""

from datetime import datetime
from pathlib import Path

from slowwave.hygiene.decide import Rules, propose
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.scene import read_scene
from slowwave.hygiene.window import Window, window_of
from slowwave.wiring.verbs_hygiene import opened


def look(path: Path, *, now: datetime, model: str, top: int) -> Window:
    """Where the window of a file goes; nothing is written.

    Raises:
        UnknownContextError: The file is no context.
    """
    with opened(path) as document:
        scene = read_scene(document)
        return window_of(scene, propose(scene, Rules()), Terms(now=now, model=model), top=top)
