"""OpenAI Responses: what the provider asks of a flat list of items, and what Codex writes down of one.

A call is answered by an output with its ``call_id`` anywhere behind it. A piece of reasoning stands right before what
it led to. What the provider keeps itself, behind ``previous_response_id`` or an ``item_reference``, is not here to be
judged: where a part of the context lies there, an output may answer a call that nobody here can see.
"""

from collections.abc import Iterator

from slowwave.hygiene.shapes.defect import Code, Defect, Record, Records, blocks_of, id_of, place, run, text_of

OUTPUTS = {
    "function_call_output": "function_call",
    "custom_tool_call_output": "custom_tool_call",
    "local_shell_call_output": "local_shell_call",
    "computer_call_output": "computer_call",
    "shell_call_output": "shell_call",
    "apply_patch_call_output": "apply_patch_call",
    "tool_search_output": "tool_search_call",
    "program_output": "program",
    "mcp_approval_response": "mcp_approval_request",
}
"""Each kind of output, with the kind of call that it answers."""
_CALLS = frozenset(OUTPUTS.values())
_PLAIN = frozenset({"function_call", "local_shell_call"})  # a function's output may answer a shell's call: Codex does
_OWN = frozenset(
    {"tool_search_call", "mcp_approval_request"}
)  # may stay without an output: the provider goes on itself
_MUST_SAY = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"})
_OTHERS_PARTS = frozenset({"text", "output_text", "image", "image_url"})  # of Chat, of the agent, of other makers
_ROLES = frozenset({"user", "assistant", "system", "developer"})
_HELD = ("previous_response_id", "conversation")


def check(records: Records) -> tuple[Defect, ...]:
    """Where a list of items breaks the rules of the Responses API."""
    return run(ItemsChecker(), records)


def held_by_server(envelope: Record, index: int = 0) -> Iterator[Defect]:
    """What a request, or a record, says of a context that lies at the provider."""
    for key in _HELD:
        if envelope.get(key):
            message = f"{key} continues a context that the provider holds: what is not here cannot be curated"
            yield Defect(code=Code.SERVER_HELD, key=key, index=index, message=message)


class ItemsChecker:
    """Follows the items; knows calls by their ids alone."""

    def __init__(self, envelope: Record | None = None) -> None:
        self._calls: dict[str, tuple[str, int]] = {}
        self._answered: set[str] = set()
        self._early: dict[str, int] = {}
        self._thought: tuple[str, int] | None = None
        self._held = list(held_by_server(envelope or {}))
        self._has_hidden = bool(self._held)

    def see(self, index: int, part: int, record: Record) -> Iterator[Defect]:
        """What an item breaks."""
        if self._held:
            yield from self._held
            self._held = []
        for defect in held_by_server(record, index):
            self._has_hidden = True
            yield defect
        kind = text_of(record, "type") or ("message" if "role" in record else "")
        yield from self._behind_thought(record, kind)
        if kind == "message":
            yield from _message(record, index, place(index, part))
        elif kind == "reasoning":
            self._thought = (id_of(record, "id") or place(index, part), index)
        elif kind in ("item_reference", "compaction"):
            self._has_hidden = True
        elif kind in _CALLS:
            yield from self._call(record, kind, index, place(index, part))
        elif kind in OUTPUTS:
            yield from self._output(record, kind, index, place(index, part))

    def end(self) -> Iterator[Defect]:
        """What is still without its other half once nothing more comes."""
        yield from self._held
        if self._thought is not None:
            yield from self._behind_thought({}, "")
        yield from self.close()

    def close(self) -> Iterator[Defect]:
        """What is without its other half where a context ends; a compaction ends one."""
        for call, (kind, index) in self._calls.items():
            if call not in self._answered and kind not in _OWN:
                yield _defect(Code.PAIRING, call, index, f"the call {call} has no output")
        for call, index in self._early.items():
            yield _defect(Code.PAIRING, call, index, f"the output of {call} has no call")
        self._calls, self._answered, self._early = {}, set(), {}

    def _behind_thought(self, record: Record, kind: str) -> Iterator[Defect]:
        """What stands behind reasoning; items of no known kind are let pass."""
        thought, self._thought = self._thought, None
        if thought is None:
            return
        is_others = kind == "" or kind in OUTPUTS or (kind == "message" and record.get("role") != "assistant")
        if is_others:
            key, index = thought
            yield _defect(Code.ORDER, key, index, f"the reasoning {key} does not stand before what it led to")

    def _call(self, record: Record, kind: str, index: int, where: str) -> Iterator[Defect]:
        call = _call_id(record, kind)
        if not call:
            if kind not in _OWN:
                yield _defect(Code.PAIRING, where, index, f"the call at {where} has no id")
            return
        if call in self._early:
            yield _defect(Code.ORDER, call, index, f"the output of {call} stands before its call")
            self._answered.add(call)
            del self._early[call]
        elif call in self._calls:
            yield _defect(Code.DUPLICATE_ID, call, index, f"two calls are named {call}")
        self._calls[call] = (kind, index)

    def _output(self, record: Record, kind: str, index: int, where: str) -> Iterator[Defect]:
        call = id_of(record, "approval_request_id" if kind == "mcp_approval_response" else "call_id")
        call = call or id_of(record, "id")
        if call in self._answered or call in self._early:
            yield _defect(Code.DUPLICATE_ID, call, index, f"the call {call} has two outputs")
        elif call in self._calls:
            self._answered.add(call)
            asked = self._calls[call][0]
            if asked != OUTPUTS[kind] and not {asked, OUTPUTS[kind]} <= _PLAIN:
                yield _defect(Code.PAIRING, call, index, f"a {kind} answers the {asked} {call}")
        elif not call:
            yield from _nameless(kind, index, where)
        elif not self._has_hidden:
            self._early[call] = index
        if kind in _MUST_SAY:
            yield from _said(record.get("output"), index, f"{where}.output")


def _call_id(record: Record, kind: str) -> str:
    own = id_of(record, "id")
    return own if kind == "mcp_approval_request" else id_of(record, "call_id") or own


def _nameless(kind: str, index: int, where: str) -> Iterator[Defect]:
    if kind != "tool_search_output":
        yield _defect(Code.PAIRING, where, index, f"the output at {where} says not whose it is")


def _said(output: object, index: int, where: str) -> Iterator[Defect]:
    """What an output holds: words, or parts of the forms that an input has."""
    if output is None or output == []:
        yield _defect(Code.EMPTY, where, index, f"there is nothing at {where}")
    for at, part in blocks_of(output):
        if part.get("type") in _OTHERS_PARTS:
            yield _defect(Code.ROLE, f"{where}[{at}]", index, f"a part of an output is no {part['type']}")


def _message(record: Record, index: int, where: str) -> Iterator[Defect]:
    role, content = text_of(record, "role"), record.get("content")
    if role not in _ROLES:
        yield _defect(Code.ROLE, where, index, f"no message has the role {role[:20]!r}")
    if not isinstance(content, str | list) or content == []:
        yield _defect(Code.EMPTY, f"{where}.content", index, f"the message at {where} has no content")
    for at, block in blocks_of(content):
        if text_of(block, "type").endswith("_text") and not isinstance(block.get("text"), str):
            yield _defect(Code.EMPTY, f"{where}.content[{at}]", index, f"the text at {where}.content[{at}] is none")


def _defect(code: Code, key: str, index: int, message: str) -> Defect:
    return Defect(code=code, key=key, index=index, message=message)
