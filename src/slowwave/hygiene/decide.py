"""Deciding: operations that were asked for, or that detectors propose, held against every rule; a plan comes out.

Pure, given the document: nothing is written here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from slowwave.hygiene.answer import Asked, Rejected
from slowwave.hygiene.changing import changes_of
from slowwave.hygiene.detectors import find_hits, stale_reads
from slowwave.hygiene.hits import Hit
from slowwave.hygiene.items import Edit
from slowwave.hygiene.legality import Law
from slowwave.hygiene.names import Names
from slowwave.hygiene.operations import Operation, Request
from slowwave.hygiene.pins import Pins, find_pins
from slowwave.hygiene.protection import Protection
from slowwave.hygiene.remaining import remaining
from slowwave.hygiene.resolving import Resolver, request_of
from slowwave.hygiene.scene import Scene

LEAST_SAVED_TOKENS = 40  # of one item for which we propose anything: less is not worth a gap in what somebody reads
LEAST_SAVED_SHARE = 0.25  # of an item's tokens; a text of which three quarters stay is better left whole


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What a decision is made by, beside the document.

    Attributes:
        protection: Ranges that may not be touched.
        pinned: Ids or digests of items a person pinned.
        is_atomic: One refusal refuses all.
        thinking: Why a change at an index would break a later thought; empty when it would not.
        weigh: Why the whole answer is not worth it, as code and sentence, from tokens before, tokens after and the
            index of the first change; None when it is.
    """

    protection: Protection = field(default_factory=Protection)
    pinned: Sequence[str] = ()
    is_atomic: bool = False
    thinking: Callable[[int], str] = lambda _: ""
    weigh: Callable[[int, int, int], tuple[str, str] | None] = lambda *_: None


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be done to one document.

    Attributes:
        operations: Found good, in the order of their first index.
        rejected: Refused, each with its code.
        before: Tokens of the window now.
        after: Tokens of the window afterwards.
        pins: What stays byte for byte.
        withheld: Good operations that are not done because another one was refused.
        removals: What else is written: replies without thoughts that would not fit any more.
        idle: What detectors saw and is left alone for want of a gain, by the number of the item.
    """

    operations: tuple[Operation, ...]
    rejected: tuple[Rejected, ...]
    before: int
    after: int
    pins: Pins
    withheld: int = 0
    removals: tuple[Edit, ...] = ()
    idle: Mapping[int, Hit] = field(default_factory=dict)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Everything that is to be written."""
        changes = (change for each in self.operations for change in each.changes)
        return (*(edit for change in changes for edit in change.edits), *self.removals)

    @property
    def first_index(self) -> int:
        """The first index that changes; 0 where none does."""
        return min((edit.index for edit in self.edits), default=0)

    def as_json(self) -> dict[str, Any]:
        """The plan as commands print it."""
        return {
            "operations": [each.as_json() for each in self.operations],
            "rejected": [{"op": each.op, "code": each.code, "message": each.message} for each in self.rejected],
            "tokens": {"before": self.before, "after": self.after, "saved": self.before - self.after},
            "withheld": self.withheld,
            "thoughts_removed_at": sorted({edit.index for edit in self.removals}),
            "pins": {"count": len(self.pins.reasons), "by_reason": self.pins.count()},
        }


def propose(scene: Scene, rules: Rules) -> Plan:
    """What the detectors would have done; proposing nothing is the common case."""
    pins, legal = _candidates(scene, rules)
    trouble = rules.protection.trouble
    refused = (Rejected(op=None, code="QUARANTINED", message=trouble),) if trouble else ()
    return _settled(scene, rules, pins, legal, refused, are_ours=True)


def _candidates(scene: Scene, rules: Rules) -> tuple[Pins, list[Request]]:
    """What the detectors name and no rule protects."""
    hits = find_hits(scene)
    pins = find_pins(scene, stale=stale_reads(scene), listed=rules.pinned)
    law = Law(scene=scene, pins=pins, protection=rules.protection, thinking=rules.thinking)
    return pins, _legal(scene, law, hits)


def _legal(scene: Scene, law: Law, hits: Mapping[int, Hit]) -> list[Request]:
    found = [request_of(scene, number, hit) for number, hit in sorted(hits.items())]
    return [request for request in found if law.refusal(request) is None]


def left_over(plan: Plan, after: Scene, rules: Rules) -> str:
    """The id of an item that a second run would change; empty where it leaves everything alone.

    Where it looks at exactly what the first one looked at and left, it finds no more to gain: of the names around an
    item it counts the same or fewer (``names``), so that as many lines stay or more, and a text with more lines is
    never shorter (``retelling``). Otherwise it is tried.
    """
    rules = replace(rules, is_atomic=False, weigh=lambda *_: None)
    pins, legal = _candidates(after, rules)
    seen = {number: hit for request in legal for number, hit in request.hits.items()}
    if _bare(seen) == _bare(plan.idle):
        return ""
    operations = _settled(after, rules, pins, legal, (), are_ours=True).operations
    return operations[0].request.targets[0].id if operations else ""


def _bare(hits: Mapping[int, Hit]) -> Mapping[int, Hit]:
    """Hits by what they ask for, whatever showed it."""
    return {number: replace(hit, evidence={}) for number, hit in hits.items()}


def judge(scene: Scene, rules: Rules, asked: Sequence[Asked], rejected: Sequence[Rejected], *, is_ours: bool) -> Plan:
    """What of somebody's operations may be done.

    Args:
        scene: The context.
        rules: What to hold them against.
        asked: Operations of good form.
        rejected: Those that were not.
        is_ours: Whether we made them ourselves, so that names are kept as in our own proposals; an operation that names
            the detector that found it is ours in any case.
    """
    hits = find_hits(scene)
    pins = find_pins(scene, stale=stale_reads(scene), listed=rules.pinned)
    law = Law(scene=scene, pins=pins, protection=rules.protection, thinking=rules.thinking)
    resolver = Resolver(scene, hits)
    refused = list(rejected)
    legal: list[Request] = []
    for each in asked:
        request = resolver.resolve(each)
        refusal = request if isinstance(request, tuple) else law.refusal(request)
        if refusal is not None:
            refused.append(Rejected(op=each.number, code=refusal[0], message=refusal[1]))
        elif not isinstance(request, tuple):
            legal.append(request)
    named = {item.number for request in legal for item in request.targets}
    beside = {number: hit for number, hit in hits.items() if number not in named}
    left = _legal(scene, law, beside) if any(request.hits for request in legal) else []
    return _settled(scene, rules, pins, legal, refused, are_ours=is_ours, left=left)


def _settled(
    scene: Scene,
    rules: Rules,
    pins: Pins,
    legal: Sequence[Request],
    rejected: Sequence[Rejected],
    *,
    are_ours: bool,
    left: Sequence[Request] = (),
) -> Plan:
    """The changes of legal operations, those that help, and whether all of them together are worth it.

    ``left`` are those that detectors see and nobody asked for: names count around them as they did when all were
    proposed, so that a part of a plan does what it did in the whole.
    """
    refused = list(rejected)
    operations: list[Operation] = []
    idle: dict[int, Hit] = {}
    for request, operation in _carried_out(scene, rules, legal, left, are_ours=are_ours):
        is_careful = are_ours or bool(request.hits)
        is_behind = all(change.item.number >= scene.context.boundary for change in operation.changes)
        if is_behind and (_is_worth(operation) if is_careful else operation.saved > 0):
            operations.append(operation)
            continue
        idle |= request.hits
        if not request.hits or not are_ours:
            refused.append(_useless(request, is_behind=is_behind))
    before = scene.context.tokens
    after = before - sum(each.saved for each in operations)
    first = min((each.request.start for each in operations), default=0)
    verdict = rules.weigh(before, after, first) if operations else None
    if verdict is not None:
        refused += [Rejected(op=each.request.number, code=verdict[0], message=verdict[1]) for each in operations]
        operations = []
    withheld = len(operations) if rules.is_atomic and refused else 0
    if withheld:
        operations = []
    return Plan(
        operations=tuple(reversed(operations)),
        rejected=tuple(sorted(refused, key=lambda each: -1 if each.op is None else each.op)),
        before=before,
        after=after if operations else before,
        pins=pins,
        withheld=withheld,
        idle=idle,
    )


def _carried_out(
    scene: Scene, rules: Rules, legal: Sequence[Request], left: Sequence[Request], *, are_ours: bool
) -> Iterator[tuple[Request, Operation]]:
    """Each request with what it would do, the newest first: of names in several items the newest keeps them."""
    requests = [*((request, True) for request in legal), *((request, False) for request in left)]
    requests.sort(key=lambda each: (each[0].start, _first_number(each[0])), reverse=True)
    names: Mapping[bool, Names] = {}
    if are_ours or any(request.hits for request in legal):
        names = remaining(scene, {item.number for request, _ in requests for item in request.targets})
    for request, is_asked in requests:
        is_careful = are_ours or bool(request.hits)
        operation = _operation(scene, rules, request, names[_is_aside(request)] if is_careful else None)
        if is_asked:
            yield request, operation


def _first_number(request: Request) -> int:
    return request.targets[0].number if request.targets else 0


def _is_aside(request: Request) -> bool:
    return bool(request.targets) and request.targets[0].is_sidechain


def _is_worth(operation: Operation) -> bool:
    """Whether a proposal of ours saves enough of what it touches."""
    tokens = sum(change.item.tokens for change in operation.changes)
    return operation.saved >= max(LEAST_SAVED_TOKENS, LEAST_SAVED_SHARE * tokens)


def _operation(scene: Scene, rules: Rules, request: Request, names: Names | None) -> Operation:
    op, changes = changes_of(scene, request, names)
    cited = dict.fromkeys(memory for item in request.targets for memory in rules.protection.citing(item))
    return Operation(request=request, op=op, changes=changes, cited_by=tuple(cited))


def _useless(request: Request, *, is_behind: bool) -> Rejected:
    if not is_behind:
        message = "what stands before the last compaction is in no window any more: nothing would be saved"
        return Rejected(op=request.number, code="BELOW_MIN_SAVING", message=message)
    return Rejected(op=request.number, code="NOT_SMALLER", message="what would stand there is not shorter")
