"""Writing the corpus: many memories in one batch, one alone, reading back, beside plain ``git add`` and ``commit``.

    python benchmarks/corpus.py [--memories 10000] [--json]

Memories are made up (seeded), spread over 100 projects, with two quotes each. Every figure of ours is durable: git is
told to flush all it writes. The plain one is measured on a sample in an empty repository with git's own settings,
which flush nothing, and multiplied; real ones get slower as the index grows. Search at the same size comes last.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from corpus_search import measure_search
from slowwave.corpus import message
from slowwave.corpus.branches import MAIN
from slowwave.corpus.door import Commit, Door
from slowwave.corpus.format import render
from slowwave.corpus.message import CommitMessage, subject_for
from slowwave.corpus.shelf import Shelf
from slowwave.corpus.worktree import PENDING
from slowwave.disk.git import Git
from slowwave.disk.home import Home
from slowwave.facts.evidence import Evidence, Speaker
from slowwave.facts.ids import MemoryPath, SessionId, item_id
from slowwave.facts.memory import CONSOLIDATED_KINDS, Memory

MEMHTML_SEARCH_SECONDS = 0.024
MEMHTML_SECONDS = 19.0  # its 0.15.1 for 10,000 memories in one commit, as measured in the issue
SAMPLE = 50
SINGLES = 9
PROJECTS = 100
START = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = ("build", "cache", "deploy", "index", "retry", "schema", "token", "queue", "lint", "patch", "mount", "socket")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table."""

    what: str
    seconds: float
    note: str = ""


def make_commit(dice: random.Random, number: int) -> Commit:
    """One made-up memory as the door takes it."""
    words = " ".join(dice.choice(WORDS) for _ in range(9))
    claim = f"In case {number} the {words}."
    moment = START + timedelta(minutes=number)
    kind = CONSOLIDATED_KINDS[number % len(CONSOLIDATED_KINDS)]
    gist = " ".join(dice.choice(WORDS) for _ in range(60))
    memory = Memory(kind=kind, claim=claim, body=gist, created=moment, updated=moment, engine="mined")
    path = MemoryPath(f"projects/project-{number % PROJECTS}/case-{number}.md")
    evidence = tuple(
        Evidence(
            session_id=SessionId(f"session-{number % 300 + turn}"),
            quote=" ".join(dice.choice(WORDS) for _ in range(15)),
            line=dice.randint(1, 4_000),
            speaker=Speaker.AGENT,
            record=f"record-{number}-{turn}",
        )
        for turn in range(2)
    )
    trailers = (
        (message.RUN, "run-1"),
        (message.PHASE, "trace"),
        (message.ENGINE, "mined"),
        *((message.SESSION, one.session_id) for one in evidence),
        (message.ITEM, item_id(claim)),
        (message.TYPE, "memory"),
    )
    said = CommitMessage(subject=subject_for(kind, claim), claim=claim, evidence=evidence, trailers=trailers)
    return Commit(files=((path, render(memory)),), message=said, moment=moment)


def append(door: Door, commit: Commit) -> None:
    """One memory on top of ``pending``."""
    door.commit_batch(PENDING, [commit], expected=door.tip(PENDING))


def timed(work: Callable[[], object]) -> float:
    """Seconds of one run."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measure_door(folder: Path, count: int) -> list[Row]:
    """What our own door needs."""
    dice = random.Random(7)
    commits = [make_commit(dice, number) for number in range(count + SINGLES)]
    home = Home(folder / "home")
    home.prepare()
    door = Door(home, Git(home.corpus, environment=os.environ))
    start = door.create(START)
    batch = timed(lambda: door.commit_batch(PENDING, commits[:count], expected=start))
    again = timed(lambda: door.commit_batch(PENDING, commits[:count], expected=start))
    singles = [timed(partial(append, door, one)) for one in commits[count:]]
    history = timed(lambda: door.history(PENDING, since=MAIN))
    shelf = Shelf.at(door.git, PENDING)
    cold = timed(lambda: Shelf.at(door.git, PENDING))
    items = door.history(PENDING, since=MAIN)
    land = timed(lambda: door.land(items, expected=start))
    extra = make_commit(dice, count + SINGLES)
    append(door, extra)
    warm = timed(lambda: Shelf.at(door.git, PENDING, shelf))
    verify = timed(door.verify)
    size = sum(path.stat().st_size for path in (home.corpus / ".git").rglob("*") if path.is_file())
    return [
        Row(what=f"batch of {count}, one commit each", seconds=batch, note=f"{batch / count * 1e3:.2f} ms a memory"),
        Row(what="the same batch again", seconds=again, note="finds itself done"),
        Row(what="a single write", seconds=statistics.median(singles), note=f"median of {SINGLES}, corpus full"),
        Row(what="read all commits back", seconds=history, note="with evidence and changed files"),
        Row(what="read all memories", seconds=cold),
        Row(what="read them after one write", seconds=warm),
        Row(what="land all on main", seconds=land, note="checkout included"),
        Row(what="verify", seconds=verify, note="connectivity, strict"),
        Row(what="size of .git", seconds=size / 1e6, note="MB, not seconds"),
    ]


def measure_plain(folder: Path, count: int) -> list[Row]:
    """What plain git needs for the same memories, by a sample."""
    git = shutil.which("git") or "git"
    folder.mkdir()
    environment = {"PATH": os.environ["PATH"], "HOME": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def run(*words: str, stdin: bytes = b"") -> None:
        told = (git, "-c", "user.name=x", "-c", "user.email=x@x", "-c", "gc.auto=0", *words)
        subprocess.run(told, cwd=folder, input=stdin, env=environment, check=True, capture_output=True)

    run("init", "-q")
    dice = random.Random(7)
    commits = [make_commit(dice, number) for number in range(SAMPLE)]

    def write_one(commit: Commit) -> None:
        for path, content in commit.files:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content or b"")
            run("add", "--", path)
        run("commit", "-q", "-F", "-", stdin=commit.message.render())

    each = statistics.median(timed(partial(write_one, one)) for one in commits)
    return [
        Row(
            what=f"plain add and commit, {count} times",
            seconds=each * count,
            note=f"{SAMPLE} measured, median times {count}",
        ),
        Row(what="plain add and commit, once", seconds=each),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure writing the corpus.")
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure_door(Path(folder), asked.memories) + measure_plain(Path(folder) / "plain", asked.memories)
        rows += [Row(what=w, seconds=s, note=n) for w, s, n in measure_search(Path(folder) / "search", asked.memories)]
    rows.append(Row(what="memhtml 0.15.1, all in one commit", seconds=MEMHTML_SECONDS, note="published figure"))
    rows.append(Row(what="memhtml 0.15.1, warm search", seconds=MEMHTML_SEARCH_SECONDS, note="published figure"))
    if asked.json:
        print(json.dumps([{"what": row.what, "seconds": round(row.seconds, 4), "note": row.note} for row in rows]))
        return
    sys.stdout.writelines(f"{row.what:<42}{row.seconds:>10.3f}  {row.note}\n" for row in rows)


if __name__ == "__main__":
    main()
