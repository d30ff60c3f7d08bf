"""Phase 11: what the night would take out of long-lived contexts, laid down for review and never done by itself."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from made_nights import Place
from small_contexts import bash, claude_code, lines, user

from slowwave.disk.config import HygieneSettings
from slowwave.wiring import hygiene_phase
from slowwave.wiring.hygiene_phase import proposals_of

TAIL = [*[bash(f"tool {letter}", f"out {letter}") for letter in "abcde"], user("Thanks."), user("Go on.")]
HEAVY = claude_code([user("Hm."), bash("ls", lines(600)), bash("ls", lines(600)), *TAIL])
LIGHT = claude_code([user("Hm."), bash("ls", "a"), *TAIL])


@pytest.fixture
def watched(shop: Place, tmp_path: Path) -> Path:
    """A folder of contexts that the home is told to watch: one with dead weight, one without, one that is none."""
    folder = tmp_path / "contexts"
    folder.mkdir()
    for name, content in (("heavy", HEAVY), ("light", LIGHT), ("broken", b"nothing of the kind\n")):
        (folder / f"{name}.jsonl").write_bytes(content)
    settings = HygieneSettings(transcripts=(str(folder / "*.jsonl"),))
    shop.house.config = shop.house.config.model_copy(update={"hygiene": settings})
    shop.now = datetime(2026, 6, 1, 3, 30, tzinfo=UTC)  # weeks behind the contexts, so that no cache holds them
    return folder


def _phase(night: Any) -> Any:
    return next(phase for phase in night["phases"] if phase["name"] == "hygiene")


def _proposed(shop: Place) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(shop.house.home.proposals.glob("*"))}


def test_a_night_proposes_and_touches_no_context(shop: Place, watched: Path) -> None:
    """One proposal, one refusal that stops nothing, and every context as it was."""
    phase = _phase(shop.sleep())
    assert phase["counts"]["contexts"] == 3
    assert phase["counts"]["proposals"] == 1
    assert phase["counts"]["tokens"] > 2_000
    assert [refusal["code"] for refusal in phase["refusals"]] == ["unknown_context"]
    (proposal,) = proposals_of(shop.house.home)
    assert proposal["file"] == str(watched / "heavy.jsonl")
    assert json.loads(Path(proposal["ops"]).read_bytes())["operations"]
    assert (watched / "heavy.jsonl").read_bytes() == HEAVY


def test_an_interrupted_night_ends_where_an_untouched_one_ends(
    shop: Place, watched: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ended after the first proposal was written, and gone on with: the same files."""
    whole = hygiene_phase._keep

    def ends(*given: Any) -> None:
        whole(*given)
        if (watched / "heavy.jsonl") in given:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(hygiene_phase, "_keep", ends)
        with pytest.raises(KeyboardInterrupt):
            shop.sleep()
    held = _proposed(shop)
    night = shop.sleep(resume=True)
    assert _phase(night)["counts"]["proposals"] == 1
    assert _proposed(shop) == held
    shop.sleep()
    assert _proposed(shop) == held


def test_a_proposal_that_no_longer_holds_goes(shop: Place, watched: Path) -> None:
    """The context was curated, or begun anew."""
    shop.sleep()
    (watched / "heavy.jsonl").write_bytes(LIGHT)
    shop.sleep()
    assert _proposed(shop) == {}


def test_a_dry_run_and_a_home_that_watches_nothing_write_nothing(shop: Place, watched: Path) -> None:
    """The dry run says what would be proposed."""
    assert _phase(shop.sleep(dry_run=True))["counts"]["proposals"] == 1
    assert not shop.house.home.proposals.exists()
    shop.house.config = shop.house.config.model_copy(update={"hygiene": HygieneSettings()})
    assert _phase(shop.sleep())["status"] == "skipped"
    assert not shop.house.home.proposals.exists()
