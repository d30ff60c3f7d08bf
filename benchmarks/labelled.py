"""Labelled batches: loaded, and answers held against their labels by the folder's own ``score.py``."""

import importlib.util
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from slowwave.facts.answer import Answer, Proved
from slowwave.facts.evidence import Quote
from slowwave.proof.batch import Batch, whole_batch
from slowwave.proof.quotes import locate
from slowwave.records.recording import Recording, load
from slowwave.records.sessions import scan_folder

GOLD = Path(__file__).resolve().parents[2] / "shared" / "gold"
DRAWS = 20  # random answers a batch; the same number score.py uses
SHARES = ("full_precision", "precision", "must_recall", "recall", "commitment_precision", "commitment_recall")
Scored = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One labelled batch, loaded."""

    name: str
    folder: Path
    gold: Mapping[str, Any]
    recordings: tuple[Recording, ...]
    batch: Batch
    size: int


def load_labelled(folder: Path) -> tuple[Labelled, ...]:
    """Every labelled batch below a folder, by name; none where the labels are absent."""
    return tuple(_load(path.parent) for path in sorted(folder.glob("*/gold.json")))


def _load(folder: Path) -> Labelled:
    sessions, _ = scan_folder(folder / "sessions")
    return Labelled(
        name=folder.name,
        folder=folder,
        gold=json.loads((folder / "gold.json").read_text("utf-8")),
        recordings=tuple(load(session) for session in sessions),
        batch=whole_batch(sessions),
        size=sum(session.bytes for session in sessions),
    )


class Scorer:
    """The scorer that came with the labels.

    Raises:
        FileNotFoundError: There is none at that path.
    """

    def __init__(self, path: Path) -> None:
        self._module = _loaded(path)

    def score(self, one: Labelled, answer: Scored) -> dict[str, Any]:
        """One batch's counts."""
        row: dict[str, Any] = self._module.score(one.gold, answer)
        return row

    def chance(self, one: Labelled, size: int) -> dict[str, Any]:
        """The mean counts of random answers of so many candidates."""
        answers = (self._module.chance(one.gold, size, draw, one.folder) for draw in range(DRAWS))
        rows = [self._module.score(one.gold, answer) for answer in answers]
        return {k: v if k == "batch" else sum(row[k] for row in rows) / DRAWS for k, v in rows[0].items()}

    def pooled(self, rows: Sequence[Scored]) -> dict[str, Any]:
        """All batches together, with shares and their 95% intervals."""
        pool: dict[str, Any] = self._module.pooled(rows)
        return pool

    def verdicts(self, one: Labelled, answer: Scored) -> list[str]:
        """Full, partial, extra or noise for each candidate, each judged by itself against all labels."""
        return [self._verdict(candidate, one.gold) for candidate in answer["candidates"]]

    def _verdict(self, candidate: Scored, gold: Scored) -> str:
        best = max((self._module.judge(candidate, label) for label in gold["candidates"]), default=0)
        is_extra = any(
            self._module.shared(candidate["evidence"], extra["evidence"]) >= min(2, len(extra["evidence"]))
            for extra in gold.get("extras", [])
        )
        return "full" if best >= 2 else "partial" if best >= 1 else "extra" if is_extra else "noise"


def _loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("gold_score", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # the labels' folder is not ours to write to
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


def answer_with_lines(answer: Answer, batch: Batch) -> dict[str, Any]:
    """An answer as ``consolidate --json`` gives it: each quote with the line proof finds it on."""
    quotes = [quote for candidate in answer.candidates for quote in candidate.evidence]
    places = locate([*quotes, *(commitment.evidence for commitment in answer.commitments)], batch)

    def evidence(quote: Quote) -> dict[str, Any]:
        found = places.get(quote, ())
        return {"sessionId": quote.session_id, "quote": quote.quote, "line": found[0].line if found else None}

    return {
        "candidates": [
            {"kind": c.kind, "claim": c.claim, "gist": c.gist, "evidence": [evidence(q) for q in c.evidence]}
            for c in answer.candidates
        ],
        "commitments": [{"statement": c.statement, "evidence": evidence(c.evidence)} for c in answer.commitments],
    }


def proved_answer(proved: Proved, batch: Batch) -> dict[str, Any]:
    """What was proved of an answer, in the same form."""
    left = Answer(
        candidates=tuple(one.candidate for one in proved.candidates),
        commitments=tuple(one.commitment for one in proved.commitments),
        read_session_ids=proved.read_session_ids,
    )
    return answer_with_lines(left, batch)
