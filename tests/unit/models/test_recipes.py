"""How each agent is run: every tool of its own off, one server, the same on trial as for a batch."""

import itertools
import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_cli import LAST

from slowwave.facts.limits import MOST_COUNTED
from slowwave.facts.markers import RUN_ENVIRONMENT
from slowwave.facts.usage import Usage
from slowwave.models.recipe import SERVER, TOOLS, Agent, Job, Trial, event_of, micro_usd
from slowwave.models.recipes import AGENTS
from slowwave.sleep.instructions import instructions
from slowwave.sleep.tool_specs import SPECS

JOB = Job(
    program="/opt/bin/agent",
    model="",
    server=("/venv/bin/python", "-m", "slowwave", "mcp", "--consolidate", 'b-12 "quoted"'),
    variables={RUN_ENVIRONMENT: "r-1"},
    prompt="Read it.\n",
    turns=12,
    seconds=60,
    scratch=Path("/scratch"),
    environment={"PATH": "/bin", "HOME": "/home/ann"},
)
TRIAL = replace(JOB, trial=Trial(url="http://127.0.0.1:4711", key="open-sesame"))
EVERY = pytest.mark.parametrize("agent", AGENTS.values(), ids=list(AGENTS))


def settings_of(agent: Agent, job: Job) -> dict[str, Any]:
    """What codex is told with ``-c``, read as TOML."""
    words = agent.recipe(job).words
    told = [after for before, after in itertools.pairwise(words) if before == "-c"]
    return {key: tomllib.loads(f"value = {value}")["value"] for key, _, value in (one.partition("=") for one in told)}


def server_of(agent: Agent, job: Job) -> dict[str, Any]:
    """The only server that an agent is told of, as it is told."""
    recipe = agent.recipe(job)
    if agent.name == "codex":
        return dict(settings_of(agent, job)[f"mcp_servers.{SERVER}"])
    (text,) = recipe.files.values()
    servers = json.loads(text)["mcpServers"]
    assert set(servers) == {SERVER}
    return dict(servers[SERVER])


def test_the_tools_are_those_of_a_turn() -> None:
    """The names that recipes allow are the names that the server offers."""
    assert set(TOOLS) == {spec.name for spec in SPECS}


@EVERY
def test_an_agent_is_told_of_our_server_and_of_no_other(agent: Agent) -> None:
    """The command word for word, and the night it belongs to."""
    server = server_of(agent, JOB)
    assert (server["command"], *server["args"]) == JOB.server
    assert server["env"] == {RUN_ENVIRONMENT: "r-1"}
    assert agent.recipe(JOB).environment[RUN_ENVIRONMENT] == "r-1"


@EVERY
def test_the_prompt_goes_by_standard_input_alone(agent: Agent) -> None:
    """No list of running programs shows it, and no length of a command line bounds it."""
    recipe = agent.recipe(JOB)
    assert recipe.said == b"Read it.\n"
    assert not any("Read it." in word for word in recipe.words)


@EVERY
def test_a_trial_differs_by_whom_it_asks_and_by_nothing_else(agent: Agent) -> None:
    """Every switch of the real run is a switch of the trial, so that what was seen there holds here."""
    real, trial = agent.recipe(JOB), agent.recipe(TRIAL)
    left = iter(trial.words)
    assert all(word in left for word in real.words), "each word of the real run, in its order"
    assert not any("open-sesame" in word for word in trial.words)
    assert {key for key in real.environment if trial.environment[key] != real.environment[key]} == set()
    assert "open-sesame" not in str(real)
    assert "127.0.0.1" not in str(real)


@EVERY
def test_what_an_agent_writes_by_the_way_stays_in_the_scratch_folder(agent: Agent) -> None:
    """Its temporary files hold what it was told."""
    assert agent.recipe(JOB).environment["TMPDIR"] == "/scratch"


@EVERY
def test_a_model_is_named_where_one_is_configured(agent: Agent) -> None:
    """Else the agent chooses, as it does for its person."""
    assert "--model" not in agent.recipe(JOB).words
    words = agent.recipe(replace(JOB, model="small")).words
    assert words[words.index("--model") + 1] == "small"


@EVERY
def test_our_tools_are_no_strays(agent: Agent) -> None:
    """Lines that are no events, and events of our tools, stop nobody."""
    odd = b'{"type": 3, "message": 4, "item": 5, "tools": 6}'
    for line in (b"", b"warning: hello", b"[1]", b"null", odd, b"[" * 9_000):
        assert agent.foreign(event_of(line)) == ()
        assert agent.used(event_of(line)) is None
    for event in OURS[agent.name]:
        assert agent.foreign(event) == ()


@EVERY
def test_any_other_tool_is_named(agent: Agent) -> None:
    """Whatever an agent tells of tools beside ours."""
    for event, names in OTHERS[agent.name]:
        assert agent.foreign(event) == names


SPENT = {
    "claude": Usage(
        calls=7,
        input_tokens=4_610,
        output_tokens=90,
        cache_read_tokens=4_000,
        cache_write_tokens=600,
        micro_usd=12_346,
    ),
    "codex": Usage(calls=1, input_tokens=5_000, output_tokens=90, cache_read_tokens=4_000),
    "gemini": Usage(calls=1, input_tokens=5_000, output_tokens=200, cache_read_tokens=4_000),
}
"""What the last event of each says, in our words: money rounded up, cached input a part of all input."""
STRANGE: list[Any] = [None, True, "9", 1.5, -3, float("nan"), [], {}]


@EVERY
def test_what_an_agent_used_is_read_from_its_last_event(agent: Agent) -> None:
    """And from no other."""
    assert agent.used(LAST[agent.name]) == SPENT[agent.name]
    assert [agent.used(event) for event in OURS[agent.name]] == [None] * len(OURS[agent.name])


@EVERY
@pytest.mark.parametrize("strange", STRANGE, ids=map(str, STRANGE))
def test_what_is_no_number_is_nothing_used(agent: Agent, strange: Any) -> None:
    """Missing, of another kind or below zero; a number past any truth is the largest that can be."""

    def told(value: Any) -> Usage:
        last = {key: value if key == "num_turns" else one for key, one in LAST[agent.name].items()}
        table = "stats" if agent.name == "gemini" else "usage"
        used = agent.used({**last, table: dict.fromkeys(LAST[agent.name][table], value)})
        assert used is not None
        return used

    used, huge = told(strange), told(10**400)
    assert (used.tokens, used.cache_read_tokens, used.cache_write_tokens) == (0, 0, 0)
    assert (huge.input_tokens, huge.cache_read_tokens) == (MOST_COUNTED, MOST_COUNTED)
    empty = agent.used({"type": LAST[agent.name]["type"], "usage": strange, "stats": strange})
    assert empty in (None, Usage())


def test_dollars_of_another_program_are_held_to_what_can_be() -> None:
    """Rounded up to whole millionths; no amount is none."""
    assert [micro_usd(value) for value in (0.0000001, 1, 2.5)] == [1, 1_000_000, 2_500_000]
    assert [micro_usd(value) for value in (*STRANGE[:3], -1, 0, float("nan"))] == [0] * 6
    assert [micro_usd(value) for value in (10**400, float("inf"), 1e300)] == [MOST_COUNTED] * 3


@EVERY
def test_baits_only_make_the_file_that_betrays_them(agent: Agent) -> None:
    """Each call of a trial would leave one file, and nothing else."""
    baits = agent.baits("/scratch/canary")
    assert baits
    assert all("/scratch/canary" in json.dumps(bait.arguments) for bait in baits)
    assert {bait.name for bait in baits}.isdisjoint(agent.ours)


def test_the_policy_names_no_file() -> None:
    """Two of these agents read a word behind an at sign as a file to be put into the prompt."""
    assert "@" not in instructions()
    assert not instructions().lstrip().startswith(("/", "!"))


def test_claude_is_left_without_tools_settings_and_session() -> None:
    """Each switch that was measured."""
    words = AGENTS["claude"].recipe(JOB).words
    assert words[words.index("--tools") + 1] == ""
    assert words[words.index("--setting-sources") + 1] == ""
    assert words[words.index("--max-turns") + 1] == "12"
    assert {"--strict-mcp-config", "--no-session-persistence", "--disable-slash-commands"} <= set(words)
    assert set(words[words.index("--allowedTools") + 1].split(",")) == AGENTS["claude"].ours


def test_codex_is_left_without_what_can_be_switched_off() -> None:
    """Shell, web, sub-agents, apps, hooks; settings and rules of the person's."""
    told = settings_of(AGENTS["codex"], JOB)
    for feature in ("shell_tool", "unified_exec", "apps", "plugins", "hooks", "multi_agent", "code_mode_host"):
        assert told[f"features.{feature}"] is False
    assert told["web_search"] == "disabled"
    words = AGENTS["codex"].recipe(JOB).words
    assert {"--ephemeral", "--ignore-user-config", "--ignore-rules"} <= set(words)
    assert words[words.index("--sandbox") + 1] == "read-only"


def test_gemini_is_left_with_our_four_tools() -> None:
    """Above the person's own settings, without hooks, skills, extensions and agents."""
    recipe = AGENTS["gemini"].recipe(JOB)
    told = json.loads(recipe.files["settings.json"])
    assert set(told["tools"]["core"]) == AGENTS["gemini"].ours
    assert told["mcp"]["allowed"] == [SERVER]
    assert told["model"]["maxSessionTurns"] == 12
    assert not told["hooksConfig"]["enabled"]
    assert recipe.environment["GEMINI_CLI_SYSTEM_SETTINGS_PATH"] == "/scratch/settings.json"


HERE = {"name": SERVER, "status": "connected"}
OURS: dict[str, list[dict[str, Any]]] = {
    "claude": [
        {"type": "system", "subtype": "init", "tools": ["mcp__slowwave__read_lines"], "mcp_servers": [HERE]},
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "mcp__slowwave__list_sessions"}]}},
        {"type": "user", "message": {"content": [{"type": "tool_result", "content": "Bash"}]}},
    ],
    "codex": [
        {"type": "item.completed", "item": {"type": "agent_message", "text": "exec_command"}},
        {"type": "item.started", "item": {"type": "mcp_tool_call", "server": SERVER, "tool": "read_lines"}},
        {"type": "turn.completed", "usage": {}},
    ],
    "gemini": [
        {"type": "tool_use", "tool_name": "mcp_slowwave_submit_answer"},
        {"type": "tool_result", "tool_id": "write_file__1"},
    ],
}
OTHERS: dict[str, list[tuple[dict[str, Any], tuple[str, ...]]]] = {
    "claude": [
        (
            {"type": "system", "subtype": "init", "tools": ["Bash"], "mcp_servers": [{"name": "mail"}]},
            ("Bash", "server mail"),
        ),
        ({"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "Read"}]}}, ("Read",)),
        (
            {"type": "assistant", "message": {"content": [{"type": "server_tool_use", "name": "web_search"}]}},
            ("web_search",),
        ),
    ],
    "codex": [
        ({"type": "item.started", "item": {"type": "command_execution", "command": "ls"}}, ("command_execution",)),
        ({"type": "item.started", "item": {"type": "mcp_tool_call", "server": "mail", "tool": "send"}}, ("send",)),
        ({"type": "item.started", "item": {"type": "something_new"}}, ("something_new",)),
    ],
    "gemini": [({"type": "tool_use", "tool_name": "google_web_search"}, ("google_web_search",))],
}
