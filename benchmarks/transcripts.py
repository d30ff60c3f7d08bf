"""How fast transcripts are scanned and searched, beside plain tools on the same files in the same run.

    python benchmarks/transcripts.py [--corpus DIR] [--size 1G] [--sessions 1000] [--json]

Makes the corpus in a temporary folder where none is given. Every measurement runs in a process of its own, so that
times and peak memory are its own. Processor time decides, since other work on the machine does not touch it; wall time
is shown beside it.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from make_corpus import bytes_of, make_corpus
from slowwave.records.read import search_transcript
from slowwave.records.secrets import Secrets
from slowwave.records.sessions import SessionIndex
from slowwave.records.sources import Source

ONE_SPELLING = "lockwaveport needs no second"  # stands nowhere: the whole corpus is looked at
ALL_SPELLINGS = 'is not "café/naïve" yet'
ROUNDS = 3  # of the two long measurements; the best of each counts
_GROWN_EVERY = 100  # one file in so many grows for the second scan
_MEGABYTE = 1_000_000
Figures = dict[str, Any]


@dataclass(frozen=True)
class Measured:
    """Processor and wall seconds, peak memory in MB, and what was counted."""

    cpu: float
    wall: float
    memory: float
    count: int


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--size", type=bytes_of, default=1 << 30)
    parser.add_argument("--sessions", type=int, default=1_000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--task", choices=sorted(TASKS), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.task:
        print(json.dumps(TASKS[given.task](given.corpus)))
        return
    with tempfile.TemporaryDirectory(prefix="slowwave-bench-") as work:
        corpus = given.corpus or Path(work) / "corpus"
        if not corpus.is_dir():
            make_corpus(corpus, size=given.size, sessions=given.sessions)
        figures = measure(corpus)
    if given.json:
        print(json.dumps(figures, indent=2))
    else:
        show(figures)


def measure(corpus: Path) -> Figures:
    """Every figure, in an order in which each finds the files in the system's cache."""
    files = transcripts(corpus)
    lines = tool(["wc", "-l"], files)
    loops, colds = [], []
    for _ in range(ROUNDS):  # in turn, so that both meet the same neighbours on the machine
        index_of(corpus).unlink(missing_ok=True)
        loops.append(task("json_loop", corpus))
        colds.append(task("scan", corpus))
    loop, cold = (min(rounds, key=lambda row: row.cpu) for rounds in (loops, colds))
    again = task("scan", corpus)
    added = grow(files)
    try:
        grown = task("scan", corpus)
    finally:
        shrink(added)
    found = {phrase: tool(["grep", "-cF", phrase], files) for phrase in (ONE_SPELLING, ALL_SPELLINGS)}
    one, every = task("search_one", corpus), task("search_all", corpus)
    index_of(corpus).unlink(missing_ok=True)
    rows = {
        "wc -l": lines,
        "json.loads loop": loop,
        "cold scan": cold,
        "scan, nothing new": again,
        "scan, 1% appended": grown,
        "grep -cF": found[ONE_SPELLING],
        "search, one spelling": one,
        "grep -cF, as written": found[ALL_SPELLINGS],
        "search, all spellings": every,
    }
    return {
        "bytes": sum(file.stat().st_size for file in files),
        "files": len(files),
        "rows": {name: asdict(row) for name, row in rows.items()},
        "ratios": {
            "scan beside json.loads (aim 1)": loop.cpu / cold.cpu,
            "search beside grep (aim 0.5)": found[ONE_SPELLING].cpu / one.cpu,
            "all spellings beside grep": found[ALL_SPELLINGS].cpu / every.cpu,
            "append re-scan of cold (aim 0.05)": grown.cpu / cold.cpu,
            "peak MB (aim 300)": max(row.memory for row in (cold, again, grown, one, every)),
        },
    }


def transcripts(corpus: Path) -> list[Path]:
    """Every file of the corpus."""
    return sorted(corpus.rglob("*.jsonl"))


def index_of(corpus: Path) -> Path:
    """Where the index of a corpus is kept while it is measured."""
    return corpus.with_name(corpus.name + ".index.db")


def grow(files: Sequence[Path]) -> list[tuple[Path, int]]:
    """Append a hundredth of the corpus' bytes to a hundredth of its files: their own last lines once more."""
    budget = sum(file.stat().st_size for file in files) // 100
    chosen = files[::_GROWN_EVERY]
    added: list[tuple[Path, int]] = []
    for file in chosen:
        size = file.stat().st_size
        added.append((file, size))
        share = budget // len(chosen)
        with file.open("rb+") as stream:
            lines = stream.read().splitlines(keepends=True)
            written = 0
            while written < share:
                for line in lines:
                    written += stream.write(line)
                    if written >= share:
                        break
    return added


def shrink(added: Sequence[tuple[Path, int]]) -> None:
    """Take the appended lines away again."""
    for file, size in added:
        os.truncate(file, size)


def tool(command: Sequence[str], files: Sequence[Path]) -> Measured:
    """A plain tool over all files; zeros where it is not installed."""
    if shutil.which(command[0]) is None:
        return Measured(0, 0, 0, 0)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    output = subprocess.run([*command, *files], stdout=subprocess.PIPE, check=False).stdout
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Measured(cpu, wall, 0, output.count(b"\n"))


def task(name: str, corpus: Path) -> Measured:
    """One of our own measurements, in a process of its own."""
    command = [sys.executable, __file__, "--task", name, "--corpus", str(corpus)]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return Measured(**json.loads(output))


def timed(work: Callable[[], int]) -> dict[str, float]:
    """Run something and say what it took."""
    cpu, wall = time.process_time(), time.perf_counter()
    count = work()
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "cpu": time.process_time() - cpu,
        "wall": time.perf_counter() - wall,
        "memory": used.ru_maxrss * 1_024 / _MEGABYTE,
        "count": count,
    }


def json_loop(corpus: Path) -> dict[str, float]:
    """What everybody writes first: the standard library over each line."""

    def work() -> int:
        count = 0
        for path in transcripts(corpus):
            with path.open("rb") as stream:
                for line in stream:
                    json.loads(line)
                    count += 1
        return count

    return timed(work)


def scan(corpus: Path) -> dict[str, float]:
    """A refresh of the session index: entries counted, titles masked, everything stored."""

    def work() -> int:
        index = SessionIndex(index_of(corpus))
        report = index.refresh([Source(root=corpus)])
        index.close()
        return sum(report.entries.values())

    return timed(work)


def search(corpus: Path, phrase: str) -> dict[str, float]:
    """A phrase in every session."""
    index, secrets = SessionIndex(index_of(corpus)), Secrets()
    sessions = index.sessions()

    def work() -> int:
        return sum(search_transcript(each, phrase, secrets=secrets, marks=index.marks).total for each in sessions)

    return timed(work)


TASKS: dict[str, Callable[[Path], dict[str, float]]] = {
    "json_loop": json_loop,
    "scan": scan,
    "search_one": lambda corpus: search(corpus, ONE_SPELLING),
    "search_all": lambda corpus: search(corpus, ALL_SPELLINGS),
}


def show(figures: Figures) -> None:
    """The figures as a table."""
    print(f"{figures['bytes'] / _MEGABYTE:,.0f} MB in {figures['files']:,} files\n")
    print(f"{'':24}{'cpu s':>8}{'wall s':>8}{'peak MB':>9}{'count':>12}")
    for name, row in figures["rows"].items():
        print(f"{name:24}{row['cpu']:8.2f}{row['wall']:8.2f}{row['memory']:9.0f}{row['count']:12,}")
    print()
    for name, ratio in figures["ratios"].items():
        print(f"{name:36}{ratio:8.2f}")


if __name__ == "__main__":
    main()
