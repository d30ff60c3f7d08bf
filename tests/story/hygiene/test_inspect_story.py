"""``slowwave hygiene inspect``: a person looks at a file, and nothing changes anywhere but in the picture."""

import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import typer
from made_secrets import own_shapes
from rich.console import Console
from small_contexts import Beat, bash, call, claude_code, codex, lines, read, say, user
from typer.testing import CliRunner, Result

from slowwave.desk.cli import hygiene_inspect
from slowwave.desk.screens.window import window_lines

LONG = [
    user("Please look at everything there is, " * 9),
    *[read(f"/home/dev/shop/src/{'deep/' * 12}file_{each}.py", lines(99 + each)) for each in range(9)],
    *[bash(f"make {'all ' * 40}{each}", lines(30)) for each in range(4)],
    *[call(f"mcp__a-server-of-tools__with_a_very_long_name_{each}", lines(20), q="x" * 300) for each in range(19)],
    say("Done. " * 40),
    *[beat for each in range(20) for beat in (user(f"And number {each}? " * 8), bash("ls", lines(60)))],
]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session that fills every table of the screen."""
    return _written(tmp_path / "work" / "session.jsonl", LONG)


def _written(path: Path, beats: Sequence[Beat]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(claude_code(beats))
    return path


def inspect(*words: object) -> Result:
    """The verb in a group of its own, at a fixed present."""
    app = typer.Typer()
    hygiene_inspect.register(app)
    app.command("other")(lambda: None)
    return CliRunner().invoke(app, ["inspect", *map(str, words), "--at", "2026-06-01T00:00:00Z"])


def content(*words: object) -> dict[str, Any]:
    """What the verb tells scripts."""
    ended = inspect(*words, "--json")
    assert ended.exit_code == 0, ended.output
    envelope = json.loads(ended.stdout)
    assert envelope["schema"] == "slowwave.hygiene_inspect.v1"
    told: dict[str, Any] = envelope["data"]
    return told


def shown(told: dict[str, Any], *, terminal: bool) -> list[str]:
    """The screen, 80 columns wide, without colour."""
    out = io.StringIO()
    console = Console(file=out, width=80, soft_wrap=not terminal, force_terminal=terminal, color_system=None)
    for line in window_lines(told):
        console.print(line)
    return out.getvalue().splitlines()


def test_a_look_needs_no_home_and_leaves_none(session: Path, tmp_path: Path) -> None:
    """As a process of its own, on a machine that never saw slowwave; beside the file there is the picture alone."""
    before = session.read_bytes()
    home = tmp_path / "home"
    environment = {**os.environ, "SLOWWAVE_HOME": str(home), "NO_COLOR": "1", "COLUMNS": "80"}
    words = [sys.executable, "-m", "slowwave", "hygiene", "inspect", "session.jsonl", "--plot", "window.png"]
    ended = subprocess.run(
        words, cwd=session.parent, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "tokens in the window" in ended.stdout
    assert not home.exists()
    assert sorted(path.name for path in session.parent.iterdir()) == ["session.jsonl", "window.png"]
    assert session.read_bytes() == before
    assert (session.parent / "window.png").read_bytes().startswith(b"\x89PNG")


def test_every_table_fits_a_terminal(session: Path) -> None:
    """No row is folded at 80 columns, however long names, paths, commands and titles are."""
    told = content(session)
    wide, narrow = shown(told, terminal=False), shown(told, terminal=True)
    assert max(map(len, narrow)) <= 80
    assert [line.rstrip() for line in narrow] == [line.rstrip() for line in wide]
    everything = "\n".join(wide)
    for words in ("could go in", "and 9 more tools", "and 9 more smaller turns", "█", "…", "deep/file_8.py"):
        assert words in everything


def test_the_screen_says_what_scripts_are_told(session: Path) -> None:
    """Sums, the largest items by number and place, and what a look by another model costs."""
    told = content(session, "--top", "2")
    assert len(told["largest"]) == 2
    ended = inspect(session, "--top", "2")
    assert f"{told['tokens']:,} tokens in the window" in ended.stdout
    assert f"[{told['largest'][0]['index']}]" in ended.stdout
    dear, cheap = (content(session, "--model", name) for name in ("claude-opus-4-1", "claude-haiku-4-5"))
    assert dear["next_turn_micros"]["cold"] > cheap["next_turn_micros"]["cold"] > 0
    assert content(session, "--model", "nobody-knows-1")["next_turn_micros"] is None
    assert "costs" not in inspect(session, "--model", "nobody-knows-1").stdout


def test_codex_sessions_are_looked_at_as_well(tmp_path: Path) -> None:
    """Thoughts that are encrypted count as there, and as nothing."""
    path = tmp_path / "rollout.jsonl"
    path.write_bytes(codex([Beat(kind="think"), *LONG]))
    told = content(path)
    assert told["format"] == "codex"
    assert {"kind": "thinking", "items": 1, "tokens": 0, "share": 0.0} in told["by_kind"]


@pytest.mark.parametrize("form", ["json", "screen"])
def test_no_secret_is_shown(tmp_path: Path, form: str) -> None:
    """Not in a title, a command, an argument, and not the half that a cut would leave."""
    rng = random.Random(7)
    planted = own_shapes(rng)
    beats = [
        beat
        for one in planted
        for lead in ("", "and so on, " * 4)
        for beat in (
            user(f"{lead}{one.text}"),
            bash(f"deploy {lead}{one.text}", lines(50)),
            call("Fetch", lines(50), q=f"{lead}{one.text}"),
        )
    ]
    beats.append(call("Login", lines(99), password="".join(rng.choices("abcdefghkmnpqrstuvwxyz23456789", k=14))))
    path = _written(tmp_path / "work" / "session.jsonl", beats)
    ended = inspect(path, "--top", "999", *(["--json"] if form == "json" else []))
    assert ended.exit_code == 0
    assert "[secret:" in ended.stdout
    leaked = [one.name for one in planted for needle in one.needles if needle.decode() in ended.stdout]
    assert leaked == []
    assert str(beats[-1].args["password"]) not in ended.stdout


@pytest.mark.parametrize(
    ("text", "status"), [("", 3), ("hello\n", 3), ('{"a": 1}\n', 3), ("[1, 2]", 3), ("\x00\x01", 3)]
)
def test_what_is_no_context_is_said_to_be_none(tmp_path: Path, text: str, status: int) -> None:
    """With the exit status for nothing to do, and without a picture."""
    path = tmp_path / "notes.txt"
    path.write_text(text)
    ended = inspect(path, "--json", "--plot", tmp_path / "a.svg")
    assert ended.exit_code == status
    assert json.loads(ended.stdout)["error"]["code"] == "unknown_context"
    assert not (tmp_path / "a.svg").exists()


def test_a_picture_of_an_unknown_kind_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    """The file need not even be there; nothing is written over what is no picture."""
    path = tmp_path / "session.jsonl"
    ended = inspect(path, "--plot", path)
    assert ended.exit_code == 2
    assert ".svg or .png" in ended.stderr


def test_a_file_that_is_not_there_and_a_place_that_cannot_be_written(session: Path, tmp_path: Path) -> None:
    """Both are said in words; no traceback."""
    for words in ((tmp_path / "none.jsonl",), (session, "--plot", tmp_path / "none" / "a.svg")):
        ended = inspect(*words)
        assert ended.exit_code not in (0, 3)
        assert ended.stderr.startswith("slowwave: ")


def test_an_empty_window_is_shown_as_empty(tmp_path: Path) -> None:
    """On the screen and in a picture."""
    path = _written(tmp_path / "work" / "session.jsonl", [user("")])
    ended = inspect(path, "--plot", tmp_path / "a.svg")
    assert (ended.exit_code, ended.stdout) == (0, "Nothing stands in the window.\n")
    assert (tmp_path / "a.svg").exists()


def test_public_recordings_are_looked_at_whole(shared: Path, tmp_path: Path) -> None:
    """Every one that is a context adds up, fits the screen, and can be drawn."""
    looked = 0
    for path in sorted((shared / "transcripts").rglob("*.jsonl")):
        ended = inspect(path, "--json")
        if ended.exit_code:
            assert ended.exit_code == 3
            continue
        looked += 1
        told = json.loads(ended.stdout)["data"]
        assert sum(row["tokens"] for row in told["by_turn"]) == told["tokens"]
        assert max(map(len, shown(told, terminal=True))) <= 80
        if looked % 20 == 1:
            assert inspect(path, "--plot", tmp_path / f"{looked}.svg").exit_code == 0
    assert looked > 20
