"""What a turn needs beside a model: a toolbox of four tools that notes calls, and a purse that notes pennies."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from slowwave.facts.refusal import Refusal
from slowwave.facts.usage import Usage
from slowwave.models.toolbox import ToolReply, ToolSpec

TOOLS = ("list_sessions", "search_transcript", "read_lines", "submit_answer")
_SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}, "additionalProperties": False}


class MadeBox:
    """Four tools; ``submit_answer`` ends the turn, refused when its ``q`` is not ``good`` for the fourth time."""

    def __init__(self) -> None:
        self.specs = [ToolSpec(name=name, description=f"{name}, bounded", schema=_SCHEMA) for name in TOOLS]
        self.calls: list[tuple[str, str]] = []
        self.is_over = False

    def call(self, name: str, arguments: str) -> ToolReply:
        """Note the call and answer it."""
        assert not self.is_over
        self.calls.append((name, arguments))
        if name not in TOOLS:
            return ToolReply(text=f"there is no tool {name}", is_error=True)
        if name != "submit_answer":
            return ToolReply(text=f"<{name} {len(self.calls)}>")
        if "good" in arguments:
            self.is_over = True
            return ToolReply(text="accepted", ends_turn=True)
        self.is_over = sum(one == name for one, _ in self.calls) >= 4
        return ToolReply(text="refused", is_error=True, ends_turn=self.is_over)


@dataclass
class MadePurse:
    """Grants everything up to so many calls, and notes what was reserved and reconciled."""

    most: int = 1_000
    reserved: list[dict[str, Any]] = field(default_factory=list)
    reconciled: list[tuple[str, Usage]] = field(default_factory=list)

    def reserve(self, **wanted: Any) -> Any:
        """Grant one call, or refuse it."""
        assert len(self.reserved) == len(self.reconciled), "one call at a time"
        if len(self.reserved) >= self.most:
            return Refusal(code="budget_spent", path="night", message="spent")
        self.reserved.append(wanted)
        return len(self.reserved)

    def reconcile(self, reservation: Any, usage: Usage, *, status: str) -> int:
        """Note what a call used."""
        assert reservation == len(self.reserved)
        self.reconciled.append((status, replace(usage, seconds=0.0)))
        return usage.tokens

    @property
    def statuses(self) -> list[str]:
        """How each call ended."""
        return [status for status, _ in self.reconciled]


def stopwatch() -> Callable[[], float]:
    """Seconds that go on by one each time they are looked at."""
    seconds = iter(range(1_000_000))
    return lambda: float(next(seconds))
