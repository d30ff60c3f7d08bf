"""Law 14: time and memory per record are linear and bounded, whatever the record.

Eight times the input may cost up to 24 times the processor's time, which a quadratic step (64 times) fails by far and
a busy machine does not. Time is the process's own, the best of three.
"""

import io
import json
import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from made_nights import ShopSession, session_name

from slowwave.corpus import gate
from slowwave.corpus.duplicates import Known
from slowwave.corpus.format import read, render
from slowwave.facts.evidence import Quote
from slowwave.facts.ids import MemoryPath, SessionId
from slowwave.facts.limits import READ_BLOCK_BYTES
from slowwave.facts.memory import Kind, Memory
from slowwave.mining.miner import mine
from slowwave.proof.batch import whole_batch
from slowwave.proof.quotes import locate
from slowwave.records.lines import read_lines
from slowwave.records.masking import mask_recording
from slowwave.records.recording import load, strings
from slowwave.records.secrets import Secrets
from slowwave.records.sessions import scan_folder

TIMES = 8
MOST = 24
FLOOR_SECONDS = 0.004
"""Below this a clock tick counts as much as the work."""
MOMENT = datetime(2026, 1, 2, tzinfo=UTC)
PATH = MemoryPath("areas/inbox/it-holds.md")


def seconds(work: Callable[[], object]) -> float:
    """Best of three, seconds of this process."""
    spent = []
    for _ in range(3):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


def is_linear(make: Callable[[int], Callable[[], object]], size: int) -> bool:
    """Whether eight times the size costs at most 24 times as much."""
    small, large = make(size), make(TIMES * size)
    return seconds(large) <= MOST * max(seconds(small), FLOOR_SECONDS)


def record(text: str, number: int = 0) -> bytes:
    """A user's record."""
    return json.dumps({"type": "user", "uuid": f"u{number}", "message": {"role": "user", "content": text}}).encode()


def memory(claim: str, body: str = "Seen twice.") -> Memory:
    """A memory with a claim and a gist."""
    return Memory(kind=Kind.SEMANTIC, claim=claim, body=body, created=MOMENT, updated=MOMENT)


def session(root: Path, prompts: int, text: str) -> Path:
    """A session on disk with so many turns, each with a call."""
    made = ShopSession(session_name(prompts))
    for number in range(prompts):
        made.user(f"{text} {number}")
        made.agent(f"I see what you mean with {text} in round {number}, and I will look at it tomorrow.")
        made.fails(f"make step{number % 7}", f"error: {text} failed in module_{number % 11}.py line {number}")
        made.passes(f"MODE=on make step{number % 7}", f"{number} passed")
    made.append(root / str(prompts))
    return root / str(prompts)


LINES: dict[str, Callable[[int], bytes]] = {
    "many records": lambda n: b"\n".join(record("hello there", k) for k in range(n // 8)) + b"\n",
    "one long record": lambda n: record("x" * (100 * n)) + b"\n",
    "glued records": lambda n: b"".join(record("hello there", k) for k in range(n // 8)) + b"\n",
    "NUL bytes": lambda n: b"\x00" * (100 * n) + record("hello") + b"\n",
    "open brackets": lambda n: b"[" * (20 * n) + b"\n" + record("hello") + b"\n",
    "open braces": lambda n: b'{"a":' * (5 * n) + b"\n" + record("hello") + b"\n",
    "quotes": lambda n: b'"' * (20 * n) + b"\n" + record("hello") + b"\n",
    "backslashes": lambda n: b'{"a":"' + b"\\" * (20 * n) + b"\n" + record("hello") + b"\n",
    "cut records": lambda n: b"".join(record("hello there", k)[:-9] for k in range(n // 8)) + b"\n",
    "wide objects": lambda n: json.dumps({f"k{k}": k for k in range(n)}).encode() + b"\n",
    "one key again and again": lambda n: b"{" + b",".join(b'"k":1' for _ in range(2 * n)) + b"}\n",
}


@pytest.mark.parametrize("shape", LINES)
def test_law_14_reading_lines_is_linear(shape: str) -> None:
    """Whole, glued, damaged and hostile lines cost in proportion to their bytes."""

    def make(size: int) -> Callable[[], object]:
        content = LINES[shape](size)
        return lambda: list(read_lines(io.BytesIO(content)))

    assert is_linear(make, 2_000)


def test_law_14_reading_lines_holds_one_line_at_a_time() -> None:
    """Four times as many records take no more memory, and few blocks of a file at once."""

    def peak(count: int) -> int:
        content = io.BytesIO(b"\n".join(record("y" * 2_000, k) for k in range(count)) + b"\n")
        tracemalloc.start()
        for line in read_lines(content):
            assert line.number
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(8_000) <= 1.3 * peak(2_000) < 6 * READ_BLOCK_BYTES


TEXTS: dict[str, str] = {
    "plain words": "the quick brown fox jumps over the lazy dog ",
    "one letter": "a",
    "blanks": " ",
    "backticks": "`",
    "brackets": "[(",
    "stars": "**",
    "dashes": "- ",
    "newlines": "\n",
    "quotes": "“” '\"",
    "paths": "/a/b-1.py:3: ",
    "combining marks": "e\u0301\u0302",
    "html": "<b>",
    "links": "[a](b)",
    "tags": "<system-reminder>",
}


@pytest.mark.parametrize("unit", TEXTS)
def test_law_14_secrets_are_looked_for_in_linear_time(unit: str) -> None:
    """Masking a text costs in proportion to it, whatever is repeated in it."""
    secrets = Secrets()

    def make(size: int) -> Callable[[], object]:
        text = (TEXTS[unit] * size)[: 10 * size]
        return lambda: secrets.mask(text)

    assert is_linear(make, 1_500)


@pytest.mark.parametrize("unit", TEXTS)
def test_law_14_mining_a_text_is_linear(stage: Any, unit: str) -> None:
    """A session of one long message, and its long answer, is mined in proportion to its length."""

    def make(size: int) -> Callable[[], object]:
        text = (TEXTS[unit] * size)[:size]
        act = stage("s-1").user(text).agent(text).shell(f"make {text[:400]}", text, status=1).shell("make x", text)
        recordings = [act.recording(), stage("s-2").user("no, " + text).agent("I will " + text).recording()]
        return lambda: mine(recordings)

    assert is_linear(make, 4_000)


@pytest.mark.parametrize("unit", TEXTS)
def test_law_14_the_gate_and_the_format_are_linear(unit: str) -> None:
    """A file is read and held against the gate in proportion to its bytes, also where it is far too long."""
    secrets = Secrets(deep=False)

    def make(size: int) -> Callable[[], object]:
        content = render(memory("It holds.", (TEXTS[unit] * size)[:size].strip() or "x"))

        def work() -> None:
            read(content, PATH)
            gate.check(PATH, content, cited=("y" * size,), exists=lambda _: True, secrets=secrets)

        return work

    assert is_linear(make, 1_000)


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sessions of 40 and of 320 turns."""
    root = tmp_path_factory.mktemp("linear")
    for prompts in (40, TIMES * 40):
        session(root, prompts, "the checkout of the shop")
    return root


def test_law_14_a_session_is_scanned_loaded_and_masked_in_linear_time(sessions: Path) -> None:
    """Scan, entries, strings and masks of a session cost in proportion to its records."""
    secrets = Secrets()
    for work in (
        lambda folder: scan_folder(folder, secrets=secrets),
        lambda folder: [load(one) for one in scan_folder(folder, secrets=secrets)[0]],
        lambda folder: [list(strings(one)) for one in scan_folder(folder, secrets=secrets)[0]],
        lambda folder: [mask_recording(load(one), secrets) for one in scan_folder(folder, secrets=secrets)[0]],
    ):

        def make(size: int, work: Callable[[Path], object] = work) -> Callable[[], object]:
            return lambda: work(sessions / str(size))

        assert is_linear(make, 40)


def test_law_14_a_long_session_is_mined_in_linear_time(sessions: Path) -> None:
    """All lenses together cost in proportion to a session's records."""

    def make(size: int) -> Callable[[], object]:
        recordings = [load(one) for one in scan_folder(sessions / str(size))[0]]
        return lambda: mine(recordings)

    assert is_linear(make, 40)


def test_law_14_quotes_are_located_in_linear_time(sessions: Path) -> None:
    """Looking for twenty quotes costs in proportion to the records, also for one that stands in each of them."""

    def make(size: int) -> Callable[[], object]:
        found, _ = scan_folder(sessions / str(size))
        batch = whole_batch(found)
        name = SessionId(found[0].id)
        texts = ["the checkout of the shop", "e" * 40, "nowhere to be found", *(f"in round {n}" for n in range(17))]
        quotes = [Quote(session_id=name, quote=text) for text in texts]
        return lambda: locate(quotes, batch)

    assert is_linear(make, 40)


@pytest.mark.parametrize("claim", ["It holds for case {}.", "`make step{}` needs `MODE=on` since the shop{} moved."])
def test_law_14_one_duplicate_is_looked_for_in_linear_time(claim: str) -> None:
    """Looking one claim up among eight times the memories costs at most in proportion, from one template or not."""

    def make(size: int) -> Callable[[], object]:
        shelf = {MemoryPath(f"areas/inbox/m{n}.md"): memory(claim.format(n, n % 7)) for n in range(size)}
        known = Known(shelf)
        return lambda: [known.find(claim.format(f"x{n}", n), "Seen twice.") for n in range(20)]

    assert is_linear(make, 250)
