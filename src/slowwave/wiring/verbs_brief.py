"""The morning brief of a home: gathered, put together, and sent where it was asked for."""

import json
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from slowwave.facts.moment import stamp
from slowwave.sleep.brief import Brief, brief_of
from slowwave.sleep.checkin import read_checkin
from slowwave.sleep.items import ItemStatus, read_items
from slowwave.sleep.nights import last_report
from slowwave.sleep.pending import REPORT
from slowwave.sleep.triage import CommitmentTriage, format_triage_for_brief
from slowwave.wake import coaching
from slowwave.wake.cursor import unread_lines
from slowwave.wake.decisions import count_deferred
from slowwave.wake.reminders import list_reminders
from slowwave.wake.scratch.summaries import read_summaries
from slowwave.wake.state import read_state
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import zone_of
from slowwave.wiring.verbs_notify import open_book, send_now
from slowwave.wiring.verbs_observations import observations_of
from slowwave.wiring.verbs_triage import described_triage, home_triage

MOST_UNREAD = 1_000
"""Captures that are counted one by one; more are said to be so many at least."""


def gather_context(house: Premises, day: date | None = None) -> dict[str, Any]:
    """Everything that a brief of a day says, as data; nothing is made or changed.

    Keys: ``date``, ``triage`` (commitments by category), ``commitment_triage`` (the same in Markdown), ``night``,
    ``review``, ``checkin``, ``summary``, ``coaching``, ``captures``, ``reminders``.
    """
    zone = zone_of(house)
    now = house.clock()
    day = day or now.astimezone(zone).date()
    at = now if day == now.astimezone(zone).date() else datetime.combine(day, time(7), tzinfo=zone).astimezone(UTC)
    triage, unreadable = home_triage(house, at=at)
    from_triage = described_triage(triage, unreadable=unreadable)
    return {
        "date": day.isoformat(),
        "triage": from_triage,
        "commitment_triage": format_triage_for_brief(triage),
        "night": _night(house),
        "review": _review(house),
        "checkin": _checkin(house, day),
        "summary": _summary(house, day),
        "coaching": _coaching(house),
        "captures": _captures(house, now),
        "reminders": _reminders(house, day),
    }


def brief(house: Premises, day: date | None = None) -> Brief:
    """The brief of a day."""
    return brief_of(gather_context(house, day))


def send_brief(house: Premises, made: Brief) -> list[dict[str, Any]]:
    """Send a brief over every channel; what became of it, channel by channel.

    Raises:
        NothingToDoError: No channel is configured.
    """
    key = f"brief-{made.day.isoformat()}"
    return send_now(house, key=key, title=f"Brief for {made.day.isoformat()}", text=made.as_text())


def _night(house: Premises) -> dict[str, Any]:
    report = last_report(house.state)
    if not report:
        return {"run": "", "moment": "", "memories": []}
    read = json.loads(report)
    quotes = {item.path: len(item.records) for item in read_items(house.state)}
    memories = [
        {"claim": one["claim"], "kind": one["kind"], "path": one["path"], "quotes": quotes.get(one["path"], 0)}
        for one in read["memories"]
    ]
    return {"run": read["run"], "moment": read["moment"], "memories": memories}


def _review(house: Premises) -> dict[str, int]:
    items = [item for item in read_items(house.state) if item.type != REPORT]
    return {
        "pending": sum(item.status is ItemStatus.PENDING for item in items),
        "accepted": sum(item.status is ItemStatus.ACCEPTED for item in items),
        "observations": sum(trait.needs_review for trait in observations_of(house).read().traits),
    }


def _checkin(house: Premises, day: date) -> dict[str, Any] | None:
    """The day's own, else that of the day before, which the night made."""
    places = house.home.day
    return read_checkin(places, day) or read_checkin(places, day - timedelta(days=1))


def _summary(house: Premises, day: date) -> dict[str, Any] | None:
    """Yesterday's last running summary, or that of the last day that has one."""
    before = [one for one in read_summaries(house.home.day) if one.day < day.isoformat()]
    return {"day": before[-1].day, "text": before[-1].text} if before else None


def _coaching(house: Premises) -> list[dict[str, Any]]:
    return [
        {
            "goal": nudge.goal_id,
            "title": nudge.title,
            "observations": [{"id": row.trait_id, "obs": row.obs, "reason": row.reason} for row in nudge.traits],
        }
        for nudge in coaching.nudges(house.home.day)
    ]


def _captures(house: Premises, now: datetime) -> dict[str, int]:
    state = read_state(house.home.day, now, only_reads=True)
    unread = 0
    for _ in unread_lines(house.home.day, state, now.astimezone(zone_of(house)).date()):
        unread += 1
        if unread >= MOST_UNREAD:
            break
    with open_book(house, only_reads=True) as book:
        return {"unread": unread, "waiting": count_deferred(book)}


def _reminders(house: Premises, day: date) -> list[dict[str, Any]]:
    zone = zone_of(house)
    last = stamp(datetime.combine(day + timedelta(days=1), time(0), tzinfo=zone).astimezone(UTC))
    with open_book(house, only_reads=True) as book:
        due = [one for one in list_reminders(book) if one.due < last]
    return [
        {
            "id": one.id,
            "due": one.due,
            "local": datetime.fromisoformat(one.due).astimezone(zone).strftime("%H:%M"),
            "text": one.text,
        }
        for one in due
    ]


def format_triage_for_vdb(triage: CommitmentTriage) -> str:
    """The same under the seed's name."""
    return format_triage_for_brief(triage)
