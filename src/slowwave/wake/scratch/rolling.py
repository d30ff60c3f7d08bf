"""Ending a day: its page is taken away under one name, kept whole, folded into the weeks, and then let go of.

Each step looks at what stands and can be taken again, so that a crash between any two ends as if there had been none.
The page is renamed, never copied: an editor that still has it open writes into what is kept.
"""

import itertools
import os
from datetime import date
from functools import partial
from pathlib import Path

from slowwave.disk.durable import flush, flush_folder, make_folder, read_whole, remove, write_atomic
from slowwave.disk.places import Places
from slowwave.disk.shared import Merge, edit_shared
from slowwave.disk.trouble import speaking
from slowwave.wake.scratch.days import fresh_page
from slowwave.wake.scratch.entry import ids_in
from slowwave.wake.scratch.weekly import folded


def roll(places: Places, *, day: date, next_day: date, merge: Merge) -> dict[str, int]:
    """End a day and begin the next; what was counted. Call it while holding the day.

    Raises:
        DiskError: The system refused; the next call goes on from there.
    """
    daily = places.daily.resolve()
    edit_shared(daily, lambda _: None, merge=merge)
    taken = places.daily.parent / f".rolling-{day.isoformat()}.md"
    with speaking(daily):
        daily.rename(taken)
    flush_folder(daily.parent)
    flush_folder(taken.parent)
    return finish(places, next_day=next_day, merge=merge)


def finish(places: Places, *, next_day: date, merge: Merge) -> dict[str, int]:
    """Put away every page that was taken away and not put away yet, with a page for what comes next begun before."""
    counts = {"days": 0, "entries": 0}
    waiting = {taken: day for taken in sorted(places.daily.parent.glob(".rolling-*.md")) if (day := _day_of(taken))}
    if waiting:
        edit_shared(places.daily, lambda content: content or fresh_page(next_day), merge=merge)
    for taken, day in waiting.items():
        page = read_whole(taken) or b""
        counts["days"] += 1
        if page.strip() and page != fresh_page(day):
            archive = _keep(places.scratch_archive, taken, page, day)
            edit_shared(places.weekly, partial(_with_day, page=page, day=day, archive=archive))
            counts["entries"] += len(ids_in(page))
        remove(taken)
    return counts


def _day_of(taken: Path) -> date | None:
    try:
        return date.fromisoformat(taken.stem.removeprefix(".rolling-"))
    except ValueError:
        return None


def _with_day(weeks: bytes | None, *, page: bytes, day: date, archive: str) -> bytes:
    return folded(weeks or b"# Weeks\n", page, day=day, archive=archive)


def _keep(folder: Path, taken: Path, page: bytes, day: date) -> str:
    """Give the page its name in the archive; a day that has one already gets a further one. Nothing is replaced."""
    make_folder(folder)
    for number in itertools.count(1):
        name = f"{day.isoformat()}.md" if number == 1 else f"{day.isoformat()}-{number}.md"
        place = folder / name
        if _is_kept(taken, page, place):
            return name
    raise AssertionError


def _is_kept(taken: Path, page: bytes, place: Path) -> bool:
    with speaking(place):
        if place.exists():
            return place.samefile(taken) or read_whole(place) == page
        descriptor = os.open(taken, os.O_RDWR)
        try:
            flush(descriptor, taken)
        finally:
            os.close(descriptor)
        try:
            os.link(taken, place)
        except FileExistsError:
            return False
        except OSError:  # a disk without second names
            write_atomic(place, page)
    flush_folder(place.parent)
    return True
