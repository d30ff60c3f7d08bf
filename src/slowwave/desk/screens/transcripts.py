"""How sessions, hits, lines and losses look."""

from collections import Counter
from collections.abc import Sequence

from slowwave.desk.screens.parts import Described, Lines, count, heading, hint, plain, table
from slowwave.facts.text import WHITE_SPACE, showable

_LOSSES_SHOWN = 20  # a screen; --json has them all


def session_lines(sessions: Sequence[Described], total: int) -> Lines:
    """Sessions as a table, and how many more there are."""
    if not sessions:
        return [plain("No sessions.")]
    rows = [
        (s["id"], s["agent"], s["slug"], (s["started"] or "")[:16], f"{s['prompts']:,}", f"{s['bytes'] / 1e6:.2f}")
        for s in sessions
    ]
    lines: Lines = [table(("id", "agent", "project", "started", "prompts", "MB"), rows)]
    if total > len(sessions):
        lines.append(hint(f"{total - len(sessions):,} more: --limit shows them"))
    return lines


def hit_lines(found: Described) -> Lines:
    """Hits with their context, and whether the listing was cut."""
    lines: Lines = [heading(f"{count(found['total'], 'match', 'matches')}")]
    for hit in found["hits"]:
        text = plain(f"{hit['line']}:{hit['column']} {hit['speaker']} ", style="dim")
        text.append(on_one_line(hit["before"]).lstrip(), style="none")
        text.append(on_one_line(hit["match"]), style="bold")
        text.append(on_one_line(hit["after"]).rstrip(), style="none")
        lines.append(text)
    if found["truncated"]:
        lines.append(hint(f"{found['total'] - len(found['hits']):,} more: ask a narrower phrase"))
    return lines


def on_one_line(text: str) -> str:
    """A piece of a line with its white space as single blanks, those at its ends too, so that pieces may be joined."""
    return showable(WHITE_SPACE.sub(" ", text))


def line_lines(shown: Described) -> Lines:
    """Lines with their speakers, cut where asked."""
    lines: Lines = []
    for line in shown["lines"]:
        rest = f" … {line['length']:,} characters" if line["truncated"] else ""
        lines.append(plain(f"{line['line']:>6} {line['speaker']:<6} {line['text']}{rest}"))
    return lines


def _left_out(examined: Described) -> Lines:
    """What was not read at all, by reason."""
    reasons = Counter(str(skipped["reason"]) for skipped in examined["skipped"])
    reasons.update({f"{agent} (not read yet)": number for agent, number in examined["unsupported"].items()})
    if examined["excluded"]:
        reasons["excluded"] = examined["excluded"]
    told = ", ".join(f"{number:,} {reason}" for reason, number in sorted(reasons.items()))
    return [plain(f"Not read: {told}.")] if told else []


def examination_lines(examined: Described) -> Lines:
    """Files by format, entries by speaker and kind, losses."""
    lines: Lines = [plain(f"{count(examined['files'], 'file')}, {count(examined['sessions'], 'session')}")]
    lines.append(table(("format", "files"), sorted(examined["formats"].items())))
    rows = [(e["speaker"], e["kind"], f"{e['count']:,}") for e in examined["entries"]]
    lines.append(table(("speaker", "kind", "entries"), rows))
    lines += _left_out(examined)
    losses = examined["losses"]
    if not losses:
        return [*lines, plain("No byte of these files was lost.")]
    lines.append(heading(f"{count(sum(examined['lossesByReason'].values()), 'loss', 'losses')}"))
    lines += [plain(f"  {reason}: {number:,}") for reason, number in sorted(examined["lossesByReason"].items())]
    lines += [
        plain(f"    {loss['file']} line {loss['line']} at byte {loss['offset']}: {loss['reason']}", style="dim")
        for loss in losses[:_LOSSES_SHOWN]
    ]
    if len(losses) > _LOSSES_SHOWN:
        lines.append(hint(f"{len(losses) - _LOSSES_SHOWN:,} more: --json lists all"))
    return lines
