"""The sample sessions, mined: their authors planted patterns, promises and decoys without looking at the lenses."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from slowwave.desk.samples import stage as samples
from slowwave.facts.limits import CANDIDATES_A_BATCH
from slowwave.facts.text import fold
from slowwave.mining.miner import Mined, mine
from slowwave.records.recording import load
from slowwave.records.sessions import scan_folder

PROJECTS = ("ferryman", "marmalade", "tidepool")
NOW = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Mined]:
    """What each project's sessions give."""
    folder: Path = tmp_path_factory.mktemp("samples")
    samples.stage_all(folder, now=NOW)
    sessions, _ = scan_folder(folder)
    return {name: mine([load(s) for s in sessions if s.project == name]) for name in PROJECTS}


def planted(table: str) -> list[str]:
    """Quotes of one table of what was planted."""
    rows = samples.expected()[table]
    return [fold(quote["quote"]) for row in rows for quote in row.get("quotes", [row])]


def touches(quote: str, texts: list[str]) -> bool:
    """Whether a quote and one of some texts contain each other."""
    return any(text in fold(quote) or fold(quote) in text for text in texts)


def test_most_of_what_is_said_was_planted(mined: dict[str, Mined]) -> None:
    """Four in five of the claims rest on a line that was planted as worth remembering."""
    memories = planted("memory")
    kept = [finding for one in mined.values() for finding in one.kept]
    good = [finding for finding in kept if any(touches(quote.quote, memories) for quote in finding.quotes)]
    assert len(kept) >= 2 * len(PROJECTS)
    assert all(len(one.kept) <= CANDIDATES_A_BATCH for one in mined.values())
    assert len(good) >= 0.8 * len(kept)


def test_no_decoy_becomes_a_promise_or_a_claim(mined: dict[str, Mined]) -> None:
    """Hypotheses, questions, to-do comments and other people's plans are neither promised nor remembered."""
    decoys = planted("decoy")
    for one in mined.values():
        assert not [c.statement for c in one.answer.commitments if touches(c.evidence.quote, decoys)]
        assert not [f.claim for f in one.kept if all(touches(quote.quote, decoys) for quote in f.quotes)]
