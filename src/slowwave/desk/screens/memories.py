"""How found memories, their reasons and exports look."""

from slowwave.desk.screens.parts import Described, Lines, count, heading, hint, plain, quoted

_VERIFIED = {"true": "stands in the transcript", "false": "no longer stands there", "gone": "transcript is gone"}


def search_lines(found: Described) -> Lines:
    """Hits, best first."""
    hits = found["hits"]
    if not hits:
        lines: Lines = [plain("Nothing found.")]
        if found.get("pending"):
            lines.append(
                hint(f"{count(found['pending'], 'item')} await your review; search covers what landed on main")
            )
        return lines
    lines = []
    for hit in hits:
        lines.append(plain(hit["claim"], style="bold"))
        lines.append(plain(f"  {hit['snippet']}"))
        lines.append(plain(f"  {hit['path']}  ({hit['score']:.2f})", style="dim"))
    return lines


def why_lines(found: Described) -> Lines:
    """Claim, evidence, and what looking again found."""
    lines: Lines = [heading(found["claim"]), plain(found["path"], style="dim"), plain()]
    for evidence in found["evidence"]:
        lines.append(quoted(evidence))
        lines.append(plain(f"           {_VERIFIED[str(evidence['verified']).lower()]}", style="dim"))
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
        return [plain(f"{written['file']} holds them already: {where}.")]
    lines: Lines = [plain(f"{where} written to {written['file']}.")]
    if written["left"]:
        lines.append(hint(f"{written['left']:,} more did not fit; `--budget N` takes more tokens"))
    return lines
