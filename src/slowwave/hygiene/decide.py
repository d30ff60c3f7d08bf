"""Deciding: operations that were asked for, or that detectors propose, held against every rule; a plan comes out.

Pure, given the document: nothing is written here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from slowwave.hygiene.answer import Asked, Rejected
from slowwave.hygiene.changing import changes_of
from slowwave.hygiene.detectors import find_hits, stale_reads
from slowwave.hygiene.hits import Hit
from slowwave.hygiene.items import Edit, Item, Kind
from slowwave.hygiene.legality import Law
from slowwave.hygiene.names import Names
from slowwave.hygiene.operations import COLLAPSE, PRUNE, Operation, Request, items_between
from slowwave.hygiene.pins import Pins, find_pins
from slowwave.hygiene.protection import Protection
from slowwave.hygiene.scene import Scene
from slowwave.hygiene.splice import value_at
from slowwave.records.walk import strings_of

LEAST_SAVED_TOKENS = 40  # of one item for which we propose anything: less is not worth a gap in what somebody reads
LEAST_SAVED_SHARE = 0.25  # of an item's tokens; a text of which three quarters stay is better left whole
_COLLAPSIBLE = (Kind.NOTICE, Kind.ASSISTANT, Kind.USER, Kind.SYSTEM, Kind.SUMMARY)


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
    """

    operations: tuple[Operation, ...]
    rejected: tuple[Rejected, ...]
    before: int
    after: int
    pins: Pins
    withheld: int = 0
    removals: tuple[Edit, ...] = ()

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
    return _settled(scene, rules, pins, legal, (), are_ours=True)


def _candidates(scene: Scene, rules: Rules) -> tuple[Pins, list[Request]]:
    """What the detectors name and no rule protects."""
    hits = find_hits(scene)
    pins = find_pins(scene, stale=stale_reads(scene), listed=rules.pinned)
    law = Law(scene=scene, pins=pins, protection=rules.protection, thinking=rules.thinking)
    found = [_request_of(scene, number, hit) for number, hit in sorted(hits.items())]
    return pins, [request for request in found if law.refusal(request) is None]


def new_candidates(before: Scene, after: Scene, pinned: Sequence[str]) -> tuple[str, ...]:
    """Ids of what a second run would look at and the first one did not.

    What both look at, the first one left alone for want of a gain; a second one sees the same names around it or fewer
    (``names``), so that its gain is no greater. So an empty answer is a second run that plans nothing.
    """
    seen = {before.context.items[number].id for number in find_hits(before)}
    rules = Rules(pinned=pinned)
    return tuple(name for request in _candidates(after, rules)[1] if (name := request.targets[0].id) not in seen)


def judge(scene: Scene, rules: Rules, asked: Sequence[Asked], rejected: Sequence[Rejected], *, is_ours: bool) -> Plan:
    """What of somebody's operations may be done.

    Args:
        scene: The context.
        rules: What to hold them against.
        asked: Operations of good form.
        rejected: Those that were not.
        is_ours: Whether we made them ourselves, so that names are kept as in our own proposals.
    """
    hits = find_hits(scene)
    pins = find_pins(scene, stale=stale_reads(scene), listed=rules.pinned)
    law = Law(scene=scene, pins=pins, protection=rules.protection, thinking=rules.thinking)
    refused = list(rejected)
    legal: list[Request] = []
    for each in asked:
        request = _resolved(scene, each, hits)
        refusal = request if isinstance(request, tuple) else law.refusal(request)
        if refusal is not None:
            refused.append(Rejected(op=each.number, code=refusal[0], message=refusal[1]))
        elif not isinstance(request, tuple):
            legal.append(request)
    return _settled(scene, rules, pins, legal, refused, are_ours=is_ours)


def _request_of(scene: Scene, number: int, hit: Hit) -> Request:
    item = scene.context.items[number]
    covered = scene.context.by_index[item.index]
    return Request(
        number=number,
        op=PRUNE if item.kind is Kind.RESULT else COLLAPSE,
        start=item.index,
        end=item.index + 1,
        targets=(item,),
        covered=covered,
        rationale="",
        replacement="",
        hits={number: hit},
    )


def _resolved(scene: Scene, asked: Asked, hits: Mapping[int, Hit]) -> Request | tuple[str, str]:
    """The items an operation means, or why it means none."""
    covered = items_between(scene.context.by_index, asked.start, asked.end)
    targets: tuple[Item, ...]
    if asked.items:
        named = {item.id: item for item in scene.context.items}
        for name, digest in asked.items:
            if name not in named:
                return "UNKNOWN_ITEM", f"there is no item {name}"
            if digest and named[name].digest != digest:
                return "STALE_REVISION", f"{name} has changed since this was planned"
        targets = tuple(named[name] for name, _ in asked.items)
        covered = tuple(item for target in targets for item in scene.context.by_index[target.index])
    elif asked.op == COLLAPSE:
        targets = _apart(covered)[:-1]
    else:
        targets = tuple(item for item in covered if item.kind is Kind.RESULT)
    own = {item.number: hits[item.number] for item in targets if asked.detector and item.number in hits}
    return Request(
        number=asked.number,
        op=asked.op,
        start=min((item.index for item in targets), default=asked.start) if asked.items else asked.start,
        end=max((item.index + 1 for item in targets), default=asked.end) if asked.items else asked.end,
        targets=targets,
        covered=covered,
        rationale=asked.rationale,
        replacement=asked.replacement,
        hits=own,
    )


def _apart(items: Sequence[Item]) -> tuple[Item, ...]:
    """Messages that can be collapsed; of several pieces of one text the first stands for all of it."""
    found: dict[tuple[int, int, str], Item] = {}
    for item in items:
        if item.kind in _COLLAPSIBLE and item.fields:
            found.setdefault((item.index, item.part, item.fields[0]), item)
    return tuple(found.values())


def _settled(
    scene: Scene,
    rules: Rules,
    pins: Pins,
    legal: Sequence[Request],
    rejected: Sequence[Rejected],
    *,
    are_ours: bool,
) -> Plan:
    """The changes of legal operations, those that help, and whether all of them together are worth it."""
    refused = list(rejected)
    names = _remaining(scene, legal) if are_ours else None
    operations: list[Operation] = []
    for request in sorted(legal, key=lambda each: each.start, reverse=True):
        operation = _operation(scene, rules, request, names)
        is_behind = all(change.item.number >= scene.context.boundary for change in operation.changes)
        if is_behind and (_is_worth(operation) if are_ours else operation.saved > 0):
            operations.append(operation)
            continue
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
    if not operations:
        after = before
    return Plan(
        operations=tuple(reversed(operations)),
        rejected=tuple(sorted(refused, key=lambda each: -1 if each.op is None else each.op)),
        before=before,
        after=after,
        pins=pins,
        withheld=withheld,
    )


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


def _remaining(scene: Scene, legal: Sequence[Request]) -> Names:
    """The names in everything of the window that no operation touches, earlier stubs left out: they keep their own."""
    touched = {item.number for request in legal for item in request.targets}
    names = Names()
    names.add(_texts(scene, touched))
    return names


def _texts(scene: Scene, touched: set[int]) -> Iterator[str]:
    for item in scene.context.window():
        if item.number in touched or item.is_stub or item.kind is Kind.THINKING:
            continue
        if item.kind is Kind.CALL:
            place = item.fields[-1] if item.fields else ""
            yield from (text for _, text in strings_of(value_at(scene.context.record(item), place)))
        else:
            yield scene.context.text(item)
