"""The demo: a night over bundled sample sessions, in a home and with transcripts of its own."""

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from slowwave.desk.cli.verb import Desk
from slowwave.desk.samples.stage import stage
from slowwave.facts.refusal import UsageError
from slowwave.sleep.plan import NightOptions, Progress


def run_demo(desk: Desk, *, keep: Path | None, progress: Progress) -> Mapping[str, Any]:
    """Stage the samples, run the night, describe it; without ``keep`` nothing is left behind.

    Raises:
        UsageError: The folder to keep it in holds something already.
    """
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="slowwave-demo-") as folder:
            return {**_night(desk, Path(folder), progress), "home": ""}
    if keep.exists() and any(keep.iterdir()):
        raise UsageError(f"{keep} is not empty", hint="name a new folder for the demo's home")
    return {**_night(desk, keep.absolute(), progress), "home": str(keep.absolute() / "home")}


def _night(desk: Desk, folder: Path, progress: Progress) -> Mapping[str, Any]:
    transcripts = folder / "transcripts"
    stage(transcripts, now=desk.now())
    house = replace(desk, home=folder / "home").house()
    try:
        house.initialise(transcripts=(transcripts,))
        return house.sleep(NightOptions(), engine="mined", date=None, resume=False, progress=progress)
    finally:
        house.close()
