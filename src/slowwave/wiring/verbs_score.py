"""Scoring verbs: the hygienist's profile measured over recordings, and held against an earlier measure."""

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from slowwave.disk.durable import write_atomic
from slowwave.facts.refusal import NothingToDoError, UsageError
from slowwave.hygiene.scorecard import Row, Workshop, regressions, score
from slowwave.wiring.premises import system_clock

_SUFFIXES = (".jsonl", ".json", ".001")  # of files that may be contexts; the content decides
MOST_FILES = 10_000  # below the folders that are scored


def score_folders(folders: Sequence[Path], out: Path | None, tell: Callable[[Row], None]) -> dict[str, Any]:
    """Run the profile over every context below some folders, and keep the scorecard where that was asked for.

    Raises:
        NothingToDoError: There is no context among them.
    """
    root = folders[0] if len(folders) == 1 and folders[0].is_dir() else Path()
    files = [path for folder in folders for path in _files(folder)][:MOST_FILES]
    with tempfile.TemporaryDirectory() as place:
        shop = Workshop(folder=Path(place), clock=system_clock, seconds=monotonic)
        card = score((path.absolute() for path in files), root.absolute(), shop, tell=tell)
    if not card.rows:
        raise NothingToDoError("no context is below what was named", hint="name folders with sessions, or files")
    told = card.as_json()
    if out is not None:
        write_atomic(out, json.dumps(told, indent=2, sort_keys=True).encode() + b"\n")
    return told


def gate(old: Path, new: Path) -> dict[str, Any]:
    """What a new scorecard does worse than an old one."""
    found = regressions(_card(old), _card(new))
    return {"regressions": found, "passed": not found}


def _files(folder: Path) -> Iterator[Path]:
    if not folder.exists():
        raise UsageError(f"{folder} is not there")
    if folder.is_file():
        yield folder
        return
    yield from sorted(path for path in folder.rglob("*") if path.name.endswith(_SUFFIXES) and path.is_file())


def _card(path: Path) -> dict[str, Any]:
    try:
        held: Any = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(
            f"{path} is no scorecard", hint="`slowwave hygiene score DIR --out CARD.json` writes one"
        ) from error
    if not isinstance(held, dict):
        raise UsageError(f"{path} is no scorecard", hint="`slowwave hygiene score DIR --out CARD.json` writes one")
    return held
