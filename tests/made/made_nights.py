"""Nights made for tests: sessions that hold a pattern and a promise, a home of the test's own, commands run in it."""

import contextlib
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self
from unittest import mock

from made_transcripts import ClaudeSession, Record

from slowwave.desk.cli import main
from slowwave.sleep.plan import NightOptions
from slowwave.wiring import House, open_house

NOW = datetime(2026, 2, 1, 3, 30, tzinfo=UTC)
PROMISE = "I will write the migration note as soon as the new gateway has landed."
NOT_AGENT = (
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "SLOWWAVE_HOME",
    "SLOWWAVE_RUN",
)
"""Variables of whoever runs the tests that a command must not see."""


class ShopSession(ClaudeSession):
    """A session of a made-up project; its moment and folder are its own."""

    def __init__(self, name: str, *, day: int = 5, project: str = "shop") -> None:
        super().__init__(name)
        self.day = day
        self.project = project

    def envelope(self, number: int) -> dict[str, Any]:
        """What every record carries."""
        return {
            **super().envelope(number),
            "cwd": f"/work/{self.project}",
            "timestamp": f"2026-01-{self.day:02d}T10:{number // 60 % 60:02d}:{number % 60:02d}.000Z",
        }

    def blocks(self, blocks: Sequence[Record], **changes: Any) -> int:
        """A record of the agent; its message's name is this session's own, as no two messages share one."""
        number = f"{self.name[:8]}_{len(self.lines) + 1}"
        message = {"id": f"msg_{number}", "role": "assistant", "content": blocks}
        return self.record({"type": "assistant", "requestId": f"req_{number}", "message": message}, **changes)

    def fails(self, command: str, error: str) -> None:
        """A command that fails."""
        call = f"c{len(self.lines)}"
        self.call(call, "Bash", {"command": command})
        content = [{"type": "tool_result", "tool_use_id": call, "is_error": True, "content": f"Exit code 1\n{error}"}]
        self.record(
            {"type": "user", "message": {"role": "user", "content": content}, "toolUseResult": f"Error: {error}"}
        )

    def passes(self, command: str, output: str) -> None:
        """A command that works."""
        call = f"c{len(self.lines)}"
        self.call(call, "Bash", {"command": command})
        self.result(call, output)

    def append(self, root: Path) -> Path:
        """Write the session again, grown."""
        self.write(root / f"-work-{self.project}")
        return root / f"-work-{self.project}" / f"{self.name}.jsonl"


def session_name(number: int) -> str:
    """The id of the session of this number."""
    return f"{number:08d}-1111-4111-8111-111111111111"


def fix_session(number: int, *, day: int = 5, project: str = "shop", module: str = "shop") -> ShopSession:
    """A session in which plain ``pytest`` fails and a variant passes; two of them are a pattern."""
    session = ShopSession(session_name(number), day=day, project=project)
    session.user("Please add a discount code field to the cart and run the tests.")
    session.agent("I will look at the cart first.")
    session.fails(f"pytest -q tests/{module}", f"E   ModuleNotFoundError: No module named '{module}'\n1 error in 0.12s")
    session.agent(f"The tests of {module} need PYTHONPATH=src here, since the package is not installed.")
    session.passes(f"PYTHONPATH=src pytest -q tests/{module}", "12 passed in 0.80s")
    session.agent("All twelve tests pass now that the path is set.")
    return session


def large_session(number: int, *, day: int = 5, project: str = "shop") -> ShopSession:
    """A fix session above the size from which a model is asked about it."""
    session = fix_session(number, day=day, project=project)
    session.passes("cat build.log", "\n".join(f"step {n:,} of the build went well" for n in range(400)))
    return session


def promise_session(number: int, *, day: int = 5, project: str = "shop", promise: str = PROMISE) -> ShopSession:
    """A session that ends with a promise."""
    session = ShopSession(session_name(number), day=day, project=project)
    session.user("Please move the checkout to the new payment gateway and tell me what is left.")
    session.agent("The checkout calls the new gateway now, and its tests pass.")
    session.passes("PYTHONPATH=src pytest -q tests/checkout", "9 passed in 0.70s")
    session.agent(promise)
    return session


def write_all(root: Path, sessions: Sequence[ShopSession]) -> None:
    """Sessions on disk, each in its project's folder."""
    for session in sessions:
        session.append(root)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A command that ended: exit status, its envelope where it printed one, and both streams."""

    status: int
    envelope: Any
    out: str
    err: str

    @property
    def content(self) -> Any:
        """The envelope's data."""
        return self.envelope["data"]

    @property
    def code(self) -> str:
        """The error's stable code."""
        return str(self.envelope["error"]["code"])


class Place:
    """A home and a folder of transcripts, both of this test's own."""

    def __init__(self, folder: Path, *, now: datetime = NOW) -> None:
        self.home = folder / "home"
        self.transcripts = folder / "transcripts"
        self.now = now
        self.transcripts.mkdir(parents=True, exist_ok=True)
        self._house: House | None = None

    @property
    def house(self) -> House:
        """The open home, its transcripts named on the first use."""
        if self._house is None:
            is_new = not (self.home / "config.toml").exists()
            self._house = open_house(home=self.home, environment=self.environment(), clock=lambda: self.now)
            if is_new:
                self._house.initialise(transcripts=(self.transcripts,))
        return self._house

    def close(self) -> None:
        """Let go of the home; the next use opens it again."""
        if self._house is not None:
            self._house.close()
            self._house = None

    def environment(self, **more: str) -> dict[str, str]:
        """An environment in which no agent runs and no other home is named."""
        kept = {name: value for name, value in os.environ.items() if name not in NOT_AGENT}
        return {**kept, "NO_COLOR": "1", **more}

    def sleep(self, *, resume: bool = False, **options: Any) -> Mapping[str, Any]:
        """A night."""
        return self.house.sleep(NightOptions(**options), engine="mined", date=None, resume=resume, progress=Silent())

    def counts(self, night: Mapping[str, Any]) -> dict[str, int]:
        """All counts of a night in one."""
        return {name: count for phase in night["phases"] for name, count in phase["counts"].items()}

    def git(self, *words: str) -> str:
        """What git says in the corpus."""
        ended = subprocess.run(
            [shutil.which("git") or "git", "-C", str(self.home / "corpus"), *words],
            capture_output=True,
            text=True,
            check=True,
            env={**self.environment(), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull},
        )
        return ended.stdout.strip()

    def run(self, *words: str, environment: Mapping[str, str] | None = None) -> Ran:
        """A command in this process, in this home, at this moment; quick, and all a process would do but start."""
        out, err = io.StringIO(), io.StringIO()
        given = dict(environment if environment is not None else self.environment())
        with (
            mock.patch.dict(os.environ, given, clear=True),
            mock.patch.object(sys, "argv", ["slowwave", *self._words(words)]),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            _Ending() as ending,
        ):
            main()
        return _ran(ending.status, out.getvalue(), err.getvalue())

    def start(self, *words: str, environment: Mapping[str, str] | None = None) -> Ran:
        """A command as a process of its own."""
        ended = subprocess.run(
            [sys.executable, "-m", "slowwave", *self._words(words)],
            capture_output=True,
            text=True,
            check=False,
            env=dict(environment if environment is not None else self.environment()),
        )
        return _ran(ended.returncode, ended.stdout, ended.stderr)

    def _words(self, words: Sequence[str]) -> list[str]:
        at = () if "--at" in words else ("--at", _iso(self.now))
        return [*words, "--json", "--home", str(self.home), *at]


class _Ending:
    """Catches the exit of a command."""

    def __init__(self) -> None:
        self.status = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: object) -> bool:
        if isinstance(error, SystemExit):
            self.status = int(error.code or 0)
            return True
        return False


def _ran(status: int, out: str, err: str) -> Ran:
    envelope = json.loads(out) if out.startswith("{") else None
    return Ran(status=status, envelope=envelope, out=out, err=err)


class Silent:
    """Progress that nobody looks at."""

    def phase(self, name: str, number: int, total: int) -> None:
        """A phase begins."""

    def step(self, text: str, done: float, total: float) -> None:
        """Work inside a phase went on."""


def fingerprint(folder: Path, *, without: Sequence[str] = ()) -> dict[str, str]:
    """Every file below a folder with a digest of its bytes, some names left out."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not path.is_symlink() and not any(name.startswith(one) for one in without):
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def _iso(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
