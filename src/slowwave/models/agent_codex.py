"""Codex, run for one batch: every tool that can be switched off is, no settings and rules of the person's are read.

Measured on 0.171: three tools that list and read what servers have to show cannot be switched off, and models that
run code keep a tool for that; so this version is refused, and says which tools are left. A later one may pass.
"""

import json
from collections.abc import Mapping
from typing import Any

from slowwave.facts.usage import Usage
from slowwave.models.recipe import PROXIES, SERVER, TOOLS, Agent, Bait, Job, Recipe, count, table

_FEATURES = (
    *("shell_tool", "unified_exec", "shell_snapshot", "apps", "plugins", "remote_plugin", "hooks", "memories"),
    *("multi_agent", "multi_agent_v2", "browser_use", "browser_use_external", "computer_use", "in_app_browser"),
    *("image_generation", "view_image", "skill_search", "workspace_dependencies", "goals", "sleep_tool"),
    *("code_mode", "code_mode_host", "tool_suggest", "unbounded_connection_retries"),
)
_OFF = (
    *(f"features.{feature}=false" for feature in _FEATURES),
    *("tools.update_plan.enabled=false", "tools.experimental_request_user_input.enabled=false"),
    *("agents.enabled=false", "orchestrator.mcp.enabled=false", "orchestrator.skills.enabled=false"),
    *("skills.bundled.enabled=false", "skills.include_instructions=false", "project_doc_max_bytes=0"),
    *(
        'web_search="disabled"',
        'approval_policy="never"',
        'history.persistence="none"',
        "check_for_update_on_startup=false",
    ),
)
_TRIAL_KEY = "SLOWWAVE_TRIAL_KEY"
_SAYS = frozenset({"agent_message", "reasoning", "error", "todo_list"})
"""Items of a turn that are no call."""


def _recipe(job: Job) -> Recipe:
    settings = [*_OFF, f"mcp_servers.{SERVER}={_server(job)}"]
    if job.trial is not None:
        provider = {"name": "trial", "base_url": job.trial.url + "/v1", "env_key": _TRIAL_KEY, "wire_api": "responses"}
        settings += [f"model_providers.trial={_table(provider)}", 'model_provider="trial"']
    return Recipe(
        words=(
            *(job.program, "exec", "--json", "--ephemeral", "--skip-git-repo-check"),
            *("--ignore-user-config", "--ignore-rules", "--sandbox", "read-only", "--cd", str(job.scratch)),
            *(word for setting in settings for word in ("-c", setting)),
            *(("--model", job.model) if job.model else ()),
            "-",
        ),
        environment={
            **job.environment,
            "TMPDIR": str(job.scratch),
            **job.variables,
            **({_TRIAL_KEY: job.trial.key} if job.trial else {}),
        },
        said=job.prompt.encode(),
    )


def _server(job: Job) -> str:
    return _table(
        {
            "command": job.server[0],
            "args": list(job.server[1:]),
            "env": dict(job.variables),
            "required": True,
            "default_tools_approval_mode": "approve",
            "startup_timeout_sec": 60,
            "tool_timeout_sec": 120,
        }
    )


def _table(value: Any) -> str:
    """A value as TOML on one line; a JSON text is a TOML one."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_table(one)}" for key, one in value.items()) + "}"
    return json.dumps(value)


def _foreign(event: Mapping[str, Any]) -> tuple[str, ...]:
    """It tells each call as it begins, not what it could call."""
    item = table(event.get("item"))
    if not str(event.get("type")).startswith("item.") or item.get("type") in _SAYS:
        return ()
    if item.get("type") == "mcp_tool_call" and item.get("server") == SERVER and item.get("tool") in TOOLS:
        return ()
    return (str(item.get("tool") or item.get("type")),)


def _used(event: Mapping[str, Any]) -> Usage | None:
    """The end of its turn tells tokens, neither money nor how often it asked: that counts as once."""
    told = table(event.get("usage"))
    if event.get("type") != "turn.completed" or not told:
        return None
    return Usage(
        calls=1,
        input_tokens=count(told.get("input_tokens")),
        output_tokens=count(told.get("output_tokens")),
        cache_read_tokens=count(told.get("cached_input_tokens")),
    )


def _baits(path: str) -> tuple[Bait, ...]:
    return (
        Bait(name="exec_command", arguments={"cmd": f"touch '{path}'"}),
        Bait(name="shell_command", arguments={"command": f"touch '{path}'"}),
        Bait(name="shell", arguments={"command": ["touch", path]}),
    )


CODEX = Agent(
    name="codex",
    folders=("CODEX_HOME",),
    variables=("CODEX_API_KEY", *PROXIES),
    spelling=f"mcp__{SERVER}__{{}}",
    logged_in_by="install Codex and run `codex login`",
    recipe=_recipe,
    foreign=_foreign,
    used=_used,
    baits=_baits,
)
"""Codex."""
