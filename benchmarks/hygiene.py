"""What hygiene saves and what it loses, beside plain baselines; its scorecard; its speed and memory.

Usage: python benchmarks/hygiene.py [--card CARD.json] [--plot OUT.png] [--missing] [--quick]

Canaries were written and placed by people who had seen neither word list nor detector (``tests/made/canaries``), half
of them without a telling word. ``--quick`` leaves out the ten rounds and the large file.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "made"))
from long_contexts import script, written
from planting import SHARED, Canary, Planted, grown, labelled, load, plant, shown, survives

from hygiene_baselines import clear_above, mask_all_but, truncate_over
from slowwave.desk.plots import draw_savings
from slowwave.hygiene.curation import Wish, curate_document
from slowwave.hygiene.document import read_document
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.reading import read_context
from slowwave.hygiene.scorecard import Scorecard, Workshop, score

ROUNDS = 10  # of growth and curation
WISH = Wish(keeps_session=True, terms=Terms(min_saving=1))
ONE, TEN = "one run", "ten rounds"
LARGE_BYTES = 200_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One method over all planted sessions.

    Attributes:
        name: Of the method.
        saved: Share of all tokens.
        lost: Canaries by kind.
        total: Canaries by kind.
        missing: Ids of the canaries that were lost.
    """

    name: str
    saved: float
    lost: Mapping[str, int]
    total: Mapping[str, int]
    missing: tuple[str, ...]


def curated(content: bytes, wire: str) -> bytes:
    """A context after one run of ours."""
    return b"".join(curate_document(read_document(content, wire=wire), WISH).content())


def ten_rounds(planted: Planted) -> bytes:
    """A context that grew in parts and was curated after each."""
    content = b""
    for part in grown(planted, ROUNDS):
        if planted.wire in ("claude-code", "codex"):
            content += part
        else:
            content = json.dumps([*json.loads(content or b"[]"), *json.loads(part)]).encode()
        content = curated(content, planted.wire)
    return content


METHODS: Mapping[str, Callable[[Planted], bytes]] = {
    ONE: lambda planted: curated(planted.content, planted.wire),
    TEN: ten_rounds,
    "keep the 5 newest results": lambda p: mask_all_but(read_document(p.content, wire=p.wire), 5),
    "keep the 20 newest results": lambda p: mask_all_but(read_document(p.content, wire=p.wire), 20),
    "truncate over 2,000 characters": lambda p: truncate_over(read_document(p.content, wire=p.wire), 2_000),
    "clear all but 3 above 100,000 tokens": lambda p: clear_above(read_document(p.content, wire=p.wire)),
}


def measure(name: str, method: Callable[[Planted], bytes], sessions: Sequence[Planted]) -> Measured:
    """What a method saves of some sessions, and which canaries it loses."""
    before = after = 0
    missing: list[Canary] = []
    for planted in sessions:
        content = method(planted)
        before += read_context(read_document(planted.content, wire=planted.wire)).tokens
        after += read_context(read_document(content, wire=planted.wire)).tokens
        view = shown(planted.wire, content)
        missing += [canary for canary in planted.canaries if not survives(view, canary)]
    canaries = [canary for planted in sessions for canary in planted.canaries]
    return Measured(
        name=name,
        saved=1 - after / before if before else 0.0,
        lost=Counter(canary.kind for canary in missing),
        total=Counter(canary.kind for canary in canaries),
        missing=tuple(canary.id for canary in missing),
    )


def is_sound(planted: Planted) -> bool:
    """Whether every canary of a session stands in it before anything was done."""
    view = shown(planted.wire, planted.content)
    return all(survives(view, canary) for canary in planted.canaries)


def survival(measured: Measured) -> dict[str, float]:
    """The share of each kind that survived."""
    return {kind: 1 - measured.lost.get(kind, 0) / count for kind, count in sorted(measured.total.items())}


def print_table(rows: Sequence[Measured]) -> None:
    """One line a method: saved, lost, lost by kind."""
    kinds = sorted(rows[0].total)
    print(f"{'method':38} {'saved':>6} {'lost':>5}  " + "  ".join(f"{kind:>11}" for kind in kinds))
    for row in rows:
        cells = "  ".join(f"{row.lost.get(kind, 0):>4} of {row.total[kind]:>3}" for kind in kinds)
        print(f"{row.name:38} {row.saved:6.1%} {sum(row.lost.values()):5}  {cells}")


def recordings() -> list[Path]:
    """Every public recording that is there, and made ones are added by ``planted``."""
    folders = (SHARED / "transcripts", SHARED / "gold")
    return sorted(path for folder in folders for path in folder.rglob("*.json*") if path.is_file())


def scorecard(canaries: Mapping[str, Mapping[str, float]]) -> Scorecard:
    """The profile over the public recordings, with the survival of canaries."""
    with tempfile.TemporaryDirectory() as place:
        shop = Workshop(folder=Path(place), clock=lambda: datetime.now(UTC), seconds=time.monotonic)
        return replace(score(recordings(), SHARED, shop), canaries=canaries)


def print_card(card: Scorecard) -> None:
    """The scorecard as a table."""
    told = card.as_json()
    print("\nhard measures: " + ", ".join(f"{name} {share:.0%}" for name, share in told["hard"].items()))
    print(f"\n{'tokens saved':24} {'sessions':>8} {'lower':>7} {'median':>7} {'upper':>7}")
    saved = {**told["saved"]["by_agent"], "over 50,000 tokens": told["saved"]["large"], "all": told["saved"]["all"]}
    for name, row in saved.items():
        print(f"{name:24} {row['count']:8} {row['lower']:7.1%} {row['median']:7.1%} {row['upper']:7.1%}")
    again = told["refetched"]
    print(
        f"\nwanted again: {again['needed_share']:.2%} of {again['pruned']} items; counting repeats of what a newer "
        f"result had replaced: {again['share']:.2%}"
    )
    print(f"plan with proof, one core: {told['megabytes_a_second']} MB/s over {told['recordings']} recordings")


PLAN = "import sys; sys.argv[0] = 'slowwave'; from slowwave.desk.cli import main; main()"


def large() -> None:
    """A file of 200 MB: seconds, megabytes a second, most memory, in a process of its own."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "large.jsonl"
        with path.open("wb") as stream:
            number = 0
            while stream.tell() < LARGE_BYTES:
                stream.write(_part(number))
                number += 1
        begun = time.monotonic()
        words = [sys.executable, "-c", PLAN, "hygiene", "plan", str(path)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - begun
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        size = path.stat().st_size / 1e6
    print(
        f"\n{size:.0f} MB in one session: {seconds:.1f} s, {size / seconds:.1f} MB/s, at most {peak:.0f} MB of memory"
    )


def _part(number: int) -> bytes:
    """A made session whose ids are its own, so that it can stand behind others in one file."""
    content = written("claude-code", script(number))
    for mark in (b"00000000-0000-4000-", b"toolu_", b"msg_"):
        content = content.replace(mark, mark + f"{number:04d}-".encode())
    return content


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--card", type=Path, help="keep the scorecard there")
    parser.add_argument("--plot", type=Path, help="draw savings against losses there")
    parser.add_argument("--quick", action="store_true", help="without the ten rounds and the large file")
    parser.add_argument("--missing", action="store_true", help="name the canaries that ours lost")
    asked = parser.parse_args()
    sessions = [planted for planted in plant(load()) if is_sound(planted) or print(f"unsound: {planted.name}")]
    print(f"{sum(len(each.canaries) for each in sessions)} canaries in {len(sessions)} sessions\n")
    methods = {name: method for name, method in METHODS.items() if not (asked.quick and name == TEN)}
    rows = [measure(name, method, sessions) for name, method in methods.items()]
    print_table(rows)
    quoted = list(labelled())
    print(f"\n{sum(len(each.canaries) for each in quoted)} quotes that people chose in {len(quoted)} sessions\n")
    print_table([measure(name, method, quoted) for name, method in methods.items()])
    if asked.missing:
        print("lost:", *sorted({name for row in rows if row.name in (ONE, TEN) for name in row.missing}))
    card = scorecard({row.name: survival(row) for row in rows if row.name in (ONE, TEN)})
    print_card(card)
    if asked.card:
        asked.card.write_text(json.dumps(card.as_json(), indent=2, sort_keys=True) + "\n", "utf-8")
    if asked.plot:
        draw_savings([(row.name, row.saved, sum(row.lost.values())) for row in rows], asked.plot)
    if not asked.quick:
        large()


if __name__ == "__main__":
    main()
