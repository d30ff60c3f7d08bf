"""From proved candidates to planned actions: what is new, what confirms, what is known, what the gate refuses.

Pure: the same answer over the same corpus plans the same actions, so a night that was killed in the middle plans them
again and finds its own work by item id.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from slowwave.corpus.duplicates import Known
from slowwave.corpus.format import file_of, render
from slowwave.corpus.paths import Taken, place
from slowwave.facts.action import PutMemory, Reinforce
from slowwave.facts.answer import ProvedCandidate
from slowwave.facts.evidence import Evidence
from slowwave.facts.ids import ItemId, MemoryPath, item_id
from slowwave.facts.memory import Memory, Status
from slowwave.facts.refusal import Refusal
from slowwave.facts.text import fold, normal
from slowwave.sleep.confidence import first_confidence, reinforced


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a plan is made against.

    Attributes:
        moment: The night's present.
        engine: The engine's profile, written into each memory.
        project: Slug of the batch's project.
        memories: The corpus as the night sees it, pending work included.
        content: The file of a memory as it stands; None where there is none.
        known: The same, for recognising duplicates.
        taken: Paths in use.
        items: Items that were proposed before, whatever became of them.
        rejected: For each rejected claim, folded for comparison, the records it rested on.
        recalled: Whether a memory of ours was shown inside the session: then the session repeats it, it is no witness.
        gate: The render gate: refusals for a file about to be written, given the sessions it cites.
    """

    moment: datetime
    engine: str
    project: str
    memories: Mapping[MemoryPath, Memory]
    content: Callable[[MemoryPath], bytes | None]
    known: Known
    taken: Taken
    items: frozenset[str]
    rejected: Mapping[str, frozenset[str]]
    recalled: Callable[[str, str], bool]
    gate: Callable[[MemoryPath, bytes, Sequence[str]], tuple[Refusal, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """Planned actions, refusals, and where every candidate went: the counts add up to the candidates."""

    actions: tuple[PutMemory | Reinforce, ...]
    refusals: tuple[Refusal, ...]
    counts: Mapping[str, int]


def propose_memories(proved: Sequence[ProvedCandidate], around: Surroundings) -> Proposals:
    """Plan what becomes of each proved candidate, in their order."""
    actions: list[PutMemory | Reinforce] = []
    refusals: list[Refusal] = []
    counts: Counter[str] = Counter()
    memories = dict(around.memories)
    for number, one in enumerate(proved):
        outcome = _decide(one, around, memories, f"candidates[{number}]")
        if isinstance(outcome, str):
            counts[outcome] += 1
            continue
        if isinstance(outcome, tuple):
            refusals.extend(outcome)
            counts["refused_by_gate"] += 1
            continue
        counts["written" if isinstance(outcome, PutMemory) else "reinforced"] += 1
        actions.append(outcome)
        memories[outcome.path] = outcome.memory
        if isinstance(outcome, PutMemory):
            around.known.add(outcome.path, outcome.memory)
            around.taken.add(outcome.path)
    return Proposals(actions=tuple(actions), refusals=tuple(refusals), counts=dict(counts))


def _decide(
    one: ProvedCandidate, around: Surroundings, memories: Mapping[MemoryPath, Memory], where: str
) -> PutMemory | Reinforce | str | tuple[Refusal, ...]:
    item = memory_item(one)
    if item in around.items:
        return "already_proposed"
    records = frozenset(e.record for e in one.evidence)
    before = around.rejected.get(normal(fold(one.candidate.claim)))
    if before is not None and records <= before:
        return "rejected_before"
    duplicate = around.known.find(one.candidate.claim, one.candidate.gist)
    if duplicate is None:
        return _new(item, one, around, where)
    known = memories[duplicate.path]
    if known.status is not Status.ACTIVE or (duplicate.kind == "exact" and _adds_nothing(one, known)):
        return "known"
    return _reinforce(one, around, duplicate.path, memories[duplicate.path], where)


def memory_item(one: ProvedCandidate) -> ItemId:
    """The item id of a candidate: its claim and the records it rests on."""
    return item_id("memory", fold(one.candidate.claim), *sorted(e.record for e in one.evidence))


def _adds_nothing(one: ProvedCandidate, memory: Memory) -> bool:
    return all(e.session_id in memory.sessions for e in one.evidence)


def _new(item: ItemId, one: ProvedCandidate, around: Surroundings, where: str) -> PutMemory | tuple[Refusal, ...]:
    memory = _memory(one, around)
    path = place(memory, around.taken)
    refusals = around.gate(path, render(memory), _sessions(one.evidence))
    if refusals:
        return _under(where, refusals)
    return PutMemory(item=item, path=path, memory=memory, evidence=one.evidence)


def _memory(one: ProvedCandidate, around: Surroundings) -> Memory:
    candidate = one.candidate
    return Memory(
        kind=candidate.kind,
        claim=fold(candidate.claim),
        body=candidate.gist.strip(),
        created=around.moment,
        updated=around.moment,
        confidence=first_confidence(one.evidence),
        engine=around.engine,
        project=around.project,
        sessions=_sessions(one.evidence),
        entities=tuple(dict.fromkeys(candidate.entities)),
        last_seen=around.moment,
    )


def _reinforce(
    one: ProvedCandidate, around: Surroundings, path: MemoryPath, memory: Memory, where: str
) -> Reinforce | str | tuple[Refusal, ...]:
    witnesses = tuple(e for e in one.evidence if not around.recalled(e.session_id, memory.claim))
    fresh = [s for s in _sessions(witnesses) if s not in memory.sessions]
    if not fresh:
        return "known" if witnesses else "self_reinforcement"
    item = item_id("reinforce", path, *sorted(e.record for e in witnesses))
    if item in around.items:
        return "already_proposed"
    seen = replace(
        memory,
        sessions=(*memory.sessions, *fresh),
        confidence=reinforced(memory.confidence),
        last_seen=around.moment,
        seen_count=memory.seen_count + 1,
    )
    refusals = around.gate(path, file_of(path, seen, around.content(path)), _sessions(one.evidence))
    if refusals:
        return _under(where, refusals)
    return Reinforce(item=item, path=path, memory=seen, evidence=witnesses)


def _sessions(evidence: Sequence[Evidence]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(e.session_id) for e in evidence))


def _under(where: str, refusals: Sequence[Refusal]) -> tuple[Refusal, ...]:
    return tuple(Refusal(code=r.code, path=f"{where}.{r.path}", message=r.message) for r in refusals)
