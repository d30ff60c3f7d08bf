"""The window: where a context's tokens go, by kind, by tool, by turn, and what of them could be had back.

Tokens are estimated, and only those count that the document holds: what a program adds to every request, such as its
instructions and the descriptions of its tools, often stands in no session.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import Any

from slowwave.hygiene.about import Tell, about, title
from slowwave.hygiene.context import Context
from slowwave.hygiene.decide import Plan
from slowwave.hygiene.detectors import DETECTORS, find_hits
from slowwave.hygiene.economics import Economics, Terms, Verdict, economics_of, verdict_of
from slowwave.hygiene.hits import Detector
from slowwave.hygiene.items import Item, Kind
from slowwave.hygiene.pace import model_of
from slowwave.hygiene.scene import Scene
from slowwave.hygiene.tokens import IMAGE_TOKENS

KINDS = (Kind.SYSTEM, Kind.USER, Kind.NOTICE, Kind.SUMMARY, Kind.ASSISTANT, Kind.THINKING, Kind.CALL, Kind.RESULT)
"""In the order in which they are shown."""
UNKNOWN_TOOL = "unknown"  # whose result has no call


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What stands between one message a person typed and the next.

    Attributes:
        number: From 0, which is what stands before the first.
        title: The beginning of what was typed.
        kinds: Tokens by kind.
        going: Tokens of it that could go.
    """

    number: int
    title: str
    kinds: Mapping[Kind, int]
    going: int

    @property
    def tokens(self) -> int:
        """All of them."""
        return sum(self.kinds.values())

    def as_json(self, whole: int) -> dict[str, Any]:
        """With its share of the whole window."""
        kinds = {kind.value: self.kinds[kind] for kind in KINDS if kind in self.kinds}
        told = {"turn": self.number, "title": self.title, **_part(self.tokens, whole)}
        return {**told, "by_kind": kinds, "could_go": self.going}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """What the use of one tool takes up.

    Attributes:
        name: As the agent spells it.
        uses: How many calls there are, or results where the calls are gone.
        calls: Tokens of its calls.
        results: Tokens of its results.
        going: Tokens of both that could go.
    """

    name: str
    uses: int
    calls: int
    results: int
    going: int

    @property
    def tokens(self) -> int:
        """Of calls and results."""
        return self.calls + self.results

    def as_json(self, whole: int) -> dict[str, Any]:
        """With its share of the whole window."""
        told = {"tool": self.name, "uses": self.uses, **_part(self.tokens, whole)}
        return {**told, "calls": self.calls, "results": self.results, "could_go": self.going}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one detector sees, and what of it could go.

    Attributes:
        detector: Its name.
        items: How many it names.
        tokens: They hold.
        going: Tokens that could go: of the rest some is pinned or new, and some stays because it is named later.
    """

    detector: Detector
    items: int
    tokens: int
    going: int

    def as_json(self, whole: int) -> dict[str, Any]:
        """With its share of the whole window."""
        seen = {"items": self.items, **_part(self.tokens, whole)}
        return {"detector": self.detector.value, "found": seen, **_part(self.going, whole)}


@dataclass(frozen=True, kw_only=True)
class Window:
    """Where the tokens of a window go.

    Attributes:
        wire: How the context is written.
        model: That goes on; empty where nothing says so.
        fits: Tokens that fit into its window; 0 where that is not known.
        tokens: That stand there.
        before: Tokens before the last compaction, which are shown to nobody.
        sub_agents: Tokens that stand in conversations of sub-agents, each in a window of its own.
        images: How many there are; each counts as a fixed number of tokens.
        kinds: Tokens by kind.
        items: How many items of each kind.
        tools: The largest first.
        turns: In order.
        largest: Items, the largest first, each with what it is about.
        found: By detector, in the order in which they look.
        operations: How many the plan has.
        next_turn: Millionths of a US dollar for sending the window once more, warm and cold; None without a price.
        edit_now: What carrying the plan out now costs and saves; None where there is nothing to do.
    """

    wire: str
    model: str
    fits: int
    tokens: int
    before: int
    sub_agents: int
    images: int
    kinds: Mapping[Kind, int]
    items: Mapping[Kind, int]
    tools: Sequence[Tool]
    turns: Sequence[Turn]
    largest: Sequence[tuple[Item, str]]
    found: Sequence[Found]
    operations: int
    next_turn: Mapping[str, int] | None
    edit_now: Verdict | None

    @property
    def going(self) -> int:
        """Tokens that could go."""
        return sum(turn.going for turn in self.turns)

    def as_json(self) -> dict[str, Any]:
        """As commands print it."""
        whole = self.tokens
        return {
            "format": self.wire,
            "model": self.model,
            "tokens": whole,
            "fits": self.fits,
            "before_compaction": self.before,
            "sub_agents": _part(self.sub_agents, whole),
            "images": {"count": self.images, **_part(self.images * IMAGE_TOKENS, whole)},
            "by_kind": [
                {"kind": kind.value, "items": self.items[kind], **_part(self.kinds[kind], whole)}
                for kind in KINDS
                if kind in self.items
            ],
            "by_tool": [tool.as_json(whole) for tool in self.tools],
            "by_turn": [turn.as_json(whole) for turn in self.turns],
            "largest": [_described(item, told, whole) for item, told in self.largest],
            "could_go": {
                "operations": self.operations,
                **_part(self.going, whole),
                "by_detector": [each.as_json(whole) for each in self.found],
            },
            "next_turn_micros": self.next_turn,
            "edit_now": self.edit_now.as_json() if self.edit_now else None,
        }


def _part(tokens: int, whole: int) -> dict[str, Any]:
    return {"tokens": tokens, "share": round(tokens / whole, 4) if whole else 0.0}


def _described(item: Item, told: str, whole: int) -> dict[str, Any]:
    named = {"item": item.id, "index": item.index, "kind": item.kind.value, "tool": item.tool}
    return {**named, "about": told, **_part(item.tokens, whole)}


def window_of(scene: Scene, plan: Plan, terms: Terms, *, top: int, tell: Tell = lambda words, _: words) -> Window:
    """Where a window goes.

    Args:
        scene: The context.
        plan: What could be taken out of it, whatever that costs.
        terms: Prices and times.
        top: How many of the largest items are named.
        tell: Makes words of the context fit to be shown.
    """
    context = scene.context
    items = list(context.window())
    kinds: Counter[Kind] = Counter()
    for item in items:
        kinds[item.kind] += item.tokens
    saved = {
        change.item.number: change.item.tokens - change.tokens for each in plan.operations for change in each.changes
    }
    costs = economics_of(context, terms)
    largest = nsmallest(top, items, key=lambda item: (-item.tokens, item.number))
    edit_now = None
    if plan.operations:
        edit_now = verdict_of(context, terms, before=plan.before, after=plan.after, first=plan.first_index)
    return Window(
        wire=context.document.wire.name,
        model=terms.model or model_of(context),
        fits=costs.window,
        tokens=context.tokens,
        before=sum(item.tokens for item in context.items[: context.boundary]),
        sub_agents=sum(item.tokens for item in items if item.is_sidechain),
        images=sum(item.images for item in items),
        kinds=kinds,
        items=Counter(item.kind for item in items),
        tools=_tools(items, saved),
        turns=_turns(context, items, saved, tell),
        largest=[(item, about(scene, item, tell)) for item in largest],
        found=_found(scene, plan),
        operations=len(plan.operations),
        next_turn=_next_turn(costs, context.tokens),
        edit_now=edit_now,
    )


def _tools(items: Iterable[Item], saved: Mapping[int, int]) -> list[Tool]:
    calls: Counter[str] = Counter()
    results: Counter[str] = Counter()
    going: Counter[str] = Counter()
    uses: dict[str, Counter[Kind]] = {}
    for item in items:
        if item.kind in (Kind.CALL, Kind.RESULT):
            name = item.tool or UNKNOWN_TOOL
            (calls if item.kind is Kind.CALL else results)[name] += item.tokens
            going[name] += saved.get(item.number, 0)
            uses.setdefault(name, Counter())[item.kind] += 1
    found = [
        Tool(name=name, uses=max(held.values()), calls=calls[name], results=results[name], going=going[name])
        for name, held in uses.items()
    ]
    return sorted(found, key=lambda tool: (-tool.tokens, tool.name))


def _turns(context: Context, items: Iterable[Item], saved: Mapping[int, int], tell: Tell) -> list[Turn]:
    kinds: dict[int, Counter[Kind]] = {}
    going: Counter[int] = Counter()
    for item in items:
        kinds.setdefault(item.turn, Counter())[item.kind] += item.tokens
        going[item.turn] += saved.get(item.number, 0)
    return [
        Turn(number=number, title=title(context, number, tell), kinds=kinds[number], going=going[number])
        for number in sorted(kinds)
    ]


def _found(scene: Scene, plan: Plan) -> list[Found]:
    items: dict[Detector, list[Item]] = {}
    for number, hit in find_hits(scene).items():
        if number >= scene.context.boundary:
            items.setdefault(hit.detector, []).append(scene.context.items[number])
    going: Counter[Detector] = Counter()
    for operation in plan.operations:
        going[operation.request.detector] += operation.saved
    return [
        Found(
            detector=detector,
            items=len(items[detector]),
            tokens=sum(item.tokens for item in items[detector]),
            going=going[detector],
        )
        for detector in DETECTORS
        if detector in items
    ]


def _next_turn(costs: Economics, tokens: int) -> dict[str, int] | None:
    if not costs.is_money:
        return None
    factor = costs.long_factor if costs.long_from and tokens > costs.long_from else 1
    return {"warm": int(costs.cache_read * tokens * factor), "cold": int(costs.cache_write * tokens * factor)}
