"""Laws of mining: the answer depends on what was said, not on the order it is handed over in."""

import random
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from slowwave.facts.limits import CANDIDATES_A_SESSION, CLAIM_CHARACTERS, FEWEST_QUOTES, GIST_CHARACTERS
from slowwave.mining import commands, masks
from slowwave.mining.edits import Edit, change
from slowwave.mining.miner import mine
from slowwave.proof.batch import whole_batch
from slowwave.proof.contract import check
from slowwave.records.recording import load
from slowwave.records.secrets import Secrets
from slowwave.records.sessions import scan_folder

LINT = "pay.go:3:1: returned error is not checked (errcheck)"
SIGNING = "    pay_test.go:9: commit: cannot sign commit without a registered signing plugin\nFAIL"


def made_batch(stage: Any) -> list[Any]:
    """Four sessions with findings of several lenses in them."""
    one = stage("s-1").shell("go test ./...", "ok").shell("mise run lint", LINT, status=1)
    two = stage("s-2", day=2).shell("go test ./...", SIGNING, status=1).shell("A=1 go test ./...", "ok")
    two.agent("The signing plugin of the global config breaks the test commits, not this change.")
    three = stage("s-3", day=3).shell("go test ./...", "ok").shell("mise run lint", LINT, status=1)
    four = stage("s-4", day=4).refused("Bash", {"command": "make deploy"}, "no, deploys wait for the freeze to end")
    four.refused("Bash", {"command": "make deploy"}, "again: no deploys")
    one.refused("Bash", {"command": "make deploy"}, "not now")
    return [act.recording() for act in (one, two, three, four)]


def test_the_order_of_sessions_changes_nothing(stage: Any) -> None:
    """Every order of the same sessions gives the same answer and the same reasons."""
    batch = made_batch(stage)
    expected = mine(batch)
    assert len(expected.kept) >= 3
    for seed in range(6):
        shuffled = batch[:]
        random.Random(seed).shuffle(shuffled)
        assert mine(shuffled) == expected


def test_labelled_sessions_in_any_order(shared: Path) -> None:
    """The same law on real sessions; and what is mined keeps its bounds and passes the contract."""
    sessions, _ = scan_folder(shared / "gold" / "D1" / "sessions")
    recordings = [load(session) for session in sessions]
    expected = mine(recordings)
    assert mine(recordings[::-1]) == expected
    assert expected.kept
    assert not isinstance(check(expected.answer, whole_batch(sessions), log=None, secrets=Secrets(deep=False)), tuple)
    for candidate in expected.answer.candidates:
        assert 0 < len(candidate.claim) <= CLAIM_CHARACTERS
        assert len(candidate.gist) <= GIST_CHARACTERS


def test_context_alone_gives_nothing(stage: Any) -> None:
    """Where nothing is new, nothing is said; one new session of a pattern is enough."""
    batch = made_batch(stage)
    old = {recording.session.id: (10_000,) for recording in batch}
    assert mine(batch, new_from=old).kept == ()
    fresh = mine(batch, new_from={**old, batch[2].session.id: (1,)})
    assert [finding.lens for finding in fresh.kept] == ["green_then_refused"]


def test_no_session_fills_the_answer(stage: Any) -> None:
    """However much one session holds, it gives at most its share."""
    act = stage("s-1")
    for number in range(9):
        name = f"tool{chr(97 + number) * 3}"
        act.shell(f"{name} sync", f"error: {name} lacks its {name} registry token today", status=1)
        act.shell(f"{name.upper()}_MODE=on {name} sync", "done")
    mined = mine([act.recording()], most=9)
    assert len(mined.kept) == CANDIDATES_A_SESSION
    assert any("from its session" in finding.dropped for finding in mined.dropped)


@given(st.text(max_size=300))
@settings(deadline=None)
def test_any_line_can_be_split(line: str) -> None:
    """No text breaks the shell reader, and what it calls a command stands in the text."""
    for command in commands.split(line):
        assert command.words
        assert command.raw.encode("utf-8", "replace") in line.encode("utf-8", "replace")


@given(st.text(max_size=200))
def test_masking_twice_masks_no_more(line: str) -> None:
    """A template has nothing left to mask in its words."""
    once = masks.template(line)
    assert masks.real_words(masks.template(once)) == masks.real_words(once) or "<" in once


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_change_is_part_of_both_sides(old: str, new: str) -> None:
    """What an edit changed stands in the old text and in the new one, and equal texts differ in nothing."""
    before, after = change(Edit(path="p", old=old, new=new))
    assert before in old
    assert after in new
    assert change(Edit(path="p", old=old, new=old)) == ("", "")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(
    st.sampled_from(
        ("command", "cmd", "file_path", "path", "edits", "old_string", "new_string", "session_id", "workdir")
    )
    | st.text(max_size=6),
    JSON,
    max_size=4,
)
TOOLS = st.sampled_from(("Bash", "exec", "Edit", "Read", "LS", "write_stdin", "apply_patch", "shell", "", "mcp__a__b"))
ACTS = st.tuples(TOOLS, ARGUMENTS, st.text(max_size=120), st.booleans(), st.booleans())


@given(acts=st.lists(ACTS, max_size=12), talk=st.lists(st.text(max_size=80), max_size=6))
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_record_breaks_a_lens(stage: Any, acts: list[Any], talk: list[str]) -> None:
    """Whatever arguments and outputs other people's tools have, mining answers, and its answer keeps the bounds."""
    recordings = []
    for name in ("s-1", "s-2"):
        act = stage(name)
        for text in talk:
            act.user(text).agent(text[::-1])
        for tool, args, out, is_error, is_rejected in acts:
            act.call(tool, args, out, is_error=is_error, is_rejected=is_rejected)
        recordings.append(act.recording())
    mined = mine(recordings)
    assert all(len(candidate.evidence) >= FEWEST_QUOTES for candidate in mined.answer.candidates)
