"""Resolving: which items of a context an operation means, whether somebody asked for it or a detector saw them."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from slowwave.hygiene.answer import Asked
from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.items import Item, Kind
from slowwave.hygiene.legality import MESSAGES, Refused
from slowwave.hygiene.operations import COLLAPSE, PRUNE, TRIM, Request, items_between
from slowwave.hygiene.scene import Scene


def request_of(scene: Scene, number: int, hit: Hit) -> Request:
    """The operation that a hit stands for."""
    item = scene.context.items[number]
    return Request(
        number=number,
        op=PRUNE if item.kind is Kind.RESULT else COLLAPSE,
        start=item.index,
        end=item.index + 1,
        targets=(item,),
        covered=(item,) if item.kind is Kind.RESULT else scene.context.by_index[item.index],
        rationale="",
        replacement="",
        hits={number: hit},
    )


class Resolver:
    """Finds what operations mean in one context.

    Args:
        scene: The context.
        hits: What detectors see in it.
    """

    def __init__(self, scene: Scene, hits: Mapping[int, Hit]) -> None:
        self._scene = scene
        self._hits = hits

    def resolve(self, asked: Asked) -> Request | Refused:
        """The items that an operation means, or why it means none."""
        by_index = self._scene.context.by_index
        start, end = asked.start, asked.end
        targets: tuple[Item, ...]
        if asked.items:
            trouble = self._trouble(asked)
            if trouble is not None:
                return trouble
            targets = tuple(self._by_id[name] for name, _ in asked.items)
            covered = targets
            if asked.op == COLLAPSE:
                covered = tuple(item for index in {each.index: None for each in targets} for item in by_index[index])
            start, end = min(each.index for each in targets), max(each.index for each in targets) + 1
        else:
            covered = items_between(by_index, start, end)
            targets = _apart(covered)[:-1] if asked.op == COLLAPSE else _results(covered)
        return Request(
            number=asked.number,
            op=PRUNE if _is_ours(asked) and asked.op == TRIM else asked.op,  # a plan says what came of a prune
            start=start,
            end=end,
            targets=targets,
            covered=covered,
            rationale=asked.rationale,
            replacement=asked.replacement,
            hits={each.number: self._hits[each.number] for each in targets} if _is_ours(asked) else {},
        )

    @cached_property
    def _by_id(self) -> Mapping[str, Item]:
        return {item.id: item for item in self._scene.context.items}

    def _trouble(self, asked: Asked) -> Refused | None:
        """Why the items that a plan names are not those it meant; a detector that named one has to see it still."""
        for name, digest in asked.items:
            item = self._by_id.get(name)
            if item is None:
                return "UNKNOWN_ITEM", f"there is no item {name}"
            if item.digest != digest:
                return "STALE_REVISION", f"{name} has changed since this was planned"
            if _is_ours(asked) and item.number not in self._hits:
                return "STALE_REVISION", f"what {asked.detector} saw in {name} is not to be seen any more"
        return None


def _results(items: Sequence[Item]) -> tuple[Item, ...]:
    return tuple(each for each in items if each.kind is Kind.RESULT)


def _is_ours(asked: Asked) -> bool:
    """Whether a detector of ours found it."""
    return bool(asked.detector) and asked.detector != Detector.ASKED


def _apart(items: Sequence[Item]) -> tuple[Item, ...]:
    """Messages that can be collapsed; of several pieces of one text the first stands for all of it."""
    found: dict[tuple[int, int, str], Item] = {}
    for item in items:
        if item.kind in MESSAGES and item.fields:
            found.setdefault((item.index, item.part, item.fields[0]), item)
    return tuple(found.values())
