"""Scratch verbs: the day's page, its former summaries, and the roll-up of a day that is over."""

from datetime import datetime
from typing import Any

from slowwave.facts.capture import Section
from slowwave.wake.scratch.days import day_of
from slowwave.wake.scratch.entry import ids_in
from slowwave.wake.scratch.pad import Scratch
from slowwave.wake.scratch.page import body_of, lines_of
from slowwave.wake.scratch.summaries import Summary
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import zone_of


def scratch_of(house: Premises) -> Scratch:
    """The scratch of an open home.

    Raises:
        ConfigError: The zone is none.
    """
    return Scratch(
        house.home.day,
        house.hold_day,
        house.clock,
        zone_of(house),
        roll_up=house.config.schedule.roll_up,
        secrets=house.secrets,
    )


def show_scratch(house: Premises) -> dict[str, Any]:
    """The page as it stands: whole, its summary, and its sections; nothing is made or changed."""
    page = scratch_of(house).page()
    lines = lines_of(page)
    day = day_of(page)
    return {
        "path": str(house.home.day.daily),
        "day": day.isoformat() if day else "",
        "text": page.decode("utf-8", "replace"),
        "summary": body_of(lines, Section.RUNNING_SUMMARY).decode("utf-8", "replace"),
        "sections": [_section(lines, section) for section in Section if section is not Section.RUNNING_SUMMARY],
    }


def _section(lines: list[bytes], section: Section) -> dict[str, Any]:
    body = body_of(lines, section)
    return {"name": section, "text": body.decode("utf-8", "replace"), "entries": len(ids_in(body))}


def list_summaries(house: Premises) -> list[dict[str, Any]]:
    """Every running summary there was, the oldest first; the one on the page is marked."""
    scratch = scratch_of(house)
    standing = body_of(lines_of(scratch.page()), Section.RUNNING_SUMMARY).decode("utf-8", "replace")
    summaries = scratch.history()
    shown = max((one.number for one in summaries if one.text == standing), default=0)
    return [{**_described(one), "isShown": one.number == shown} for one in summaries]


def restore_summary(house: Premises, number: int) -> dict[str, Any]:
    """Put a former summary back on the page.

    Raises:
        UsageError: No summary has that number.
    """
    return _described(scratch_of(house).restore(number))


def roll_up(house: Premises, now: datetime) -> dict[str, int] | None:
    """End the page's day where its hour has passed; None where there was nothing to end."""
    return scratch_of(house).roll_up(now)


def _described(summary: Summary) -> dict[str, Any]:
    return {
        "number": summary.number,
        "ts": summary.ts,
        "day": summary.day,
        "text": summary.text,
        "decidedBy": summary.decided_by,
        "model": summary.model,
        "restored": summary.restored,
    }
