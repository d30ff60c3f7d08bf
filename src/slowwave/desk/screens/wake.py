"""How the waking loop's ticks and its state look."""

from slowwave.desk.screens.parts import Described, Lines, count, heading, plain, table


def tick_lines(described: Described) -> Lines:
    """Each sub-task and job: what it did, or why it rested."""
    rows = [*described["subTasks"], *described["jobs"]]
    lines: Lines = [table(["", "", ""], [(row["name"], _state(row), _counts(row)) for row in rows])]
    return [*lines, *(plain(warning, style="yellow") for warning in described["warnings"])]


def tick_words(described: Described) -> str:
    """A tick in one line, for the service: what ran, and its counts."""
    said = [
        f"{row['name']} {row['error'] or _counts(row)}"
        for row in (*described["subTasks"], *described["jobs"])
        if row["error"] or (row["ran"] and any(row["counts"].values()))
    ]
    return plain(f"{described['moment']}  " + "; ".join([*said, *described["warnings"]])).plain


def _state(row: Described) -> str:
    if row["error"]:
        return "failed"
    return "ran" if row["ran"] else "rested"


def _counts(row: Described) -> str:
    if row["error"]:
        return str(row["error"])
    said = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in row["counts"].items() if number)
    return " - ".join(part for part in (said, row["reason"]) if part)


def status_lines(described: Described) -> Lines:
    """When each sub-task ran and is due, what waits, what is left, and what failed."""
    hours = described["activeHours"]
    state = "active now" if hours["active"] else "resting now"
    lines: Lines = [heading(f"The loop works from {hours['start']} to {hours['end']} ({hours['zone']}); {state}")]
    names = described["nextDue"]
    lines.append(
        table(
            ["sub-task", "ran", "due"],
            [(name, described["lastRuns"][name] or "never", names[name]) for name in names],
        )
    )
    lines.append(plain(f"{count(described['waiting'], 'capture')} wait for a new day's budget"))
    lines.append(plain(f"{described['budget']['calls']:,} calls are left of {described['budget']['day']}"))
    for one in described["errors"]:
        lines.append(plain(f"{one['name']} failed {one['count']:,} times, last {one['moment']}: {one['message']}"))
    return [*lines, *(plain(warning, style="yellow") for warning in described["warnings"])]
