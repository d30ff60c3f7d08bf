"""Pictures: the same figures give the same bytes, and what cannot be drawn is said so."""

import builtins
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from small_contexts import bash, claude_code, lines, user

from slowwave.desk.plots import draw_savings, draw_window
from slowwave.facts.refusal import ExtraMissingError, UsageError
from slowwave.hygiene.decide import Rules, propose
from slowwave.hygiene.document import read_document
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.scene import read_scene
from slowwave.hygiene.window import Window, window_of

ROWS = [("one run", 0.4, 0), ("keep the 5 newest results", 0.9, 40)]


@pytest.fixture
def window() -> Window:
    """The window of a session with more turns than there are bars."""
    beats = [beat for turn in range(130) for beat in (user(f"turn {turn}"), bash(f"ls {turn}", lines(20)))]
    scene = read_scene(read_document(claude_code(beats)))
    return window_of(scene, propose(scene, Rules()), Terms(now=datetime(2026, 6, 1, tzinfo=UTC)), top=3)


@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_the_same_figures_give_the_same_picture(window: Window, tmp_path: Path, ending: str, begins: bytes) -> None:
    """No date and no chance gets in."""
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    draw_window(window, "session.jsonl", first)
    draw_window(window, "session.jsonl", second)
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(begins)
    draw_savings(ROWS, first)
    assert first.read_bytes() != second.read_bytes()


def test_a_picture_says_what_it_shows(window: Window, tmp_path: Path) -> None:
    """Its title, its units and its legend stand in it as text."""
    draw_window(window, "session.jsonl", tmp_path / "a.svg")
    told = (tmp_path / "a.svg").read_text("utf-8")
    for words in ("session.jsonl", "tokens, estimated", "several to a bar", "results", "Bash"):
        assert words in told


def test_another_ending_is_refused(window: Window, tmp_path: Path) -> None:
    """And nothing is written."""
    with pytest.raises(UsageError):
        draw_window(window, "session.jsonl", tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []


def test_without_the_library_it_says_what_to_install(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is an extra."""
    whole = builtins.__import__

    def without(name: str, *more: Any, **named: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return whole(name, *more, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ExtraMissingError) as caught:
        draw_window(window, "session.jsonl", tmp_path / "a.svg")
    assert "slowwave[plots]" in caught.value.hint
