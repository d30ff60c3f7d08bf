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


def detect_wire(head: Sequence[Mapping[str, Any]]) -> Wire | None:
    """The wire of a document whose first records are ``head``, or None."""
    return next((wire for wire in WIRES.values() if wire.detect(head)), None)
