"""How the weights of the built-in judge were found: from the dev sentences alone, by regression, rounded.

Usage: python benchmarks/wake_weights.py [--write]     prints what five folds say of it, and with --write the table

The cue lists are written by hand; what each row says for each value is fitted to the labelled dev sentences of all
languages together, held small (L2), so that no row is believed for one sentence. The folds are an honest estimate: a
sentence is judged with weights that have not seen it. Deterministic: the same sentences give the same table.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path

from slowwave.wake.rules.reading import read
from wake_quality import TASKS, Sentence, load_sentences, macro_f1

DEV = Path(__file__).resolve().parents[1] / "tests" / "made" / "wake_sentences_dev.jsonl"
TABLE = Path(__file__).resolve().parents[1] / "src" / "slowwave" / "wake" / "rules" / "weights.toml"
TABLES = {"file-this": "file_this", "observation": "durable", "follow-up": "follow_up"}
HEAD = """# What each row says for each value, the same for all languages; `start` is what a value begins with.
# Fitted to tests/made/wake_sentences_dev.jsonl by benchmarks/wake_weights.py --write; not edited by hand.
"""
SILENT = {
    "file-this": "remind owe deliver others_promise chore aside must condition self habit bare_self transient hearsay"
    " hypothetical once user deliver_other deliver_chore_other must_dated must_other owe_own other_waits their_promise"
    " this_time self_this_time dated_bare self_habit self_transient self_once self_now self_only chore_dated"
    " chore_undated",
    "follow-up": "this_time self_this_time self habit bare_self transient hearsay hypothetical once user self_habit"
    " self_transient self_once"
    " self_now self_only body measure own_body i_body own_measure other_body like own_like other_like fact other_fact"
    " other_fact_undated work work_state work_finding work_idea work_alone work_behind state state_alone finding idea"
    " happening happened_then decide we_decide own_decide choose",
    "observation": "remind owe deliver others_promise chore aside must condition deliver_other deliver_chore_other"
    " must_dated must_other owe_own other_waits their_promise dated_bare chore_dated chore_undated work_state"
    " work_finding work_idea work_alone work_behind state_alone",
}
"""Rows that are no part of a question: what follow-ups are told by says nothing of what a note is about."""
ROUNDS = 400  # of descent; the sums do not change after some 300
RATE = 0.5
HELD = 0.004  # L2: how dear a weight is
FOLDS = 5

Rows = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A sentence as its rows."""

    rows: tuple[str, ...]
    label: str


def main(arguments: Sequence[str]) -> int:
    """Fit, estimate, and write where asked."""
    written = [HEAD]
    for task in TASKS:
        silent = set(SILENT[task].split())
        seen = [Seen(rows=("start", *sorted(set(read(one.text).shown) - silent)), label=one.label) for one in _of(task)]
        languages = [one.lang for one in _of(task)]
        guesses = _folded(seen)
        for language in ("en", "de", "es"):
            pairs = [
                (one.label, guess)
                for one, guess, spoken in zip(seen, guesses, languages, strict=True)
                if spoken == language
            ]
            print(f"{task:12} {language}  macro-F1 {macro_f1(pairs):.3f} over {FOLDS} folds of {len(pairs)}")
        written.append(_table(TABLES[task], fit(seen)))
    if "--write" in arguments:
        TABLE.write_text("\n".join(written), encoding="utf-8")
    return 0


def _of(task: str) -> list[Sentence]:
    return [one for one in load_sentences(DEV) if one.tag == task]


def _folded(seen: Sequence[Seen]) -> list[str]:
    """What each sentence is found to be, with weights of the other folds."""
    guesses = [""] * len(seen)
    for fold in range(FOLDS):
        weights = fit([one for at, one in enumerate(seen) if at % FOLDS != fold])
        for at in range(fold, len(seen), FOLDS):
            sums = _sums(weights, seen[at].rows)
            guesses[at] = max(sums, key=lambda value: sums[value])
    return guesses


def fit(seen: Sequence[Seen]) -> Rows:
    """Weights by multinomial regression, from none, in steps over all sentences at once."""
    values = list(dict.fromkeys(one.label for one in seen))
    names = sorted({name for one in seen for name in one.rows})
    weights = {value: dict.fromkeys(names, 0.0) for value in values}
    for _ in range(ROUNDS):
        slopes = {value: dict.fromkeys(names, 0.0) for value in values}
        for one in seen:
            for value, share in _shares(_sums(weights, one.rows)).items():
                miss = ((value == one.label) - share) / len(seen)
                for name in one.rows:
                    slopes[value][name] += miss
        for value in values:
            for name in names:
                weights[value][name] += RATE * (slopes[value][name] - HELD * weights[value][name])
    return weights


def _sums(weights: Rows, rows: Sequence[str]) -> dict[str, float]:
    return {value: sum(of.get(name, 0.0) for name in rows) for value, of in weights.items()}


def _shares(sums: Mapping[str, float]) -> dict[str, float]:
    most = max(sums.values())
    grown = {value: exp(one - most) for value, one in sums.items()}
    total = sum(grown.values())
    return {value: one / total for value, one in grown.items()}


def _table(name: str, weights: Rows) -> str:
    lines = []
    for value, rows in weights.items():
        lines.append(f"[{name}.{value}]")
        lines += [f"{row} = {weight:.2f}" for row, weight in rows.items() if abs(weight) >= 0.02]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
