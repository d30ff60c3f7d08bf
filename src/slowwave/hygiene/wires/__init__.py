"""Wires: how contexts are written down, each told apart by content and read into the same sightings.

Adding one means a module here with a ``Wire`` and its line in ``WIRES``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from slowwave.hygiene.wires.anthropic import AnthropicMessages
from slowwave.hygiene.wires.chat import Chat
from slowwave.hygiene.wires.claude_code import ClaudeCodeLines
from slowwave.hygiene.wires.codex import CodexLegacyLines, CodexLines
from slowwave.hygiene.wires.responses import Responses
from slowwave.hygiene.wires.wire import Wire

WIRES: Mapping[str, Wire] = {
    wire.name: wire
    for wire in (ClaudeCodeLines(), CodexLines(), CodexLegacyLines(), Responses(), AnthropicMessages(), Chat())
}
"""Every wire, by name, in the order in which they are asked."""


_OF_AGENTS = frozenset({"claude-code", "codex", "codex-legacy"})


def detect_wire(head: Sequence[Mapping[str, Any]], *, is_list: bool = False) -> Wire | None:
    """The wire of a document whose first records are ``head``, or None.

    Args:
        head: Up to ``VOTERS`` records.
        is_list: They are the messages of one list, which no agent's own program writes.
    """
    asked = (wire for wire in WIRES.values() if not is_list or wire.name not in _OF_AGENTS)
    return next((wire for wire in asked if wire.detect(head)), None)
