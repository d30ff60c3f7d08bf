"""Secrets of a recording are masked in texts and arguments, and nothing else of it changes."""

from typing import Any

from slowwave.records.masking import mask_recording
from slowwave.records.secrets import Secrets

TOKEN = "ghp" + "_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
OWN = Secrets(deep=False)


def test_texts_and_nested_arguments_are_masked(stage: Any) -> None:
    """A token in a person's words, in a command, deep in arguments or under a telling name is gone."""
    act = stage("s-1").user(f"use {TOKEN}, please").shell(f"TOKEN={TOKEN} make", f"denied: {TOKEN}", status=1)
    act.call("Edit", {"edits": [{"new": {"text": f"key {TOKEN}"}}], "pass" + "word": "Xq9hunter2Zt"})
    masked = mask_recording(act.recording(), OWN)
    everything = repr(masked)
    assert TOKEN not in everything
    assert "hunter2" not in everything
    assert masked.entries[0].text == "use [secret:github-token], please"


def test_a_recording_without_secrets_stays_as_it_is(stage: Any) -> None:
    """Where there is nothing to mask, each entry is the very same."""
    recording = stage("s-1").user("use the vault").shell("make deploy", "done").recording()
    masked = mask_recording(recording, OWN)
    assert all(one is other for one, other in zip(masked.entries, recording.entries, strict=True))
