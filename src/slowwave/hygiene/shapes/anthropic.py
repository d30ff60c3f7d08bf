"""Anthropic Messages: what the provider asks of a list of turns.

Neighbours of one role count as one turn, as the provider joins them. Every ``tool_use`` of a turn is answered in the
very next turn of the user, before anything else is said there. Tools that the provider runs have their results in a
turn of the agent, which may be a later one.
"""

import re
from collections.abc import Iterator

from slowwave.hygiene.shapes.defect import Code, Defect, Record, Records, blocks_of, id_of, place, run, text_of

CALLS = frozenset({"tool_use"})
SERVER_CALLS = frozenset({"server_tool_use", "mcp_tool_use"})
SERVER_RESULT = re.compile(r".+_tool_result")
_ROLES = frozenset({"user", "assistant", "system"})
_AGENT = CALLS | SERVER_CALLS | {"thinking", "redacted_thinking"}
_PERSON = frozenset({"tool_result", "image", "document"})


def check(records: Records) -> tuple[Defect, ...]:
    """Where a list of messages breaks the rules of the Messages API."""
    return run(MessagesChecker(), records)


class MessagesChecker:
    """Follows the turns; knows the calls that wait and, by their ids alone, all that were made."""

    def __init__(self) -> None:
        self._role = ""
        self._called: set[str] = set()
        self._asked: dict[str, int] = {}  # calls of the last turn of the agent, with their index
        self._answered: set[str] = set()  # of these, in the turn of the user behind it
        self._has_words = False  # something else than a result stands in that turn
        self._server: dict[str, int] = {}
        self._turn = 0
        self._turn_of: dict[str, int] = {}  # of the provider's own calls that wait
        self._blank: Defect | None = None  # an empty last turn of the agent is allowed, any other is not

    def see(self, index: int, part: int, record: Record) -> Iterator[Defect]:
        """What a message breaks."""
        role = text_of(record, "role")
        if self._blank is not None:
            yield self._blank
            self._blank = None
        if role not in _ROLES:
            yield _defect(Code.ROLE, place(index, part), index, f"no message has the role {role[:20]!r}")
            return
        if role != self._role:
            yield from self._begin(role)
        if role == "system" and self._turn == 1:
            yield _defect(Code.ROLE, place(index, part), index, "a list of messages begins with no system message")
        yield from self._content(record.get("content"), role, index, part)

    def end(self) -> Iterator[Defect]:
        """Calls without a result, once nothing more comes; the provider may still be at work in the last turn."""
        yield from self._unanswered()
        for call, index in self._server.items():
            if self._role != "assistant" or self._turn_of[call] != self._turn:
                yield _defect(Code.PAIRING, call, index, f"the provider's own call {call} has no result")

    def _begin(self, role: str) -> Iterator[Defect]:
        if (self._role, role) != ("assistant", "user"):
            yield from self._unanswered()
            self._asked = {}
        self._answered, self._has_words = set(), False
        self._role = role
        self._turn += 1

    def _unanswered(self) -> Iterator[Defect]:
        for call, index in self._asked.items():
            if call not in self._answered:
                yield _defect(Code.PAIRING, call, index, f"the call {call} has no result in the turn behind it")

    def _content(self, content: object, role: str, index: int, part: int) -> Iterator[Defect]:
        where = place(index, part, "content")
        if isinstance(content, str) and not content.strip():
            yield from self._empty(where, index, role, is_blank=content == "")
        elif not content or not isinstance(content, str | list):
            yield from self._empty(where, index, role, is_blank=content == [])
        if isinstance(content, str):
            self._has_words = True
        for at, block in blocks_of(content):
            yield from self._block(block, role, index, place(index, part, f"content[{at}]"))

    def _empty(self, where: str, index: int, role: str, *, is_blank: bool) -> Iterator[Defect]:
        defect = _defect(Code.EMPTY, where, index, f"the message at {where} says nothing")
        if role == "assistant" and is_blank:
            self._blank = defect
        else:
            yield defect

    def _block(self, block: Record, role: str, index: int, where: str) -> Iterator[Defect]:
        kind = text_of(block, "type")
        if kind in (_PERSON if role == "assistant" else _AGENT) or (role == "system" and kind != "text"):
            yield _defect(Code.ROLE, where, index, f"a block {kind[:30]} stands in no message of the {role}")
        if kind in CALLS:
            yield from self._call(id_of(block, "id"), index, where, self._asked)
        elif kind in SERVER_CALLS:
            call = id_of(block, "id")
            yield from self._call(call, index, where, self._server)
            self._turn_of[call] = self._turn
        elif kind == "tool_result":
            yield from self._result(block, index, where)
        elif SERVER_RESULT.fullmatch(kind):
            yield from self._server_result(id_of(block, "tool_use_id"), index, where)
        else:
            self._has_words = True
            yield from empty_text(block, index, where)

    def _call(self, call: str, index: int, where: str, asked: dict[str, int]) -> Iterator[Defect]:
        if not call:
            yield _defect(Code.PAIRING, where, index, f"the call at {where} has no id")
            return
        if call in self._called:
            yield _defect(Code.DUPLICATE_ID, call, index, f"two calls are named {call}")
        self._called.add(call)
        asked[call] = index

    def _result(self, block: Record, index: int, where: str) -> Iterator[Defect]:
        call = id_of(block, "tool_use_id")
        if call in self._answered:
            yield _defect(Code.DUPLICATE_ID, call, index, f"the call {call} has two results")
        elif call not in self._asked:
            reason = "stands apart from its call" if call in self._called else "has no call"
            code = Code.ORDER if call in self._called else Code.PAIRING
            yield _defect(code, call or where, index, f"the result at {where} {reason}")
        elif self._has_words:
            yield _defect(Code.ORDER, call, index, f"the result of {call} stands behind other words of its turn")
        self._answered.add(call)
        yield from empty_result(block, index, where)

    def _server_result(self, call: str, index: int, where: str) -> Iterator[Defect]:
        if call not in self._called:
            yield _defect(Code.PAIRING, call or where, index, f"the provider's own result at {where} has no call")
        elif self._server.pop(call, None) is None:
            yield _defect(Code.DUPLICATE_ID, call, index, f"the provider's own call {call} has two results")


def empty_text(block: Record, index: int, where: str) -> Iterator[Defect]:
    """A text block without a word, which the provider refuses."""
    if block.get("type") == "text" and not text_of(block, "text").strip():
        yield _defect(Code.EMPTY, where, index, f"the text at {where} is empty")


def empty_result(block: Record, index: int, where: str) -> Iterator[Defect]:
    """A result may be empty unless it failed; its text blocks may not, though blanks will do there."""
    content = block.get("content")
    for at, inner in blocks_of(content):
        if inner.get("type") == "text" and not text_of(inner, "text"):
            yield _defect(Code.EMPTY, f"{where}.content[{at}]", index, f"the text at {where}.content[{at}] is empty")
    if not content and block.get("is_error") is True:
        yield _defect(Code.EMPTY, where, index, f"the failed result at {where} does not say why")


def _defect(code: Code, key: str, index: int, message: str) -> Defect:
    return Defect(code=code, key=key, index=index, message=message)


__all__ = ["MessagesChecker", "check", "empty_result", "empty_text"]
