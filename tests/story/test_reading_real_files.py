"""Story: real public sessions are read, and a person agrees with who is said to have spoken.

The figures were checked by eye: every text that counts as a person's was looked at beside the whole file.
"""

from pathlib import Path

import pytest

from slowwave.facts.evidence import Speaker
from slowwave.facts.ids import SessionId
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.formats import detect_format
from slowwave.records.lines import read_lines
from slowwave.records.recording import Recording, load, strings
from slowwave.records.session import Session

OURS = ("claude-code", "codex", "codex-legacy")


def read(path: Path) -> Recording | None:
    """A transcript as a session of its own; None where no format claims it."""
    with path.open("rb") as stream:
        head = [record for line in read_lines(stream) for record in line.records]
    found = detect_format(path, head)
    if found is None:
        return None
    return load(Session(id=SessionId(path.stem), agent=found.name, path=path, root=path.parent))


def must_read(path: Path) -> Recording:
    """A transcript that some format claims."""
    found = read(path)
    assert found is not None, path
    return found


def said(recording: Recording) -> list[Entry]:
    """What persons said, each thing once."""
    return [
        entry for entry in recording.entries if entry.is_person and entry.kind is EntryKind.TEXT and not entry.is_copy
    ]


PEOPLE = {
    "gold/D1/sessions/0cd9edf7-459c-4900-af40-cf2c64dea525.jsonl": (4, {"queued": 1, "rejection": 1}),
    "gold/D1/sessions/48f428f9-72d8-40b2-9594-953019809473.jsonl": (2, {"answer": 3, "rejection": 3}),
    "gold/D1/sessions/ab8c5aa0-e11b-4b16-9be3-c470a9483829.jsonl": (4, {}),
    "gold/D1/sessions/f8e05984-93e4-45b7-b638-e6f011442db9.jsonl": (2, {}),
    "gold/D2/sessions/39714332-b062-4fa5-b12c-8aa6b3006beb.jsonl": (1, {}),
    "gold/D2/sessions/ff0a7d3f-e73b-48cc-a5d1-49b930a82fdf.jsonl": (10, {}),
    "gold/D3/sessions/019ddba6-d9ca-71d2-89c3-5dd074c317b3.jsonl": (9, {}),
    "gold/D3/sessions/019ddeed-72de-7371-bf67-ac505f4386ba.jsonl": (12, {}),
    "gold/D3/sessions/019ed457-d07e-7392-9526-55a36bea110c.jsonl": (0, {}),
    "transcripts/claude-code/entireio+cli/fc_99c919b212_0_full.jsonl": (20, {"queued": 2, "rejection": 1}),
    "transcripts/claude-code/entireio+cli/f8_10e13fce67_0_full.jsonl": (0, {}),
    "transcripts/claude-code/shunkakinoki+dotfiles/a3_af5408972b_0_full.jsonl": (5, {"queued": 1}),
    "transcripts/codex/entireio+git-sync/bc_e3d316a633_2_full.jsonl": (8, {}),
    "transcripts/codex/entireio+entire-sem/bb_ef1c2a76a9_0_full.jsonl": (5, {}),
    "transcripts/codex-legacy/JaydenXsoe+ocodex/"
    "rollout-2025-08-19T08-25-08-38b123ff-933b-4dfe-bd12-d42671fcb25f.jsonl": (7, {}),
}
"""Prompts that persons typed, and their words found elsewhere."""


@pytest.mark.parametrize("name", PEOPLE)
def test_persons_are_heard_where_a_reader_hears_them(shared: Path, name: str) -> None:
    """Prompts and hidden words count as they were counted by eye."""
    prompts, hidden = PEOPLE[name]
    vias = [entry.via for entry in said(must_read(shared / name))]
    assert vias.count("") == prompts
    assert {via: vias.count(via) for via in sorted(set(vias)) if via} == hidden


def transcripts(shared: Path, *folders: str) -> list[Path]:
    """The files of these agents."""
    found = [path for folder in folders for path in sorted((shared / "transcripts" / folder).rglob("*.jsonl*"))]
    assert found
    return found


def test_every_file_of_our_agents_is_read_almost_whole(shared: Path) -> None:
    """Each record of every real file gives at least one entry, and only hand-made damage is lost."""
    for path in transcripts(shared, *OURS):
        recording = must_read(path)
        assert recording.session.agent == path.relative_to(shared / "transcripts").parts[0]
        with path.open("rb") as stream:
            places = {(line.number, part) for line in read_lines(stream) for part, _ in enumerate(line.records)}
        assert {(entry.line, entry.part) for entry in recording.entries} == places
        assert len(recording.losses) <= 3, path
        if "fixture" not in str(path) and "claude-code-log" not in str(path) and "agentsview" not in str(path):
            assert recording.losses == (), path


def test_files_of_other_agents_are_not_taken_for_ours(shared: Path) -> None:
    """Qwen Code and iFlow copied Claude Code's envelope; they and all others are left alone."""
    others = sorted(path.name for path in (shared / "transcripts").iterdir() if path.is_dir())
    folders = [name for name in others if name not in (*OURS, "licences")]
    assert {"qwen", "iflow"} <= set(folders)
    for path in transcripts(shared, *folders):
        assert read(path) is None, path


def test_prefixes_of_one_session_hold_the_same_observations(shared: Path) -> None:
    """Three snapshots of a growing session: the shorter ones repeat the longest, entry by entry."""
    folder = shared / "transcripts/claude-code/entireio+cli"
    short, middle, long = (
        {entry.origin for entry in must_read(folder / f"{name}_0_full.jsonl").entries}
        for name in ("6e_06350ae701", "2b_b8c088bdb4", "4d_e153fa6df6")
    )
    assert len(short & middle) >= len(short) - 2  # a last title or summary may have been rewritten
    assert len(middle & long) >= len(middle) - 2
    assert len(long - middle) > 0


def test_history_copied_into_two_sub_agents_is_one_history(shared: Path) -> None:
    """Two rollouts begin with the same parent's records: what persons said there is the same observation in both."""
    folder = shared / "transcripts/codex/entireio+git-sync"
    first = said(must_read(folder / "bc_e3d316a633_2_full.jsonl"))
    second = said(must_read(folder / "1f_9417321410_1_full.jsonl"))
    assert [entry.text for entry in first] == [entry.text for entry in second]
    assert [entry.origin for entry in first] == [entry.origin for entry in second]


@pytest.mark.parametrize(
    "name",
    [
        "gold/D1/sessions/48f428f9-72d8-40b2-9594-953019809473.jsonl",
        "gold/D3/sessions/019ddd6f-3680-7fb3-8f93-e567af97d303.jsonl",
    ],
)
def test_every_spoken_text_stands_in_a_string_of_its_speaker(shared: Path, name: str) -> None:
    """What mining sees of a person, the agent or a tool is found again, verbatim, as that speaker's string."""
    recording = must_read(shared / name)
    by_place: dict[tuple[int, Speaker], list[str]] = {}
    for value in strings(recording.session):
        by_place.setdefault((value.line, value.speaker), []).append(value.text)
    spoken = [entry for entry in recording.entries if entry.kind is not EntryKind.META and entry.text]
    assert len(spoken) > 50
    for entry in spoken:
        is_joined = entry.kind is EntryKind.TOOL_RESULT and "\n" in entry.text  # a result may have several blocks
        is_outline = entry.kind is EntryKind.TOOL_CALL and entry.text.startswith("{")  # a call without any text
        if is_joined or is_outline:
            continue
        assert any(entry.text in text for text in by_place[entry.line, entry.speaker]), (entry.line, entry.text[:80])


def test_every_call_of_a_finished_session_has_its_result(shared: Path) -> None:
    """Calls and results are paired by id in both agents' files."""
    for name in ("D1", "D3"):
        for path in sorted((shared / "gold" / name / "sessions").iterdir()):
            entries = must_read(path).entries
            calls = {
                entry.call_id for entry in entries if entry.kind is EntryKind.TOOL_CALL and entry.tool != "web_search"
            }
            results = {entry.call_id for entry in entries if entry.kind is EntryKind.TOOL_RESULT}
            assert len(calls - results) <= 1, path
