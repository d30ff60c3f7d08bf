"""What somebody who is asked may do: a closed set of tools, each with its bounds, and what came of each call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as it is offered.

    Attributes:
        name: What it is called by.
        description: What it does, with all its bounds.
        schema: The JSON schema of its arguments.
        is_limited: It ends the turn by itself after some calls, so that the very same call again is no circling.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    is_limited: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReply:
    """What a call came to.

    Attributes:
        text: What the caller reads: framed data, or what is wrong and what to change.
        is_error: The call was refused; nothing was looked at.
        ends_turn: Nothing more is to be asked: the answer was accepted, or the last try was refused.
    """

    text: str
    is_error: bool = False
    ends_turn: bool = False


class Toolbox(Protocol):
    """Tools behind one door; the MCP server and the conversation with a provider call the same one."""

    @property
    def specs(self) -> Sequence[ToolSpec]:
        """Every tool there is; nothing else may be offered."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether the turn has ended; every further call is refused."""
        ...

    def call(self, name: str, arguments: str) -> ToolReply:
        """Call a tool with its arguments as JSON text; any name and any text is answered, nothing is raised."""
        ...
