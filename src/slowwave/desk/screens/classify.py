"""How classified captures look."""

from slowwave.desk.screens.parts import Described, Grid, Lines, plain
from slowwave.facts.text import cut, fold

_REASON_CHARACTERS = 100  # of a reason on a screen; the envelope has it whole


def classify_lines(found: Described) -> Lines:
    """A row a capture, then what was no capture, then why no model was asked."""
    rows = [_row(one) for one in found["results"]]
    shown: Lines = [Grid(columns=("id", "what", "where", "due", "by", "why"), rows=rows)] if rows else []
    rejected = [plain(f"line {one['line']}: {one['reason']}, skipped", style="dim") for one in found["rejected"]]
    note = [plain(f"rules only, since {found['note']}", style="dim")] if found["note"] else []
    return [*shown, *rejected, *note] or [plain("no captures in this file")]


def _row(one: Described) -> tuple[str, ...]:
    cells = (one["id"], _what(one), _where(one), one["due"] or one.get("due_reason", ""), one["decided_by"])
    return tuple(plain(fold(str(cell))).plain for cell in (*cells, cut(one.get("reason", ""), _REASON_CHARACTERS)))


def _what(one: Described) -> str:
    if "waits" in one:
        return "waits"
    if "durable" in one:
        return "a trait" if one["durable"] else "no durable trait"
    return str(one.get("class") or one.get("kind") or one["tag"])


def _where(one: Described) -> str:
    place = one["destination"]
    if place is None:
        return "-"
    return " ".join(filter(None, (place["file"], place.get("section", "") or place.get("queue", ""))))
