"""How a night looks when it is over."""

from collections.abc import Sequence

from slowwave.desk.screens.parts import Described, Lines, count, heading, hint, plain, table
from slowwave.facts.usage import MICRO

_SKIPPED = "skipped_"


def night_lines(night: Described, *, is_kept: bool = True) -> Lines:
    """What was read, found, refused, and, where the home is kept, what to do next."""
    counts = _counts(night)
    lines: Lines = [heading("Would do" if night["dryRun"] else f"Night {night['run']}")]
    lines += [plain(f"Note: {note}.", style="yellow") for note in night.get("notes", ())]
    lines += _reading(counts)
    lines += _asked(night, counts)
    lines += _batches(night.get("batches", ()))
    lines += _memories(night["memories"], counts)
    lines += _tasks(night["tasks"])
    lines += _trouble(night)
    return [*lines, *(_next(night, counts) if is_kept else [])]


def demo_lines(night: Described) -> Lines:
    """A night over the samples, said to be one."""
    lines: Lines = [heading("Demo: invented sessions of three invented projects, in a home of their own"), plain()]
    lines += night_lines(night, is_kept=bool(night.get("home")))
    lines.append(plain())
    if night.get("home"):
        lines.append(hint(f"Look further: slowwave --home {night['home']} review list"))
    else:
        lines.append(
            hint(
                "This home is gone again. `slowwave demo --keep DIR` leaves one to review; `slowwave sleep` reads your"
                " own sessions (the command lies in .venv/bin)"
            )
        )
    return lines


def _counts(night: Described) -> Described:
    totals: dict[str, int] = {}
    for phase in night["phases"]:
        totals |= phase["counts"]
    return totals


def _reading(counts: Described) -> Lines:
    found = counts.get("sessions_found", 0)
    done = counts.get("sessions_consolidated", 0)
    text = f"Read {count(done, 'new session')} of {found:,} ({counts.get('bytes', 0) / 1e6:.1f} MB)"
    rest = [
        (counts.get("sessions_known", 0), "known"),
        (counts.get("sessions_unsettled", 0), "still going on"),
        (counts.get("sessions_copies", 0), "copies"),
        (counts.get("sessions_foreseen", 0), "would be asked about"),
        (counts.get("sessions_waiting", 0) + counts.get("sessions_unread", 0), "waiting"),
        (counts.get("sessions_set_aside", 0), "set aside after three failures alone"),
    ]
    text += "".join(f", {number:,} {word}" for number, word in rest if number)
    left = [f"{number:,} {name.removeprefix(_SKIPPED)}" for name, number in counts.items() if name.startswith(_SKIPPED)]
    return [plain(text + "."), *([plain(f"Not read: {', '.join(left)}.", style="dim")] if left else [])]


def _asked(night: Described, counts: Described) -> Lines:
    """What asking a model used; nothing where nobody was asked."""
    calls = counts.get("model_calls", 0)
    if not calls:
        return []
    tokens = counts.get("model_input_tokens", 0) + counts.get("model_output_tokens", 0)
    usd = counts.get("model_micro_usd", 0) / MICRO
    # What an agent used is between its person and their provider, and on no account of ours.
    where = " (`slowwave cost`)" if str(night["engine"]).startswith("model/") else ", as the agent said"
    return [plain(f"Asked in {count(calls, 'call')}: {tokens:,} tokens, ${usd:,.4f}{where}.")]


def _batches(batches: Sequence[Described]) -> Lines:
    """The batches of a dry run, each with the id by which it can be asked for, and what reading it may cost."""
    if not batches:
        return []
    rows = [
        (one["id"], one["project"] or "-", f"{one['sessions']:,}", f"{one['bytes'] / 1e6:.1f}", _cost(one["estimate"]))
        for one in batches
    ]
    return [plain(), table(("batch", "project", "sessions", "MB", "estimate"), rows)]


def _cost(estimate: Described | None) -> str:
    if estimate is None:
        return "free"
    usd = "cost unknown" if estimate["usd"] is None else f"${estimate['usd']:,.2f}"
    return f"{usd}, {count(estimate['calls'], 'call')}"


def _memories(memories: Sequence[Described], counts: Described) -> Lines:
    if not memories and (counts.get("sessions_foreseen") or counts.get("batches_failed")):
        return []
    refused = counts.get("refused_by_gate", 0) + counts.get("candidates_refused", 0)
    if not memories and refused:
        return [plain(f"No new memory: {count(refused, 'proposal')} came, and each was refused, as told below.")]
    if not memories and not counts.get("sessions_consolidated"):
        return [plain("There was nothing new to read.")]
    if not memories and counts.get("known", 0) + counts.get("already_proposed", 0):
        return [plain("No new memory: what recurs is known already.")]
    if not memories:
        return [plain("No new memory: nothing recurred that is worth keeping.")]
    lines: Lines = [plain(), heading(f"{count(len(memories), 'memory', 'memories')} proposed")]
    for memory in memories:
        again = " (seen again)" if memory["type"] == "reinforce" else ""
        lines.append(plain(f"  {memory['item']}  {memory['kind']}{again}", style="dim"))
        lines.append(plain(f"    {memory['claim']}"))
    return lines


def _tasks(tasks: Sequence[Described]) -> Lines:
    if not tasks:
        return []
    lines: Lines = [plain(), heading(f"{count(len(tasks), 'task')} proposed")]
    for task in tasks:
        close = " (looks done)" if task["type"] == "close" else ""
        lines.append(plain(f"  {task['item']}{close}", style="dim"))
        lines.append(plain(f"    {task['claim']}"))
    return lines


def _trouble(night: Described) -> Lines:
    lines: Lines = []
    for phase in night["phases"]:
        if phase["status"] in ("failed", "degraded"):
            lines.append(
                plain(f"{phase['name'].replace('_', ' ')} {phase['status']}: {phase['reason']}", style="yellow")
            )
        for r in phase["refusals"]:
            word = "" if r["code"].startswith("lost_") else "refused "
            lines.append(plain(f"  {word}{r['code']} {r['path']}: {r['message']}", style="dim"))
    return [plain(), *lines] if lines else []


def _next(night: Described, counts: Described) -> Lines:
    lines: Lines = [plain()]
    waiting = counts.get("sessions_waiting", 0) + counts.get("sessions_unread", 0)
    if waiting and counts.get("batches_failed"):
        lines.append(hint(f"{count(waiting, 'session')} wait until what is told above is mended; nothing is lost"))
    elif waiting:
        lines.append(hint(f"{count(waiting, 'session')} wait: run `slowwave sleep` again"))
    if night["dryRun"]:
        lines.append(hint("Nothing was changed; `slowwave sleep` does it"))
    elif night["memories"] or night["tasks"]:
        lines.append(hint("`slowwave review` shows each with its evidence; nothing lands before you accept it"))
    return lines if len(lines) > 1 else []
