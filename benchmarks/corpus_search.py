"""Search over the corpus, measured for ``corpus.py``: cold index, refresh without and with a change, warm queries.

Memories are made up (seeded). Of queries the median and the slowest of 200 different ones are told, and their mean CPU
time.
"""

import random
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from slowwave.corpus.format import render
from slowwave.corpus.paths import Taken, place
from slowwave.corpus.search import SearchIndex
from slowwave.corpus.tree import tree_files
from slowwave.facts.memory import CONSOLIDATED_KINDS, Entity, Memory

QUERIES = 200
COMMONEST = 20  # a person's query holds no word commoner than this rank; the ranks before it are fillers
SYLLABLES = ("ba", "do", "fi", "ga", "ku", "la", "me", "no", "pi", "ra", "so", "ti", "ve", "wu", "xo", "zen")
START = datetime(2026, 1, 1, tzinfo=UTC)


def make_words(dice: random.Random) -> list[str]:
    """A vocabulary of 6,000 words."""
    return ["".join(dice.choice(SYLLABLES) for _ in range(dice.randint(1, 4))) for _ in range(6_000)]


def draw(dice: random.Random, words: list[str], count: int, *, first: int = 1) -> str:
    """Words by Zipf's law: the one of rank ``r`` is drawn with a chance like ``1 / r``, from rank ``first`` on."""
    ranks = (first * (len(words) / first) ** dice.random() for _ in range(count))
    return " ".join(words[int(rank) - 1] for rank in ranks)


def make_memory(dice: random.Random, words: list[str], number: int) -> Memory:
    """One made-up memory of usual size."""
    moment = START + timedelta(minutes=number)
    return Memory(
        kind=dice.choice(CONSOLIDATED_KINDS),
        claim=f"In {draw(dice, words, 1)} the {draw(dice, words, dice.randint(8, 25))} number {number}.",
        body=draw(dice, words, dice.randint(20, 120)),
        created=moment,
        updated=moment,
        project=f"project-{dice.randint(1, 20)}",
        sessions=(f"s-{number}",),
        entities=(Entity("tool", dice.choice(words)), Entity("file", f"src/{dice.choice(words)}.py")),
    )


def write_corpus(folder: Path, count: int) -> list[str]:
    """Write the memories as files; answers the vocabulary."""
    dice = random.Random(7)
    words = make_words(dice)
    taken = Taken()
    for number in range(count):
        memory = make_memory(dice, words, number)
        path = place(memory, taken)
        taken.add(path)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(render(memory))
    return words


def timed(act: Callable[[], object]) -> float:
    """Seconds one call takes."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def measure_search(folder: Path, count: int) -> list[tuple[str, float, str]]:
    """What search needs: what was measured, seconds, and a note."""
    corpus = folder / "corpus"
    corpus.mkdir(parents=True)
    words = write_corpus(corpus, count)
    index = SearchIndex(folder / "search.db")
    cold = timed(lambda: index.refresh(tree_files(corpus)))
    idle = timed(lambda: index.refresh(tree_files(corpus)))
    changed = next(iter(tree_files(corpus)))
    (corpus / changed.path).write_bytes(changed.load().replace(b"importance: 5", b"importance: 6"))
    one = timed(lambda: index.refresh(tree_files(corpus)))
    dice = random.Random(11)
    queries = [draw(dice, words, dice.randint(1, 4), first=COMMONEST) for _ in range(QUERIES)]
    times = [timed(partial(index.search, query)) for query in queries]
    work = time.process_time()
    found = sum(bool(index.search(query)) for query in queries)
    work = (time.process_time() - work) / QUERIES
    index.close()
    return [
        (f"search: index {count} memories, cold", cold, ""),
        ("search: refresh, nothing changed", idle, ""),
        ("search: refresh, one changed", one, ""),
        (
            "search: warm query, median",
            statistics.median(times),
            f"of {QUERIES}, slowest {max(times) * 1e3:.1f} ms",
        ),
        ("search: warm query, CPU, mean", work, f"{found} of {QUERIES} found something"),
    ]
