"""Story: every quote that people labelled by hand is found at its line, as words of the speaker they named."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from slowwave.facts.ids import SessionId
from slowwave.records.recording import StringValue, strings
from slowwave.records.session import Session

AGENTS = {"D1": "claude-code", "D2": "claude-code", "D3": "codex"}
FEWEST_QUOTES = {"D1": 100, "D2": 80, "D3": 80}


def labelled(batch: Path) -> Iterator[dict[str, Any]]:
    """The evidence of a batch: its session, line, speaker and quote."""
    gold = json.loads((batch / "gold.json").read_text(encoding="utf-8"))
    for candidate in gold["candidates"]:
        yield from candidate["evidence"]
    for commitment in gold["commitments"]:
        yield commitment["evidence"]


def by_line(batch: Path, agent: str) -> dict[tuple[str, int], list[StringValue]]:
    """Every string of every session of a batch, by session and line."""
    found: dict[tuple[str, int], list[StringValue]] = {}
    for path in sorted((batch / "sessions").iterdir()):
        session = Session(id=SessionId(path.stem), agent=agent, path=path, root=path.parent)
        for value in strings(session):
            found.setdefault((path.stem, value.line), []).append(value)
    return found


@pytest.mark.parametrize("name", AGENTS)
def test_labelled_quotes_have_the_speaker_people_heard(shared: Path, name: str) -> None:
    """Person, agent or tool, as labelled; only a plan that was handed over is nobody's words here."""
    batch = shared / "gold" / name
    values = by_line(batch, AGENTS[name])
    quotes = list(labelled(batch))
    assert len(quotes) >= FEWEST_QUOTES[name]
    for quote in quotes:
        hits = [value for value in values[quote["sessionId"], quote["line"]] if quote["quote"] in value.text]
        assert hits, quote
        is_plan = {value.injected for value in hits} == {"pasted"}
        assert is_plan or quote["speaker"] in {value.speaker.value for value in hits}, quote
