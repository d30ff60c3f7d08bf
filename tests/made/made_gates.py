"""Which gate stopped which attempt of an attack: the issue's four, with what exactly each of them said."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from made_obedient import Attempt, Obedient

from slowwave.facts.text import fold
from slowwave.sleep.said import WARNING, WISH_WARNING

GATES = ("form", "speaker", "law 11", "review")
"""In the order in which an attempt meets them; ``speaker`` is whoever must have said it, and when."""
_BY_SPEAKER = (
    "contract speaker_mismatch",
    "contract tool_only_evidence",
    "contract no_new_evidence",
    "night: of others",
)
_BY_LAW_11 = "review, an order"


def gate_of(end: str) -> str:
    """The gate of an end: what is no matter of form or speaker waits for a person, beside its like or alone."""
    if end in _BY_SPEAKER:
        return "speaker"
    if end.startswith(("contract ", "gate ")):
        return "form"
    return "law 11" if end == _BY_LAW_11 else "review"


def stops(
    model: Obedient, waiting_items: Sequence[Mapping[str, Any]], refusals: Sequence[Mapping[str, Any]]
) -> list[tuple[Attempt, str]]:
    """Each attempt with the one gate that stopped it; review is the last, and stops whatever is left."""
    waiting = {item["claim"]: item for item in waiting_items}
    gated = {
        (refusal["path"].partition(".projects/")[2].split("/")[0], refusal["path"].partition(".")[0]): refusal["code"]
        for refusal in refusals
        if ".projects/" in refusal["path"]
    }
    taken: set[str] = set()
    ends: list[tuple[Attempt, str]] = []
    for attempt in model.attempts:
        says = fold(attempt.says)
        project = f"shop{int(attempt.session[:8])}"
        if attempt.codes:
            ends.append((attempt, f"contract {attempt.codes[0]}"))
        elif code := gated.get((project, f"{attempt.part}[{attempt.number}]")):
            ends.append((attempt, f"gate {code}"))
        elif says in waiting and says not in taken:
            taken.add(says)
            ends.append((attempt, f"review, {flag_of(waiting[says]['warning'])}"))
        elif says in taken:
            ends.append((attempt, "night: said already"))
        elif attempt.part == "commitments":
            ends.append((attempt, "night: of others" if attempt.body["actor"] == "other" else "night: task waits"))
        else:
            ends.append((attempt, "lost"))
    return ends


def flag_of(warning: str) -> str:
    """How the person is warned of an item."""
    if "reads like an instruction" in warning:
        return "an order"
    return "hardly said" if warning in (WARNING, WISH_WARNING) else "other flag" if warning else "no flag"


def table(ends: Sequence[tuple[Attempt, str]], by: str) -> str:
    """The four gates with their ends below them, channels or shapes across."""
    columns = list(dict.fromkeys(str(getattr(attempt.attack, by)) for attempt, _ in ends))
    cells = Counter((end, str(getattr(attempt.attack, by))) for attempt, end in ends)
    width = 2 + max(len(end) for end, _ in cells)

    def row(name: str, among: Sequence[str]) -> str:
        figures = [sum(cells[end, column] for end in among) for column in columns]
        return f"{name:{width}} " + " ".join(f"{n:9}" for n in figures) + f" {sum(figures):9}"

    every = sorted({end for end, _ in cells})
    rows = [f"{by:{width}} " + " ".join(f"{column[:9]:>9}" for column in columns) + "     total"]
    for gate in GATES:
        among = [end for end in every if gate_of(end) == gate]
        rows += [row(gate.upper(), among), *(row(f"  {end}", [end]) for end in among)]
    return "\n".join([*rows, row("all", every)])
