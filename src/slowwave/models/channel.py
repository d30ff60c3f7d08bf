"""A channel to a model: what is said in a turn, what comes back, and what can go wrong, in nobody's own format."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from slowwave.models.toolbox import ToolReply


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call a model asks for; ``arguments`` is JSON text, or what the model wrote instead."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Tokens of one request as the provider counted them; cached ones are part of ``input``."""

    input: int
    output: int
    cache_read: int = 0
    cache_write: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """What a model said to one request.

    Attributes:
        text: Its prose; empty where it only called tools.
        calls: The tools it calls, in order.
        counted: None where the provider did not say.
        was_cut: It ended at the bound of output tokens.
        original: The client library's own message, sent back as it came; None for a scripted channel.
    """

    text: str
    calls: tuple[ToolCall, ...]
    counted: Counted | None = None
    was_cut: bool = False
    original: Any = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Text of ours: the turn's own message, or a reminder."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """What came of the calls of the answer before, each with its call, in order."""

    each: tuple[tuple[ToolCall, ToolReply], ...]


Message = Prompt | Replies | ModelAnswer
"""One step of a turn; they alternate between us and the model."""


class Kind(Enum):
    """Sorts of trouble, by what they mean for the turn."""

    BUSY = "busy"
    """Refused for now, before anything was counted: worth another try."""
    CUT = "cut"
    """The connection broke, or half an answer came: worth another try, and perhaps paid for."""
    SLOW = "slow"
    """The whole time of a request went by: it would again, and is perhaps paid for."""
    AWAY = "away"
    """Nothing can be asked: the key, the account, the address, the protocol."""
    REJECTED = "rejected"
    """This very request cannot be answered: it is too long, or not understood."""
    DECLINED = "declined"
    """The model, or a filter before it, will not answer this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Why there is no answer.

    Attributes:
        kind: What it means for the turn.
        message: One sentence of ours; never holds a key, nor anything the provider or a transcript said.
        retry_after: Seconds that the provider asked us to wait; None where it did not.
        is_counted: The provider may have counted tokens for it.
        counted: How many, where it said.
    """

    kind: Kind
    message: str
    retry_after: float | None = None
    is_counted: bool = False
    counted: Counted | None = None


class Channel(Protocol):
    """One model, set up with instructions and tools."""

    def ask(self, said: Sequence[Message]) -> ModelAnswer | Trouble:
        """The model's answer to all that was said; raises nothing but what ends the program."""
        ...
