"""A whole night: wall and processor time, peak memory, and each phase's share.

    python benchmarks/night.py [--shared ../shared] [--sessions 300] [--json]

Two nights, each in a home of its own and a process of its own. The first reads sessions generated from the labelled
real ones: every copy has fresh ids (sessions, records, messages, calls), and lies some days before the one before it,
so that nothing counts as a copy. The second reads the real transcripts as they are, whatever formats they have. After
each the same night runs again, when nothing is new. Memory is the peak of the process, git's own not counted.
"""

import argparse
import hashlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from slowwave.desk.progress import Logged
from slowwave.sleep.plan import NightOptions
from slowwave.wiring import open_house

NO_BOUND = 1e9  # seconds; a first night would stop at forty
DAYS_APART = 3
GOAL_BYTES_A_SECOND = 3e6
GOAL_PEAK_BYTES = 400e6
_IDS = re.compile(
    rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b(?:msg|req|toolu|call)_[0-9A-Za-z]{8,40}"
)
_MOMENT = re.compile(rb'"timestamp":\s?"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One night: what it read, how long it took and where, and the peak of its memory."""

    name: str
    sessions: int
    megabytes: float
    seconds: float
    processor_seconds: float
    peak_megabytes: float
    items: int
    phases: dict[str, float]


def generate(gold: Path, folder: Path, count: int) -> int:
    """Write ``count`` sessions made from the labelled ones below a folder; how many bytes they are."""
    originals = sorted(gold.glob("*/sessions/*.jsonl"))
    size = 0
    for number in range(count):
        original = originals[number % len(originals)]
        copy = number // len(originals)
        content = renew(original.read_bytes(), copy)
        name = renew(original.stem.encode(), copy).decode()
        path = folder / original.parent.parent.name / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        size += len(content)
    return size


def renew(content: bytes, copy: int) -> bytes:
    """The content with other ids and earlier moments: the same for the same copy, equal ids staying equal."""

    def another(found: re.Match[bytes]) -> bytes:
        return _another_id(found.group(), copy)

    def earlier(found: re.Match[bytes]) -> bytes:
        moment = datetime.fromisoformat(found.group(1).decode()) - timedelta(days=DAYS_APART * copy)
        return b'"timestamp":"' + moment.isoformat().encode() + (found.group(2) or b"") + b'Z"'

    return _MOMENT.sub(earlier, _IDS.sub(another, content)) if copy else content


def _another_id(old: bytes, copy: int) -> bytes:
    digits = hashlib.sha256(b"%d\0" % copy + old).hexdigest()
    head, line, _ = old.partition(b"_")
    if line:
        return head + line + digits[: len(old) - len(head) - 1].encode()
    shape = old.decode()  # its version and variant stay
    return "-".join(
        (digits[:8], digits[8:12], shape[14] + digits[12:15], shape[19] + digits[15:18], digits[18:30])
    ).encode()


def run_night(home: Path, transcripts: Path, moment: datetime) -> dict[str, Any]:
    """A night in this very process; what it did and took."""
    house = open_house(home=home, environment={"HOME": str(home), "PATH": os.environ["PATH"]}, clock=lambda: moment)
    house.initialise(transcripts=(transcripts,))
    if not (home / "night").exists():
        (home / "index.db").unlink()  # a first night reads everything, what the settings were shown with included
    began, processor = time.monotonic(), time.process_time()
    night = house.sleep(NightOptions(seconds=NO_BOUND), engine="mined", date=None, resume=False, progress=Logged())
    seconds, processor = time.monotonic() - began, time.process_time() - processor
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    house.close()
    phases = {phase["name"]: phase["seconds"] for phase in night["phases"]}
    counts = {name: count for phase in night["phases"] for name, count in phase["counts"].items()}
    return {
        "seconds": seconds,
        "processor": processor,
        "peak": peak,
        "items": len(night["memories"]) + len(night["tasks"]),
        "sessions": counts["sessions_consolidated"],
        "phases": {"index": max(0.0, seconds - sum(phases.values())), **phases},
    }


def measure(name: str, home: Path, transcripts: Path, moment: datetime) -> Measured:
    """A night in a process of its own."""
    command = [sys.executable, __file__, "--night", str(home), str(transcripts), moment.isoformat()]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    read = json.loads(ended.stdout)
    size = sum(path.stat().st_size for path in transcripts.rglob("*.jsonl*") if path.is_file())
    return Measured(
        name=name,
        sessions=read["sessions"],
        megabytes=size / 1e6,
        seconds=read["seconds"],
        processor_seconds=read["processor"],
        peak_megabytes=read["peak"] / 1e6,
        items=read["items"],
        phases=read["phases"],
    )


def nights(shared: Path, sessions: int, folder: Path) -> Iterator[Measured]:
    """Both nights, each followed by one with nothing new."""
    made = folder / "made"
    generate(shared / "gold", made, sessions)
    now = datetime(2026, 9, 1, 3, 30, tzinfo=UTC)
    for name, transcripts in ((f"{sessions} made sessions", made), ("real transcripts", shared / "transcripts")):
        home = folder / name.replace(" ", "-")
        yield measure(name, home, transcripts, now)
        yield measure(f"{name}, again", home, transcripts, now + timedelta(days=1))


def table(measured: list[Measured]) -> Iterator[str]:
    """The figures for people."""
    heads = ("night", "sessions", "MB", "wall s", "cpu s", "MB/s", "MB/cpu s", "peak MB", "items")
    yield "{:<26} {:>8} {:>7} {:>7} {:>7} {:>6} {:>9} {:>8} {:>6}".format(*heads)
    for one in measured:
        rate, of_processor = one.megabytes / one.seconds, one.megabytes / one.processor_seconds
        yield (
            f"{one.name:<26} {one.sessions:>8} {one.megabytes:>7.1f} {one.seconds:>7.1f} {one.processor_seconds:>7.1f}"
            f" {rate:>6.1f} {of_processor:>9.1f} {one.peak_megabytes:>8.0f} {one.items:>6}"
        )
    yield ""
    for one in measured:
        shares = ", ".join(f"{name} {seconds / one.seconds:.0%}" for name, seconds in one.phases.items())
        yield f"{one.name}: {shares}"
    yield f"goals: {GOAL_BYTES_A_SECOND / 1e6:.0f} MB/s of new transcript, at most {GOAL_PEAK_BYTES / 1e6:.0f} MB"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared")
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--night", nargs=3, metavar=("HOME", "TRANSCRIPTS", "MOMENT"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.night:
        home, transcripts, moment = given.night
        print(json.dumps(run_night(Path(home), Path(transcripts), datetime.fromisoformat(moment))))
        return
    with tempfile.TemporaryDirectory(prefix="slowwave-night-") as folder:
        measured = list(nights(given.shared, given.sessions, Path(folder)))
    if given.json:
        print(json.dumps([{name: getattr(one, name) for name in Measured.__slots__} for one in measured]))
        return
    print("\n".join(table(measured)))


if __name__ == "__main__":
    main()
