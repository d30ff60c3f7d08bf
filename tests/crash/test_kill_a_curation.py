"""A curation killed at any call that changes the disk: the file is the old or the new one, and the log agrees."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from made_revisions import FIRST, SECOND, grow, line, lines, renamed, revisions, stubbed, write
from sweep import CALLS, MOST, Point, changing_calls, drawn

from slowwave.hygiene.entries import Cause

FEWEST_POINTS = 30
"""Fewer would mean that the sweep no longer sees what a change writes."""
CURATION = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from made_revisions import FIRST, SECOND, curate, renamed, revisions
place, way = Path(sys.argv[2]), sys.argv[3]
log, session = revisions(place / "home"), place / "first.jsonl"
if way == "in place":
    curate(log, session, session, old=FIRST, word="short")
elif way == "fork":
    curate(log, session, place / "second.jsonl", old=FIRST, new=SECOND, word="short")
elif way == "restore":
    log.restore(session, log.history(session)[0].before, session, rename=renamed, actor="ann")
elif way == "purge":
    log.purge(log.history(session)[0].before, why="it held a name", actor="ann")
else:
    list(log.entries())
"""
BEGIN = lines(FIRST, "a", "long b", "short c", "long d")
GROWTH = lines(FIRST, "e", "long f", "short g")


@dataclass(frozen=True, slots=True)
class End:
    """Where a place stands: every file beside the home with what it holds, and what each line of the log is about."""

    files: tuple[tuple[str, bytes], ...]
    causes: tuple[str, ...]


class CurationSweep:
    """One way to change a session, over copies of one place, untouched or killed."""

    def __init__(self, folder: Path, way: str) -> None:
        self.folder = folder
        self.way = way
        self.template = folder / "template"
        self.template.mkdir(parents=True)
        self._start(self._begun(self.template), [], "in place", word="long")
        grow(self.template / "first.jsonl", GROWTH)

    def points(self) -> tuple[Point, ...]:
        """Every call of an untouched change that changes something in its place."""
        place = self._fresh("trace")
        log = self.folder / "trace.log"
        tracer = ["strace", "-f", "-y", "-qq", "-s", "0", "-e", f"trace={CALLS}", "-o", str(log)]
        ended = self._start(place, tracer, self.way)
        assert ended.returncode == 0, ended.stderr
        return tuple(sorted(changing_calls(0, log, str(place))))

    def kill(self, name: str, point: Point) -> tuple[bool, End, str]:
        """Change a fresh place, killed at a call, and look at it again: whether it died, where it stands, trouble."""
        place = self._fresh(name)
        inject = f"inject={point.call}:signal=SIGKILL:when={point.when}"
        tracer = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={point.call}", "-e", inject]
        died = self._start(place, tracer, self.way)
        looked = self._start(place, [], "look")
        end, trouble = self.end(place), looked.stderr + self.trouble(place)
        shutil.rmtree(place)
        return died.returncode != 0, end, trouble

    def whole(self) -> End:
        """Where a change ends that nobody kills."""
        place = self._fresh("whole")
        ended = self._start(place, [], self.way)
        assert ended.returncode == 0, ended.stderr
        return self.end(place)

    def end(self, place: Path) -> End:
        """Where a place stands now."""
        files = tuple((path.name, path.read_bytes()) for path in sorted(place.iterdir()) if path.name != "home")
        return End(files=files, causes=tuple(each.cause for each in revisions(place / "home").entries()))

    def trouble(self, place: Path) -> str:
        """What is wrong in a place: flaws, strangers, steps left open, and originals that do not come back."""
        log = revisions(place / "home")
        audit = log.verify()
        found = [f"{each.code} {each.where}" for each in (*audit.flaws, *audit.notes)]
        found += [path.name for path in (place / "home").rglob("*") if path.suffix == ".slowwave-part"]
        session = place / "first.jsonl"
        history = log.history(session)
        first = history[-1].before
        is_gone = any(each.cause is Cause.PURGE and each.before == first for each in log.entries())
        if not is_gone and session.read_bytes() != BEGIN + GROWTH:
            out = place / "out.jsonl"
            log.restore(session, first, out, rename=renamed, actor="ann")
            found += [] if out.read_bytes() == BEGIN + GROWTH else ["the first revision does not come back"]
        return " ".join(found)

    def _begun(self, place: Path) -> Path:
        write(place / "first.jsonl", BEGIN)
        return place

    def _fresh(self, name: str) -> Path:
        place = self.folder / name
        shutil.copytree(self.template, place)
        return place

    def _start(
        self, place: Path, tracer: Sequence[str], way: str, *, word: str = "short"
    ) -> "subprocess.CompletedProcess[str]":
        environment = {
            **{name: os.environ[name] for name in ("LANG", "TMPDIR", "PYTHONPATH") if name in os.environ},
            "PATH": os.environ["PATH"],
            "HOME": str(place),
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        made = str(Path(__file__).resolve().parents[1] / "made")
        script = CURATION.replace('word="short"', f'word="{word}"')
        command = [sys.executable, "-c", script, made, str(place), way]
        return subprocess.run(
            [*tracer, *command], env=environment, capture_output=True, text=True, timeout=120, check=False
        )


@pytest.mark.crash
@pytest.mark.timeout(900)
@pytest.mark.parametrize("way", ["in place", "fork", "restore", "purge"])
def test_every_kill_of_a_change_ends_before_it_or_behind_it(tmp_path: Path, way: str) -> None:
    """By itself at the next start: nothing is half, nothing is left beside the file, every original comes back."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed; `sh bin/system-packages` installs it")
    sweep = CurationSweep(tmp_path / "sweep", way)
    before, whole = sweep.end(sweep.template), sweep.whole()
    abandoned = End(files=before.files, causes=(*whole.causes, Cause.ABANDONED))
    every = sweep.points()
    points = drawn(every, int(os.environ.get(MOST, "0")) // 5)
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        results = list(pool.map(lambda pair: sweep.kill(f"kill{pair[0]}", pair[1]), enumerate(points)))
    killed = sum(was_killed for was_killed, _, _ in results)
    names = {before: "before", whole: "behind", abandoned: "abandoned"}
    ends = Counter(names.get(end, "elsewhere") for _, end, _ in results)
    print(f"\n{way}: {len(points)} of {len(every)} calls, {killed} kills, {dict(ends)}")
    wrong = [
        (point, end, trouble)
        for point, (_, end, trouble) in zip(points, results, strict=True)
        if end not in names or trouble
    ]
    assert not wrong, f"{len(wrong)} of {len(points)} ended elsewhere: {wrong[:3]}"
    assert len(every) >= (FEWEST_POINTS if way != "purge" else FEWEST_POINTS // 2)
    assert killed >= 0.9 * len(points)
    assert before != whole
    assert before in {end for _, end, _ in results}
    assert whole in {end for _, end, _ in results}
    expected = {
        "in place": [("first.jsonl", stubbed(stubbed(BEGIN) + GROWTH, "short"))],
        "restore": [("first.jsonl", BEGIN + GROWTH)],
    }
    assert list(whole.files) == expected.get(way, list(whole.files))
    assert (way == "fork") == any(renamed(line(FIRST, "a"), FIRST, SECOND) in content for _, content in whole.files)
