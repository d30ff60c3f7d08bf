"""How reminders, channels and what Telegram brought look."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from slowwave.desk.screens.parts import Described, Lines, count, heading, hint, plain, table
from slowwave.facts.moment import parse
from slowwave.facts.text import cut, fold

_TEXT_WIDTH = 80
_SAID = {
    "updates": "came in",
    "stored": "stored",
    "known": "stored before",
    "refused": "too long or without words",
    "dropped": "dropped",
    "without_text": "without text",
    "commands": "commands of the app",
    "unclosed": "tags never closed",
    "other": "of another sort",
    "errors": "times Telegram failed",
}


def reminder_lines(shown: Described) -> Lines:
    """Reminders with when they are due, where they stand, and what holds them."""
    rows: Sequence[Described] = shown["reminders"]
    if not rows:
        return [plain("No reminder waits."), hint("`slowwave capture add --tag follow-up 'remind me tomorrow at 9 …'`")]
    cells = [(row["id"], _local(row["due"], shown["zone"]), row["status"], _text(row)) for row in rows]
    lines: Lines = [table(("id", "due", "status", "text"), cells)]
    lines += [plain(f"{row['id']}: {row['error']}", style="yellow") for row in rows if row["error"]]
    if not shown["channels"]:
        lines.append(hint("No channel is configured, so nothing is sent: set notify.urls (docs/reminders.md)."))
    if shown["quietUntil"]:
        lines.append(plain(f"Quiet hours: nothing is sent before {shown['quietUntil']}.", style="dim"))
    return lines


def cancelled_lines(reminder: Described) -> Lines:
    """That it will not be sent."""
    return [heading(f"{reminder['id']} is cancelled."), plain(f"  {_text(reminder)}")]


def channel_lines(tested: Described) -> Lines:
    """Each channel, and whether it took the test."""
    rows = [(row["channel"], "sent" if row["sent"] else "not sent", row["reason"]) for row in tested["channels"]]
    lines: Lines = [table(("channel", "", "why"), rows)]
    if tested["failed"]:
        lines.append(hint("docs/reminders.md has an example for each sort of channel."))
    return lines


def telegram_lines(taken: Described) -> Lines:
    """What came, what was kept, and which chats could be allowed."""
    counts = taken["counts"]
    told = [f"{counts[name]:,} {said}" for name, said in _SAID.items() if counts.get(name)]
    lines: Lines = [plain(f"Telegram: {', '.join(told) or 'nothing came in'}.")]
    strangers = taken["notAllowed"]
    if strangers:
        lines.append(plain(f"{count(len(strangers), 'chat')} not allowed: {', '.join(map(str, strangers))}"))
        lines.append(hint(f"Yours? `slowwave config set telegram.chats '[{strangers[0]}]'`"))
    return lines


def _text(reminder: Described) -> str:
    return cut(fold(str(reminder["text"])), _TEXT_WIDTH)


def _local(moment: str, zone: str) -> str:
    """A moment by the wall of the home's zone; by UTC where the zone has no name of its own."""
    parsed = parse(moment)
    if parsed is None:
        return moment
    try:
        return f"{parsed.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M %Z}"
    except (ZoneInfoNotFoundError, ValueError):
        return f"{parsed:%Y-%m-%d %H:%M %Z}"
