"""The verb that looks: where the window of a context goes."""

from datetime import datetime
from pathlib import Path

from slowwave.hygiene.decide import Rules, propose
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.scene import read_scene
from slowwave.hygiene.thinking import Policy, thinking_rule
from slowwave.hygiene.window import Window, window_of
from slowwave.records.secrets import Secrets
from slowwave.wiring.verbs_hygiene import opened


def look(path: Path, *, now: datetime, model: str, top: int) -> Window:
    """Where the window of a file goes, with no secret in the words that are shown of it; nothing is written.

    What could go is what ``plan`` proposes where no home protects anything, whatever it costs.

    Args:
        path: The file.
        now: The present.
        model: Whose prices count; empty for that of the context.
        top: How many of the largest items are named.

    Raises:
        UnknownContextError: The file is no context.
    """
    secrets = Secrets()
    with opened(path) as document:
        scene = read_scene(document)
        plan = propose(scene, Rules(thinking=thinking_rule(scene.context, Policy.AUTO).refusal))
        terms = Terms(now=now, model=model)
        return window_of(scene, plan, terms, top=top, tell=lambda words, name: secrets.mask(words, name=name))
