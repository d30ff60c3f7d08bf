"""Agents that are scripts: each reads flags, files and variables as the real one, asks its provider, calls its tools.

Where the real one asks a provider beyond the loopback, this one plays a model that reads and hands an answer in.
"""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
from mcp import Client, StdioServerParameters, types

BUILT_IN = {
    "claude": {"Bash": "command", "Write": "file_path"},
    "codex": {"exec_command": "cmd"},
    "gemini": {"run_shell_command": "command", "write_file": "file_path"},
}
"""Tools of each agent's own, with the argument that says what to do."""
KEY = "ghp" + "_" + hashlib.sha256(b"made").hexdigest()[:36]
"""A key that an agent blurts out."""
FOUR = ("list_sessions", "search_transcript", "read_lines", "submit_answer")

LAST: Mapping[str, Mapping[str, Any]] = {
    "claude": {
        "type": "result",
        "num_turns": 7,
        "total_cost_usd": 0.0123451,
        "usage": {
            "input_tokens": 10,
            "cache_read_input_tokens": 4_000,
            "cache_creation_input_tokens": 600,
            "output_tokens": 90,
        },
    },
    "codex": {
        "type": "turn.completed",
        "usage": {"input_tokens": 5_000, "cached_input_tokens": 4_000, "output_tokens": 90},
    },
    "gemini": {
        "type": "result",
        "stats": {"total_tokens": 5_200, "input_tokens": 5_000, "output_tokens": 90, "cached": 4_000},
    },
}
"""What each agent tells last: what it used."""


def install(folder: Path, name: str, behaviour: str = "honest", *, answer: Mapping[str, Any] | None = None) -> Path:
    """An agent of this name and behaviour, as a program in a folder; ``answer`` is what it hands in."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "answer.json").write_text(json.dumps(answer), "utf-8")
    program = folder / name
    made = Path(__file__).parent
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(made)!r})\nimport made_cli\n"
        f"made_cli.main({name!r}, {behaviour!r}, {str(folder)!r})\n",
        "utf-8",
    )
    program.chmod(0o755)
    return program


@dataclass(slots=True)
class Setup:
    """What an agent was told by its flags, files and variables."""

    server: Mapping[str, Any]
    spelling: str
    url: str = ""
    key: str = ""
    built_in: dict[str, str] = field(default_factory=dict)


def main(name: str, behaviour: str, folder: str) -> None:
    """Behave like the agent of that name."""
    setup = {"claude": _claude, "codex": _codex, "gemini": _gemini}[name](behaviour)
    is_trial = "127.0.0.1" in setup.url
    with Path(folder, "starts").open("a", encoding="utf-8") as starts:
        starts.write("trial\n" if is_trial else "run\n")
    if not is_trial:
        _end_early(behaviour)
    if behaviour == "ignores its address":
        return
    if behaviour in ("leaves a child", "hides a child"):
        _leave_a_child(Path(folder), is_hidden=behaviour == "hides a child")
    answer = json.loads(Path(folder, "answer.json").read_text("utf-8"))
    anyio.run(_work, name, setup, behaviour, is_trial, answer)
    print(json.dumps(LAST[name]), flush=True)
    if behaviour == "exits after its answer":
        sys.exit(3)


def _end_early(behaviour: str) -> None:
    """What some do instead of their work, or before it."""
    if behaviour == "exits":
        sys.stderr.write(f"the provider refused the key {KEY}\n")
        sys.exit(1)
    if behaviour == "dies":
        os.kill(os.getpid(), signal.SIGSEGV)
    if behaviour == "hangs":
        time.sleep(600)
    if behaviour == "floods":
        for _ in range(1_000):
            sys.stdout.write("x" * 65_536)


def _claude(behaviour: str) -> Setup:
    words = sys.argv
    assert "--strict-mcp-config" in words
    assert words[words.index("--setting-sources") + 1] == ""
    file = Path(words[words.index("--mcp-config") + 1])
    has_none = words[words.index("--tools") + 1] == ""
    assert set(words[words.index("--allowedTools") + 1].split(",")) == {f"mcp__slowwave__{tool}" for tool in FOUR}
    setup = Setup(server=json.loads(file.read_text("utf-8"))["mcpServers"]["slowwave"], spelling="mcp__slowwave__{}")
    setup.url, setup.key = os.environ.get("ANTHROPIC_BASE_URL", ""), os.environ.get("ANTHROPIC_API_KEY", "")
    return _with_tools(setup, "claude", behaviour, is_off=has_none)


def _codex(behaviour: str) -> Setup:
    assert "--ignore-user-config" in sys.argv
    told: dict[str, Any] = {}
    for before, word in zip(sys.argv, sys.argv[1:], strict=False):
        if before == "-c":
            key, _, value = word.partition("=")
            told[key] = tomllib.loads(f"value = {value}")["value"]
    setup = Setup(server=told["mcp_servers.slowwave"], spelling="mcp__slowwave__{}")
    provider = told.get(f"model_providers.{told.get('model_provider')}", {})
    setup.url, setup.key = provider.get("base_url", ""), os.environ.get(provider.get("env_key", ""), "")
    is_off = told["features.shell_tool"] is False and told["features.unified_exec"] is False
    return _with_tools(setup, "codex", behaviour, is_off=is_off)


def _gemini(behaviour: str) -> Setup:
    told = json.loads(Path(os.environ["GEMINI_CLI_SYSTEM_SETTINGS_PATH"]).read_text("utf-8"))
    setup = Setup(server=told["mcpServers"]["slowwave"], spelling="mcp_slowwave_{}")
    setup.url, setup.key = os.environ.get("GOOGLE_GEMINI_BASE_URL", ""), os.environ.get("GEMINI_API_KEY", "")
    is_off = set(told["tools"]["core"]) == {f"mcp_slowwave_{tool}" for tool in FOUR}
    return _with_tools(setup, "gemini", behaviour, is_off=is_off)


def _with_tools(setup: Setup, name: str, behaviour: str, *, is_off: bool) -> Setup:
    setup.built_in = {} if is_off else dict(BUILT_IN[name])
    if behaviour == "keeps its shell":
        setup.built_in = dict(BUILT_IN[name])
    if behaviour == "adds the web":
        setup.built_in = {"web_search": "query"}
    return setup


async def _work(name: str, setup: Setup, behaviour: str, is_trial: bool, answer: Any) -> None:
    server = StdioServerParameters(
        command=setup.server["command"],
        args=list(setup.server["args"]),
        env={**os.environ, **setup.server["env"]},
    )
    async with Client(server, mode="legacy", client_info=types.Implementation(name=name, version="0")) as client:
        ours = {setup.spelling.format(tool.name): tool.name for tool in (await client.list_tools()).tools}
        _tell(name, [*ours, *setup.built_in])
        if is_trial:
            await _ask_twice(name, setup, behaviour, client, ours)
        elif behaviour != "says nothing":
            await _answer(name, behaviour, client, answer)


async def _ask_twice(name: str, setup: Setup, behaviour: str, client: Client, ours: Mapping[str, str]) -> None:
    shown = [*ours, *([] if behaviour == "hides its shell" else setup.built_in)]
    calls = _ask(name, setup, shown, [])
    told = []
    for called, arguments in calls:
        if called in ours and behaviour != "asks its person":
            result = await client.call_tool(ours[called], dict(arguments))
            told += [block.text for block in result.content if isinstance(block, types.TextContent)]
        elif called in setup.built_in or behaviour == "hides its shell":
            told.append(_run(arguments))
        else:
            told.append("no such tool")
    assert _ask(name, setup, shown, told) == []


def _ask(name: str, setup: Setup, tools: Sequence[str], told: Sequence[str]) -> list[tuple[str, Mapping[str, Any]]]:
    """One question to the provider, and the calls that it is answered with."""
    if name == "claude":
        path, key = "/v1/messages", {"x-api-key": setup.key}
        body: dict[str, Any] = {"model": "m", "messages": list(told), "tools": [{"name": tool} for tool in tools]}
    elif name == "codex":
        path, key = "/responses", {"authorization": f"Bearer {setup.key}"}
        body = {"model": "m", "input": list(told), "tools": [{"type": "function", "name": tool} for tool in tools]}
    else:
        path, key = "/v1beta/models/m:generateContent", {"x-goog-api-key": setup.key}
        body = {"contents": list(told), "tools": [{"functionDeclarations": [{"name": tool} for tool in tools]}]}
    place = urlsplit(setup.url)
    provider = HTTPConnection(place.netloc, timeout=30)
    headers = {"content-type": "application/json", **key}
    provider.request("POST", place.path + path, json.dumps(body).encode(), headers)
    tree = json.loads(provider.getresponse().read())
    provider.close()
    return _calls(name, tree)


def _calls(name: str, tree: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    if name == "claude":
        return [(one["name"], one["input"]) for one in tree["content"] if one["type"] == "tool_use"]
    if name == "codex":
        called = [one for one in tree["output"] if one["type"] == "function_call"]
        return [
            ("__".join(filter(None, (one.get("namespace"), one["name"]))), json.loads(one["arguments"]))
            for one in called
        ]
    parts = tree["candidates"][0]["content"]["parts"]
    return [(one["functionCall"]["name"], one["functionCall"]["args"]) for one in parts if "functionCall" in one]


def _run(arguments: Mapping[str, Any]) -> str:
    if "file_path" in arguments:
        Path(arguments["file_path"]).write_text("written", "utf-8")
        return "written"
    command = next(value for value in arguments.values() if value)
    return str(subprocess.run(command, shell=isinstance(command, str), check=False).returncode)


async def _answer(name: str, behaviour: str, client: Client, answer: Mapping[str, Any]) -> None:
    """What a model of the agent's own does: reads each session, hands an answer in."""
    if behaviour == "uses a shell later":
        await _use_a_shell()
    await client.call_tool("list_sessions", {})
    for session in answer["readSessionIds"]:
        await client.call_tool("read_lines", {"sessionId": session, "start": 1, "end": 5})
    if behaviour == "reads and leaves":
        return
    for _ in range(2 if behaviour == "answers twice" else 1):
        await client.call_tool("submit_answer", dict(answer))
    if behaviour == "answers, then uses a shell":
        await _use_a_shell()


async def _use_a_shell() -> None:
    event = {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "Bash", "input": {}}]}}
    print(json.dumps(event), flush=True)
    await anyio.sleep(600)


def _tell(name: str, tools: Sequence[str]) -> None:
    if name == "claude":
        servers = [{"name": "slowwave", "status": "connected"}]
        print(json.dumps({"type": "system", "subtype": "init", "tools": tools, "mcp_servers": servers}), flush=True)


def _leave_a_child(folder: Path, *, is_hidden: bool) -> None:
    script = f"import os, time; open({str(folder / 'child')!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    running = subprocess.Popen([sys.executable, "-c", script], start_new_session=is_hidden)
    while not (folder / "child").exists() or (folder / "child").read_text() != str(running.pid):
        time.sleep(0.01)
