"""``consolidate DIR`` as a person or a script uses it: its answer can be checked, and nothing given is ignored."""

import json
from pathlib import Path

import pytest
from made_nights import Place


def test_the_answer_alone_passes_the_check(shop: Place, tmp_path: Path) -> None:
    """What ``--answer-only`` prints is the closed form: saved as a file it is accepted, the full report is not."""
    folder = str(shop.transcripts)
    closed = shop.run("consolidate", folder, "--answer-only").content
    full = shop.run("consolidate", folder).content
    assert closed["candidates"][0]["claim"] == full["candidates"][0]["claim"]
    for content, accepted in ((closed, True), (full, False)):
        (tmp_path / "answer.json").write_text(json.dumps(content), encoding="utf-8")
        checked = shop.run("consolidate", folder, "--check", str(tmp_path / "answer.json"))
        assert checked.content["accepted"] is accepted, checked.out


@pytest.mark.parametrize(
    "words",
    [
        ("--read-log", "log.json"),
        ("--check", "."),
        ("--check", "nosuch.json"),
        ("--check", "answer.json", "--explain"),
        ("--check", "answer.json", "--answer-only"),
    ],
)
def test_what_cannot_be_used_is_refused(shop: Place, words: tuple[str, ...]) -> None:
    """A log without an answer, a folder as an answer, two wishes at once: usage errors, none of them silent."""
    ran = shop.run("consolidate", str(shop.transcripts), *words)
    assert (ran.status, ran.code) == (2, "usage")
