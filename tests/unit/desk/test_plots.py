"""Pictures: the same figures give the same bytes, whoever draws them, and what cannot be drawn is said so."""

import builtins
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.parsers.expat import ParserCreate

import matplotlib as mpl
import pytest
from small_contexts import Beat, bash, call, claude_code, lines, say, user

from slowwave.desk.plots import check_picture, draw_savings, draw_window
from slowwave.facts.refusal import ExtraMissingError, UsageError
from slowwave.hygiene.decide import Rules, propose
from slowwave.hygiene.document import read_document
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.scene import read_scene
from slowwave.hygiene.window import Window, window_of

ROWS = [("one run", 0.4, 0), ("ten rounds", 0.41, 0), ("keep the 5 newest results", 0.9, 40)]


def _window(beats: list[Beat]) -> Window:
    scene = read_scene(read_document(claude_code(beats)))
    return window_of(scene, propose(scene, Rules()), Terms(now=datetime(2026, 6, 1, tzinfo=UTC)), top=3)


@pytest.fixture(scope="module")
def window() -> Window:
    """The window of a session with more turns and more tools than there are bars."""
    turns = [
        (user(f"turn {turn}"), bash("ls", lines(20)), call(f"tool_{turn % 14}", lines(30 - turn % 14), q=str(turn)))
        for turn in range(130)
    ]
    return _window([beat for turn in turns for beat in turn])


@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<?xml"), ("PNG", b"\x89PNG")])
def test_the_same_figures_give_the_same_picture(window: Window, tmp_path: Path, ending: str, begins: bytes) -> None:
    """Neither a date nor chance gets in, nor what a machine's settings say; they are as they were afterwards."""
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    draw_window(window, "session.jsonl", first)
    with mpl.rc_context({"axes.facecolor": "black", "font.size": 30, "svg.fonttype": "none", "lines.linewidth": 9}):
        draw_window(window, "session.jsonl", second)
        assert mpl.rcParams["font.size"] == 30
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(begins)
    draw_savings(ROWS, first)
    draw_savings(ROWS, second)
    assert first.read_bytes() == second.read_bytes()


def _told(path: Path) -> str:
    """Title and drawn words of a picture; words are outlines, each with a comment that says them."""
    with path.open("rb") as stream:
        ParserCreate().ParseFile(stream)  # raises where it is no document
    return path.read_text("utf-8")


def test_a_picture_says_what_it_shows(window: Window, tmp_path: Path) -> None:
    """The file and the total, units, a legend with shares, what could go, the tools that are left over."""
    draw_window(window, "session.jsonl", tmp_path / "a.svg")
    told = _told(tmp_path / "a.svg")
    title = f"{window.tokens:,} tokens in the window of session.jsonl"
    for words in (f"<title>{title}</title>", f"<!-- {title} -->", "Tokens by turn of a person, 3 turns to a bar",
                  "<!-- results ", "<!-- could go -->", "<!-- Bash -->", "<!-- 6 others -->"):  # fmt: skip
        assert words in told


def test_savings_are_points_with_names(tmp_path: Path) -> None:
    """Ours are named as ours, and no name stands in another's place where two points are close."""
    draw_savings(ROWS, tmp_path / "a.svg")
    told = _told(tmp_path / "a.svg")
    for words in ("ours, one run (40%, 0)", "ours, ten rounds (41%, 0)", "keep the 5 newest results (90%, 40)"):
        assert f"<!-- {words} -->" in told
    draw_savings([], tmp_path / "b.svg")
    assert "Canaries lost" in _told(tmp_path / "b.svg")


@pytest.mark.parametrize("name", ["名前 $a_b$ \x1b[31m --> <i>.jsonl", "x" * 300, "-" * 200, "$", "\ud800", "\u202e a"])
def test_any_name_can_be_drawn(name: str, tmp_path: Path) -> None:
    """Formulas, marks, signs that the font has no picture of, and too much of everything."""
    window = _window([user("Go."), call(name.encode("utf-8", "replace").decode(), "out"), say("Done.")])
    draw_window(window, name, tmp_path / "a.svg")
    _told(tmp_path / "a.svg")
    draw_window(window, name, tmp_path / "a.png")


@pytest.mark.parametrize("beats", [[user("")], [say("Hello.")], [user("a"), user("b")]])
def test_little_can_be_drawn_as_well(beats: list[Beat], tmp_path: Path) -> None:
    """A window with nothing in it, without tools, with a single turn."""
    draw_window(_window(beats), "small.jsonl", tmp_path / "a.svg")
    assert "Tokens by tool" not in _told(tmp_path / "a.svg")


@pytest.mark.parametrize("name", ["a.gif", "svg", ".svg", "a.svg.jsonl", "a"])
def test_another_ending_is_refused(window: Window, tmp_path: Path, name: str) -> None:
    """And nothing is written."""
    with pytest.raises(UsageError):
        draw_window(window, "session.jsonl", tmp_path / name)
    with pytest.raises(UsageError):
        check_picture(tmp_path / name)
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
    assert list(tmp_path.iterdir()) == []
