"""How the morning looks: the brief, a check-in, commitments and their triage."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from slowwave.desk.screens.parts import Described, Lines, count, heading, hint, plain, table


def brief_lines(lines: Sequence[str]) -> Lines:
    """A brief that was put into words already."""
    return [Text(line, no_wrap=False) for line in lines]


def sent_lines(sent: Sequence[Described]) -> Lines:
    """What became of a brief, channel by channel."""
    return [plain(f"{row['channel']}: {'sent' if row['sent'] else row['reason']}", style="dim") for row in sent]


def checkin_lines(described: Described) -> Lines:
    """How a day was, each value with where it comes from."""
    made = described["checkin"]
    if not made:
        return [plain("there is a check-in that cannot be read; it was left as it is")]
    lines: Lines = [heading(f"{made['date']}, {made['depth']}")]
    rows = [(name.replace("_", " "), *_value(value)) for name, value in made.items() if isinstance(value, dict)]
    if rows:
        lines.append(table(["", "", "from"], rows))
    lines += [plain(f"{row['start'][11:16]} {row['title'] or row['kind']}") for row in made.get("activities") or []]
    if made.get("note"):
        lines.append(plain(made["note"]))
    if len(lines) == 1:
        lines.append(hint("nothing is known of this day; `slowwave checkin --mood 4 --energy 3` says it yourself"))
    return lines


def _value(value: Described) -> tuple[str, str]:
    if "sessions" in value:
        said = f"{count(value['sessions'], 'session')}, {value['from'][11:16]} to {value['until'][11:16]}"
        return said, str(value["source"])
    return f"{value.get('value')}", str(value.get("source", ""))


def commitment_lines(described: Described) -> Lines:
    """What is owed."""
    rows = described["commitments"]
    lines: Lines = [heading(count(len(rows), "commitment"))]
    if rows:
        cells = [(row["id"], row["due"] or "", row["status"], row["statement"]) for row in rows]
        lines.append(table(["id", "due", "status", "what"], cells))
    if described["unreadable"]:
        lines.append(plain(f"{count(described['unreadable'], 'record')} could not be read and stand as they were"))
    if described["isDamaged"]:
        lines.append(plain("commitments.json is no list; it is kept aside when the next one is written"))
    return lines


def triage_lines(described: Described) -> Lines:
    """Commitments by urgency, each with what is suggested."""
    lines: Lines = []
    for category, items in described["categories"].items():
        if not items:
            continue
        lines.append(heading(f"{category} ({len(items)})"))
        lines += [line for item in items for line in _triaged(item)]
    if not lines:
        lines.append(plain("nothing is owed"))
    return [*lines, *(plain(warning, style="yellow") for warning in described["warnings"])]


def _triaged(item: dict[str, Any]) -> Lines:
    suggested = item["suggested"]
    until = f" {suggested['until']}" if suggested["until"] and suggested["action"] == "reschedule" else ""
    return [
        plain(f"  {item['statement']}"),
        plain(f"      {item['reason']}; {suggested['action']}{until}: {suggested['why']}  {item['id']}", style="dim"),
    ]
