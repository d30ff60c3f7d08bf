"""The real agents on trial, where they are installed, in a name space without any network but its own loopback."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = "SLOWWAVE_TEST_AGENTS"
"""A folder with the programs; without it the search path."""
TRIAL = """
import os, secrets, sys, time
from pathlib import Path
from slowwave.disk.config import AgentSettings
from slowwave.models.recipes import AGENTS
from slowwave.wiring import open_house
from slowwave.wiring.agent_runs import AgentRuns
name, program, home, model = sys.argv[1:]
environment = dict(os.environ)
open_house(home=Path(home), environment=environment).close()
runs = AgentRuns(agent=AGENTS[name], program=Path(program), settings=AgentSettings(name=name, model=model),
                 environment=environment, home=Path(home), folder=Path(home) / "runs",
                 draw=lambda: secrets.token_hex(16), stopwatch=time.monotonic)
failure = runs.lockdown()
print(f"{failure.code}|{failure.message}" if failure else "locked down|")
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder below the person's own: one agent believes no settings below a folder that all may write to."""
    with tempfile.TemporaryDirectory(dir=Path.home(), prefix=".slowwave-test-") as made:
        yield Path(made)


def try_out(name: str, folder: Path, model: str = "") -> tuple[str, str]:
    """What a trial says of the real agent, which has a home of its own and no network."""
    program = shutil.which(name, path=os.environ.get(FOLDER) or os.environ.get("PATH"))
    if program is None:
        pytest.skip(f"{name} is not installed")
    alone = [shutil.which("unshare") or "unshare", "--net", "--map-root-user"]
    up = 'ip link set lo up 2>/dev/null || exit 77; exec "$@"'
    words = [*alone, "sh", "-c", up, "trial", sys.executable, "-c", TRIAL, name, program, str(folder / "home"), model]
    path = os.pathsep.join((os.environ.get(FOLDER, ""), os.environ.get("PATH", ""), "/usr/sbin")).strip(os.pathsep)
    try:
        ended = subprocess.run(
            words,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            env={"PATH": path, "HOME": str(folder), "LANG": "C.UTF-8"},
        )
    except OSError as error:
        pytest.skip(f"no name space can be made here: {error}")
    if ended.returncode == 77 or "unshare" in ended.stderr:
        pytest.skip(f"no name space can be made here: {ended.stderr.strip()}")
    code, _, message = ended.stdout.strip().rpartition("\n")[2].partition("|")
    assert code, ended.stderr
    return code, message


@pytest.mark.slow
def test_claude_code_is_locked_down(folder: Path) -> None:
    """It offers our four tools, lets its model call them, and refuses its own."""
    assert try_out("claude", folder) == ("locked down", "")


@pytest.mark.slow
def test_settings_that_open_claude_code_again_are_not_read(folder: Path) -> None:
    """Hooks, permissions and servers of the person's own change nothing for us."""
    (folder / ".claude").mkdir()
    hooked = folder / "hooked"
    settings = f'{{"hooks": {{"SessionStart": [{{"hooks": [{{"type": "command", "command": "touch {hooked}"}}]}}]}},'
    (folder / ".claude" / "settings.json").write_text(settings + '"permissions": {"allow": ["Bash(*)", "Write(*)"]}}')
    (folder / ".claude.json").write_text('{"mcpServers": {"other": {"command": "true", "args": []}}}')
    assert try_out("claude", folder) == ("locked down", "")
    assert not hooked.exists()


@pytest.mark.slow
@pytest.mark.parametrize("model", ["", "gemini-2.5-pro"])
def test_gemini_cli_is_locked_down(folder: Path, model: str) -> None:
    """The same, whether it chooses its model itself or not, whatever its person allows it elsewhere."""
    (folder / ".gemini").mkdir()
    settings = '{"tools": {"core": ["run_shell_command"], "allowed": ["run_shell_command"]}}'
    (folder / ".gemini" / "settings.json").write_text(settings)
    assert try_out("gemini", folder, model) == ("locked down", "")


@pytest.mark.slow
def test_codex_is_refused_while_it_keeps_tools(folder: Path) -> None:
    """Or accepted, once it keeps none; never a shell in any case."""
    code, message = try_out("codex", folder)
    assert code in ("agent_not_locked", "locked down"), message
    assert "exec_command" not in message
    assert "ran a tool" not in message
