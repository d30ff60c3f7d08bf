"""What the agent says in Claude Code's records: texts, thoughts, calls, and results that the service brought itself."""

from collections.abc import Mapping
from typing import Any

from slowwave.records.formats.claude_results import text_of
from slowwave.records.formats.draft import AGENT, CALL, META, RESULT, SYSTEM, TEXT, THINKING, TOOL, Draft
from slowwave.records.formats.tools import COMMAND_KEYS, arguments_of, call_text, is_fetching

_UNKNOWN = ("", False)


class AgentMessages:
    """Reads the agent's messages of one file and remembers its calls."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[str, bool]] = {}

    def called(self, call_id: object) -> tuple[str, bool]:
        """The name of the tool of a call, and whether it fetched words from outside."""
        return self._calls.get(call_id, _UNKNOWN) if isinstance(call_id, str) else _UNKNOWN

    def read(self, record: Mapping[str, Any]) -> list[Draft]:
        """The drafts of one message; a message that the program made up itself is the harness's."""
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        if not isinstance(message, dict) or message.get("model") == "<synthetic>" or record.get("isApiErrorMessage"):
            return [Draft(SYSTEM, META, text_of(content), ("message.content",), "harness")]
        if isinstance(content, str):
            return [Draft(AGENT, TEXT, content, ("message.content",))]
        if not isinstance(content, list):
            return []
        drafts = [
            self._block(block, f"message.content[{index}]")
            for index, block in enumerate(content)
            if isinstance(block, dict)
        ]
        return [draft for draft in drafts if draft is not None]

    def _block(self, block: Mapping[str, Any], path: str) -> Draft | None:
        kind = block.get("type")
        if kind == "text":
            return Draft(AGENT, TEXT, _string(block.get("text")), (f"{path}.text",))
        if kind == "thinking":
            return Draft(AGENT, THINKING, _string(block.get("thinking")), (f"{path}.thinking",))
        if kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
            return self._call(block, path)
        if isinstance(kind, str) and kind.endswith("_tool_result"):
            text = text_of(block.get("content"))
            more = {"call_id": _string(block.get("tool_use_id")), "is_tainted": True, "tool": kind}
            return Draft(TOOL, RESULT, text, (f"{path}.content",), more=more)
        return None

    def _call(self, block: Mapping[str, Any], path: str) -> Draft:
        args = arguments_of(block.get("input"))
        text, key = call_text(args)
        tool, call_id = _string(block.get("name")), _string(block.get("id"))
        self._calls[call_id] = (tool, is_fetching(tool, text if key in COMMAND_KEYS else ""))
        whole = f"{path}.input"
        fields = (f"{whole}.{key}", whole) if key else (whole,)
        return Draft(AGENT, CALL, text, fields, more={"tool": tool, "call_id": call_id, "args": args})


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
