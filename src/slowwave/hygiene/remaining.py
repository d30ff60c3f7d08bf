"""Remaining: the names in what no operation touches, apart for the conversation and for its sub-agents.

A sub-agent has a window of its own, so that a name in it is of no use to the conversation, nor the other way round.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from slowwave.hygiene.items import Item, Kind
from slowwave.hygiene.names import Names
from slowwave.hygiene.scene import Scene
from slowwave.hygiene.splice import value_at
from slowwave.records.walk import strings_of


def remaining(scene: Scene, touched: AbstractSet[int]) -> Mapping[bool, Names]:
    """The names of a window, by whether they stand in a sub-agent's.

    Args:
        scene: The context.
        touched: Numbers of the items that operations touch. Earlier stubs are left out as well: they keep their own.
    """
    found = {False: Names(), True: Names()}
    for item in scene.context.window():
        if item.number not in touched and not item.is_stub and item.kind is not Kind.THINKING:
            found[item.is_sidechain].add(_texts(scene, item))
    return found


def _texts(scene: Scene, item: Item) -> Iterator[str]:
    if item.kind is not Kind.CALL:
        yield scene.context.text(item)
        return
    place = item.fields[-1] if item.fields else ""
    yield from (text for _, text in strings_of(value_at(scene.context.record(item), place)))
