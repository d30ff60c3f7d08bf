"""Sizing: how many tokens a request can have at most, known before it is made."""

import json
from collections.abc import Sequence

from slowwave.facts.limits import TOKENS_A_MESSAGE_HIDDEN, TOKENS_A_REQUEST_HIDDEN
from slowwave.models.as_sent import UNREADABLE, sendable
from slowwave.models.channel import Message, ModelAnswer, Prompt
from slowwave.models.toolbox import ToolSpec


class Sizing:
    """Bounds the input of each request of a turn.

    A token stands for one byte of text or more: every tokenizer in use falls back to single bytes at worst. So bytes
    bound tokens, at some four times the truth. What a provider has counted once it counts the same again, with its
    answer now part of the input; only what was said since is bounded by its bytes. What a provider adds unseen (its
    own words about tools, who speaks) is ``TOKENS_A_REQUEST_HIDDEN`` and ``TOKENS_A_MESSAGE_HIDDEN``.
    """

    def __init__(self, instructions: str, specs: Sequence[ToolSpec]) -> None:
        tools = (json.dumps([spec.name, spec.description, dict(spec.schema)], ensure_ascii=False) for spec in specs)
        self._fixed = _bytes(instructions) + sum(_bytes(tool) for tool in tools) + TOKENS_A_REQUEST_HIDDEN
        self._counted = 0
        self._seen = 0

    def bound(self, said: Sequence[Message]) -> int:
        """The most tokens that a request with all this can have."""
        new = sum(_size(message) for message in said[self._seen :])
        return new + (self._counted or self._fixed)

    def take(self, answer: ModelAnswer, asked: int) -> None:
        """Remember what the provider counted for the ``asked`` first messages and its answer to them."""
        if answer.counted is not None:
            again = sum(_written_anew(call.arguments) for call in answer.calls)
            self._counted = answer.counted.input + answer.counted.output + again + TOKENS_A_MESSAGE_HIDDEN
            self._seen = asked + 1


def _size(message: Message) -> int:
    if isinstance(message, Prompt):
        return _bytes(message.text) + TOKENS_A_MESSAGE_HIDDEN
    if isinstance(message, ModelAnswer):
        called = sum(_bytes(c.name) + _bytes(c.arguments) + TOKENS_A_MESSAGE_HIDDEN for c in message.calls)
        return _bytes(message.text) + called + TOKENS_A_MESSAGE_HIDDEN
    return sum(_bytes(reply.text) + TOKENS_A_MESSAGE_HIDDEN for _, reply in message.each)


def _written_anew(arguments: str) -> int:
    """Bytes of arguments that are sent back in another form than they were counted in; 0 where they are an object."""
    sent = sendable(arguments)
    return _bytes(json.dumps(sent, ensure_ascii=False)) if set(sent) == {UNREADABLE} else 0


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
