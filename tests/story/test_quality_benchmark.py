"""The quality benchmark from end to end: engines side by side over a small labelled folder, and what each cost."""

import json
from pathlib import Path
from typing import Any

import pytest
from made_nights import Place
from made_reader import Served, serving
from made_transcripts import ClaudeSession

import quality
from slowwave.disk.config import Config, ModelSettings, write_config
from slowwave.disk.home import Home
from slowwave.facts.usage import MICRO

ONE = "11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"
RULE = "Never run the release from a laptop, because only the build machine holds the signing key."
ECHO = "I start the release on the build machine instead, because the signing key is only there."
PRICES = ("--input-price", "2", "--output-price", "8")


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """Two sessions, one of which holds what is worth remembering, with its label."""
    folder = tmp_path / "gold" / "T1"
    quiet, telling = ClaudeSession(OTHER), ClaudeSession(ONE)
    for session in (quiet, telling):
        session.user("Please have a look at the release notes.")
        session.call("c1", "Bash", {"command": "cat NOTES.md"})
        session.result("c1", "A line of notes that says little.\n" * 300)
    lines = [telling.user(RULE), telling.agent(ECHO)]
    for session in (quiet, telling):
        session.write(folder / "sessions")
    evidence = [
        {"sessionId": ONE, "line": line, "quote": quote, "speaker": speaker}
        for line, quote, speaker in zip(lines, (RULE, ECHO), ("user", "agent"), strict=True)
    ]
    label = {
        "id": "T1-1",
        "strength": "must",
        "kind": "procedural",
        "claim": "Releases run on the build machine.",
        "says": [["release"], ["build machine"], ["signing key"]],
        "core": evidence[:1],
        "evidence": evidence,
    }
    labels = {"batch": "T1", "sessions": [ONE, OTHER], "candidates": [label], "commitments": [], "decoys": []}
    (folder / "gold.json").write_text(json.dumps(labels), encoding="utf-8")
    return folder.parent


@pytest.fixture
def scorer(shared: Path) -> str:
    """The scorer that comes with the real labels."""
    return str(shared / "gold" / "score.py")


def run(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    """What the benchmark prints."""
    assert quality.main(words) == status
    return capsys.readouterr().out


def engines(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What it measured, by engine."""
    measured: dict[str, Any] = json.loads(run(capsys, *words, "--json"))["engines"]
    return measured


def of_model(served: Served) -> tuple[str, ...]:
    """The options that name the scripted reader."""
    return ("--provider", "openai-compatible", "--base-url", served.url, "--model", "scripted", *PRICES)


def test_without_labels_nothing_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says so, and its status is no success."""
    assert "nothing measured" in run(capsys, str(tmp_path), status=3)


def test_rules_are_measured_as_an_engine_too(gold: Path, scorer: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The mined engine costs nothing, and its column says what the labels say of it."""
    mined = engines(capsys, str(gold), "--scorer", scorer, "--engine", "mined")["mined"]
    assert mined["usage"] == {"calls": 0, "input_tokens": 0, "output_tokens": 0, "usd": 0}
    assert mined["pool"]["must"] == 1
    assert mined["pool"]["returned"] == mined["accepted"]
    assert mined["failures"] == {}


@pytest.mark.slow
def test_a_model_and_its_leads_stand_beside_the_rules(
    gold: Path, scorer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three columns from one run; the scripted reader's true quotes count as the labelled memory, and are paid for."""
    with serving() as served:
        names = ("--engine", "mined", "--engine", "model", "--engine", "model+leads")
        measured = engines(capsys, str(gold), "--scorer", scorer, *names, *of_model(served))
    assert list(measured) == ["mined", "model", "model+leads"]
    model = measured["model"]
    assert (model["accepted"], model["pool"]["full"], model["pool"]["must_full"]) == (1, 1, 1)
    assert model["failures"] == {}
    paid = [measured[name]["usage"] for name in ("model", "model+leads")]
    assert sum(usage["calls"] for usage in paid) == len(served.requests)
    for usage in paid:
        whole = usage["input_tokens"] * 2 + usage["output_tokens"] * 8
        # Each call is rounded up to a whole millionth; these prices make whole ones of themselves.
        assert round(usage["usd"] * MICRO) == whole
    assert model["each"]["usd"] == pytest.approx(model["usage"]["usd"], abs=1e-4)


def test_only_the_model_with_leads_is_shown_any(gold: Path, scorer: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is compared is that one difference: the message and the index of sessions say of leads in one of two."""
    has_leads = {}
    for name in ("model", "model+leads"):
        with serving() as served:
            engines(capsys, str(gold), "--scorer", scorer, "--engine", name, *of_model(served))
        said = json.dumps(served.requests[-1]["messages"][1:])
        has_leads[name] = "Some sessions have leads" in said and '\\"leads\\"' in said
    assert has_leads == {"model": False, "model+leads": True}


def test_the_table_has_a_column_for_each_engine(gold: Path, scorer: str, capsys: pytest.CaptureFixture[str]) -> None:
    """People read a table: a row for each measure, and the claims where they are asked for."""
    with serving() as served:
        names = ("--engine", "mined", "--engine", "model")
        said = run(capsys, str(gold), "--scorer", scorer, *names, *of_model(served), "--show")
    rows = {line[:26].strip(): line[26:].split() for line in said.splitlines()}
    assert rows["accepted memories"][1] == "1"
    assert len(rows["usd"]) == 2
    assert f"model T1 full     {RULE}" in said


@pytest.mark.slow
def test_a_provider_that_is_away_earns_nothing(gold: Path, scorer: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A batch nobody answered counts as an empty answer, and the reason stands below the table."""
    with serving() as served:
        options = of_model(served)
    measured = engines(capsys, str(gold), "--scorer", scorer, "--engine", "model", *options)["model"]
    assert measured["failures"] == {"T1": "model_unavailable"}
    assert (measured["accepted"], measured["each"]) == (0, {})
    assert measured["pool"]["must_recall"]["value"] == 0


def test_labelled_sessions_leave_the_machine_only_when_told(
    gold: Path, scorer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A provider elsewhere is not asked before somebody says so."""
    options = ("--provider", "anthropic", "--model", "claude-sonnet-4-5", "--engine", "model")
    assert quality.main([str(gold), "--scorer", scorer, *options]) != 0
    assert "--send" in capsys.readouterr().err


def test_a_home_is_asked_for_its_consent(
    gold: Path, scorer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a home pays, its person must have agreed to the destination, a server on this machine too."""
    place = Place(tmp_path)
    Home(place.home).prepare()
    with serving() as served:
        models = ModelSettings(provider="openai-compatible", model="m", base_url=served.url)
        write_config(place.home, Config(models=models))
        words = [str(gold), "--scorer", scorer, "--home", str(place.home), "--engine", "model"]
        assert quality.main(words) != 0
    assert "consent" in capsys.readouterr().err
    assert served.requests == []


def test_settings_that_cannot_be_used_are_told(gold: Path, scorer: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt provider is a sentence, not a traceback."""
    assert quality.main([str(gold), "--scorer", scorer, "--engine", "mined", "--provider", "nonsense"]) != 0
    assert "models.provider" in capsys.readouterr().err
