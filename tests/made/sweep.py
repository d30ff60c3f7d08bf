"""Kill a real night at each of its disk-changing calls, git's own included, and see where the next start ends.

A first run is traced: Python by one strace, every git it starts by another (a wrapper named ``git`` stands first on the
search path). The trace gives, for each process, the ordinals of the calls that change something below the home. Then
for each such call the night runs again from nothing, is killed with SIGKILL as it enters that very call (a killed git
takes the whole command with it), and is started once more with ``--resume``.
"""

import hashlib
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CALLS = (
    "openat,write,pwrite64,writev,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,"
    "mkdir,mkdirat,rmdir,fsync,fdatasync,ftruncate,chmod,fchmod,fchmodat"
)
"""System calls that can change a disk; ``openat`` counts only where it creates or truncates."""
_BY_DESCRIPTOR = frozenset({"openat", "write", "pwrite64", "writev", "fsync", "fdatasync", "ftruncate", "fchmod"})
"""Calls whose file strace names by itself (``-y``)."""
MOST = "SLOWWAVE_SWEEP_MOST"
"""Variable with how many calls of a night are drawn; without it all are killed at, which takes a quarter of an hour."""
MOMENT = "2026-05-02T03:30:00Z"
_CALL = re.compile(r"^(?:\[pid +\d+\] |\d+ +)?(\w+)\((.*)$")
_COUNTS = (
    "SELECT status FROM runs",
    "SELECT name, number, outcome != '' FROM steps ORDER BY 1, 2",
    "SELECT count(*) FROM marks",
    "SELECT count(*) FROM items",
    "SELECT status, count(*) FROM promises GROUP BY 1",
    "SELECT count(*) FROM sources",
)
_WRAPPER = """#!/bin/sh
# Stands before the real git: traces the call, or kills it at one of its calls and the command with it.
place={place}
count=$(cat "$place/count" 2>/dev/null || echo 0)
count=$((count + 1))
echo "$count" > "$place/count"
if [ "{process}" = trace ]; then
    exec strace -f -y -qq -s 0 -e trace={calls} -o "$place/git.$count" {git} "$@"
fi
if [ "$count" = "{process}" ]; then
    strace -f -qq -o "$place/kill.log" -e trace={call} -e inject={call}:signal=SIGKILL:when={when} {git} "$@"
    status=$?
    if grep -q "killed by SIGKILL" "$place/kill.log"; then
        kill -KILL "$PPID"
        exit 137
    fi
    exit $status
fi
exec {git} "$@"
"""


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """One call to be killed at: process 0 is Python, n the n-th git it starts; ``when`` counts calls of that name."""

    process: int
    call: str
    when: int


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """Where a home stands: the commits of both branches, the book, and what git says of its objects."""

    main: str
    pending: str
    book: str
    damage: str


def drawn(points: Sequence[Point], most: int) -> tuple[Point, ...]:
    """At most so many points, drawn by the commit that is tested, so that every change looks at others; 0 for all."""
    if not most or len(points) <= most:
        return tuple(points)
    head = subprocess.run(
        [shutil.which("git") or "git", "rev-parse", "HEAD"],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return tuple(sorted(random.Random(head.stdout.strip()).sample(list(points), most)))


PLACE = "PLACE"
"""Stands in a template's settings for the name of the place that is made from it."""


class Sweep:
    """The sweep over one folder of transcripts.

    Args:
        folder: Where places are made.
        transcripts: What the nights read.
        engine: Who proposes.
        template: A home that every place begins with; None for none.
    """

    def __init__(self, folder: Path, transcripts: Path, *, engine: str = "mined", template: Path | None = None) -> None:
        self.folder = folder
        self.transcripts = transcripts
        self.engine = engine
        self.template = template
        self.git = shutil.which("git") or "git"
        folder.mkdir(parents=True)

    def points(self) -> tuple[Point, ...]:
        """Every disk-changing call of an untouched night, in no particular order of time."""
        place = self._fresh("trace")
        trace = place / "python"
        self._wrap(place, "trace")
        ended = self._start(place, ["strace", "-y", "-qq", "-s", "0", "-e", f"trace={CALLS}", "-o", str(trace)])
        assert ended.returncode == 0, ended.stderr
        home = str(place / "home")
        found = set(changing_calls(0, trace, home))
        for log in place.glob("git.*"):
            found.update(changing_calls(int(log.suffix[1:]), log, home))
        return tuple(sorted(found))

    def untouched(self) -> End:
        """Where a night ends that nobody kills."""
        place = self._fresh("whole")
        ended = self._start(place, [])
        assert ended.returncode == 0, ended.stderr
        return self.end(place)

    def kill(self, point: Point, name: str) -> tuple[bool, str, End, str]:
        """Kill a fresh night at a point, resume it: whether it died, its state then, where it ended, trouble met."""
        place = self._fresh(name)
        if point.process == 0:
            inject = f"{point.call}:signal=SIGKILL:when={point.when}"
            tracer = [
                "strace",
                "-qq",
                "-o",
                str(place / "kill.log"),
                "-e",
                f"trace={point.call}",
                "-e",
                f"inject={inject}",
            ]
            died = self._start(place, tracer)
        else:
            self._wrap(place, str(point.process), point)
            died = self._start(place, [])
        was_killed = died.returncode != 0
        between = self.shape(place)
        shutil.rmtree(place / "bin", ignore_errors=True)
        resumed = self._start(place, [])
        trouble = "" if resumed.returncode == 0 else resumed.stderr[-500:]
        end = self.end(place)
        if self.template is None:
            shutil.rmtree(place)
        return was_killed, between, end, trouble

    def end(self, place: Path) -> End:
        """Where a home stands now."""
        corpus = place / "home" / "corpus"
        checked = self._git(corpus, "fsck", "--strict", "--connectivity-only")
        return End(
            main=self._git(corpus, "rev-parse", "main"),
            pending=self._git(corpus, "rev-parse", "pending"),
            book=_book(place / "home" / "state.db"),
            damage="\n".join(line for line in checked.splitlines() if not line.startswith(("dangling", "notice"))),
        )

    def shape(self, place: Path) -> str:
        """A digest of what a killed night left: branches, steps, marks, locks; distinct ones are counted."""
        corpus = place / "home" / "corpus"
        tips = [self._git(corpus, "rev-parse", "--verify", "-q", name) for name in ("main", "pending")]
        locks = sorted(path.name for path in corpus.rglob("*.lock")) if corpus.exists() else []
        tables = _tables(place / "home" / "state.db")
        return hashlib.sha256(json.dumps([tips, locks, tables]).encode()).hexdigest()

    def _fresh(self, name: str) -> Path:
        place = self.folder / name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        if self.template is not None:
            shutil.copytree(self.template, place / "home")
            config = place / "home" / "config.toml"
            config.write_text(config.read_text("utf-8").replace(PLACE, name), encoding="utf-8")
            return place
        (place / "home").mkdir(mode=0o700)
        settings = f"[sources]\ntranscripts = [{json.dumps(str(self.transcripts))}]\n"
        (place / "home" / "config.toml").write_text(settings, encoding="utf-8")
        return place

    def _wrap(self, place: Path, process: str, point: Point | None = None) -> None:
        """Put a ``git`` of ours first on the search path of a place."""
        (place / "bin").mkdir()
        script = _WRAPPER.format(
            place=place,
            git=self.git,
            calls=CALLS,
            process=process,
            call=point.call if point else "",
            when=point.when if point else 0,
        )
        (place / "bin" / "git").write_text(script, encoding="utf-8")
        (place / "bin" / "git").chmod(0o755)

    def _start(self, place: Path, tracer: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        environment = {
            **{name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR", "PYTHONPATH") if name in os.environ},
            "PATH": f"{place / 'bin'}:{os.environ['PATH']}",
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "SLOWWAVE_HOME": str(place / "home"),
        }
        command = [sys.executable, "-m", "slowwave", "sleep", "--engine", self.engine, "--at", MOMENT, "--json"]
        return subprocess.run(
            [*tracer, *command], env=environment, capture_output=True, text=True, timeout=120, check=False
        )

    def _git(self, corpus: Path, *args: str) -> str:
        if not corpus.exists():
            return ""
        ended = subprocess.run(
            [self.git, "-C", str(corpus), *args], capture_output=True, text=True, timeout=60, check=False
        )
        return (ended.stdout + (ended.stderr if args[0] == "fsck" else "")).strip()


def changing_calls(process: int, log: Path, home: str) -> set[Point]:
    """The calls of one process's log that change something below the home, by their ordinal among calls of the name."""
    counts: Counter[tuple[str, str]] = Counter()
    found: set[Point] = set()
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        match = _CALL.match(line)
        if match is None:
            continue
        owner = line.split(" ", 1)[0] if line[:1].isdigit() else ""
        call, arguments = match[1], match[2]
        counts[owner, call] += 1
        if call == "openat" and not ("O_CREAT" in arguments or "O_TRUNC" in arguments):
            continue
        # git names files relative to the corpus, where it always stands.
        is_relative = process > 0 and call not in _BY_DESCRIPTOR and not arguments.startswith('"/')
        if home in arguments or is_relative:
            found.add(Point(process, call, counts[owner, call]))
    return found


def _tables(database: Path) -> str:
    """How full each table of the book is, and how far its steps are."""
    if not database.exists():
        return "none"
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as sql:
            return str([sql.execute(count).fetchall() for count in _COUNTS])
    except sqlite3.DatabaseError:
        return "unreadable"


def _book(database: Path) -> str:
    """Everything in the book that a person or a later night can see, as one digest."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as sql:
        rows = [
            sql.execute("SELECT count(*) FROM runs WHERE status = 'running'").fetchall(),
            sql.execute("SELECT session_id, file, profile, byte, line, prefix FROM marks ORDER BY 1, 2, 3").fetchall(),
            sql.execute("SELECT item_id, type, path, status, sessions, records FROM items ORDER BY 1").fetchall(),
            sql.execute("SELECT source_key, status, reason FROM promises ORDER BY 1").fetchall(),
        ]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()
