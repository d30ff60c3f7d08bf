"""A day of 5,000 captures through the real loop: seconds a tick of fifty, a tick when nothing is new, memory."""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "made"))
from made_days import Day, mixed

from slowwave.wiring.wakefulness import WakeLoop

CAPTURES = 5_000


def main() -> None:
    """Print one table."""
    with tempfile.TemporaryDirectory() as folder:
        day = Day.at(Path(folder))
        day.put([mixed(n) for n in range(CAPTURES)])
        loop = day.loop()
        loop.hold()
        first = _ticks(day, loop, 20)
        memory = _megabytes()
        rest = _ticks(day, loop, CAPTURES // 50 - 20)
        idle = _ticks(day, loop, 20)
        loop.close()
        landed = day.landed()
        rows = [
            ("captures landed, each once", f"{sum(landed.values()):,} of {CAPTURES - CAPTURES // 5:,}"),
            ("tick of fifty, median of the first 20", f"{statistics.median(first):.3f} s"),
            ("tick of fifty, median of the last 20", f"{statistics.median(rest[-20:]):.3f} s"),
            ("slowest tick", f"{max([*first, *rest]):.3f} s"),
            ("triage with nothing new", f"{statistics.median(idle):.3f} s"),
            ("memory after 20 ticks, at the end", f"{memory:.0f} MB, {_megabytes():.0f} MB"),
            ("a loop of `json.loads` over the same file, reading alone", _by_hand(day)),
        ]
    print(f"| {CAPTURES:,} captures in a day | figure |\n|---|---|")
    for name, figure in rows:
        print(f"| {name} | {figure} |")


def _ticks(day: Day, loop: WakeLoop, number: int) -> list[float]:
    seconds = []
    for _ in range(number):
        began = time.perf_counter()
        loop.tick_now()
        seconds.append(time.perf_counter() - began)
        day.now += timedelta(seconds=300)
    return seconds


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _by_hand(day: Day) -> str:
    """What a person would do without us: look at the lines by hand."""
    path = next(day.home.day.captures.glob("2026-*.jsonl"))
    began = time.perf_counter()
    counted = subprocess.run(
        [sys.executable, "-c", "import sys,json;print(sum(1 for l in open(sys.argv[1]) if json.loads(l)))", str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    return f"{time.perf_counter() - began:.3f} s for {json.loads(counted.stdout):,} lines"


if __name__ == "__main__":
    main()
