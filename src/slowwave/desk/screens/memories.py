"""How found memories, their reasons and exports look."""

from slowwave.desk.screens.parts import Described, Lines, count, heading, hint, plain, quoted

_VERIFIED = {"true": "stands in the transcript", "false": "no longer stands there", "gone": "transcript is gone"}


_STANDING = {
    "landed": "on main",
    "pending": "pending: it awaits your review and is not on main",
    "accepted": "accepted: `slowwave merge` lands it on main",
    "uncommitted": "in your checkout only: its file is not committed",
}


def search_lines(found: Described) -> Lines:
    """Hits, best first, with what is not committed or is archived said of each."""
    lines: Lines = []
    for hit in found["hits"]:
        marks = [hit["status"]] if hit["status"] != "active" else []
        marks += ["not committed"] if hit["uncommitted"] else []
        lines.append(plain(hit["claim"], style="bold"))
        lines.append(plain(f"  {hit['snippet']}"))
        said = f"  ({', '.join(marks)})" if marks else ""
        lines.append(plain(f"  {hit['path']}{said}", style="dim"))
    if not lines:
        lines.append(plain("Nothing found."))
        if found["pending"]:
            lines.append(hint(f"{count(found['pending'], 'item')} await your review; search covers what landed"))
    if found["unreadable"]:
        what = f"{count(found['unreadable'], 'file')} could not be read and {_were(found['unreadable'])} not searched"
        lines.append(plain(f"{what}; `slowwave doctor` names them", style="yellow"))
    return lines


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def why_lines(found: Described) -> Lines:
    """Claim, how firmly it stands, evidence, and what looking again found."""
    lines: Lines = [heading(found["claim"]), plain(found["path"], style="dim")]
    retired = f", {found['status']}" if found["status"] != "active" else ""
    lines.append(plain(f"{_STANDING[found['standing']]}{retired}", style="dim"))
    if found["uncommitted"] and found["standing"] == "landed":
        lines.append(
            plain("Your checkout's file differs and is not committed; shown is what main has.", style="yellow")
        )
    lines.append(plain())
    for evidence in found["evidence"]:
        lines.append(quoted(evidence))
        pending = "" if evidence["landed"] or found["standing"] != "landed" else ", pending"
        lines.append(plain(f"           {_VERIFIED[str(evidence['verified']).lower()]}{pending}", style="dim"))
    if not found["evidence"]:
        lines.append(plain("No quotes: this memory was not consolidated from transcripts."))
    lines += [
        plain(),
        plain(f"commit {found['commit'] or 'none'}, {count(len(found['sessions']), 'session')}", style="dim"),
    ]
    return lines


def moved_lines(moved: Described) -> Lines:
    """Where a memory went."""
    return [plain(f"{moved['from']} now stands at {moved['path']}.")]


def export_lines(written: Described) -> Lines:
    """What was written where, or the block itself in a dry run."""
    if written["dryRun"]:
        return [plain(written["block"])]
    what = count(written["memories"], "memory", "memories")
    where = f"{what} of project {written['project']}"
    if not written["changed"]:
        return [plain(f"{written['file']} holds them already: {where}."), *_uncommitted(written)]
    lines: Lines = [plain(f"{where} written to {written['file']}.")]
    if written["left"]:
        lines.append(hint(f"{written['left']:,} more did not fit; `--budget N` takes more tokens"))
    return lines + _uncommitted(written)


def _uncommitted(written: Described) -> Lines:
    if not written["uncommitted"]:
        return []
    files = count(written["uncommitted"], "file")
    return [plain(f"{files} with edits that are not committed: what main has was taken.", style="yellow")]
