"""Which place each quote is judged by: the best ones that are distinct from one another.

A quote may stand in several places. Two quotes that could be one observation are still two if each can be given a
place of its own. The search is exact for any real answer; past ``ASSIGNMENT_STEPS`` it gives up and the answer is
refused, which is the safe side.
"""

from collections.abc import Callable, Sequence

from slowwave.facts.limits import ASSIGNMENT_STEPS
from slowwave.proof.copies import are_one
from slowwave.proof.places import Place

Want = Callable[[Place], bool]
"""Something at least one chosen place must be, such as new."""


def assign(places: Sequence[Sequence[Place]], wants: Sequence[Want] = ()) -> tuple[Place, ...] | None:
    """One place for each quote, pairwise distinct, each want met by one of them; None where that cannot be.

    Args:
        places: For each quote the places where it stands, best first.
        wants: What at least one chosen place must be.
    """
    return _Search(places, wants).run()


def first_repeat(places: Sequence[Sequence[Place]]) -> int | None:
    """The first quote that has no place of its own beside those before it; None where all have."""
    if assign(places) is not None:
        return None
    return next(count for count in range(len(places)) if assign(places[: count + 1]) is None)


def unmet(places: Sequence[Sequence[Place]], wants: Sequence[Want]) -> tuple[int, ...]:
    """Which wants no assignment meets once the ones before them are met."""
    met: list[Want] = []
    missing: list[int] = []
    for at, want in enumerate(wants):
        if assign(places, [*met, want]) is None:
            missing.append(at)
        else:
            met.append(want)
    return tuple(missing)


class _Search:
    """Depth first over the quotes, those with the fewest places first, best places first."""

    def __init__(self, places: Sequence[Sequence[Place]], wants: Sequence[Want]) -> None:
        self._places = places
        self._wants = wants
        self._order = sorted(range(len(places)), key=lambda at: (len(places[at]), at))
        self._chosen: dict[int, Place] = {}
        self._steps = 0
        self._reach = [
            [any(want(place) for at in self._order[depth:] for place in places[at]) for want in wants]
            for depth in range(len(places) + 1)
        ]

    def run(self) -> tuple[Place, ...] | None:
        if not self._extend(0):
            return None
        return tuple(self._chosen[at] for at in range(len(self._places)))

    def _extend(self, depth: int) -> bool:
        if not self._can_still_please(depth):
            return False
        if depth == len(self._order):
            return True
        at = self._order[depth]
        for place in self._places[at]:
            self._steps += 1
            if self._steps > ASSIGNMENT_STEPS:
                return False
            if any(are_one(place, other) for other in self._chosen.values()):
                continue
            self._chosen[at] = place
            if self._extend(depth + 1):
                return True
            del self._chosen[at]
        return False

    def _can_still_please(self, depth: int) -> bool:
        return all(
            reachable or any(want(place) for place in self._chosen.values())
            for want, reachable in zip(self._wants, self._reach[depth], strict=True)
        )
