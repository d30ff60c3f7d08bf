"""How good answers are, against sessions labelled by hand.

Usage: python benchmarks/quality.py [GOLD_FOLDER] [--json] [--show]                       the rules, lens by lens
       python benchmarks/quality.py --engine NAME [--engine NAME …] [--leads] [WHICH MODEL]  engines side by side

Without ``--engine`` the mined engine runs over every batch of the gold folder (``../shared/gold`` beside the project).
Each answer is held against the contract and scored with the folder's own ``score.py``: precision and recall of
candidates and of commitments, decoys taken, each with its count and 95% interval, beside what random answers of the
same size get. Then it counts for each lens how many of its findings were full, partial, or noise; ``--leave-one-out``
says what the figures would be without each lens.

With it, engines (mined, model, model+leads, agent) read the same batches and stand in one table, with what each
accepted memory cost; ``benchmarks/quality_engines.py`` does that, ``docs/quality.md`` says how to read it.
Says so and ends with status 3 where the labels are absent.
"""

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from labelled import GOLD, SHARES, Labelled, Scorer, answer_with_lines, load_labelled
from quality_engines import NAMES, Asked, compare, print_comparison
from slowwave.disk.config import Config, parse_config
from slowwave.facts.answer import Answer
from slowwave.facts.limits import CANDIDATES_A_BATCH, MODEL_MONEY_A_DAY
from slowwave.facts.refusal import SlowwaveError
from slowwave.mining.miner import Mined, mine
from slowwave.proof.batch import Batch
from slowwave.proof.contract import check
from slowwave.records.secrets import Secrets

COUNTS = ("returned", "full", "partial", "extra", "decoys_taken", "must", "must_full", "should", "should_full")


def main(arguments: Sequence[str]) -> int:
    """Run the benchmark; the exit status is 3 when there is nothing to score against."""
    options = _options(arguments)
    labelled = load_labelled(options.gold)
    if not labelled:
        print(f"no labelled batches in {options.gold}: nothing measured")
        return 3
    scorer = Scorer(options.scorer or options.gold / "score.py")
    if options.engine:
        return _compare(labelled, scorer, options)
    result = _measure(labelled, scorer, options.most, frozenset())
    if options.leave_one_out:
        names = sorted({lens for row in result["batches"] for lens in row["lenses"]})
        result["without"] = {n: _measure(labelled, scorer, options.most, frozenset({n}))["pool"] for n in names}
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        _print(result, show=options.show)
    return 0


def _compare(labelled: Sequence[Labelled], scorer: Scorer, options: argparse.Namespace) -> int:
    names = [f"{name}+leads" if options.leads and name == "model" else name for name in options.engine]
    try:
        asked = Asked(config=_config(options), home=options.home, may_send=options.send)
        result = compare(labelled, scorer, list(dict.fromkeys(names)), asked, os.environ)
    except SlowwaveError as error:
        print(f"{error.message}\n  {error.hint}", file=sys.stderr)
        return error.exit_status
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        print_comparison(result, show=options.show)
    return 0


def _config(options: argparse.Namespace) -> Config:
    models = {
        "provider": options.provider,
        "model": options.model,
        "base_url": options.base_url,
        "key": options.key,
        "input_price": options.input_price,
        "output_price": options.output_price,
        "money_a_day": options.money,
        # What bounds a measurement is its money.
        "night": {"calls": 1_000_000, "tokens": 10**12, "seconds": 1e9, "money": options.money},
    }
    return parse_config({"models": models, "agent": {"name": options.agent}}, "the options")


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Score answers against hand labels.")
    parser.add_argument("gold", nargs="?", type=Path, default=GOLD, help="folder of labelled batches")
    parser.add_argument("--scorer", type=Path, help="the labels' scorer, where it is not in their folder")
    parser.add_argument("--json", action="store_true", help="print everything as one JSON object")
    parser.add_argument("--show", action="store_true", help="print each claim with its verdict")
    rules = parser.add_argument_group("the rules alone")
    rules.add_argument("--most", type=int, default=CANDIDATES_A_BATCH, help="candidates a batch")
    rules.add_argument("--leave-one-out", action="store_true", help="also without each lens in turn")
    engines = parser.add_argument_group("engines side by side")
    engines.add_argument("--engine", action="append", choices=NAMES, default=[], help="who reads; may be repeated")
    engines.add_argument("--leads", action="store_true", help="the model is given what the rules found as places")
    engines.add_argument("--home", type=Path, help="take settings, consent and budget from this home")
    engines.add_argument("--provider", default="", help="as models.provider")
    engines.add_argument("--model", default="", help="as models.model")
    engines.add_argument("--base-url", default="", help="as models.base_url")
    engines.add_argument("--key", default="", help="where the key is, as models.key; never the key itself")
    engines.add_argument("--input-price", type=float, help="US dollars for a million tokens sent")
    engines.add_argument("--output-price", type=float, help="US dollars for a million tokens answered")
    engines.add_argument("--money", type=float, default=MODEL_MONEY_A_DAY, help="US dollars all of it may cost")
    engines.add_argument("--agent", choices=("", "claude", "codex", "gemini"), default="", help="as agent.name")
    engines.add_argument("--send", action="store_true", help="yes, the labelled sessions may leave this machine")
    return parser.parse_args(arguments)


def _measure(labelled: Sequence[Labelled], scorer: Scorer, most: int, without: frozenset[str]) -> dict[str, Any]:
    rows, chances, batches = [], [], []
    for one in labelled:
        start = time.process_time()
        mined = mine(one.recordings, most=most, without=without)
        seconds = time.process_time() - start
        answer = answer_with_lines(mined.answer, one.batch)
        row = scorer.score(one, answer)
        rows.append(row)
        chances.append(scorer.chance(one, row["returned"]))
        verdicts = scorer.verdicts(one, answer)
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


def _is_accepted(answer: Answer, batch: Batch) -> bool:
    verdict = check(answer, batch, log=None, secrets=Secrets(deep=False))
    if isinstance(verdict, tuple):
        for refusal in verdict:
            print(f"refused: {refusal.code} {refusal.path}: {refusal.message}", file=sys.stderr)
    return not isinstance(verdict, tuple)


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
