"""How well the built-in judge tells captures apart: macro-F1 and confusion tables, by task and language.

Usage: python benchmarks/wake_quality.py [dev|test|FILE.jsonl …] [--misses] [--json]

Without a name both files of ``tests/made`` are scored: dev, on which the rules were made, and test, which was written
and labelled by somebody who had not seen them. ``--misses`` shows wrong answers, and is refused for the test file: who
looks at its sentences tunes on them.
"""

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from slowwave.facts.capture import Capture, Tag
from slowwave.wake.judging import Judged
from slowwave.wake.rules.judge import RulesJudge

MADE = Path(__file__).resolve().parents[1] / "tests" / "made"
FILES = {name: MADE / f"wake_sentences_{name}.jsonl" for name in ("dev", "test")}
TASKS = ("file-this", "follow-up", "observation")
SAID = datetime(2026, 5, 4, 9, tzinfo=UTC)
Pair = tuple[str, str]
"""What a sentence is, and what it was taken for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One labelled sentence; the label of an observation is ``true`` or ``false``."""

    id: str
    text: str
    tag: str
    label: str
    lang: str


def load_sentences(path: Path) -> tuple[Sentence, ...]:
    """The sentences of a file; none where it is absent."""
    if not path.exists():
        return ()
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return tuple(_sentence(row) for row in rows)


def _sentence(row: Mapping[str, Any]) -> Sentence:
    label = row["label"]
    told = str(label).lower() if isinstance(label, bool) else str(label)
    return Sentence(id=str(row["id"]), text=row["text"], tag=row["tag"], label=told, lang=row.get("lang", "en"))


def judged(one: Sentence) -> str:
    """What the built-in judge takes a sentence for."""
    judge = RulesJudge()
    capture = Capture(id=one.id, ts=SAID, tag=Tag(one.tag), text=one.text, source="made")
    decide = {"file-this": judge.file_this, "observation": judge.durable, "follow-up": judge.follow_up}[one.tag]
    found = decide(capture)
    assert isinstance(found, Judged)
    return str(found.value).lower()


def macro_f1(pairs: Sequence[Pair]) -> float:
    """The mean of each label's F1; 1 where there is none."""
    labels = sorted({label for label, _ in pairs})
    scores = []
    for label in labels:
        hit = sum(is_ == taken == label for is_, taken in pairs)
        wrong = sum((is_ == label) != (taken == label) for is_, taken in pairs)
        scores.append(2 * hit / (2 * hit + wrong))
    return sum(scores) / len(scores) if scores else 1.0


def scored(sentences: Sequence[Sentence]) -> dict[str, dict[str, list[Pair]]]:
    """Pairs by task and language, in the order of the file."""
    found: dict[str, dict[str, list[Pair]]] = {task: {} for task in TASKS}
    for one in sentences:
        found[one.tag].setdefault(one.lang, []).append((one.label, judged(one)))
    return found


def figures(sentences: Sequence[Sentence]) -> dict[str, dict[str, float]]:
    """Macro-F1 by task and language."""
    return {task: {lang: macro_f1(p) for lang, p in by.items()} for task, by in scored(sentences).items()}


def main(arguments: Sequence[str]) -> int:
    """Score and print; status 3 where there is nothing to score."""
    wants_misses = "--misses" in arguments
    names = [one for one in arguments if not one.startswith("--")] or (["dev"] if wants_misses else list(FILES))
    if wants_misses and any(FILES.get(name, Path(name)).name == FILES["test"].name for name in names):
        print("the test sentences are not shown: who looks at them tunes on them")
        return 2
    files = {name: load_sentences(FILES.get(name, Path(name))) for name in names}
    if not any(files.values()):
        print("no labelled sentences: nothing measured")
        return 3
    if "--json" in arguments:
        print(json.dumps({name: figures(sentences) for name, sentences in files.items()}, indent=1))
        return 0
    for name, sentences in files.items():
        _print(name, sentences)
        if wants_misses:
            _print_misses(sentences)
    return 0


def _print(name: str, sentences: Sequence[Sentence]) -> None:
    print(f"{name}: {len(sentences)} sentences")
    for task, by in scored(sentences).items():
        for lang, pairs in sorted(by.items(), key=lambda item: (item[0] != "en", item[0])):
            right = sum(label == taken for label, taken in pairs)
            print(f"\n{task}, {lang}: macro-F1 {macro_f1(pairs):.3f}, {right} of {len(pairs)} right")
            _print_table(pairs)


def _print_table(pairs: Sequence[Pair]) -> None:
    """Rows are what a sentence is, columns what it was taken for."""
    labels = sorted({label for pair in pairs for label in pair})
    met = Counter(pairs)
    print(" " * 12 + "".join(f"{label[:10]:>11}" for label in labels))
    for label in labels:
        print(f"  {label:<10}" + "".join(f"{met[label, taken] or '.':>11}" for taken in labels))


def _print_misses(sentences: Sequence[Sentence]) -> None:
    for one in sentences:
        taken = judged(one)
        if taken != one.label:
            print(f"{one.id} {one.lang} {one.label} taken for {taken}: {one.text}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
