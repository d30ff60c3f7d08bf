"""How items, decisions and tasks look."""

from collections.abc import Sequence

from rich.text import Text

from slowwave.desk.screens.parts import Described, Lines, count, heading, hint, paragraph, plain, quoted
from slowwave.facts.text import cut, showable

_ASKED = 20  # claims shown before a question: a screen
_CLAIM_ASKED = 120  # enough to know it again


def review_lines(items: Sequence[Described]) -> Lines:
    """Everything that awaits a decision."""
    if not items:
        return [plain("Nothing awaits your review.")]
    lines: Lines = [heading(_awaiting(items)), plain()]
    for item in items:
        lines += [*item_lines(item), plain()]
    lines.append(hint("`slowwave review` goes through them; `slowwave review accept ITEM`, then `slowwave merge`"))
    return lines


def _awaiting(items: Sequence[Described]) -> str:
    accepted = sum(item["status"] == "accepted" for item in items)
    waiting = len(items) - accepted
    parts = [f"{count(waiting, 'item')} {'awaits' if waiting == 1 else 'await'} your review"] if waiting else []
    parts += (
        [f"{count(accepted, 'accepted item')} {'waits' if accepted == 1 else 'wait'} for merge"] if accepted else []
    )
    return ", ".join(parts)


def item_lines(item: Described) -> Lines:
    """One item: claim, gist, evidence, warning."""
    head = f"{item['id']}  {item['type']}  {item['kind']}  {item['status']}"
    lines: Lines = [plain(head, style="bold"), plain(f"  {item['claim']}")]
    if item.get("gist"):
        lines += paragraph(item["gist"], style="dim")
    lines.append(plain(f"  {item['path']}", style="dim"))
    if item.get("warning"):
        lines.append(plain(f"  careful: {item['warning']}", style="yellow"))
    lines += [quoted(evidence) for evidence in item["evidence"]]
    return lines


def asked_lines(items: Sequence[Described]) -> list[Text]:
    """What a decision is about, shown before the person is asked."""
    lines = [plain(f"{count(len(items), 'item')}:")]
    lines += [plain(f"  {item['id']}  {item['kind']}  {cut(item['claim'], _CLAIM_ASKED)}") for item in items[:_ASKED]]
    if len(items) > _ASKED:
        lines.append(plain(f"  and {len(items) - _ASKED} more; `slowwave review list` shows them"))
    return lines


def context_lines(windows: Sequence[Described]) -> Lines:
    """What was said around an item's quotes; the quoted words stand out."""
    if not windows:
        return [plain("Its transcript is gone; the quotes above are all there is.")]
    lines: Lines = []
    for window in windows:
        lines.append(plain(f"  session {window['sessionId']}", style="dim"))
        lines += [_context_line(line) for line in window["lines"]]
    return lines


def _context_line(line: Described) -> Text:
    here = ">" if line["quotes"] else " "
    shown = plain(f" {here}{line['line']:>6} {line['speaker']:<6} ", style="dim")
    reached = 0
    for start, end in line["quotes"]:
        shown.append(showable(line["text"][reached:start]), style="dim")
        shown.append(showable(line["text"][max(start, reached) : end]), style="bold")
        reached = max(reached, end)
    return shown.append(showable(line["text"][reached:]), style="dim")


def changed_lines(what: str, items: Sequence[Described], next_step: str) -> Lines:
    """What a decision changed."""
    if not items:
        return [plain(f"Nothing was {what}.")]
    lines: Lines = [plain(f"{count(len(items), 'item')} {what}.")]
    lines += [plain(f"  {item['id']}  {item['path']}", style="dim") for item in items]
    if next_step:
        lines.append(hint(next_step))
    return lines


def task_lines(tasks: Sequence[Described]) -> Lines:
    """Tasks, one a line, with when they are due."""
    if not tasks:
        return [plain("No tasks.")]
    lines: Lines = []
    for task in tasks:
        due = f", due {task['due']}" if task["due"] else ""
        lines.append(plain(f"{task['id']}  {task['taskStatus']}{due}", style="bold"))
        lines.append(plain(f"  {task['claim']}"))
        lines.append(plain(f"  {task['path']}", style="dim"))
    return lines
