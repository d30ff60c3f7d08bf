"""The stage: renders all screenplays into a folder, as if their sessions had been held before a given moment."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

from slowwave.desk.samples import claude_layout, codex_layout
from slowwave.desk.samples.fill import Filler
from slowwave.desk.samples.screenplay import Screenplay, parse

_HOME = str(PurePosixPath("/", "home", "robin"))  # of the made-up person, in the sessions only
_HERE = Path(__file__).parent


def screenplays() -> tuple[Screenplay, ...]:
    """All screenplays, the earliest session first."""
    found = [
        parse(path.read_text(encoding="utf-8"), name=f"{path.parent.name}-{path.stem}", project=path.parent.name)
        for path in sorted(_HERE.glob("screenplays/*/*.play"))
    ]
    return tuple(sorted(found, key=lambda play: (-play.hours, play.name)))


def expected() -> Mapping[str, Any]:
    """What was planted in the screenplays: the tables of ``EXPECTED.toml``."""
    return tomllib.loads((_HERE / "EXPECTED.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """One rendered session: its screenplay, the agent's root, its main file and its side files."""

    play: Screenplay
    root: Path
    path: Path
    side_files: tuple[Path, ...] = ()


def stage(folder: Path, *, now: datetime) -> tuple[tuple[str, Path], ...]:
    """Render every screenplay below a folder; the same bytes for the same moment.

    Args:
        folder: Where the two agents' homes are made.
        now: The moment the sessions lie before; the newest ended some hours earlier.

    Returns:
        Each agent's name with the root of its transcripts.
    """
    roots = {one.play.agent: one.root for one in stage_all(folder, now=now)}
    names = {"claude": "claude-code", "codex": "codex"}
    return tuple((names[agent], roots[agent]) for agent in sorted(roots))


def stage_all(folder: Path, *, now: datetime) -> tuple[Staged, ...]:
    """Render every screenplay below a folder and say which file each became."""
    staged: list[Staged] = []
    lines: dict[str, tuple[bytes, ...]] = {}
    for play in screenplays():
        cwd = f"{_HOME}/src/{play.project}"
        filler = Filler(name=play.name, home=_HOME, cwd=cwd, now=now)
        start = now - timedelta(hours=play.hours)
        if play.agent == "codex":
            staged.append(_codex(folder, play, filler, start))
            continue
        copied = _last_records(lines.get(play.resumes, ()), play.copies)
        shown = claude_layout.render(play, filler, start=start, copied=copied)
        lines[play.name] = shown.reel.lines
        staged.append(_claude(folder, play, cwd, shown))
    return tuple(staged)


def _last_records(lines: tuple[bytes, ...], count: int) -> tuple[bytes, ...]:
    chained = [line for line in lines if line.startswith(b'{"parentUuid"')]
    return tuple(chained[len(chained) - count :])


def _claude(folder: Path, play: Screenplay, cwd: str, shown: claude_layout.Rendered) -> Staged:
    root = folder / "claude" / "projects"
    project = root / cwd.replace("/", "-")
    path = project / f"{shown.session_id}.jsonl"
    _write(path, shown.reel.content())
    side_files = []
    for other, reel in shown.side.items():
        side = project / shown.session_id / "subagents" / f"agent-{other}.jsonl"
        _write(side, reel.content())
        side_files.append(side)
    return Staged(play=play, root=root, path=path, side_files=tuple(side_files))


def _codex(folder: Path, play: Screenplay, filler: Filler, start: datetime) -> Staged:
    root = folder / "codex" / "sessions"
    shown = codex_layout.render(play, filler, start=start)
    name = f"rollout-{start:%Y-%m-%dT%H-%M-%S}-{shown.session_id}.jsonl"
    path = root / f"{start:%Y}" / f"{start:%m}" / f"{start:%d}" / name
    _write(path, shown.reel.content())
    return Staged(play=play, root=root, path=path)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
