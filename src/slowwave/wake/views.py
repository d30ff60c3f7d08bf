"""Views: the traits of the person as pages for people, by theme, with dates and sources; rebuilt when they are read."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from slowwave.disk.durable import make_folder, remove, write_atomic
from slowwave.disk.places import Places
from slowwave.facts.text import fold, normal, showable
from slowwave.wake.holding import Hold
from slowwave.wake.observations import STALE, Observations, mark_views_stale
from slowwave.wake.state import stamp_of
from slowwave.wake.traits import Trait

OTHER = "other"
"""Theme of a trait in which no theme's words occur."""
BUILT = ".built"
"""Name of the file that says from which traits the views were made."""


@cache
def themes() -> Mapping[str, tuple[str, ...]]:
    """Themes in their order, each with beginnings of words that speak of it."""
    table = tomllib.loads(files("slowwave.wake").joinpath("themes.toml").read_text("utf-8"))
    return {name: tuple(row["words"]) for name, row in table.items()}


def theme_of(text: str) -> str:
    """The theme most of whose words occur in a text; the earlier one where two are equal."""
    words = normal(text).split()
    stripped = [word.strip(".,;:!?\"'()") for word in words]
    scores = {name: sum(word.startswith(starts) for word in stripped) for name, starts in themes().items()}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] else OTHER


def read_views(places: Places, hold: Hold, observations: Observations) -> Mapping[str, str]:
    """Every view by theme, as Markdown; rebuilt first where a trait changed since, whoever changed it."""
    folder = places.identity_views
    if _fingerprint(places) != _built(folder) or (folder / STALE).exists():
        with hold("observations views"):
            _rebuild(places, observations)
    return {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.md"))}


def _rebuild(places: Places, observations: Observations) -> None:
    """Write all views; the mark that they are stale goes last, so that a crash rebuilds them again."""
    folder = places.identity_views
    make_folder(folder)
    mark_views_stale(places)
    fingerprint = _fingerprint(places)
    pages = render_views(observations.read().traits)
    for name, page in pages.items():
        write_atomic(folder / f"{name}.md", page.encode("utf-8", "replace"))
    for path in sorted(folder.glob("*.md")):
        if path.stem not in pages:
            remove(path)
    write_atomic(folder / BUILT, json.dumps(fingerprint).encode())
    remove(folder / STALE)


def render_views(traits: Sequence[Trait]) -> Mapping[str, str]:
    """A page a theme that has traits, oldest trait first."""
    by_theme: dict[str, list[Trait]] = {}
    for trait in sorted(traits, key=lambda one: (one.ts, one.id)):
        by_theme.setdefault(theme_of(trait.obs), []).append(trait)
    return {name: _page(name, rows) for name, rows in by_theme.items()}


def _page(name: str, traits: Sequence[Trait]) -> str:
    lines = [f"# Identity: {name}", "", "Made from `observations.jsonl`; edits here are lost.", ""]
    for trait in traits:
        words = showable(fold(trait.obs)).replace("<", "&lt;")
        unsure = ", not reviewed yet" if trait.needs_review else ""
        lines.append(
            f"- {trait.ts[:10] or 'undated'}: {words} ({showable(trait.source) or 'unknown'}, {trait.id}{unsure})"
        )
    return "\n".join(lines) + "\n"


def _fingerprint(places: Places) -> list[int]:
    return list(stamp_of(places.observations) or ())


def _built(folder: Path) -> object:
    try:
        return json.loads((folder / BUILT).read_bytes())
    except (OSError, ValueError):
        return None
