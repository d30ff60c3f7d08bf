"""The sample sessions: rendered the same each time, long enough, and holding all that is planted in them."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from slowwave.desk.samples.fill import Filler
from slowwave.desk.samples.screenplay import ScreenplayError, parse
from slowwave.desk.samples.stage import Staged, expected, screenplays, stage, stage_all

NOW = datetime(2026, 5, 20, 9, 30, tzinfo=UTC)
SAMPLES = Path(__file__).parents[3] / "src" / "slowwave" / "desk" / "samples"
SECRET_SHAPES = (r"AKIA[A-Z2-7]{16}", r"gh[pousr]_[0-9A-Za-z]{36}", r"-----BEGIN [A-Z ]*PRIVATE KEY", r"xox[bp]-")


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Staged]:
    """All sample sessions, rendered once, by name."""
    folder = tmp_path_factory.mktemp("samples")
    return {one.play.name: one for one in stage_all(folder, now=NOW)}


def _records(path: Path) -> Iterator[Any]:
    """Every record that can be read, also glued ones; a torn end is left out."""
    decoder = json.JSONDecoder()
    for line in path.read_text(encoding="utf-8").split("\n"):
        rest = line
        while rest:
            try:
                record, end = decoder.raw_decode(rest)
            except ValueError:
                break
            yield record
            rest = rest[end:]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)


def _texts(one: Staged) -> str:
    return "\n\0\n".join(text for path in (one.path, *one.side_files) for text in _strings(list(_records(path))))


def _planted() -> Iterator[tuple[str, str]]:
    """Session and quote of everything EXPECTED.toml lists."""
    for entries in expected().values():
        for entry in entries:
            for quote in entry.get("quotes", [entry]):
                if "quote" in quote:
                    yield quote["session"], quote["quote"]


def test_the_same_moment_gives_the_same_bytes(tmp_path: Path) -> None:
    """Two renderings for one moment agree in every file name and byte."""
    first, second = tmp_path / "first", tmp_path / "second"
    stage(first, now=NOW)
    stage(second, now=NOW)
    trees = [{p.relative_to(root): p.read_bytes() for p in root.rglob("*.jsonl")} for root in (first, second)]
    assert trees[0] == trees[1]
    assert trees[0]


def test_both_agents_have_a_root(tmp_path: Path) -> None:
    """Staging names Claude Code and Codex, each with the folder that holds its files."""
    roots = dict(stage(tmp_path, now=NOW))
    assert sorted(roots) == ["claude-code", "codex"]
    assert all(next(root.rglob("*.jsonl"), None) for root in roots.values())


def test_there_are_thirty_sessions_of_three_projects(staged: Mapping[str, Staged]) -> None:
    """About thirty sessions, two thirds of them Claude Code's, spread over three projects."""
    plays = [one.play for one in staged.values()]
    assert len(plays) == 30
    assert {play.project for play in plays} == {"ferryman", "tidepool", "marmalade"}
    assert sum(play.agent == "codex" for play in plays) == 10


@pytest.mark.parametrize("name", [play.name for play in screenplays()])
def test_a_session_has_sixty_records(staged: Mapping[str, Staged], name: str) -> None:
    """No session is a toy: each has at least sixty lines."""
    assert staged[name].path.read_bytes().count(b"\n") >= 60


def test_only_the_planned_damage_is_broken(staged: Mapping[str, Staged]) -> None:
    """Every line is one JSON object, apart from the damage that EXPECTED.toml names."""
    broken: dict[str, int] = {}
    for name, one in staged.items():
        for line in one.path.read_bytes().split(b"\n"):
            try:
                assert not line or isinstance(json.loads(line), dict)
            except ValueError:
                broken[name] = broken.get(name, 0) + 1
    assert broken == {entry["session"]: 1 for entry in expected()["damage"]}


def test_every_planted_quote_stands_in_its_session(staged: Mapping[str, Staged]) -> None:
    """What EXPECTED.toml quotes can be found word for word in a decoded string of that session."""
    texts = {name: _texts(one) for name, one in staged.items()}
    planted = list(_planted())
    missing = [(session, quote) for session, quote in planted if quote not in texts[session]]
    assert missing == []
    assert len(planted) >= 60


def test_every_spoken_word_is_rendered(staged: Mapping[str, Staged]) -> None:
    """All that people and agents say in a screenplay stands in the rendered session, queued words too."""
    for name, one in staged.items():
        texts = _texts(one)
        spoken = [turn.sent for turn in one.play.turns if turn.verb in {"user", "queued", "say", "think"}]
        lost = [words for words in spoken if "[[" not in words and words not in texts]
        is_torn = any(turn.verb == "torn" for turn in one.play.turns)
        assert lost == (spoken[-1:] if is_torn else []), name
        assert all(spoken), name


def test_patterns_rest_on_more_than_one_line(staged: Mapping[str, Staged]) -> None:
    """At least twelve memories are planted, and each is backed by two quotes or more of known sessions."""
    memories = expected()["memory"]
    assert len(memories) >= 12
    assert all(len(memory["quotes"]) >= 2 for memory in memories)
    assert {quote["session"] for memory in memories for quote in memory["quotes"]} <= set(staged)


def test_the_newest_session_has_settled(staged: Mapping[str, Staged]) -> None:
    """The last record lies some hours before the moment, the first about three weeks."""
    moments = sorted(
        datetime.fromisoformat(record["timestamp"])
        for one in staged.values()
        for record in _records(one.path)
        if "timestamp" in record
    )
    assert timedelta(hours=2) < NOW - moments[-1] < timedelta(hours=24)
    assert timedelta(days=19) < NOW - moments[0] < timedelta(days=23)


def test_uuid_chains_hold(staged: Mapping[str, Staged]) -> None:
    """Each parent named in a Claude Code file stands earlier in it, but for the head of a resumed session."""
    for one in staged.values():
        seen: set[str] = set()
        strangers = []
        for record in _records(one.path):
            parent = record.get("parentUuid")
            if parent and parent not in seen:
                strangers.append(parent)
            seen.add(record.get("uuid", ""))
        assert len(strangers) <= (1 if one.play.resumes else 0), one.play.name


def test_side_files_belong_to_their_session(staged: Mapping[str, Staged]) -> None:
    """Two sessions or more have a sub-agent's file, whose records carry the parent's id."""
    with_sides = [one for one in staged.values() if one.side_files]
    assert len(with_sides) >= 2
    for one in with_sides:
        for path in one.side_files:
            assert all(r["sessionId"] == one.path.stem and r["isSidechain"] for r in _records(path))


def test_planted_secrets_have_the_shape_of_real_ones(staged: Mapping[str, Staged]) -> None:
    """The rendered sessions hold the secret-shaped texts that are to be masked."""
    for entry in expected()["secret"]:
        assert re.search(entry["shape"], _texts(staged[entry["session"]])), entry


def test_no_secret_shape_stands_in_our_own_files() -> None:
    """No file of the package holds anything a secret scanner would find."""
    for path in sorted(SAMPLES.rglob("*.*")):
        if path.suffix in {".py", ".play", ".toml"}:
            text = path.read_text(encoding="utf-8")
            assert not [shape for shape in SECRET_SHAPES if re.search(shape, text)], path.name


def test_an_unknown_verb_is_refused() -> None:
    """A screenplay with a verb nobody knows says so and where."""
    head = "agent: claude\nhours: 1\ntitle: t\nversion: 2.1.34\nmodel: m\n\n"
    with pytest.raises(ScreenplayError, match="@dance"):
        parse(f"{head}@dance now\n", name="x", project="ferryman")


def test_an_unknown_gap_is_refused() -> None:
    """A gap nobody can fill in is an error, not left in the text."""
    filler = Filler(name="x", home="~", cwd="~", now=NOW)
    with pytest.raises(ScreenplayError, match="moon"):
        filler.fill("[[moon 3]]")
