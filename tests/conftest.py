"""What all tests share: where the public material lies, and a home of their own."""

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from slowwave.corpus import message
from slowwave.corpus.door import Commit, Door
from slowwave.corpus.message import CommitMessage, subject_for
from slowwave.disk.git import Git
from slowwave.disk.home import Home
from slowwave.facts.evidence import Evidence, Speaker
from slowwave.facts.ids import MemoryPath, SessionId
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.recording import Recording
from slowwave.records.session import Session

CommitMaker = Callable[..., Commit]

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public transcripts, labels and attack texts beside the project; skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the shared material is not beside the project")
    return SHARED


@pytest.fixture
def moment() -> datetime:
    """The present of every story."""
    return datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home of this test's own, prepared."""
    made = Home(tmp_path / "home")
    made.prepare()
    return made


@pytest.fixture
def git(home: Home) -> Git:
    """Git in that home's corpus."""
    return Git(home.corpus, environment=os.environ)


@pytest.fixture
def door(home: Home, git: Git, moment: datetime) -> Door:
    """The door of a corpus that was just created."""
    made = Door(home, git)
    made.create(moment)
    return made


@pytest.fixture
def one_commit(moment: datetime) -> CommitMaker:
    """Makes an action for the door: ``one_commit(path, content, claim=…, quotes=…)``."""

    def make(path: str, content: bytes | None, *, claim: str = "It holds.", quotes: tuple[str, ...] = ()) -> Commit:
        evidence = tuple(
            Evidence(session_id=SessionId("s-1"), quote=quote, line=line, speaker=Speaker.USER, record=f"r{line}")
            for line, quote in enumerate(quotes, start=1)
        )
        trailers = (
            (message.RUN, "run-1"),
            (message.SESSION, "s-1"),
            (message.ITEM, f"i-{path}"),
            (message.TYPE, "memory"),
        )
        said = CommitMessage(subject=subject_for("semantic", claim), claim=claim, evidence=evidence, trailers=trailers)
        return Commit(files=((MemoryPath(path), content),), message=said, moment=moment)

    return make


class Stage:
    """A made-up session for mining: each act is one record, in the order it is called."""

    def __init__(self, name: str, *, cwd: str = "/home/ann/shop", day: int = 1) -> None:
        self.name = name
        self.cwd = cwd
        self.start = datetime(2026, 1, day, tzinfo=UTC)
        self.entries: list[Entry] = []

    def user(self, text: str, *, via: str = "", injected: str = "") -> "Stage":
        """A person speaks; with ``injected`` somebody put the text there."""
        return self._add(Speaker.USER, EntryKind.TEXT, text, via=via, injected=injected)

    def agent(self, text: str) -> "Stage":
        """The agent speaks."""
        return self._add(Speaker.AGENT, EntryKind.TEXT, text)

    def call(self, tool: str, args: Mapping[str, Any], out: str = "", **facts: Any) -> "Stage":
        """The agent calls a tool and gets an answer; ``facts`` are fields of the result's entry."""
        number = f"c{len(self.entries)}"
        text = next((v for v in args.values() if isinstance(v, str)), "")
        self._add(Speaker.AGENT, EntryKind.TOOL_CALL, text, tool=tool, call_id=number, args=args)
        return self._add(Speaker.TOOL, EntryKind.TOOL_RESULT, out, tool=tool, call_id=number, **facts)

    def shell(self, command: str, out: str = "", *, status: int = 0) -> "Stage":
        """A shell command with its output and exit status."""
        return self.call("Bash", {"command": command}, out, exit_status=status, is_error=bool(status))

    def refused(self, tool: str, args: Mapping[str, Any], words: str = "") -> "Stage":
        """A call that the person refuses, with their words where there are any."""
        self.call(tool, args, "The user refused this call.", is_rejected=True)
        return self.user(words, via="rejection") if words else self

    def recording(self) -> Recording:
        """The session as it would be loaded."""
        path = Path(self.cwd)
        session = Session(
            id=SessionId(self.name),
            agent="claude-code",
            path=path / f"{self.name}.jsonl",
            root=path,
            cwd=self.cwd,
            project=path.name,
            started=self.start,
        )
        return Recording(session=session, entries=tuple(self.entries), losses=(), ends=())

    def _add(self, speaker: Speaker, kind: EntryKind, text: str, **facts: Any) -> "Stage":
        line = len(self.entries) + 1
        record = f"{self.name}:{line}"
        facts.setdefault("args", {})
        moment = self.start + timedelta(seconds=line)
        entry = Entry(
            line=line,
            ts=moment,
            speaker=speaker,
            kind=kind,
            text=text,
            record_id=record,
            origin=record,
            fields=("text",),
            **facts,
        )
        self.entries.append(entry)
        return self


@pytest.fixture
def stage() -> type[Stage]:
    """Makes up sessions: ``stage("s-1").user(…).shell(…, status=1)``."""
    return Stage
