"""What planning needs to know, gathered for one step: the corpus at the step's start, earlier items, the gate."""

from collections.abc import Callable, Iterator, Sequence

from slowwave.corpus import gate
from slowwave.corpus.duplicates import Known
from slowwave.corpus.history import HistoryItem
from slowwave.corpus.paths import Taken
from slowwave.facts.action import PutMemory, PutTask, Reinforce
from slowwave.facts.ids import MemoryPath, SessionId
from slowwave.facts.markers import injected_spans
from slowwave.facts.memory import Memory
from slowwave.facts.refusal import Refusal
from slowwave.facts.text import fold, normal
from slowwave.proof.recall import repeats
from slowwave.records.recording import Recording
from slowwave.sleep.items import UNDECIDED, ItemStatus, read_items
from slowwave.sleep.plan import MAIN, Night
from slowwave.sleep.proposals import Surroundings
from slowwave.sleep.tasks import TaskSurroundings

Gate = Callable[[MemoryPath, bytes, Sequence[str]], tuple[Refusal, ...]]


def memory_surroundings(night: Night, base: str, project: str, recordings: Sequence[Recording]) -> Surroundings:
    """What memories are planned against: the corpus at ``base`` and what a person decided before."""
    memories = memories_at(night, base)
    return Surroundings(
        moment=night.moment,
        engine=night.record.profile,
        project=project,
        memories=memories,
        content=lambda path: content_of(night, base, path),
        known=Known(memories),
        taken=Taken(paths_of(night, base)),
        items=known_items(night, base),
        rejected=_rejected(night),
        recalled=_recalled(recordings),
        gate=_gate(night, base, recordings),
    )


def task_surroundings(night: Night, base: str) -> TaskSurroundings:
    """What tasks are planned against."""
    rejected = read_items(night.state, (ItemStatus.REJECTED,))
    return TaskSurroundings(
        moment=night.moment,
        engine=night.record.profile,
        memories=memories_at(night, base),
        content=lambda path: content_of(night, base, path),
        taken=Taken(paths_of(night, base)),
        dismissed=tuple(item.claim for item in rejected if item.type == "task"),
        items=known_items(night, base),
        gate=_gate(night, base, ()),
    )


def memories_at(night: Night, base: str) -> dict[MemoryPath, Memory]:
    """Every memory at a commit, and on top of it what a dry run would have written so far."""
    return {**night.shelf(base).memories, **{a.path: a.memory for a in _foreseen(night)}}


def _foreseen(night: Night) -> tuple[PutMemory | Reinforce | PutTask, ...]:
    return tuple(action for action in night.foreseen if isinstance(action, PutMemory | Reinforce | PutTask))


def known_items(night: Night, base: str) -> frozenset[str]:
    """Items that stood before a step began: on the branch at ``base``, or decided.

    An undecided item that is not behind ``base`` is this very step's own, left by a crash: it is planned again.
    """
    decided = {item.id for item in read_items(night.state) if item.status not in UNDECIDED}
    foreseen = {action.item for action in night.foreseen}
    return frozenset(decided | foreseen | {commit.item for commit in before(night, base) if commit.item})


def before(night: Night, base: str) -> tuple[HistoryItem, ...]:
    """Commits between ``main`` and a step's start."""
    return night.door.history(base, since=MAIN) if base else ()


def linked_memories(night: Night, sessions: Sequence[SessionId]) -> dict[SessionId, tuple[dict[str, str], ...]]:
    """What the corpus links to each session: every memory's path, kind and status, and a reviewed one's claim."""
    landed = set(night.shelf(night.door.tip(MAIN) or "").memories) if night.door.exists else set()
    links: dict[SessionId, list[dict[str, str]]] = {session: [] for session in sessions}
    for path, memory in sorted(memories_at(night, night.tip()).items()):
        link = {"path": str(path), "kind": str(memory.kind), "status": str(memory.status)}
        link |= {"claim": memory.claim} if path in landed else {}
        for session in set(memory.sessions) & set(links):
            links[SessionId(session)].append(link)
    return {session: tuple(found) for session, found in links.items()}


def paths_of(night: Night, base: str) -> frozenset[str]:
    """Every path in a memory's place at a commit, those of broken files too."""
    shelf = night.shelf(base)
    foreseen = {action.path for action in night.foreseen}
    return frozenset(shelf.memories) | {fault.path for fault in shelf.faults} | foreseen


def content_of(night: Night, base: str, path: MemoryPath) -> bytes | None:
    """A memory's file at a commit; None where there is none."""
    shelf = night.shelf(base)
    return shelf.content(night.door.git, path) if path in shelf.blobs else None


def _rejected(night: Night) -> dict[str, frozenset[str]]:
    rejected: dict[str, frozenset[str]] = {}
    for item in read_items(night.state, (ItemStatus.REJECTED, ItemStatus.UNDONE)):
        key = normal(fold(item.claim))
        rejected[key] = rejected.get(key, frozenset()) | frozenset(item.records)
    return rejected


def _recalled(recordings: Sequence[Recording]) -> Callable[[str, str], bool]:
    """Whether a claim was shown to an agent inside a session as one of our memories, by whichever way it came in."""
    shown = {recording.session.id: tuple(_shown_in(recording)) for recording in recordings}
    whole = {session: normal(fold(" ".join(texts)), 1_000_000) for session, texts in shown.items()}

    def is_recalled(session: str, claim: str) -> bool:
        there = SessionId(session)
        return normal(fold(claim)) in whole.get(there, "") or repeats(claim, shown.get(there, ()))

    return is_recalled


def _shown_in(recording: Recording) -> Iterator[str]:
    """What slowwave had put into a session: at its start, and in a file or an answer that a tool brought in."""
    for entry in recording.entries:
        if entry.injected == "memory":
            yield entry.text
        elif "<" in entry.text or "[" in entry.text:
            yield from (entry.text[start:end] for start, end in injected_spans(entry.text))


def _gate(night: Night, base: str, recordings: Sequence[Recording]) -> Gate:
    paths = paths_of(night, base)

    def check(path: MemoryPath, content: bytes, sessions: Sequence[str]) -> tuple[Refusal, ...]:
        return gate.check(
            path, content, cited=_texts(recordings, sessions), exists=lambda held: held in paths, secrets=night.secrets
        )

    return check


def _texts(recordings: Sequence[Recording], sessions: Sequence[str]) -> Iterator[str]:
    wanted = set(sessions)
    for recording in recordings:
        if recording.session.id in wanted:
            yield from (entry.text for entry in recording.entries)
