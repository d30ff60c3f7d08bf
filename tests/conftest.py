"""What all tests share: where the public material lies, and a home of their own."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from slowwave.corpus import message
from slowwave.corpus.door import Commit, Door
from slowwave.corpus.message import CommitMessage, subject_for
from slowwave.disk.git import Git
from slowwave.disk.home import Home
from slowwave.facts.evidence import Evidence, Speaker
from slowwave.facts.ids import MemoryPath, SessionId

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
