"""How plans, changes and pins of hygiene look."""

from collections.abc import Sequence

from slowwave.desk.screens.parts import Described, Lines, count, heading, hint, plain, table

_SHOWN = 40  # rows of a list; --json has all
_LINES_SHOWN = 6  # of a text that was taken out; `recall` prints all
_DIGITS = 16  # of a revision that are shown


def plan_lines(told: Described) -> Lines:
    """What would be done, what was refused, and what it saves."""
    operations, tokens = told["operations"], told["tokens"]
    if not operations:
        lines: Lines = [heading("Nothing is to be taken out."), *_refused(told)]
        return [*lines, plain(f"{tokens['before']:,} tokens, {told['pins']['count']:,} pins", style="dim")]
    share = tokens["saved"] / tokens["before"] if tokens["before"] else 0.0
    return [
        heading(
            f"{count(len(operations), 'operation')}, {tokens['saved']:,} of {tokens['before']:,} tokens ({share:.0%})"
        ),
        table(("at", "what", "why", "tokens"), [_row(each) for each in operations[:_SHOWN]]),
        *_more(len(operations)),
        *_refused(told),
        plain(f"pins: {_counted(told['pins']['by_reason'])}", style="dim"),
        plain(f"parent {told['parent'][:_DIGITS]}  revision {told['revision'][:_DIGITS]}", style="dim"),
        hint("`slowwave hygiene apply FILE --out FORK` writes it; `recall` brings any piece back."),
    ]


def applied_lines(told: Described) -> Lines:
    """What was done."""
    if not told["written"]:
        return plan_lines(told)
    tokens, session = told["tokens"], told["session"]
    lines: Lines = [
        heading(f"{told['out']}: {tokens['before']:,} tokens became {tokens['after']:,}"),
        *_refused(told),
        plain(f"parent {told['parent'][:_DIGITS]}  revision {told['revision'][:_DIGITS]}", style="dim"),
    ]
    if session["new"] != session["old"]:
        lines.append(plain(f"The fork is session {session['new']}; the agent resumes it by that id."))
    for key, value in told["settings"].items():
        lines.append(plain(f"{key}: {value}"))
    return [
        *lines,
        hint(f"`slowwave hygiene restore {told['out']} --revision {told['parent'][:_DIGITS]} --out FILE2` undoes it."),
    ]


def log_lines(entries: Sequence[Described]) -> Lines:
    """The log, the latest first."""
    if not entries:
        return [plain("Nothing was changed yet.")]
    rows = [
        (each["entry"], each["at"], each["cause"], each["parent"][:_DIGITS], each["revision"][:_DIGITS], each["file"])
        for each in entries[:_SHOWN]
    ]
    return [table(("entry", "at", "what", "parent", "revision", "file"), rows), *_more(len(entries))]


def entry_lines(entry: Described) -> Lines:
    """One entry whole."""
    lines: Lines = [heading(f"entry {entry['sequence']}: {entry['cause']} by {entry['actor']} at {entry['at']}")]
    lines += [plain(f"{key}: {entry[key]}") for key in ("source", "target", "before", "after", "profile") if entry[key]]
    lines += [plain(f"  {each['op']} {each['range']} {each.get('detector', '')}") for each in entry["operations"]]
    return [*lines, *[plain(f"  refused: {each['code']} {each['message']}") for each in entry["rejected"]]]


def diff_lines(rows: Sequence[Described]) -> Lines:
    """What was taken out, item by item."""
    lines: Lines = []
    for row in rows[:_SHOWN]:
        lines.append(heading(f"[{row['index']}] {row['item']}"))
        lines += [plain(f"- {text}", style="red") for text in _head(row["before"])]
        lines += [plain(f"+ {text}", style="green") for text in _head(row["after"])]
    return [*lines, *_more(len(rows))] if rows else [plain("The last change took nothing out.")]


def recall_lines(row: Described) -> Lines:
    """What stood there."""
    return [plain(row["text"])]


def written_lines(told: Described) -> Lines:
    """One change that was made."""
    return [
        heading(f"{told['cause']}: {told.get('out', told['file'])}"),
        plain(f"parent {told['parent'][:_DIGITS]}  revision {told['revision'][:_DIGITS]}", style="dim"),
    ]


def audit_lines(told: Described) -> Lines:
    """What a look at the whole log found."""
    if not told["flaws"]:
        kept = count(told["originals"], "original")
        return [
            heading(f"All is as it was written: {count(told['entries'], 'entry', 'entries')}, {kept}."),
            *_notes(told),
        ]
    lines: Lines = [heading(f"{count(len(told['flaws']), 'flaw')} found")]
    return [
        *lines,
        *[plain(f"{each['code']} {each['where']}: {each['message']}") for each in told["flaws"]],
        *_notes(told),
    ]


def proposal_lines(found: Sequence[Described]) -> Lines:
    """What the night proposes."""
    if not found:
        return [
            plain("Nothing is proposed."),
            hint("`slowwave config set hygiene.transcripts` names contexts to watch."),
        ]
    rows = [(each["file"], f"{each['operations']:,}", f"{each['saved']:,}", each["ops"]) for each in found]
    return [
        table(("context", "operations", "tokens", "proposal"), rows),
        hint("`slowwave hygiene apply CONTEXT --out FORK --ops PROPOSAL` carries one out."),
    ]


def pin_lines(pins: Sequence[Described]) -> Lines:
    """Everything that is pinned."""
    if not pins:
        return [plain("Nothing is pinned by hand.")]
    return [table(("digest", "item", "why"), [(each["digest"], each["item"], each["why"]) for each in pins])]


def _row(operation: Described) -> tuple[str, str, str, str]:
    start, end = operation["range"]
    before = sum(item["tokens"][0] for item in operation["items"])
    after = sum(item["tokens"][1] for item in operation["items"])
    tools = ", ".join(sorted({item["tool"] for item in operation["items"] if item["tool"]}))
    return f"[{start},{end})", f"{operation['op']} {tools}", operation["detector"], f"{before:,} → {after:,}"


def _refused(told: Described) -> Lines:
    shown: Lines = [plain(f"refused {each['code']}: {each['message']}") for each in told["rejected"][:_SHOWN]]
    if told["withheld"]:
        shown.append(plain(f"{count(told['withheld'], 'good operation')} held back, since another one was refused"))
    return shown


def _notes(told: Described) -> Lines:
    return [plain(f"note: {each['where']}: {each['message']}", style="dim") for each in told["notes"]]


def _counted(reasons: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {reason.replace('_', ' ')}" for reason, number in reasons.items()) or "none"


def _head(text: str) -> list[str]:
    lines = text.split("\n")
    left = len(lines) - _LINES_SHOWN
    return [*lines[:_LINES_SHOWN], *([f"… {left:,} more lines"] if left > 0 else [])]


def _more(total: int) -> Lines:
    return [plain(f"and {total - _SHOWN:,} more: --json has all", style="dim")] if total > _SHOWN else []
