"""Values made for the tests of sleep: sessions as the index has them, evidence, proved candidates, memories."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from slowwave.facts.answer import Candidate, Commitment, ProvedCandidate, ProvedCommitment
from slowwave.facts.evidence import Evidence, Quote, Speaker
from slowwave.facts.ids import MemoryPath, SessionId
from slowwave.facts.memory import Kind, Memory, TaskFields, TaskStatus
from slowwave.facts.refusal import Refusal
from slowwave.records.session import FileIdentity, Session, SessionFile

NOW = datetime(2026, 3, 1, 3, 30, tzinfo=UTC)
ROOT = Path("/somewhere")


def made_session(name: str, *, hours: float = 24, project: str = "shop", sizes: Sequence[int] = (9_000,)) -> Session:
    """A session that ended some hours ago; a size for each file, a line for each 100 bytes."""
    identity = FileIdentity(device=1, inode=1, size=0, mtime_ns=0, prefix_digest="")
    paths = [ROOT / f"{name}.jsonl", *(ROOT / name / f"agent-{n}.jsonl" for n in range(1, len(sizes)))]
    files = tuple(
        SessionFile(path=path, identity=identity, bytes_read=size, lines=size // 100)
        for path, size in zip(paths, sizes, strict=True)
    )
    return Session(
        id=SessionId(name),
        agent="claude-code",
        path=paths[0],
        side_files=tuple(paths[1:]),
        root=ROOT,
        project=project,
        ended=NOW - timedelta(hours=hours),
        bytes=sum(sizes),
        lines=sum(sizes) // 100,
        files=files,
    )


def made_evidence(session: str, record: str, *, speaker: Speaker = Speaker.AGENT, tainted: bool = False) -> Evidence:
    """One proved quote."""
    return Evidence(
        session_id=SessionId(session),
        quote=f"what {record} says",
        line=1,
        speaker=speaker,
        record=record,
        is_tainted=tainted,
    )


def proved_candidate(claim: str, *evidence: Evidence, gist: str = "Seen before.") -> ProvedCandidate:
    """A proved candidate; its quotes are those of its evidence."""
    quotes = tuple(Quote(session_id=one.session_id, quote=one.quote) for one in evidence)
    candidate = Candidate(kind=Kind.SEMANTIC, claim=claim, gist=gist, entities=(), evidence=quotes)
    return ProvedCandidate(candidate=candidate, evidence=evidence)


def proved_commitment(
    statement: str, *, actor: str = "agent", resolved: bool = False, due: str | None = None, confidence: float = 0.9
) -> ProvedCommitment:
    """A proved promise."""
    evidence = made_evidence("s-1", f"record of {statement}")
    commitment = Commitment(
        statement=statement,
        actor=actor,
        due_hint=due,
        evidence=Quote(session_id=evidence.session_id, quote=evidence.quote),
        confidence=confidence,
        resolved=resolved,
    )
    return ProvedCommitment(commitment=commitment, evidence=evidence)


def made_memory(claim: str, *, sessions: Sequence[str] = ("s-1",), seen: int = 1, confidence: float = 0.5) -> Memory:
    """A memory as the corpus holds it."""
    return Memory(
        kind=Kind.SEMANTIC,
        claim=claim,
        body="Seen before.",
        created=NOW,
        updated=NOW,
        sessions=tuple(sessions),
        seen_count=seen,
        confidence=confidence,
    )


def made_task(
    claim: str, *, status: TaskStatus = TaskStatus.OPEN, author: str = "sleep", source_key: str = ""
) -> Memory:
    """A task as the corpus holds it."""
    return Memory(
        kind=Kind.TASK,
        claim=claim,
        body="",
        created=NOW,
        updated=NOW,
        author=author,
        task=TaskFields(task_status=status, actor="agent", source_key=source_key),
    )


def lenient(path: MemoryPath, content: bytes, sessions: Sequence[str]) -> tuple[Refusal, ...]:
    """A gate that lets everything in."""
    del path, content, sessions
    return ()


def strict(path: MemoryPath, content: bytes, sessions: Sequence[str]) -> tuple[Refusal, ...]:
    """A gate that lets nothing in."""
    del content, sessions
    return (Refusal(code="raw_html", path=path, message="no"),)
