"""Claude Code, run for one batch: no built-in tool, no server but ours, none of the person's settings, no session kept.

Built on 2.1: ``--tools ""`` takes every built-in tool away, ``--strict-mcp-config`` every other server, and empty
``--setting-sources`` hooks, permissions, plugins and ``CLAUDE.md``. What it really offers its model is tried first.
"""

import json
from collections.abc import Mapping
from typing import Any

from slowwave.facts.usage import Usage
from slowwave.models.recipe import PROXIES, SERVER, TOOLS, Agent, Bait, Job, Recipe, count, listed, micro_usd, table

_SPELLING = f"mcp__{SERVER}__{{}}"
_OURS = frozenset(_SPELLING.format(tool) for tool in TOOLS)
_SWITCHES = {
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
    "ENABLE_TOOL_SEARCH": "false",  # a tool that finds tools would be a fifth one
    "MCP_TIMEOUT": "60000",  # milliseconds: a slow machine takes a while to start our server
    "MCP_CONNECTION_NONBLOCKING": "false",
}


def _recipe(job: Job) -> Recipe:
    server = {"type": "stdio", "command": job.server[0], "args": list(job.server[1:]), "env": dict(job.variables)}
    asked = {"ANTHROPIC_BASE_URL": job.trial.url, "ANTHROPIC_API_KEY": job.trial.key} if job.trial else {}
    return Recipe(
        words=(
            *(job.program, "-p"),
            *("--tools", ""),
            *("--strict-mcp-config", "--mcp-config", str(job.scratch / "servers.json")),
            *("--allowedTools", ",".join(sorted(_OURS))),
            *("--permission-mode", "dontAsk"),
            *("--setting-sources", ""),
            *("--settings", json.dumps({"disableAllHooks": True})),
            *("--disable-slash-commands", "--no-session-persistence"),
            *("--max-turns", str(job.turns)),
            *("--output-format", "stream-json", "--verbose"),
            *(("--model", job.model) if job.model else ()),
        ),
        environment={**job.environment, **_SWITCHES, "TMPDIR": str(job.scratch), **job.variables, **asked},
        said=job.prompt.encode(),
        files={"servers.json": json.dumps({"mcpServers": {SERVER: server}})},
    )


def _foreign(event: Mapping[str, Any]) -> tuple[str, ...]:
    """Before its first question it tells all its tools and servers; later each call it makes."""
    if event.get("type") == "system" and event.get("subtype") == "init":
        tools = [str(tool) for tool in listed(event.get("tools")) if tool not in _OURS]
        servers = [str(table(one).get("name")) for one in listed(event.get("mcp_servers"))]
        return (*tools, *(f"server {name}" for name in servers if name != SERVER))
    blocks = listed(table(event.get("message")).get("content")) if event.get("type") == "assistant" else ()
    called = [table(one) for one in blocks if str(table(one).get("type")).endswith("tool_use")]
    return tuple(str(one.get("name")) for one in called if one.get("name") not in _OURS)


def _used(event: Mapping[str, Any]) -> Usage | None:
    """Its last event tells all of the run, and its input without what was cached."""
    if event.get("type") != "result":
        return None
    told = table(event.get("usage"))
    read, written = count(told.get("cache_read_input_tokens")), count(told.get("cache_creation_input_tokens"))
    return Usage(
        calls=count(event.get("num_turns")),
        input_tokens=count(count(told.get("input_tokens")) + read + written),
        output_tokens=count(told.get("output_tokens")),
        cache_read_tokens=read,
        cache_write_tokens=written,
        micro_usd=micro_usd(event.get("total_cost_usd")),
    )


def _baits(path: str) -> tuple[Bait, ...]:
    return (
        Bait(name="Bash", arguments={"command": f"touch '{path}'", "description": "Make a file"}),
        Bait(name="Write", arguments={"file_path": path, "content": "written"}),
    )


CLAUDE = Agent(
    name="claude",
    folders=("CLAUDE_CONFIG_DIR",),
    variables=(
        *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"),
        *PROXIES,
    ),
    spelling=_SPELLING,
    logged_in_by="install Claude Code, start `claude` once and log in",
    recipe=_recipe,
    foreign=_foreign,
    used=_used,
    baits=_baits,
)
"""Claude Code."""
