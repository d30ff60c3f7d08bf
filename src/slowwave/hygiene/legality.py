"""Legality: whether one operation may touch what it names, one rule after another; the first that says no counts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from slowwave.hygiene.items import Item, Kind, Role
from slowwave.hygiene.operations import COLLAPSE, Request
from slowwave.hygiene.pins import RECENT, Pins
from slowwave.hygiene.protection import Protection
from slowwave.hygiene.scene import Scene

MESSAGES = frozenset({Kind.NOTICE, Kind.ASSISTANT, Kind.USER, Kind.SYSTEM, Kind.SUMMARY})
"""Kinds that a collapse may name; whether it may touch them is another question."""
Refused = tuple[str, str]
"""Code and sentence."""


@dataclass(frozen=True, kw_only=True)
class Law:
    """What operations on one context are held against."""

    scene: Scene
    pins: Pins
    protection: Protection
    thinking: Callable[[int], str]
    """Why a change at an index would break a later thought; empty when it would not."""

    def refusal(self, request: Request) -> Refused | None:
        """Why an operation is refused; None when it is legal."""
        rules = (_quarantined, _crossing, _opaque, _split, _role, _pinned, _recent, _pending, _stub)
        return next((refused for rule in rules if (refused := rule(self, request)) is not None), None)


def _quarantined(law: Law, request: Request) -> Refused | None:
    spans = [(request.start, request.end), *((item.index, item.index + 1) for item in request.targets)]
    reason = next((found for start, end in spans if (found := law.protection.quarantine(start, end))), "")
    return ("QUARANTINED", reason) if reason else None


def _crossing(law: Law, request: Request) -> Refused | None:
    boundary = law.scene.context.boundary
    sides = {item.number >= boundary for item in request.covered}
    if len(sides) > 1:
        return "CROSSES_BOUNDARY", "it reaches over a compaction: name what stands before it or behind it"
    if len({item.is_sidechain for item in request.covered if item.kind is not Kind.ECHO}) > 1:
        return "SIDECHAIN_MIX", "it mixes the conversation with that of a sub-agent"
    return None


def _opaque(law: Law, request: Request) -> Refused | None:
    held = request.targets if request.op != COLLAPSE else request.covered
    for item in held:
        if item.is_server:
            return "SERVER_PAIR", f"{item.id} was run by the provider, which wants it back as it was"
        if item.is_reference:
            return "TOOL_REFERENCE", f"{item.id} names tools that the provider loads by it"
        if item.is_opaque or not law.scene.context.document.is_plain(item.index):
            return "OPAQUE_ITEM", f"{item.id} is encrypted, signed, damaged or of an unknown form"
    bound = law.thinking(min((item.index for item in request.targets), default=request.start))
    return ("THINKING_BOUND", bound) if bound else None


def _split(law: Law, request: Request) -> Refused | None:
    if request.op != COLLAPSE:
        return None
    context = law.scene.context
    covered = {item.number for item in request.covered}
    for number in {item.group for item in request.covered}:
        shown = [at for at in context.groups[number].items if context.items[at].kind is not Kind.ECHO]
        if not covered.issuperset(shown):
            return "SPLIT_GROUP", "it takes a part of a reply: a reply stays together with its calls and their results"
    return None


def _role(law: Law, request: Request) -> Refused | None:
    roles = set(law.scene.context.roles[request.start : request.end]) - {Role.NONE}
    if request.op == COLLAPSE:
        if any(item.kind in (Kind.CALL, Kind.RESULT) for item in request.covered):
            return "ILLEGAL_ROLE", "collapse is for messages without any tool activity"
        if any(item.kind not in MESSAGES for item in request.targets):
            return "ILLEGAL_ROLE", "collapse is for messages; an item that was named is none"
        return None if request.covered else ("ILLEGAL_ROLE", "there is no message in the range to collapse")
    if roles - {Role.RESULTS}:
        others = ", ".join(sorted(role.value for role in roles - {Role.RESULTS}))
        return "ILLEGAL_ROLE", f"{request.op} is for tool results; the range holds {others}"
    if any(item.kind is not Kind.RESULT for item in request.targets):
        return "ILLEGAL_ROLE", f"{request.op} is for tool results; an item that was named is none"
    return None if request.targets else ("ILLEGAL_ROLE", "there is no tool result in the range")


def _judged(request: Request) -> Sequence[Item]:
    return request.covered if request.op == COLLAPSE and not request.hits else request.targets


def _reasons(law: Law, request: Request) -> Iterator[tuple[Item, str]]:
    for item in _judged(request):
        reason = law.pins.of(item)
        if reason:
            yield item, reason


def _pinned(law: Law, request: Request) -> Refused | None:
    held = next(((item, reason) for item, reason in _reasons(law, request) if reason != RECENT), None)
    return None if held is None else ("PINNED", f"{held[0].id} stays word for word: {held[1].replace('_', ' ')}")


def _recent(law: Law, request: Request) -> Refused | None:
    held = next((item for item, reason in _reasons(law, request) if reason == RECENT), None)
    if held is None:
        return None
    return "RECENT", f"{held.id} belongs to the last two turns of a person or to the five newest results"


def _pending(law: Law, request: Request) -> Refused | None:
    groups = law.scene.context.groups
    held = next((item for item in request.targets if groups[item.group].is_open), None)
    return None if held is None else ("PENDING_CALL", f"a call beside {held.id} has no final result yet")


def _stub(law: Law, request: Request) -> Refused | None:
    del law
    held = next((item for item in request.targets if item.is_stub), None)
    return None if held is None else ("ALREADY_STUB", f"{held.id} was pruned or collapsed before")
