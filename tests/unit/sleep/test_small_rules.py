"""Small rules of sleep: confidence, sums, marks, steps, resolving, hearing."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from made_sleep import made_evidence, made_memory, made_session, made_task

from slowwave.corpus.format import parse, render
from slowwave.corpus.history import FileChange, HistoryItem
from slowwave.corpus.message import ITEM, TYPE, CommitMessage
from slowwave.corpus.rebuild import Conflict
from slowwave.facts.evidence import Speaker
from slowwave.facts.ids import MemoryPath, SessionId
from slowwave.facts.memory import Memory, TaskStatus
from slowwave.facts.refusal import Refusal
from slowwave.records.session import Session
from slowwave.sleep.confidence import first_confidence, reinforced
from slowwave.sleep.marks import Mark, file_key, first_new_lines, prefix_digest
from slowwave.sleep.plan import PhaseResult, PhaseRun
from slowwave.sleep.report import imbalances
from slowwave.sleep.resolve import resolver
from slowwave.sleep.steps import Outcome, read_outcome

PATH = MemoryPath("projects/shop/x.md")


@pytest.mark.parametrize(("sessions", "expected"), [(1, 0.40), (2, 0.55), (3, 0.65), (4, 0.70), (9, 0.70)])
def test_more_sessions_make_a_memory_surer(sessions: int, expected: float) -> None:
    """The table of first confidence over how many sessions saw it."""
    evidence = [made_evidence(f"s-{n}", f"r{n}") for n in range(sessions)]
    assert first_confidence(evidence) == expected


def test_a_person_adds_and_taint_takes() -> None:
    """A person's quote makes it surer, text from outside less sure."""
    agent = made_evidence("s-1", "r1")
    assert first_confidence([agent, made_evidence("s-1", "r2", speaker=Speaker.USER)]) == 0.50
    assert first_confidence([agent, made_evidence("s-1", "r2", tainted=True)]) == 0.25


def test_confirming_rises_to_a_bound_and_never_lowers() -> None:
    """Each confirmation adds a little; nothing learned from transcripts becomes certain; a surer one stays."""
    assert reinforced(0.5) == 0.55
    assert reinforced(0.93) == 0.95
    assert reinforced(1.0) == 1.0


def sums(**counts: int) -> tuple[str, ...]:
    """Imbalances of a consolidation with these counts."""
    whole = {"sessions_found": 0, **counts}
    return imbalances([PhaseRun(name="trace_consolidation", result=PhaseResult(counts=whole), seconds=0.0)])


def test_a_night_that_adds_up_has_no_imbalance() -> None:
    """Every session, candidate and commitment placed once: nothing to say."""
    counts = {"sessions_eligible": 2, "sessions_known": 1, "sessions_consolidated": 1, "sessions_waiting": 1}
    assert sums(sessions_found=3, candidates=2, written=1, candidates_refused=1, **counts) == ()
    assert sums(commitments=2, commitments_kept=1, commitments_unsure=1) == ()


def test_every_sum_that_does_not_come_out_is_told() -> None:
    """A lost session, candidate or commitment is named with both numbers."""
    assert sums(sessions_found=3, sessions_known=2) == ("3 sessions were found, 2 are accounted for",)
    assert sums(candidates=2, written=1) == ("2 candidates were proposed, 1 are accounted for",)
    assert sums(commitments=1) == ("1 commitments were proposed, 0 are accounted for",)
    lost = sums(sessions_found=1, sessions_eligible=1)
    assert lost == ("1 sessions were eligible, 0 are accounted for",)


def test_a_night_that_did_not_consolidate_has_no_sums() -> None:
    """Where the phase was skipped there is nothing to add up."""
    assert imbalances([PhaseRun(name="integrity", result=PhaseResult(), seconds=0.0)]) == ()


def real_session(folder: Path, content: bytes) -> Session:
    """A session with one real file."""
    session = made_session("s", sizes=(len(content),))
    path = folder / "s.jsonl"
    path.write_bytes(content)
    files = (
        session.files[0].__class__(path=path, identity=session.files[0].identity, bytes_read=len(content), lines=9),
    )
    return Session(id=SessionId("s"), agent="claude-code", path=path, root=folder, files=files)


def mark_of(session: Session, byte: int, line: int) -> dict[tuple[str, str], Mark]:
    """A mark as a night would set it now."""
    prefix = prefix_digest(session.root, session.path, byte)
    return {("s", file_key(session, 0)): Mark(byte=byte, line=line, prefix=prefix)}


def test_an_append_keeps_the_mark(tmp_path: Path) -> None:
    """What was consolidated is old, the line behind it is new."""
    old = b"a" * 10_000 + b"\n"
    marks = mark_of(real_session(tmp_path, old), len(old), 4)
    assert first_new_lines(real_session(tmp_path, old + b"more\n"), marks) == (5,)


@pytest.mark.parametrize(
    "content",
    [b"b" + b"a" * 9_999 + b"\n" + b"more\n", b"a" * 9_999 + b"b\n" + b"more\n", b"a" * 50 + b"\n", b""],
)
def test_a_rewrite_loses_the_mark(tmp_path: Path, content: bytes) -> None:
    """Another beginning, another end before the mark, a shorter file: offered whole."""
    old = b"a" * 10_000 + b"\n"
    marks = mark_of(real_session(tmp_path, old), len(old), 4)
    assert first_new_lines(real_session(tmp_path, content), marks) == (1,)


def test_a_file_without_a_mark_is_new(tmp_path: Path) -> None:
    """No mark: from line 1."""
    assert first_new_lines(real_session(tmp_path, b"x\n"), {}) == (1,)


def test_a_file_that_became_a_link_has_no_prefix(tmp_path: Path) -> None:
    """A link is not read to compare it with a mark."""
    (tmp_path / "real").write_bytes(b"x" * 100)
    (tmp_path / "s.jsonl").symlink_to(tmp_path / "real")
    assert prefix_digest(tmp_path, tmp_path / "s.jsonl", 50) == ""


def test_an_outcome_comes_back_from_its_json() -> None:
    """What a step came to reads back equal, refusals and read sessions included."""
    refusal = Refusal(code="schema", path="x", message="y")
    outcome = Outcome(counts={"written": 1}, refusals=(refusal,), read=(SessionId("s-1"),))
    assert read_outcome(outcome.written()) == outcome


def conflict(kind: str, wanted: Memory, *, found: str | None = "now") -> Conflict:
    """An item of a type that does not fit where the file is what ``found`` names."""
    message = CommitMessage(subject="x", claim="", trailers=((ITEM, "i-1"), (TYPE, kind)))
    change = FileChange(path=PATH, old=None, new="wanted", mode="100644")
    item = HistoryItem(
        commit="c",
        parents=(),
        message=message,
        raw=b"",
        author=b"",
        committer=b"",
        moment=datetime(2026, 1, 1, tzinfo=UTC),
        files=(change,),
    )
    assert wanted.claim
    return Conflict(item=item, change=change, found=found)


def resolved(kind: str, now: Memory | bytes, wanted: Memory, *, found: str | None = "now") -> Memory | None:
    """The file that takes the place of a conflict, read; None where it stays open."""
    blobs = {"now": now if isinstance(now, bytes) else render(now), "wanted": render(wanted)}
    files = resolver(blobs.__getitem__)(conflict(kind, wanted, found=found))
    if files is None:
        return None
    ((path, content),) = files
    assert content is not None
    return parse(content, path)


def test_a_confirmation_is_added_to_the_file_as_it_is_now() -> None:
    """Sessions join, the count rises by one, an edit of the claim by hand stays."""
    now = made_memory("The cart rounds half up, says the law.", sessions=("s-1", "s-5"), seen=4)
    wanted = made_memory("The cart rounds half up.", sessions=("s-1", "s-2"), seen=2)
    merged = resolved("reinforce", now, wanted)
    assert merged is not None
    assert (merged.claim, merged.sessions, merged.seen_count) == (now.claim, ("s-1", "s-5", "s-2"), 5)


def test_a_new_memory_somebody_wrote_meanwhile_becomes_a_confirmation() -> None:
    """The same words by hand: one more observation of theirs; other words: a person must see it."""
    wanted = made_memory("The cart rounds half up.", sessions=("s-2",))
    merged = resolved("memory", made_memory("The cart rounds half up.", sessions=("s-1",)), wanted)
    assert merged is not None
    assert merged.sessions == ("s-1", "s-2")
    assert resolved("memory", made_memory("The cart rounds down."), wanted) is None


def test_a_closure_closes_the_task_as_it_is_now() -> None:
    """The task's status is taken over, nothing else."""
    wanted = made_task("Write the note.", status=TaskStatus.DONE)
    merged = resolved("close", made_task("Write the note.", author="human"), wanted)
    assert merged is not None
    assert merged.task is not None
    assert (merged.task.task_status, merged.author) == (TaskStatus.DONE, "human")


def test_what_was_removed_or_broken_waits_for_a_person() -> None:
    """No file any more, or one that cannot be read: nothing is decided by a rule."""
    wanted = made_memory("The cart rounds half up.")
    assert resolved("reinforce", made_memory("x"), wanted, found=None) is None
    assert resolved("reinforce", b"---\nbroken", wanted) is None
