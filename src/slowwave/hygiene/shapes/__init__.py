"""Shapes: what each provider and each agent's own program asks of a context, checked in one pass that keeps ids alone.

Adding a provider means a module here with a checker and its line in ``_CHECKERS``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from slowwave.facts.refusal import UsageError
from slowwave.hygiene.document import AnyDocument, Lines
from slowwave.hygiene.shapes import defect as rules
from slowwave.hygiene.shapes.anthropic import MessagesChecker
from slowwave.hygiene.shapes.chat import CompletionsChecker
from slowwave.hygiene.shapes.claude_code import SessionChecker
from slowwave.hygiene.shapes.codex import RolloutChecker
from slowwave.hygiene.shapes.defect import Checker, Code, Defect, Record
from slowwave.hygiene.shapes.marks import Marks
from slowwave.hygiene.shapes.responses import ItemsChecker

_CHECKERS: Mapping[str, Callable[[Record], Checker]] = {
    "claude-code": lambda _: SessionChecker(),
    "codex": lambda _: RolloutChecker(),
    "codex-legacy": lambda _: RolloutChecker(),
    "anthropic-messages": lambda _: MessagesChecker(),
    "openai-chat": lambda _: CompletionsChecker(),
    "openai-responses": ItemsChecker,
}
"""What makes a checker, from the request around a list of messages, by the name of a wire."""
_LINES = frozenset({"claude-code", "codex", "codex-legacy"})
_PROVIDERS = {"anthropic": "anthropic-messages"}
"""Whoever sends a message list, where that is not the name of its wire."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a check found; iterating gives the defects.

    Attributes:
        defects: Broken rules, by index.
        marks: What a rewrite must not lose: cache points, and the setting that holds at the end.
    """

    defects: tuple[Defect, ...]
    marks: Marks

    def __iter__(self) -> Iterator[Defect]:
        return iter(self.defects)


def check_shape(document: AnyDocument, provider: str = "") -> Shape:
    """A document held against the rules of whoever it is sent to.

    Args:
        document: The context.
        provider: Whose rules: a wire's name, or ``anthropic``; empty for those of its own form. A session file of an
            agent always keeps the rules of that agent's program, which include its provider's.

    Raises:
        UsageError: Nobody's rules are known by that name.
    """
    name = _PROVIDERS.get(provider, provider) or document.wire.name
    if name not in _CHECKERS:
        raise UsageError(f"no rules are known for {provider}", hint=f"one of {', '.join((*_PROVIDERS, *_CHECKERS))}")
    if document.wire.name in _LINES:
        name = document.wire.name
    if name == "codex-legacy" and not isinstance(document, Lines):
        name = "openai-responses"  # bare items in a list are no rollout, though they look like one
    marks = Marks()
    defects = rules.run(_CHECKERS[name](document.envelope), marks.watched(document.records()))
    return Shape(defects=defects, marks=marks)


def new_defects(before: Iterable[Defect], after: Iterable[Defect]) -> tuple[Defect, ...]:
    """The defects of a rewritten context that were not there before; of two shapes also the marks that were lost."""
    fresh = rules.new_defects(before, after)
    if isinstance(before, Shape) and isinstance(after, Shape):
        return (*fresh, *before.marks.lost(after.marks))
    return fresh


__all__ = ["Code", "Defect", "Shape", "check_shape", "new_defects"]
