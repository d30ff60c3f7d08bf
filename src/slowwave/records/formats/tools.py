"""Calls and results, whatever agent wrote them: what ran, how it ended, whether it fetched other people's words."""

import json
import re
import shlex
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import orjson

COMMAND_KEYS = ("command", "cmd", "script")
"""Arguments that hold what a shell runs; no other argument can fetch."""
_EMBEDDED = "tools.exec_command("
_DECODER = json.JSONDecoder(strict=False)
_SHELLS = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash", "/usr/bin/zsh"})
_SHOWN_CHARACTERS = 2_000  # of arguments without any string; a call is recognised by far less
_EXIT_AT_START = re.compile(r"(?:Error: )?Exit code:? (-?\d{1,10})\b")
_EXIT_IN_HEAD = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})\b", re.MULTILINE)
_HEAD_CHARACTERS = 400  # the lines an agent puts before the output itself
_FETCHING_TOOL = re.compile(r"^mcp__|web_?(?:search|fetch)|browser|fetch_?url|^fetch$|^read_url", re.IGNORECASE)
_FETCHING_COMMAND = re.compile(
    r"(?:^|[;&|(`\n])[ \t]*(?:(?:sudo|time|env|xargs|do|then|else|timeout \S{1,10})[ \t]+)?"
    r"(?:(?:curl|wget|httpie|https?|lynx|w3m|links2?)\s"
    r"|(?:gh|glab)\s+(?:api|search|(?:issue|pr|mr|gist|release|run|repo)\s+(?:view|list|diff|checks|status))\b)"
)
_FETCHING_WORDS = ("curl", "wget", "http", "lynx", "w3m", "link", "gh ", "glab ")  # cheap to look for first
_COMMAND_CHARACTERS = 8_000  # a fetch stands in a command's beginning, not behind a pasted file


def arguments_of(value: object) -> Mapping[str, Any]:
    """The arguments of a call as a mapping: some agents write them as a JSON string, some as free text."""
    if isinstance(value, str):
        try:
            decoded = orjson.loads(value)
        except orjson.JSONDecodeError:
            return {"input": value} if value else {}
        return decoded if isinstance(decoded, dict) else {"input": value}
    return value if isinstance(value, dict) else {}


def call_text(args: Mapping[str, Any]) -> tuple[str, str]:
    """What a call does, in its own words, and the name of the argument that holds them (empty: no single one)."""
    for key in COMMAND_KEYS:
        command = args.get(key)
        if isinstance(command, str) and command:
            return command, key
        if isinstance(command, list) and command and all(isinstance(word, str) for word in command):
            return _joined(command), key
    best = ""
    for key, value in args.items():
        if isinstance(value, str) and (not best or len(value) > len(args[best])):
            best = key
    if best:
        return args[best], best
    return _compact(args), ""


def _joined(words: list[str]) -> str:
    if len(words) == 3 and words[0] in _SHELLS and words[1].startswith("-"):
        return words[2]
    return shlex.join(words)


def _compact(args: Mapping[str, Any]) -> str:
    if not args:
        return ""
    try:
        return orjson.dumps(args).decode()[:_SHOWN_CHARACTERS]
    except (orjson.JSONEncodeError, RecursionError):
        return ""


def embedded_command(script: str) -> str:
    """The command that a script runs through ``tools.exec_command({...})``; empty for none or several."""
    if script.count(_EMBEDDED) != 1:
        return ""
    try:
        value, _ = _DECODER.raw_decode(script, script.index(_EMBEDDED) + len(_EMBEDDED))
    except (ValueError, RecursionError):
        return ""
    command = value.get("cmd") if isinstance(value, dict) else None
    return command if isinstance(command, str) else ""


def exit_status(text: str) -> int | None:
    """The exit status an agent wrote before the output, or None."""
    head = text[:_HEAD_CHARACTERS]
    if "xit" not in head:
        return None
    found = _EXIT_AT_START.match(head) or _EXIT_IN_HEAD.search(head)
    return int(found.group(1)) if found else None


def unwrap_output(text: str) -> tuple[str, int | None]:
    """The output and exit status inside ``{"output": ..., "metadata": {"exit_code": ...}}``, or of the text itself."""
    if text.startswith('{"output"') or (text.startswith("{") and '"metadata"' in text[-200:]):
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError:
            value = None
        if isinstance(value, dict) and isinstance(value.get("output"), str):
            metadata = value.get("metadata")
            status = metadata.get("exit_code") if isinstance(metadata, dict) else None
            return value["output"], status if type(status) is int else None
    return text, exit_status(text)


def is_fetching(tool: str, text: str) -> bool:
    """Whether the result of this call holds words from outside: a page, an MCP server, an issue tracker."""
    if _is_fetching_tool(tool):
        return True
    head = text[:_COMMAND_CHARACTERS]
    return any(word in head for word in _FETCHING_WORDS) and _FETCHING_COMMAND.search(head) is not None


@lru_cache(maxsize=1024)
def _is_fetching_tool(tool: str) -> bool:
    return _FETCHING_TOOL.search(tool) is not None
