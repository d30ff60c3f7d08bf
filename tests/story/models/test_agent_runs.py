"""How an agent is started: what is told to it, and to the server of ours that it starts."""

import time
from dataclasses import replace
from pathlib import Path

from slowwave.disk.config import AgentSettings
from slowwave.models.recipe import Job, Recipe
from slowwave.models.recipes import AGENTS
from slowwave.wiring.agent_runs import AgentRuns


def test_the_server_of_an_agent_looks_where_the_night_does(tmp_path: Path) -> None:
    """The folders of every agent's transcripts are named to it, whichever agent reads, and no key is."""
    places = {"HOME": "/ann", "CLAUDE_CONFIG_DIR": "/ann/claude", "CODEX_HOME": "/ann/codex"}
    jobs: list[Job] = []
    codex = AGENTS["codex"]

    def noted(job: Job) -> Recipe:
        jobs.append(job)
        return codex.recipe(job)

    runs = AgentRuns(
        agent=replace(codex, recipe=noted),
        program=tmp_path / "absent",
        settings=AgentSettings(name="codex"),
        environment={**places, "CODEX_API_KEY": "k"},
        home=tmp_path,
        folder=tmp_path,
        draw=lambda: "0123456789ab",
        stopwatch=time.monotonic,
    )
    runs.take(str(tmp_path), "read", "by-hand")
    assert [job.variables for job in jobs] == [{**places, "SLOWWAVE_RUN": "by-hand"}]
