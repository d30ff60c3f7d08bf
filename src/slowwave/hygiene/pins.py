"""Pins: what stays byte for byte, decided by code and checked after every rewrite."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from slowwave.hygiene.actions import Sort, is_same_file
from slowwave.hygiene.items import Item, Kind
from slowwave.hygiene.lexicon import reason_of
from slowwave.hygiene.scene import Scene

_BY_KIND = {
    Kind.SYSTEM: "system",
    Kind.USER: "typed",
    Kind.SUMMARY: "summary",
    Kind.CALL: "call",
    Kind.THINKING: "thinking",
}
RECENT = "recent"


@dataclass(frozen=True, kw_only=True)
class Pins:
    """Why each pinned item is pinned, by its number.

    Attributes:
        reasons: ``system``, ``typed``, ``summary``, ``call``, ``thinking``, ``recent``, ``listed``, ``kept_state``,
            ``newest_read``, ``last_failure``, ``last_error``, or what an agent's text carries: ``decision`` ...
    """

    reasons: Mapping[int, str]

    def of(self, item: Item) -> str:
        """Why an item is pinned; empty when it is not."""
        return self.reasons.get(item.number, "")

    def count(self) -> dict[str, int]:
        """How many items each reason pins."""
        found: dict[str, int] = {}
        for reason in self.reasons.values():
            found[reason] = found.get(reason, 0) + 1
        return dict(sorted(found.items()))


def find_pins(scene: Scene, *, stale: Collection[int], listed: Collection[str] = ()) -> Pins:
    """The pins of a context.

    Args:
        scene: The context.
        stale: Numbers of reads that a later write or whole read made old: they are nobody's newest read.
        listed: Ids, or digests, of items that a person pinned.
    """
    reasons: dict[int, str] = {}
    for item in scene.context.items:
        if item.kind in (Kind.ECHO, Kind.META):
            if item.is_person:
                reasons[item.number] = "typed"
            continue
        reason = _reason(scene, item, listed)
        if reason:
            reasons[item.number] = reason
    for number, reason in _step_pins(scene, stale).items():
        reasons.setdefault(number, reason)
    return Pins(reasons=reasons)


def _reason(scene: Scene, item: Item, listed: Collection[str]) -> str:
    if item.is_person:
        return "typed"
    if item.kind in _BY_KIND:
        return _BY_KIND[item.kind]
    if item.id in listed or item.digest in listed:
        return "listed"
    if item.kind is Kind.ASSISTANT:
        return reason_of(scene.context.text(item)) or (RECENT if scene.is_recent(item) else "")
    return RECENT if scene.is_recent(item) else ""


def _step_pins(scene: Scene, stale: Collection[int]) -> dict[int, str]:
    """Results that the work still stands on, whatever their age."""
    found: dict[int, str] = {}
    sides: dict[bool, dict[str, list[str]]] = {False: {}, True: {}}
    failed: set[tuple[bool, str]] = set()
    errors: set[tuple[bool, str, str]] = set()
    for step in reversed(scene.steps):
        item, action, read = step.result, step.action, sides[step.is_aside]
        if action.sort is Sort.KEPT or item.is_rejected:
            found[item.number] = "kept_state"
        if action.sort is Sort.READ and item.number not in stale and not item.is_error:
            if any(not _is_known(path, read) for path in action.paths):
                found.setdefault(item.number, "newest_read")
            for path in action.paths:
                read.setdefault(path.rsplit("/", 1)[-1], []).append(path)
        if not item.is_error:
            continue
        if action.sort is Sort.RUN and (step.is_aside, action.line) not in failed:
            failed.add((step.is_aside, action.line))
            found.setdefault(item.number, "last_failure")
        error = (step.is_aside, step.call.tool, scene.errors.get(item.number, ""))
        if error not in errors:
            errors.add(error)
            found.setdefault(item.number, "last_error")
    return found


def _is_known(path: str, read: Mapping[str, list[str]]) -> bool:
    return any(is_same_file(path, other) for other in read.get(path.rsplit("/", 1)[-1], ()))
