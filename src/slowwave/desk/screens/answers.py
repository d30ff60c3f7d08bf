"""How a consolidator's answer and a verdict look."""

import json

from rich.text import Text

from slowwave.desk.screens.parts import Described, Lines, count, heading, plain, quoted


def answer_lines(answer: Described) -> Lines:
    """Candidates and commitments with their evidence, and why each finding was kept or not."""
    lines: Lines = [heading(f"{count(len(answer['candidates']), 'candidate')} from {_sessions(answer)}"), plain()]
    for candidate in answer["candidates"]:
        lines += [plain(f"{candidate['kind']}", style="dim"), plain(candidate["claim"], style="bold")]
        lines.append(plain(candidate["gist"]))
        lines += [quoted(evidence) for evidence in candidate["evidence"]]
        lines.append(plain())
    lines.append(heading(count(len(answer["commitments"]), "commitment")))
    for commitment in answer["commitments"]:
        done = ", resolved" if commitment["resolved"] else ""
        lines.append(plain(f"{commitment['actor']} ({commitment['confidence']:.2f}{done}): {commitment['statement']}"))
        lines.append(quoted(commitment["evidence"]))
    return [*lines, *_explained(answer)]


def json_lines(answer: Described) -> Lines:
    """An answer as JSON, for a file; in ASCII, so that nothing in it acts on a terminal."""
    return [Text(json.dumps(answer, indent=1), no_wrap=True, overflow="ignore")]


def check_lines(verdict: Described) -> Lines:
    """Accepted, or every refusal with what to change."""
    if verdict["accepted"]:
        return [plain("Accepted.")]
    lines: Lines = [plain(f"Refused: {count(len(verdict['refusals']), 'reason')}.")]
    return [*lines, *(plain(f"  {r['code']}  {r['path']}: {r['message']}") for r in verdict["refusals"])]


def _sessions(answer: Described) -> str:
    return count(len(answer["readSessionIds"]), "session")


def _explained(answer: Described) -> Lines:
    if "explain" not in answer:
        return []
    lines: Lines = [plain(), heading("Why")]
    for finding in answer["explain"]:
        verdict = f"dropped: {finding['dropped']}" if finding["dropped"] else "kept"
        parts = ", ".join(f"{name} {value:+.1f}" for name, value in finding["parts"].items())
        lines.append(plain(f"{finding['score']:5.1f}  {finding['lens']}  {verdict}"))
        lines.append(plain(f"       {finding['claim']}"))
        lines.append(plain(f"       {parts}", style="dim"))
    return lines
