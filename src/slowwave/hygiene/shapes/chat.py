"""OpenAI Chat Completions: what the provider asks of a list of messages.

The calls of a message are answered by messages of the tool right behind it, before anybody else speaks. Ids need to
differ only within one message: several servers number the calls of each anew.
"""

from collections.abc import Iterator

from slowwave.hygiene.shapes.defect import Code, Defect, Record, Records, blocks_of, id_of, place, run, text_of

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_INSTEAD = ("tool_calls", "function_call", "refusal", "audio")
"""What a message of the agent may hold instead of content."""


def check(records: Records) -> tuple[Defect, ...]:
    """Where a list of messages breaks the rules of Chat Completions."""
    return run(CompletionsChecker(), records)


class CompletionsChecker:
    """Follows the messages; knows the calls of the last one and, by their ids alone, all that were made."""

    def __init__(self) -> None:
        self._asked: dict[str, int] = {}
        self._answered: set[str] = set()
        self._called: set[str] = set()

    def see(self, index: int, part: int, record: Record) -> Iterator[Defect]:
        """What a message breaks."""
        role, where = text_of(record, "role"), place(index, part)
        if role not in _ROLES:
            yield _defect(Code.ROLE, where, index, f"no message has the role {role[:20]!r}")
        elif role in ("tool", "function"):
            yield from self._result(record, role, index, where)
        else:
            yield from self.end()
            self._asked, self._answered = {}, set()
            if role == "assistant":
                yield from self._calls(record, index, where)
        yield from _content(record, role, index, place(index, part, "content"))

    def end(self) -> Iterator[Defect]:
        """Calls without a result, once somebody else speaks or nothing more comes."""
        for call, index in self._asked.items():
            if call not in self._answered:
                yield _defect(Code.PAIRING, call, index, f"the call {call} has no result right behind its message")

    def _calls(self, record: Record, index: int, where: str) -> Iterator[Defect]:
        calls = record.get("tool_calls")
        if isinstance(calls, list) and not calls:
            yield _defect(Code.EMPTY, f"{where}.tool_calls", index, f"the list of calls at {where} is empty")
        for at, block in blocks_of(calls):
            yield from self._call(id_of(block, "id"), index, f"{where}.tool_calls[{at}]")
        old = record.get("function_call")
        if isinstance(old, dict):
            yield from self._call(id_of(old, "name"), index, f"{where}.function_call")

    def _call(self, call: str, index: int, where: str) -> Iterator[Defect]:
        if not call:
            yield _defect(Code.PAIRING, where, index, f"the call at {where} has no id")
            return
        if call in self._asked:
            yield _defect(Code.DUPLICATE_ID, call, index, f"two calls of one message are named {call}")
        self._asked[call] = index
        self._called.add(call)

    def _result(self, record: Record, role: str, index: int, where: str) -> Iterator[Defect]:
        call = id_of(record, "tool_call_id" if role == "tool" else "name")
        if call in self._answered:
            yield _defect(Code.DUPLICATE_ID, call, index, f"the call {call} has two results")
        elif call not in self._asked:
            is_late = call in self._called
            reason = "stands apart from its call" if is_late else "has no call"
            yield _defect(
                Code.ORDER if is_late else Code.PAIRING, call or where, index, f"the result at {where} {reason}"
            )
        else:
            self._answered.add(call)


def _content(record: Record, role: str, index: int, where: str) -> Iterator[Defect]:
    content = record.get("content")
    if content is None:
        is_replaced = role == "assistant" and any(record.get(key) for key in _INSTEAD)
        if not is_replaced and role != "function":
            yield _defect(Code.EMPTY, where, index, f"the message at {where} has no content")
    elif not isinstance(content, str | list) or content == []:
        yield _defect(
            Code.EMPTY, where, index, f"the content at {where} is neither a text nor a list with something in it"
        )
    for at, block in blocks_of(content):
        if block.get("type") == "text" and not isinstance(block.get("text"), str):
            yield _defect(Code.EMPTY, f"{where}[{at}]", index, f"the text at {where}[{at}] is none")


def _defect(code: Code, key: str, index: int, message: str) -> Defect:
    return Defect(code=code, key=key, index=index, message=message)
