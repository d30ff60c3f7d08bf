"""Gemini CLI, run for one batch: settings of ours stand above the person's, and allow four tools of one server.

Measured on 0.61: ``tools.core`` is a list of every tool that may be, so that naming ours takes all others away.
"""

import json
from collections.abc import Mapping
from typing import Any

from slowwave.facts.usage import Usage
from slowwave.models.recipe import PROXIES, SERVER, TOOLS, Agent, Bait, Job, Recipe, count, table

_SPELLING = f"mcp_{SERVER}_{{}}"
_OURS = tuple(_SPELLING.format(tool) for tool in TOOLS)
_QUIET: Mapping[str, Any] = {
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "hooksConfig": {"enabled": False},
    "skills": {"enabled": False},
    "experimental": {"enableAgents": False},
    "context": {"fileName": "slowwave-reads-none.md", "includeDirectoryTree": False},
    "tools": {"core": list(_OURS)},
    "mcp": {"allowed": [SERVER]},
}


def _recipe(job: Job) -> Recipe:
    server = {
        "command": job.server[0],
        "args": list(job.server[1:]),
        "env": dict(job.variables),
        "includeTools": list(TOOLS),
        "timeout": 120_000,  # milliseconds
        "trust": True,  # without a screen nobody can be asked
    }
    settings = {**_QUIET, "model": {"maxSessionTurns": job.turns}, "mcpServers": {SERVER: server}}
    asked = {}
    if job.trial is not None:
        settings["security"] = {"auth": {"selectedType": "gemini-api-key"}}
        asked = {"GEMINI_API_KEY": job.trial.key, "GOOGLE_GEMINI_BASE_URL": job.trial.url}
    return Recipe(
        words=(
            *(job.program, "--output-format", "stream-json", "--approval-mode", "default"),
            *("--extensions", "none", "--allowed-mcp-server-names", SERVER),
            *(("--model", job.model) if job.model else ()),
        ),
        environment={
            **job.environment,
            "GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(job.scratch / "settings.json"),
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GEMINI_CLI_NO_RELAUNCH": "true",
            "TMPDIR": str(job.scratch),
            **job.variables,
            **asked,
        },
        said=job.prompt.encode(),
        files={"settings.json": json.dumps(settings)},
    )


def _foreign(event: Mapping[str, Any]) -> tuple[str, ...]:
    """It tells each call, not what it could call."""
    name = event.get("tool_name")
    return (str(name),) if event.get("type") == "tool_use" and name not in _OURS else ()


def _used(event: Mapping[str, Any]) -> Usage | None:
    """Its last event tells tokens, neither money nor how often it asked: that counts as once.

    What it thought stands only in the sum of both directions.
    """
    told = table(event.get("stats"))
    if event.get("type") != "result" or not told:
        return None
    sent = count(told.get("input_tokens"))
    return Usage(
        calls=1,
        input_tokens=sent,
        output_tokens=max(count(told.get("output_tokens")), count(told.get("total_tokens")) - sent),
        cache_read_tokens=count(told.get("cached")),
    )


def _baits(path: str) -> tuple[Bait, ...]:
    return (
        Bait(name="run_shell_command", arguments={"command": f"touch '{path}'"}),
        Bait(name="write_file", arguments={"file_path": path, "content": "written"}),
    )


GEMINI = Agent(
    name="gemini",
    folders=("GEMINI_CLI_HOME",),
    variables=(
        *("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"),
        *("GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA", "GOOGLE_APPLICATION_CREDENTIALS"),
        *PROXIES,
    ),
    spelling=_SPELLING,
    logged_in_by="install Gemini CLI, start `gemini` once and log in",
    recipe=_recipe,
    foreign=_foreign,
    used=_used,
    baits=_baits,
)
"""Gemini CLI."""
