"""The scorecard: hard measures are taken anew from the bytes, and no later profile may be worse."""

import copy
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from small_contexts import MAKERS, bash, claude_code, lines, say, user

from slowwave.facts.refusal import UsageError
from slowwave.hygiene import curation as curation_module
from slowwave.hygiene import scorecard as scorecard_module
from slowwave.hygiene.curation import Curated, Wish, curate_document
from slowwave.hygiene.document import AnyDocument
from slowwave.hygiene.profile import profile_digest
from slowwave.hygiene.reading import read_context
from slowwave.hygiene.scorecard import HARD, Row, Scorecard, Workshop, regressions, score

TAIL = [*[bash(f"tool {letter}", f"out {letter}") for letter in "abcde"], user("Thanks."), user("Go on.")]
BEATS = [user("Begin."), bash("git status", lines(400)), say("Hm."), bash("git status", lines(400)), *TAIL]


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """A place for originals, and clocks that tell what they are told."""
    folder = tmp_path / "shop"
    folder.mkdir()
    ticks = count()
    return Workshop(folder=folder, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC), seconds=lambda: float(next(ticks)))


@pytest.fixture
def recordings(tmp_path: Path) -> list[Path]:
    """One of each form, one with nothing dead in it, one that is no context."""
    folder = tmp_path / "in"
    folder.mkdir()
    for wire, make in MAKERS.items():
        (folder / f"{wire}.json").write_bytes(make(BEATS))
    (folder / "short.jsonl").write_bytes(claude_code([user("Hm.")]))
    (folder / "other.txt").write_bytes(b"hello")
    return sorted(folder.iterdir())


def _card(shop: Workshop, recordings: list[Path]) -> Scorecard:
    return score([*recordings, Path("/nowhere")], recordings[0].parent, shop)


def test_every_hard_measure_holds(shop: Workshop, recordings: list[Path]) -> None:
    """And what was saved, how long it took, what was not read is told as it is."""
    told = _card(shop, recordings).as_json()
    assert told["hard"] == dict.fromkeys(HARD, 1.0)
    assert (told["recordings"], told["unread"], told["profile"]) == (6, 2, profile_digest())
    assert told["seconds"] == 6.0
    assert 0.3 < told["saved"]["all"]["median"] < 0.6
    assert told["saved"]["by_agent"]["codex"]["count"] == 1
    assert not list(shop.folder.glob("fork*"))


def test_recordings_are_left_alone_and_named_below_their_folder(shop: Workshop, recordings: list[Path]) -> None:
    """One that lies elsewhere has its whole name."""
    before = [path.read_bytes() for path in recordings]
    seen: list[Row] = []
    score(recordings, recordings[0].parent / "deeper", shop, tell=seen.append)
    assert seen[0].name == str(recordings[0])
    assert [path.read_bytes() for path in recordings] == before
    assert _card(shop, recordings).rows[0].name == recordings[0].name


def test_no_recordings_are_no_failure(shop: Workshop) -> None:
    """Shares of nothing are whole, figures of nothing are none."""
    told = score([], Path("/"), shop).as_json()
    assert told["hard"] == dict.fromkeys(HARD, 1.0)
    assert (told["saved"]["all"]["median"], told["refetched"]["share"], told["megabytes_a_second"]) == (0.0, 0.0, 0.0)


def test_an_original_that_does_not_come_back_is_seen(
    shop: Workshop, recordings: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the real log, with a line that was added meanwhile."""
    monkeypatch.setattr(scorecard_module, "renamed", lambda line, *_: line + b" ")
    assert _hard(shop, recordings)["restore"] == 0.0


def test_two_runs_that_differ_and_a_second_run_that_finds_more_are_seen(
    shop: Workshop, recordings: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each run is made anew: the first is scored, the second looks for more, the third does it again."""
    runs: list[Curated] = []

    def curate(document: AnyDocument, wish: Wish) -> Curated:
        everything = [item.id for item in read_context(document).items]
        runs.append(curate_document(document, Wish(pinned=everything) if len(runs) == 2 else wish))
        return runs[0] if len(runs) == 2 else runs[-1]

    monkeypatch.setattr(scorecard_module, "curate_document", curate)
    held = _hard(shop, recordings)
    assert (held["determinism"], held["idempotence"]) == (0.0, 0.0)
    assert (held["shape"], held["pins"], held["restore"]) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(("code", "measure"), [("SHAPE_PAIRING", "shape"), ("REPLAY_DIFF", "pins")])
def test_a_result_that_was_not_proved_is_seen(
    shop: Workshop, recordings: list[Path], monkeypatch: pytest.MonkeyPatch, code: str, measure: str
) -> None:
    """Its refusal says which rule it would have broken."""
    monkeypatch.setattr(curation_module, "_trouble", lambda *_: (code, "it would not hold"))
    assert _hard(shop, recordings) == {**dict.fromkeys(HARD, 1.0), measure: 0.0}


def _hard(shop: Workshop, recordings: list[Path]) -> dict[str, float]:
    claude = next(path for path in recordings if path.name.startswith("claude"))
    held: dict[str, float] = score([claude], claude.parent, shop).as_json()["hard"]
    return held


# The gate


@pytest.fixture
def card(shop: Workshop, recordings: list[Path]) -> dict[str, Any]:
    """A scorecard as it is kept, with canaries."""
    made = _card(shop, recordings)
    canaries = {"plan": {"decision": 1.0, "id": 0.9}}
    told = Scorecard(profile=made.profile, rows=made.rows, canaries=canaries).as_json()
    told["saved"]["large"]["median"] = 0.3
    return told


def test_a_scorecard_is_no_worse_than_itself(card: dict[str, Any]) -> None:
    """Nor is one that is better in everything."""
    assert regressions(card, card) == []
    better = copy.deepcopy(card)
    better["canaries"]["plan"]["id"] = 1.0
    better["saved"]["large"]["median"] = 0.5
    assert regressions(card, better) == []
    assert len(regressions(better, card)) == 2


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        *((lambda card, name=name: card["hard"].update({name: 0.9999}), name) for name in HARD),
        (lambda card: card["canaries"]["plan"].update(id=0.89), "canaries: plan, id"),
        (lambda card: card["canaries"]["plan"].pop("decision"), "canaries: plan, decision"),
        (lambda card: card["canaries"].clear(), "canaries"),
        (lambda card: card["saved"]["large"].update(median=0.28), "median saving"),
        (lambda card: card["refetched"].update(share=0.01), "wanted again"),
    ],
)
def test_whatever_is_worse_is_told(card: dict[str, Any], spoil: Callable[[Any], Any], what: str) -> None:
    """Hard measures must hold, however the old card was; canaries may not be fewer; the rest may not fall by much."""
    worse = copy.deepcopy(card)
    spoil(worse)
    assert what in regressions(card, worse)[0]


@pytest.mark.parametrize("other", [{}, {"version": 1}, {"version": 99}, {"version": 1, "hard": []}, [], None])
def test_what_is_no_scorecard_is_none(card: dict[str, Any], other: Any) -> None:
    """Old or new; of another version too."""
    for pair in ((card, other), (other, card)):
        with pytest.raises(UsageError):
            regressions(*pair)
