"""The window: where a context's tokens go, by kind, by tool, by turn, and what could be had back."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slowwave.hygiene.context import Context
from slowwave.hygiene.decide import Plan
from slowwave.hygiene.economics import Terms, Verdict, economics_of, verdict_of
from slowwave.hygiene.items import Item, Kind
from slowwave.hygiene.pace import model_of
from slowwave.hygiene.scene import Scene

KINDS = (Kind.SYSTEM, Kind.USER, Kind.NOTICE, Kind.SUMMARY, Kind.ASSISTANT, Kind.THINKING, Kind.CALL, Kind.RESULT)
"""In the order in which they are shown."""
TITLE_CHARACTERS = 60  # of the words with which a turn began


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What stands between one message a person typed and the next.

    Attributes:
        number: From 0, which is what stands before the first.
        title: The beginning of what was typed.
        kinds: Tokens by kind.
    """

    number: int
    title: str
    kinds: Mapping[Kind, int]

    @property
    def tokens(self) -> int:
        """All of them."""
        return sum(self.kinds.values())


@dataclass(frozen=True, kw_only=True)
class Window:
    """Where the tokens of a window go.

    Attributes:
        wire: How the context is written.
        model: That went on last; empty where nothing says so.
        tokens: Of the window, estimated.
        before_boundary: Tokens before the last compaction, which are shown to nobody.
        kinds: Tokens by kind.
        tools: Tokens of calls and results by tool, the largest first.
        turns: In order.
        largest: Items, the largest first, each with what it is about.
        plan: What the detectors would take out.
        next_turn: Millionths of a US dollar for sending the window once more, warm and cold; None without a price.
        edit_now: What carrying the plan out now costs and saves; None where there is nothing to do.
    """

    wire: str
    model: str
    tokens: int
    before_boundary: int
    kinds: Mapping[Kind, int]
    tools: Sequence[tuple[str, int]]
    turns: Sequence[Turn]
    largest: Sequence[tuple[Item, str]]
    plan: Plan
    next_turn: Mapping[str, int] | None
    edit_now: Verdict | None

    def as_json(self) -> dict[str, Any]:
        """As commands print it."""
        detectors: Counter[str] = Counter()
        for operation in self.plan.operations:
            detectors[operation.request.detector.value] += operation.saved
        return {
            "format": self.wire,
            "model": self.model,
            "tokens": self.tokens,
            "before_compaction": self.before_boundary,
            "by_kind": {kind.value: self.kinds[kind] for kind in KINDS if self.kinds.get(kind)},
            "by_tool": dict(self.tools),
            "by_turn": [
                {
                    "turn": turn.number,
                    "title": turn.title,
                    "tokens": turn.tokens,
                    "by_kind": {kind.value: count for kind, count in turn.kinds.items()},
                }
                for turn in self.turns
            ],
            "largest": [
                {"item": item.id, "index": item.index, "kind": item.kind.value, "tokens": item.tokens, "about": about}
                for item, about in self.largest
            ],
            "could_go": {
                "tokens": self.plan.before - self.plan.after,
                "operations": len(self.plan.operations),
                "by_detector": dict(detectors.most_common()),
            },
            "next_turn_micros": self.next_turn,
            "edit_now": self.edit_now.as_json() if self.edit_now else None,
        }


def window_of(scene: Scene, plan: Plan, terms: Terms, *, top: int) -> Window:
    """Where a window goes.

    Args:
        scene: The context.
        plan: What the detectors would take out, whatever it costs.
        terms: Prices and times.
        top: How many of the largest items are named.
    """
    context = scene.context
    items = list(context.window())
    kinds: Counter[Kind] = Counter()
    tools: Counter[str] = Counter()
    for item in items:
        kinds[item.kind] += item.tokens
        if item.kind in (Kind.CALL, Kind.RESULT):
            tools[item.tool or "unknown"] += item.tokens
    edit_now = None
    if plan.operations:
        edit_now = verdict_of(context, terms, before=plan.before, after=plan.after, first=plan.first_index)
    largest = sorted(items, key=lambda item: (-item.tokens, item.number))[:top]
    return Window(
        wire=context.document.wire.name,
        model=terms.model or model_of(context),
        tokens=context.tokens,
        before_boundary=sum(item.tokens for item in context.items[: context.boundary]),
        kinds=kinds,
        tools=tools.most_common(),
        turns=_turns(context, items),
        largest=[(item, _about(scene, item)) for item in largest],
        plan=plan,
        next_turn=_next_turn(context, terms),
        edit_now=edit_now,
    )


def _turns(context: Context, items: Sequence[Item]) -> list[Turn]:
    kinds: dict[int, Counter[Kind]] = {}
    for item in items:
        kinds.setdefault(item.turn, Counter())[item.kind] += item.tokens
    titles = {at + 1: _title(context, context.items[number]) for at, number in enumerate(context.turns)}
    return [Turn(number=at, title=titles.get(at, ""), kinds=kinds[at]) for at in sorted(kinds)]


def _title(context: Context, item: Item) -> str:
    words = " ".join(context.text(item).split())
    return words if len(words) <= TITLE_CHARACTERS else f"{words[:TITLE_CHARACTERS]}…"


def _about(scene: Scene, item: Item) -> str:
    """The path or command of a call or of the call behind a result; the beginning of other words."""
    call = item if item.kind is Kind.CALL else scene.context.call_of(item)
    action = scene.actions.get(call.number) if call is not None else None
    if call is None or action is None:
        return _title(scene.context, item)
    told = action.line or " ".join(action.paths) or " ".join(str(value) for value in call.args.values())
    words = " ".join(told.split())
    return f"{item.tool}: {words[:TITLE_CHARACTERS]}"


def _next_turn(context: Context, terms: Terms) -> dict[str, int] | None:
    costs = economics_of(context, terms)
    if not costs.is_money:
        return None
    return {"warm": int(costs.cache_read * context.tokens), "cold": int(costs.cache_write * context.tokens)}
