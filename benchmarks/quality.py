"""How good mined answers are, against sessions labelled by hand.

Usage: python benchmarks/quality.py [--json] [--most N] [--leave-one-out] [--show] [GOLD_FOLDER]

Runs the mined engine over every batch of the gold folder (``../shared/gold`` beside the project), holds each answer
against the contract, and scores it with the folder's own ``score.py``: precision and recall of candidates and of
commitments, decoys taken, each with its count and 95% interval, beside what random answers of the same size get.
Then it counts for each lens how many of its findings were full, partial, or noise; ``--leave-one-out`` says what the
figures would be without each lens. Says so and ends with status 3 where the labels are absent.
"""

import argparse
import importlib.util
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from slowwave.facts.answer import Answer
from slowwave.facts.evidence import Quote
from slowwave.facts.limits import CANDIDATES_A_BATCH
from slowwave.mining.miner import Mined, mine
from slowwave.proof.batch import Batch, whole_batch
from slowwave.proof.contract import check
from slowwave.proof.quotes import locate
from slowwave.records.recording import Recording, load
from slowwave.records.secrets import Secrets
from slowwave.records.sessions import scan_folder

GOLD = Path(__file__).resolve().parents[2] / "shared" / "gold"
DRAWS = 20  # random answers a batch; the same number score.py uses
SHARES = ("full_precision", "precision", "must_recall", "recall", "commitment_precision", "commitment_recall")
COUNTS = ("returned", "full", "partial", "extra", "decoys_taken", "must", "must_full", "should", "should_full")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One labelled batch, loaded."""

    name: str
    folder: Path
    gold: Mapping[str, Any]
    recordings: tuple[Recording, ...]
    batch: Batch
    size: int


def main(arguments: Sequence[str]) -> int:
    """Run the benchmark; the exit status is 3 when there is nothing to score against."""
    options = _options(arguments)
    folders = sorted(path.parent for path in options.gold.glob("*/gold.json"))
    if not folders:
        print(f"no labelled batches in {options.gold}: nothing measured")
        return 3
    scorer = _scorer(options.gold / "score.py")
    labelled = [_load(folder) for folder in folders]
    result = _measure(labelled, scorer, options.most, frozenset())
    if options.leave_one_out:
        names = sorted({lens for row in result["batches"] for lens in row["lenses"]})
        result["without"] = {n: _measure(labelled, scorer, options.most, frozenset({n}))["pool"] for n in names}
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        _print(result, show=options.show)
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Score mined answers against hand labels.")
    parser.add_argument("gold", nargs="?", type=Path, default=GOLD, help="folder of labelled batches")
    parser.add_argument("--json", action="store_true", help="print everything as one JSON object")
    parser.add_argument("--most", type=int, default=CANDIDATES_A_BATCH, help="candidates a batch")
    parser.add_argument("--leave-one-out", action="store_true", help="also without each lens in turn")
    parser.add_argument("--show", action="store_true", help="print each claim with its verdict")
    return parser.parse_args(arguments)


def _scorer(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("gold_score", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


def _measure(labelled: Sequence[Labelled], scorer: ModuleType, most: int, without: frozenset[str]) -> dict[str, Any]:
    rows, chances, batches = [], [], []
    for one in labelled:
        start = time.process_time()
        mined = mine(one.recordings, most=most, without=without)
        seconds = time.process_time() - start
        answer = _with_lines(mined.answer, one.batch)
        row = scorer.score(one.gold, answer)
        draws = [scorer.score(one.gold, scorer.chance(one.gold, row["returned"], n, one.folder)) for n in range(DRAWS)]
        rows.append(row)
        chances.append({k: v if k == "batch" else sum(d[k] for d in draws) / DRAWS for k, v in row.items()})
        verdicts = _verdicts(mined, answer, one.gold, scorer)
        batches.append(
            {
                "name": one.name,
                "score": row,
                "accepted": _is_accepted(mined.answer, one.batch),
                "cpu_seconds": round(seconds, 2),
                "megabytes_a_second": round(one.size / 1e6 / seconds, 1),
                "lenses": _by_lens(mined, verdicts),
                "claims": [
                    {"verdict": verdict, "score": round(f.score, 2), "lens": f.lens, "claim": f.claim}
                    for f, verdict in zip(mined.kept, verdicts, strict=True)
                ],
            }
        )
    return {"pool": scorer.pooled(rows), "chance": scorer.pooled(chances), "batches": batches}


def _with_lines(answer: Answer, batch: Batch) -> dict[str, Any]:
    """The answer as ``consolidate --json`` gives it: each quote with the line proof finds it on."""
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


def _is_accepted(answer: Answer, batch: Batch) -> bool:
    verdict = check(answer, batch, log=None, secrets=Secrets(deep=False))
    if isinstance(verdict, tuple):
        for refusal in verdict:
            print(f"refused: {refusal.code} {refusal.path}: {refusal.message}", file=sys.stderr)
    return not isinstance(verdict, tuple)


def _verdicts(mined: Mined, answer: Mapping[str, Any], gold: Mapping[str, Any], scorer: ModuleType) -> list[str]:
    """Full, partial, extra or noise for each candidate, each judged by itself against all labels."""
    verdicts = []
    for candidate, _ in zip(answer["candidates"], mined.kept, strict=True):
        best = max((scorer.judge(candidate, label) for label in gold["candidates"]), default=0)
        is_extra = any(
            scorer.shared(candidate["evidence"], extra["evidence"]) >= min(2, len(extra["evidence"]))
            for extra in gold.get("extras", [])
        )
        verdicts.append("full" if best >= 2 else "partial" if best >= 1 else "extra" if is_extra else "noise")
    return verdicts


def _by_lens(mined: Mined, verdicts: Sequence[str]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for finding, verdict in zip(mined.kept, verdicts, strict=True):
        counts.setdefault(finding.lens, Counter())[verdict] += 1
    return {lens: dict(sorted(found.items())) for lens, found in sorted(counts.items())}


def _print(result: Mapping[str, Any], *, show: bool) -> None:
    print(f"{'batch':8}" + "".join(f"{name:>14}" for name in (*COUNTS, "accepted", "MB/s")))
    for batch in result["batches"]:
        row = [batch["score"][name] for name in COUNTS] + [batch["accepted"], batch["megabytes_a_second"]]
        print(f"{batch['name']:8}" + "".join(f"{value!s:>14}" for value in row))
        for claim in batch["claims"] if show else ():
            print(f"    {claim['verdict']:8} {claim['score']:5.2f} {claim['lens']:24} {claim['claim']}")
    print(f"\n{'share':22}{'value':>8}{'of':>8}{'95%':>16}{'chance':>10}")
    for name in SHARES:
        ours, luck = result["pool"][name], result["chance"][name]
        value = "-" if ours["value"] is None else f"{ours['value']:.3f}"
        print(f"{name:22}{value:>8}{ours['of']:>8}{ours['interval95']!s:>16}{luck['value'] or 0:>10.3f}")
    decoys = result["pool"]["decoys_taken"], result["pool"]["commitment_decoys_taken"]
    print(f"decoys taken: {decoys[0]} by candidates, {decoys[1]} by commitments")
    _print_lenses(result)


def _print_lenses(result: Mapping[str, Any]) -> None:
    total: dict[str, Counter[str]] = {}
    for batch in result["batches"]:
        for lens, counts in batch["lenses"].items():
            total.setdefault(lens, Counter()).update(counts)
    print(f"\n{'lens':26}" + "".join(f"{name:>9}" for name in ("full", "partial", "extra", "noise")))
    for lens, counts in sorted(total.items()):
        print(f"{lens:26}" + "".join(f"{counts[name]:>9}" for name in ("full", "partial", "extra", "noise")))
    for lens, pool in result.get("without", {}).items():
        shares = [f"{name} {pool[name]['value']}" for name in ("full_precision", "must_recall")]
        print(f"without {lens}: {', '.join(shares)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
