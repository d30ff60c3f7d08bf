"""The morning brief: what a day begins with, section by section, as text, Markdown or data. Pure (spec 04)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from slowwave.facts.text import cut, fold, showable

_LINE_CHARACTERS = 240  # of one line of a brief
_LISTED = 10  # of one section; the rest is counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One part of a brief.

    Attributes:
        name: Stable, for scripts.
        title: For people.
        lines: What it says; empty where there is nothing to say.
        otherwise: What is said instead; empty leaves the section out of text and Markdown.
        content: The same as data.
    """

    name: str
    title: str
    lines: Sequence[str] = ()
    otherwise: str = ""
    content: Any = field(default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """A day's brief."""

    day: date
    sections: tuple[Section, ...]

    def as_content(self) -> dict[str, Any]:
        """The brief as data: every section by its name."""
        return {
            "date": self.day.isoformat(),
            "sections": [
                {"name": one.name, "title": one.title, "lines": _shown(one.lines), "data": one.content}
                for one in self.sections
            ],
        }

    def as_markdown(self) -> str:
        """The brief as Markdown."""
        parts = [f"# Brief for {self.day.isoformat()}"]
        for one in self.sections:
            lines = [f"- {line}" for line in _shown(one.lines)] or ([one.otherwise] if one.otherwise else [])
            if lines:
                parts.append("\n".join([f"## {one.title}", "", *lines]))
        return "\n\n".join(parts) + "\n"

    def as_text(self) -> str:
        """The brief as plain text, short enough for a message."""
        parts = [f"Brief for {self.day.isoformat()}"]
        for one in self.sections:
            lines = [f"  {line}" for line in _shown(one.lines)] or ([f"  {one.otherwise}"] if one.otherwise else [])
            if lines:
                parts.append("\n".join([one.title, *lines]))
        return "\n\n".join(parts) + "\n"


def _shown(lines: Sequence[str]) -> list[str]:
    shown = [cut(fold(showable(line)), _LINE_CHARACTERS) for line in lines[:_LISTED]]
    return [*shown, f"and {len(lines) - _LISTED} more"] if len(lines) > _LISTED else shown


def brief_of(context: Mapping[str, Any]) -> Brief:
    """The brief of what was gathered; its sections in the order of the specification."""
    return Brief(
        day=date.fromisoformat(context["date"]),
        sections=(
            _commitments(context["triage"]),
            _memories(context["night"]),
            _review(context["review"]),
            _checkin(context["checkin"]),
            _summary(context["summary"]),
            _coaching(context["coaching"]),
            _waiting(context["captures"], context["reminders"]),
        ),
    )


def _commitments(triage: Mapping[str, Any]) -> Section:
    urgent = [item for name in ("critical", "high", "today") for item in triage["categories"][name]]
    lines = [
        f"{item['category']}: {item['statement']} ({item['reason']}; {item['suggested']['action']}"
        + (f" {item['suggested']['until']}" if item["suggested"]["action"] == "reschedule" else "")
        + ")"
        for item in urgent
    ]
    later = sum(len(triage["categories"][name]) for name in ("moderate", "upcoming"))
    return Section(
        name="commitment_triage",
        title="Commitments",
        lines=[*lines, *triage["warnings"]],
        otherwise=f"Nothing is overdue or due today; {later} are for later." if later else "Nothing is owed.",
        content=triage,
    )


def _memories(night: Mapping[str, Any]) -> Section:
    lines = [f"{one['claim']} ({one['quotes']} quotes, {one['kind']})" for one in night["memories"]]
    otherwise = "The last night found nothing new." if night["run"] else "No night has run yet: `slowwave sleep`."
    return Section(name="memories", title="Last night", lines=lines, otherwise=otherwise, content=night)


def _review(review: Mapping[str, Any]) -> Section:
    lines = [f"{review['pending']} items await your decision: `slowwave review`"] if review["pending"] else []
    lines += [f"{review['accepted']} are accepted: `slowwave merge`"] if review["accepted"] else []
    asked = review["observations"]
    lines += [f"{asked} observations about you: `slowwave observations review`"] if asked else []
    return Section(name="review", title="Waiting for you", lines=lines, otherwise="Nothing waits.", content=review)


def _checkin(checkin: Mapping[str, Any] | None) -> Section:
    if not checkin:
        return Section(name="checkin", title="Check-in", content=None)
    lines = []
    for name, unit in _UNITS.items():
        value = checkin.get(name)
        if isinstance(value, dict) and value.get("value") is not None:
            lines.append(f"{name.replace('_', ' ')}: {value['value']:g}{unit} ({value.get('source', '')})")
    work = checkin.get("work")
    if isinstance(work, dict):
        lines.append(f"worked until {work['until'][11:16]} in {work['sessions']} sessions")
    if checkin.get("note"):
        lines.append(str(checkin["note"]))
    title = f"Check-in ({checkin.get('depth', '')}, {checkin.get('date', '')})"
    return Section(name="checkin", title=title, lines=lines, content=checkin)


_UNITS = {
    "mood": " of 5",
    "energy": " of 5",
    "sleep_hours": " h",
    "resting_pulse": " bpm",
    "hrv": " ms",
    "stress": "",
    "steps": "",
    "body_battery": "",
}


def _summary(summary: Mapping[str, Any] | None) -> Section:
    lines = [summary["text"]] if summary else []
    day = f" ({summary['day']})" if summary else ""
    return Section(name="running_summary", title=f"Yesterday{day}", lines=lines, content=summary)


def _coaching(goals: Sequence[Mapping[str, Any]]) -> Section:
    lines = [f"{goal['title']}: you said “{one['obs']}”" for goal in goals for one in goal["observations"]]
    return Section(name="coaching", title="For your goals", lines=lines, content=list(goals))


def _waiting(captures: Mapping[str, int], reminders: Sequence[Mapping[str, Any]]) -> Section:
    lines = [f"{one['local']} {one['text']}" for one in reminders]
    lines += [f"{captures['unread']} captures are not triaged yet"] if captures["unread"] else []
    lines += [f"{captures['waiting']} captures wait for a new day's budget"] if captures["waiting"] else []
    content = {"captures": dict(captures), "reminders": list(reminders)}
    return Section(name="day", title="Today", lines=lines, content=content)
