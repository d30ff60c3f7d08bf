"""Re-fetching: what was taken out and was wanted again, looked for in the rest of a recording that goes on.

A recording is cut, its beginning curated, and its rest asked two questions about each item that lost words: is the very
call made again, and is a distinctive token used that stood in the item and stands nowhere in what remained. An item is
counted once. ``needed`` leaves out repeats of calls whose newer result was there to be seen: an agent that runs the
tests again does not do it for want of the old output.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from slowwave.hygiene.context import Context
from slowwave.hygiene.decide import Plan, Rules, propose
from slowwave.hygiene.document import AnyDocument, Lines, read_document
from slowwave.hygiene.hits import Detector
from slowwave.hygiene.items import Item, Kind
from slowwave.hygiene.operations import Change
from slowwave.hygiene.rewrite import rewrite
from slowwave.hygiene.scene import USED_CHARACTERS, Scene, read_scene, tokens_of
from slowwave.hygiene.splice import value_at
from slowwave.records.walk import strings_of

CUTS = (0.25, 0.5, 0.75)
"""Shares of the records at which a recording is cut: a young, a middling and an old context."""
_SUPERSEDED = frozenset({Detector.DUP_CALL, Detector.STALE_READ, Detector.SUPERSEDED_RUN, Detector.POLL})


@dataclass(frozen=True, slots=True, kw_only=True)
class Refetched:
    """Counts over the cuts of one recording.

    Attributes:
        pruned: Items that lost words.
        repeated: Of them, whose call was made again.
        named: Of them, with a token that was wanted and was gone.
        either: Of them, one or the other.
        needed: The same without repeats of what a newer result superseded.
    """

    pruned: int = 0
    repeated: int = 0
    named: int = 0
    either: int = 0
    needed: int = 0

    def __add__(self, other: "Refetched") -> "Refetched":
        """Both."""
        return Refetched(
            pruned=self.pruned + other.pruned,
            repeated=self.repeated + other.repeated,
            named=self.named + other.named,
            either=self.either + other.either,
            needed=self.needed + other.needed,
        )


def refetched(document: AnyDocument) -> Refetched:
    """How often something that would have been taken out was wanted again."""
    if not isinstance(document, Lines):
        return Refetched()
    whole = read_scene(document)
    total = Refetched()
    for share in CUTS:
        count = int(document.count * share)
        if count:
            total += _at(document, whole, count)
    return total


def _at(document: Lines, whole: Scene, count: int) -> Refetched:
    prefix = read_document(b"".join(document.bytes_between(0, count)), wire=document.wire.name)
    scene = read_scene(prefix)
    plan = propose(scene, Rules())
    if not plan.operations:
        return Refetched()
    seen = _view(prefix, plan)
    later = [item for item in whole.context.items if item.index >= count]
    calls = {item.digest for item in later if item.kind is Kind.CALL}
    wanted = set(_used(whole.context, later))
    changes = [(each.request.detector, change) for each in plan.operations for change in each.changes]
    found = [_of(scene, *each, calls=calls, is_named=_is_missing(scene, each[1], wanted, seen)) for each in changes]
    return sum(found, Refetched())


def _is_missing(scene: Scene, change: Change, wanted: set[str], seen: str) -> bool:
    """Whether a token of an item is wanted later and stands nowhere in what remained."""
    return any(token not in seen for token in wanted.intersection(tokens_of(scene.context.text(change.item))))


def _of(scene: Scene, detector: Detector, change: Change, *, calls: set[str], is_named: bool) -> Refetched:
    call = scene.context.call_of(change.item)
    is_repeated = call is not None and call.digest in calls
    is_superseded = detector in _SUPERSEDED
    return Refetched(
        pruned=1,
        repeated=int(is_repeated),
        named=int(is_named),
        either=int(is_repeated or is_named),
        needed=int(is_named or (is_repeated and not is_superseded)),
    )


def _view(document: Lines | AnyDocument, plan: Plan) -> str:
    """Everything that a model would be shown of the curated beginning."""
    context = read_scene(read_document(b"".join(rewrite(document, plan.edits)), wire=document.wire.name)).context
    return "\n".join(_told(context, item) for item in context.window())


def _told(context: Context, item: Item) -> str:
    if item.kind is not Kind.CALL:
        return context.text(item)
    held = value_at(context.record(item), item.fields[-1]) if item.fields else ""
    return "\n".join(text for _, text in strings_of(held))


def _used(context: Context, items: Sequence[Item]) -> Iterator[str]:
    for item in items:
        if item.kind in (Kind.USER, Kind.ASSISTANT, Kind.CALL):
            yield from tokens_of(_told(context, item)[:USED_CHARACTERS])
