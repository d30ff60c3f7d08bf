"""Thinking: thoughts that are bound to all that stands before them, and what is done about those behind a change.

Some models sign a thought together with the conversation before it. When anything there changes, a tool's result
included, the provider answers the next request with an error, unless every such thought behind the change is left out,
or the provider is told to leave it out itself. ``thinking.toml`` says which models these are.
"""

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any

from slowwave.hygiene.context import Context
from slowwave.hygiene.document import AnyDocument
from slowwave.hygiene.items import Edit
from slowwave.hygiene.stubs import thinking_stub
from slowwave.hygiene.wires.wire import Record, text_field

_TABLE: dict[str, Any] = tomllib.loads((resources.files("slowwave.hygiene") / "thinking.toml").read_text("utf-8"))
_NO_MODEL = "<synthetic>"  # what Claude Code writes where its own program spoke
_NAME = re.compile(r"claude[\w.-]*")
_WINDOW = re.compile(r"\[\w+\]$")  # such as ``[1m]``
_VERSION = re.compile(r"(-latest|-fast|-\d{8}|(?<=\d)-v\d+)+$")
_KINDS = frozenset({"thinking", "redacted_thinking"})


class Policy(StrEnum):
    """What is done about a change before a bound thought."""

    AUTO = "auto"  # refuse it where the thought's model is binding, and say the two ways out
    REFUSE = "refuse"  # refuse it before any signed thought, whatever its model
    STRIP = "strip"  # take out every thought behind it
    SERVER = "server"  # have the provider drop what does not fit any more


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """Where a thought stands.

    Attributes:
        index: ``[N]`` of its record.
        part: Which record on its line.
        model: That thought it; empty where nothing says so.
        is_signed: The provider signed it, or encrypted it.
        is_sidechain: It belongs to a sub-agent's conversation.
        content: Path of the list of blocks in which it stands.
        block: Its position there.
    """

    index: int
    part: int = 0
    model: str = ""
    is_signed: bool = True
    is_sidechain: bool = False
    content: str = "content"
    block: int = 0

    @property
    def is_bound(self) -> bool:
        """Whether a change before it breaks it."""
        return self.is_signed and is_binding(self.model)


@lru_cache(maxsize=256)
def is_binding(model: str) -> bool:
    """Whether a model binds its thoughts to what stands before them; one that is not known counts as binding."""
    if model == _NO_MODEL:
        return False
    name = model_name(model)
    if name in _TABLE["binding"]:
        return True
    return not any(re.fullmatch(pattern, name) for pattern in (*_TABLE["older"], *_TABLE["others"]))


def model_name(model: str) -> str:
    """A model's name without its route, region, date, version and window.

    ``us.anthropic.claude-sonnet-4-5-20250929-v1:0``, ``anthropic/claude-sonnet-4.5`` and ``claude-sonnet-4-5[1m]`` are
    ``claude-sonnet-4-5``.
    """
    name = _WINDOW.sub("", model.strip().lower()).rsplit("/", 1)[-1].split(":", 1)[0]
    found = _NAME.search(name.replace("@", "-"))
    if found is None:
        return name
    return _VERSION.sub("", found.group()).replace(".", "-")


def refusal(policy: Policy, thoughts: Sequence[Thought], index: int) -> str:
    """Why a change at an index is refused with ``THINKING_BOUND``; empty when it is not.

    A thought in the very record that changes counts as behind the change, for it may stand behind the words. Where
    thoughts are taken out, their own records are left alone otherwise, so that no value is written twice.
    """
    if policy is Policy.AUTO:
        bound = next((each for each in thoughts if each.index >= index and each.is_bound), None)
        if bound is not None:
            return (
                f"the thought at [{bound.index}] is bound to all that stands before it: "
                "--thinking strip takes out every thought behind the change, "
                "--thinking server prints the settings with which the provider drops them"
            )
    if policy is Policy.REFUSE:
        signed = next((each for each in thoughts if each.index >= index and each.is_signed), None)
        if signed is not None:
            return f"the thought at [{signed.index}] is signed, and nothing before a signed thought may change"
    if policy is Policy.STRIP and any(each.index == index for each in thoughts) and any(map(_is_bound, thoughts)):
        return (
            f"a thought stands in the very message at [{index}]: taking it out and changing its words is one too many"
        )
    return ""


def _is_bound(thought: Thought) -> bool:
    return thought.is_bound


def to_strip(thoughts: Sequence[Thought], first: int) -> tuple[Thought, ...]:
    """The thoughts that have to go when the first change is at an index: all behind it, or none.

    Where none of them is bound nothing is broken, and they stay. Where one is, all go: leaving one out between others
    breaks those behind it as well.
    """
    behind = tuple(each for each in thoughts if each.index >= first)
    return behind if any(each.is_bound for each in behind) else ()


def settings() -> dict[str, Any]:
    """What the provider has to be told with every later request of the conversation, ready for JSON."""
    return {
        "thinking": {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}},
        "headers": {_TABLE["header"]: _TABLE["header_value"]},
        "applies_to": "every later request of this conversation",
    }


class ThinkingRule:
    """One policy held against one context; its thoughts are looked for when somebody first asks."""

    def __init__(self, context: Context, policy: Policy) -> None:
        self._context = context
        self._policy = policy
        self._ways: dict[bool, tuple[Sequence[Thought], Sequence[int]]] = {}

    @cached_property
    def thoughts(self) -> Sequence[Thought]:
        """Those behind the last compaction, in order; other makers' conversations have none."""
        if self._context.document.wire.provider != "anthropic":
            return ()
        return tuple(each for each in thoughts_of(self._context.document) if each.index >= self._boundary)

    def refusal(self, index: int) -> str:
        """Why a change at an index is refused; empty when it is not."""
        if index < self._boundary:
            return ""  # it is sent to nobody any more
        held, places = self._in_the_way(is_side=self._is_side(index))
        at = bisect_left(places, index)
        return refusal(self._policy, held[at : at + 1], index)

    def removals(self, first: int) -> tuple[Edit, ...]:
        """What ``strip`` has to write besides, when the first change is at an index: lists without their thoughts."""
        if self._policy is not Policy.STRIP or first < self._boundary:
            return ()
        by_list: dict[tuple[int, int, str], set[int]] = {}
        for each in to_strip(self._beside(first), first):
            by_list.setdefault((each.index, each.part, each.content), set()).add(each.block)
        return tuple(self._without(*place, blocks) for place, blocks in sorted(by_list.items()))

    @property
    def settings(self) -> dict[str, Any]:
        """What the provider has to be told from now on; empty unless ``server`` is asked for and a thought is bound."""
        is_needed = self._policy is Policy.SERVER and any(each.is_bound for each in self.thoughts)
        return settings() if is_needed else {}

    @cached_property
    def _boundary(self) -> int:
        items, boundary = self._context.items, self._context.boundary
        return items[boundary].index if 0 < boundary < len(items) else 0

    def _in_the_way(self, *, is_side: bool) -> tuple[Sequence[Thought], Sequence[int]]:
        """The thoughts of one conversation that a change before them may break, and where they stand."""
        if is_side not in self._ways:
            own = [each for each in self.thoughts if each.is_sidechain == is_side]
            held = [each for each in own if (each.is_bound if self._policy is Policy.AUTO else each.is_signed)]
            self._ways[is_side] = held, [each.index for each in held]
        return self._ways[is_side]

    def _is_side(self, index: int) -> bool:
        return any(item.is_sidechain for item in self._context.by_index.get(index, ()))

    def _beside(self, index: int) -> Sequence[Thought]:
        """The thoughts of the conversation to which the record at an index belongs."""
        is_side = self._is_side(index)
        return [each for each in self.thoughts if each.is_sidechain == is_side]

    def _without(self, index: int, part: int, content: str, blocks: set[int]) -> Edit:
        held: Any = self._context.document.record(index, part)
        for step in content.split("."):
            held = held[step]
        places = tuple(at for at in range(len(held)) if at not in blocks)
        value = [held[at] for at in places] or [{"type": "text", "text": thinking_stub()}]
        return Edit(index=index, part=part, field=content, value=value, kept=places)


def thinking_rule(context: Context, policy: Policy) -> ThinkingRule:
    """The rule of a policy for a context."""
    return ThinkingRule(context, policy)


def thoughts_of(document: AnyDocument) -> Iterator[Thought]:
    """The thoughts of a document in the form of the Messages API, redacted ones too, in order."""
    asked = text_field(document.envelope, "model")
    for index, part, record in document.records():
        message = record.get("message") if record.get("type") == "assistant" else record
        if isinstance(message, dict) and message.get("role") == "assistant":
            yield from _in_message(record, message, asked, (index, part))


def _in_message(record: Record, message: Mapping[str, Any], asked: str, place: tuple[int, int]) -> Iterator[Thought]:
    content = message.get("content")
    for at, block in enumerate(content if isinstance(content, list) else ()):
        if isinstance(block, dict) and block.get("type") in _KINDS:
            yield Thought(
                index=place[0],
                part=place[1],
                model=text_field(message, "model") or asked,
                is_signed=bool(block.get("signature")) or block.get("type") == "redacted_thinking",
                is_sidechain=record.get("isSidechain") is True,
                content="content" if message is record else "message.content",
                block=at,
            )
