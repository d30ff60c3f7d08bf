"""Claude Code's records: a chain by ``parentUuid``, in which the agent's program finds the messages it sends.

A reply is spread over all records with its ``message.id``, results come in records of their own, and calls made at once
branch the chain: the program puts each reply together before it sends it. So calls and results are paired over the
whole file, apart for the conversation and for sub-agents, and a reply is empty when all its records are. Titles,
queues, snapshots and progress are no messages. A compaction begins a chain without a parent.
"""

from collections.abc import Iterator

from slowwave.hygiene.shapes.anthropic import SERVER_CALLS, SERVER_RESULT, empty_result, empty_text
from slowwave.hygiene.shapes.defect import Code, Defect, Record, Records, blocks_of, id_of, place, run, text_of

_MESSAGES = frozenset({"user", "assistant"})
_AGENT = frozenset({"tool_use", "thinking", "redacted_thinking"}) | SERVER_CALLS
_Name = tuple[bool, str]
"""Whether it is a sub-agent's, and the id."""


def check(records: Records) -> tuple[Defect, ...]:
    """Where a session breaks what its own program and the Messages API need."""
    return run(SessionChecker(), records)


class SessionChecker:
    """Follows the chain; knows records, replies, calls and results by their ids alone."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._missing: dict[str, list[int]] = {}  # parents that nobody was yet, with the records that name them
        self._calls: dict[_Name, int] = {}
        self._results: set[_Name] = set()
        self._early: dict[_Name, int] = {}
        self._full: set[str] = set()
        self._hollow: dict[str, Defect] = {}  # replies of which every record so far is empty

    def see(self, index: int, part: int, record: Record) -> Iterator[Defect]:
        """What a record breaks."""
        own = id_of(record, "uuid")
        is_again = own != "" and own in self._seen
        if is_again:
            yield _defect(Code.DUPLICATE_ID, own, index, f"two records are named {own}")
        self._link(own, id_of(record, "parentUuid"), index)
        kind, message = text_of(record, "type"), record.get("message")
        if kind in _MESSAGES and isinstance(message, dict):
            yield from self._message(record, message, index, part, is_again=is_again)

    def end(self) -> Iterator[Defect]:
        """What is still without its other half once nothing more comes."""
        for parent, indices in self._missing.items():
            for index in indices:
                yield _defect(Code.CHAIN, parent, index, f"there is no record {parent}, which this one follows")
        for name, index in self._calls.items():
            if name not in self._results:
                yield _defect(Code.PAIRING, name[1], index, f"the call {name[1]} has no result")
        for name, index in self._early.items():
            yield _defect(Code.PAIRING, name[1], index, f"the result of {name[1]} has no call")
        yield from self._hollow.values()

    def _link(self, own: str, parent: str, index: int) -> None:
        if own:
            self._seen.add(own)
            self._missing.pop(own, None)
        if parent and parent not in self._seen:
            self._missing.setdefault(parent, []).append(index)

    def _message(self, record: Record, message: Record, index: int, part: int, *, is_again: bool) -> Iterator[Defect]:
        kind, where = text_of(record, "type"), place(index, part)
        if message.get("role", kind) != kind:
            yield _defect(Code.ROLE, where, index, f"the record of the {kind} holds a message of somebody else")
        content = message.get("content")
        yield from self._filled(content, id_of(message, "id"), kind, index, f"{where}.message.content")
        is_side = record.get("isSidechain") is True
        for at, block in blocks_of(content):
            yield from self._block(block, kind, index, f"{where}.message.content[{at}]", (is_side, is_again))

    def _filled(self, content: object, reply: str, kind: str, index: int, where: str) -> Iterator[Defect]:
        """A message without content, unless it is a part of a reply that has some elsewhere."""
        is_empty = not content or (isinstance(content, str) and not content.strip())
        if kind == "assistant" and reply and content in ([], ""):
            if reply not in self._full:
                message = f"the reply {reply} says nothing"
                self._hollow.setdefault(reply, _defect(Code.EMPTY, reply, index, message))
        elif is_empty:
            yield _defect(Code.EMPTY, where, index, f"the message at {where} says nothing")
        elif reply:
            self._full.add(reply)
            self._hollow.pop(reply, None)

    def _block(self, block: Record, kind: str, index: int, where: str, flags: tuple[bool, bool]) -> Iterator[Defect]:
        is_side, is_again = flags
        sort = text_of(block, "type")
        if sort == "tool_result" if kind == "assistant" else sort in _AGENT:
            yield _defect(Code.ROLE, where, index, f"a block {sort} stands in no message of the {kind}")
        if sort == "tool_use" or sort in SERVER_CALLS:
            yield from self._call((is_side, id_of(block, "id")), index, where, is_again=is_again)
        elif sort == "tool_result" or SERVER_RESULT.fullmatch(sort):
            yield from self._result((is_side, id_of(block, "tool_use_id")), index, where, is_again=is_again)
            if sort == "tool_result":
                yield from empty_result(block, index, where)
        else:
            yield from empty_text(block, index, where)

    def _call(self, name: _Name, index: int, where: str, *, is_again: bool) -> Iterator[Defect]:
        call = name[1]
        if not call:
            yield _defect(Code.PAIRING, where, index, f"the call at {where} has no id")
        elif name in self._early:
            yield _defect(Code.ORDER, call, index, f"the result of {call} stands before its call")
            del self._early[name]
            self._results.add(name)
            self._calls[name] = index
        elif name in self._calls and not is_again:
            yield _defect(Code.DUPLICATE_ID, call, index, f"two calls are named {call}")
        else:
            self._calls[name] = index

    def _result(self, name: _Name, index: int, where: str, *, is_again: bool) -> Iterator[Defect]:
        call = name[1]
        if not call:
            yield _defect(Code.PAIRING, where, index, f"the result at {where} says not whose it is")
        elif name in self._results or name in self._early:
            if not is_again:
                yield _defect(Code.DUPLICATE_ID, call, index, f"the call {call} has two results")
        elif name in self._calls:
            self._results.add(name)
        else:
            self._early[name] = index


def _defect(code: Code, key: str, index: int, message: str) -> Defect:
    return Defect(code=code, key=key, index=index, message=message)
