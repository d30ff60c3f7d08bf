"""From planned actions to commits on ``pending``: files, message, trailers; and the items that name them."""

from collections.abc import Iterable, Sequence

from slowwave.corpus import message as trailers
from slowwave.corpus.branches import Written
from slowwave.corpus.door import Commit
from slowwave.corpus.format import file_of
from slowwave.corpus.message import CommitMessage, subject_for
from slowwave.facts.action import AppendNote, CorpusAction, PutMemory, PutTask, Reinforce, Retire
from slowwave.facts.evidence import Evidence
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import TaskStatus
from slowwave.facts.moment import stamp
from slowwave.sleep.items import Item, ItemStatus
from slowwave.sleep.plan import PENDING, Night
from slowwave.sleep.steps import Step
from slowwave.sleep.surroundings import content_of

_TYPES = {PutMemory: "memory", Reinforce: "reinforce", Retire: "retire", AppendNote: "report"}


def type_of(action: CorpusAction) -> str:
    """An action's type, as its trailer and item say it."""
    if isinstance(action, PutTask):
        task = action.memory.task
        return "close" if task is not None and task.task_status is TaskStatus.DONE else "task"
    return _TYPES[type(action)]


def commit_actions(night: Night, step: Step, actions: Sequence[CorpusAction]) -> tuple[Written, ...]:
    """Commit a step's actions onto ``pending`` behind the commit the step starts from; the same again after a crash."""
    if not actions:
        return ()
    commits = [_commit(action, night, step) for action in actions]
    with night.writing("sleep"):
        return night.door.commit_batch(PENDING, commits, expected=step.base)


def item_of(action: CorpusAction, night: Night) -> Item:
    """The item that a person will decide about."""
    evidence = evidence_of(action)
    return Item(
        id=action.item,
        run_id=night.record.run_id,
        type=type_of(action),
        kind=kind_of(action),
        path=action.destination if isinstance(action, Retire) else action.path,
        claim=claim_of(action),
        status=ItemStatus.PENDING,
        created=stamp(night.moment),
        sessions=_sessions(evidence),
        records=tuple(e.record for e in evidence),
    )


def kind_of(action: CorpusAction) -> str:
    """Kind of the memory an action writes; ``report`` for a page."""
    return "report" if isinstance(action, AppendNote) else str(action.memory.kind)


def claim_of(action: CorpusAction) -> str:
    """The claim an action writes; a page claims nothing."""
    return "" if isinstance(action, AppendNote) else action.memory.claim


def evidence_of(action: CorpusAction) -> tuple[Evidence, ...]:
    """What an action rests on; nothing for notes and moves."""
    return action.evidence if isinstance(action, PutMemory | Reinforce | PutTask) else ()


def _commit(action: CorpusAction, night: Night, step: Step) -> Commit:
    night_trailers = (
        (trailers.RUN, str(night.record.run_id)),
        (trailers.PHASE, step.name),
        (trailers.ENGINE, night.record.profile),
    )
    evidence = evidence_of(action)
    sessions = tuple((trailers.SESSION, session) for session in _sessions(evidence))
    named = ((trailers.ITEM, str(action.item)), (trailers.TYPE, type_of(action)))
    if isinstance(action, AppendNote):
        files: tuple[tuple[MemoryPath, bytes | None], ...] = ((action.path, action.text.encode("utf-8")),)
        subject, claim = f"report: {night.moment.date().isoformat()}", ""
    else:
        task = action.memory.task
        kind, word = (str(task.task_status), "task") if task is not None else (str(action.memory.kind), "memory")
        subject = subject_for(kind, action.memory.claim, word=word)
        claim = action.memory.claim
        files = _files(action, night, step)
    message = CommitMessage(
        subject=subject, claim=claim, evidence=evidence, trailers=(*night_trailers, *sessions, *named)
    )
    return Commit(files=files, message=message, moment=night.moment)


def _files(
    action: PutMemory | Reinforce | PutTask | Retire, night: Night, step: Step
) -> tuple[tuple[MemoryPath, bytes | None], ...]:
    content = file_of(action.path, action.memory, content_of(night, step.base, action.path))
    if isinstance(action, Retire):
        return ((action.path, None), (action.destination, content))
    return ((action.path, content),)


def _sessions(evidence: Iterable[Evidence]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(e.session_id) for e in evidence))
