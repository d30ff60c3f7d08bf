"""Replay: a rewrite is believed when its own bytes say the same, read again from the beginning."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from slowwave.hygiene.context import Context
from slowwave.hygiene.decide import Plan
from slowwave.hygiene.items import Item, Kind


def differences(before: Context, after: Context, plan: Plan) -> Iterator[str]:
    """What a rewritten context shows that its plan does not say; nothing where it is what was planned.

    Every record no operation names shows the same items with the same words; those that one names show their new
    words and the same ids, calls and order; every pin is word for word what it was; the window is smaller.
    """
    if before.document.count != after.document.count:
        yield f"there are {after.document.count:,} records where {before.document.count:,} were"
        return
    touched = {edit.index for edit in plan.edits}
    stripped = {edit.index for edit in plan.removals}
    told = {change.item.number: change.digest for each in plan.operations for change in each.changes}
    for index in sorted(set(before.by_index) | set(after.by_index)):
        old, new = before.by_index.get(index, ()), after.by_index.get(index, ())
        if index in touched:
            yield from _of_touched(old, new, told, plan, is_stripped=index in stripped)
        elif not _are_same(old, new):
            yield f"record {index} was not to change and reads differently"
    if list(before.roles) != list(after.roles):
        yield "a record plays another role than before"
    if plan.operations and after.tokens >= before.tokens:
        yield f"the window has {after.tokens:,} tokens, which is not less than {before.tokens:,}"


def _are_same(old: Sequence[Item], new: Sequence[Item]) -> bool:
    return all(
        one is not None and other is not None and _key(one) == _key(other) for one, other in zip_longest(old, new)
    )


def _key(item: Item) -> tuple[object, ...]:
    return item.kind, item.digest, item.call_id, item.tool, item.injected, item.fields


def _of_touched(
    old: Sequence[Item], new: Sequence[Item], told: dict[int, str], plan: Plan, *, is_stripped: bool
) -> Iterator[str]:
    present = {item.digest for item in new}
    for item in old:
        if is_stripped and item.kind is Kind.THINKING:
            continue
        expected = told.get(item.number)
        if expected is not None and expected not in present:
            yield f"record {item.index} does not hold the words that were to stand there"
        if expected is None and plan.pins.of(item) and item.digest not in present:
            yield f"{item.id} is pinned and reads differently"
    calls = [item.call_id for item in old if item.call_id]
    if calls != [item.call_id for item in new if item.call_id]:
        yield f"record {old[0].index} holds other calls or results than before"
