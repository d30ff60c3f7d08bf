"""How items, decisions and tasks look."""

from collections.abc import Sequence

from slowwave.desk.screens.parts import Described, Lines, count, heading, hint, paragraph, plain, quoted


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
