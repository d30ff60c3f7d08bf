"""The README is true: its commands run, its files exist, its promises name tests."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from small_contexts import bash, claude_code, lines, user

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
VERBS = sorted(set(re.findall(r"`(slowwave [a-z-]+(?: [a-z-]+)?)", README)))
TOUR = re.findall(r"`((?:src|docs)/[\w./-]+|\.importlinter|Makefile)`", README)
LINKS = re.findall(r"\]\(([\w./-]+)\)", README)


def run(*words: str, home: Path, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    """Run slowwave as a person would, in a home of its own and without their transcripts."""
    environment = {**os.environ, "SLOWWAVE_HOME": str(home), "HOME": str(home.parent), "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, "-m", "slowwave", *words],
        env=environment,
        cwd=home.parent,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the demo's night was run."""
    folder = tmp_path_factory.mktemp("readme")
    ended = run("demo", "--keep", str(folder / "demo"), home=folder / "unused")
    assert ended.returncode == 0, ended.stderr
    (folder / "demo" / "session.jsonl").write_bytes(claude_code([user("See what is there."), bash("ls", lines(60))]))
    return folder / "demo" / "home"


def test_the_two_commands_are_verbs_of_the_makefile() -> None:
    """What the README tells a newcomer to type exists."""
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)

    commands = [
        line.removeprefix("make ") for block in SHELL for line in block.splitlines() if line.startswith("make ")
    ]

    assert commands == ["first-night", "test"]
    assert set(commands) <= set(targets)


def test_ci_runs_the_test_command() -> None:
    """CI runs what the README says passes the tests."""
    assert "exec make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_first_night_falls_back_to_the_samples(tmp_path: Path) -> None:
    """Without transcripts the first command shows a night over the samples."""
    ended = run("first-night", home=tmp_path / "home")

    assert ended.returncode == 0, ended.stderr
    assert "invented sessions" in ended.stdout
    assert "memories proposed" in ended.stdout


@pytest.mark.parametrize(
    "line", [line for block in SHELL for line in block.splitlines() if line.startswith("slowwave")]
)
def test_everyday_commands_run(line: str, home: Path) -> None:
    """Each everyday command of the README answers with a known exit code and no traceback."""
    words = shlex.split(line, comments=True)[1:]

    ended = run(*words, home=home)

    # review asks for a person, and nobody is at a terminal here; so there is nothing to merge or to export.
    expected = {"review": 1, "merge": 3, "export": 3}.get(words[0], 0) if words else 0
    assert ended.returncode == expected, ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb: str, home: Path) -> None:
    """Each verb that the README names exists and explains itself."""
    ended = run(*verb.split()[1:], "--help", home=home)

    assert ended.returncode == 0, ended.stderr
    assert "Usage" in ended.stdout


@pytest.mark.parametrize("name", sorted({*TOUR, *LINKS}))
def test_every_file_it_names_exists(name: str) -> None:
    """The tour and the links lead somewhere."""
    assert (ROOT / name).exists()
