"""The other lenses over events, each with what it finds and what it leaves alone."""

from typing import Any

import pytest

from slowwave.mining import (
    absent_folders,
    actors,
    guards,
    guessed_paths,
    late_refusals,
    lockstep,
    partial_suites,
    refused_calls,
    templates,
    untracked,
)
from slowwave.mining.events import timelines

LINT = "pay.go:3:1: returned error is not checked (errcheck)\n1 issues:\n* errcheck: 1"


def test_green_then_refused_names_gate_and_rules(stage: Any) -> None:
    """Tests pass, then lint refuses: the claim names the gate and the rules, once for all sessions."""
    acts = [stage(f"s-{n}", day=n).shell("go test ./...", "ok").shell("mise run lint | tail", LINT) for n in (1, 2)]
    (finding,) = late_refusals.find(timelines([act.recording() for act in acts]))
    assert "`mise run lint`" in finding.claim
    assert "`errcheck`" in finding.claim
    assert "2 sessions" in finding.claim
    assert {quote.session_id for quote in finding.quotes} == {"s-1", "s-2"}


def test_lint_without_green_tests_before_says_nothing(stage: Any) -> None:
    """A gate that refuses work that was not tested is the usual way of things."""
    act = stage("s").shell("mise run lint", LINT, status=1)
    assert late_refusals.find(timelines([act.recording()])) == ()


def test_a_refused_call_needs_two_sessions_and_a_reason(stage: Any) -> None:
    """Refused in two sessions with a reason in one is a finding; in one session, or without any reason, it is not."""

    def session(name: str, words: str) -> Any:
        return stage(name).user("check it").refused("Bash", {"command": "mise run test:ci"}, words).recording()

    (finding,) = refused_calls.find(timelines([session("s-1", "no, that is far too slow"), session("s-2", "")]))
    assert "`mise run test:ci`" in finding.claim
    assert "too slow" in finding.claim
    assert refused_calls.find(timelines([session("s-1", "no, that is far too slow")])) == ()
    assert refused_calls.find(timelines([session("s-1", ""), session("s-2", "")])) == ()


def test_a_refusal_is_told_with_its_why(stage: Any) -> None:
    """Of the words of a refusal the sentence that gives the reason is told, not the bare no before it."""

    def session(name: str) -> Any:
        words = "dont push. a push to origin starts the release train, i read the diff first"
        return stage(name).user("ship it").refused("Bash", {"command": "git push"}, words).recording()

    (finding,) = refused_calls.find(timelines([session("s-1"), session("s-2")]))
    assert "starts the release train" in finding.claim


def test_a_wrong_guess_of_two_sessions_is_told_with_the_truth(stage: Any) -> None:
    """A guess that failed, a listing, and the like-named file that was read instead."""

    def session(name: str) -> Any:
        act = stage(name).call(
            "Read", {"file_path": "/home/ann/shop/config.json"}, "File does not exist.", is_error=True
        )
        act.shell("ls /home/ann/shop", "config.yaml\nmain.go")
        return act.call("Read", {"file_path": "/home/ann/shop/config.yaml"}, "port: 80").recording()

    (finding,) = guessed_paths.find(timelines([session("s-1"), session("s-2")]))
    assert "`config.json`" in finding.claim
    assert "`config.yaml`" in finding.claim
    assert guessed_paths.find(timelines([session("s-1")])) == ()


def test_a_folder_taken_for_a_file(stage: Any) -> None:
    """A task that is a folder, read as a file in two sessions, is told with what it holds."""

    def session(name: str) -> Any:
        act = stage(name).shell("cat tasks/lint", "cat: tasks/lint: Is a directory", status=1)
        return act.shell("ls tasks/lint", "go\nshell").recording()

    (finding,) = guessed_paths.find(timelines([session("s-1"), session("s-2")]))
    assert finding.claim.startswith("`tasks/lint` is a folder (with go, shell), not a file")


def bump(act: Any, old: str, new: str) -> Any:
    """A version written into three files."""
    for name in ("package.json", "Cargo.toml", "docs/install.md"):
        edit = {"file_path": f"/home/ann/shop/{name}", "old_string": f"v = {old}", "new_string": f"v = {new}"}
        act.call("Edit", edit, "updated")
    return act


def test_lockstep_needs_two_steps(stage: Any) -> None:
    """The same three files with the same change twice are in lockstep; once is a rename."""
    twice = bump(bump(stage("s").user("bump"), "1.0.1", "1.0.2").user("again"), "1.0.2", "1.0.3")
    (finding,) = lockstep.find(timelines([twice.recording()]))
    assert "3 files" in finding.claim
    assert "`docs/install.md`" in finding.claim
    once = bump(stage("s").user("bump"), "1.0.1", "1.0.2")
    assert lockstep.find(timelines([once.recording()])) == ()


def test_an_actor_needs_two_sessions_with_something_in_common(stage: Any) -> None:
    """Two sessions that tell of the formatter's deeds on imports agree; on two unrelated things they do not."""
    one = stage("s-1").agent("The formatter removed the unused `strings` import from pay.go.").recording()
    two = stage("s-2").agent("The formatter already removed the new import before it was used.").recording()
    other = stage("s-3").agent("The formatter changed quotes around titles.").recording()
    (finding,) = actors.find(timelines([one, two]))
    assert finding.claim.startswith("The formatter acts behind the agent's back (2 sessions")
    assert actors.find(timelines([one, other])) == ()


def test_untracked_folders_that_stand_and_are_spoken_of(stage: Any) -> None:
    """Seen in two sessions and spoken of; silent ones, and ones somebody added, are left alone."""
    status = "## main\n?? .toolbox/\n M pay.go"

    def session(name: str, words: str) -> Any:
        return stage(name).shell("git status --short", status).agent(words).recording()

    spoken = session("s-1", "I left the unrelated `.toolbox/` alone.")
    silent = session("s-2", "The change is complete and tested now.")
    (finding,) = untracked.find(timelines([spoken, silent]))
    assert finding.claim.startswith("`.toolbox/` keeps standing untracked")
    assert untracked.find(timelines([silent, session("s-3", "All good with the change.")])) == ()
    added = stage("s-4").shell("git add .toolbox/", "").recording()
    assert untracked.find(timelines([spoken, silent, added])) == ()


def test_a_recurring_error_is_kept_only_when_explained(stage: Any) -> None:
    """The same shape in two sessions is dropped until somebody says what causes it."""

    def session(name: str, number: int) -> Any:
        return stage(name).shell("./sync", f"error: ledger page {number} refuses checksum handshake", status=1)

    bare = [session("s-1", 12).recording(), session("s-2", 977).recording()]
    assert [f.dropped != "" for f in templates.find(timelines(bare))] == [True]
    told = session("s-1", 12).agent("The ledger refuses the checksum handshake because both clocks drift apart.")
    (finding,) = templates.find(timelines([told.recording(), bare[1]]))
    assert finding.dropped == ""
    assert "clocks drift" in finding.claim


def test_a_guard_that_stops_two_calls_is_named_with_its_reason(stage: Any) -> None:
    """A hook that blocks two commands is told with what it says; one block alone is chance."""
    text = "BLOCKED by Yard Keeper\n\nReason: {} throws work away. Stash it first."

    def session(*commands: str) -> Any:
        act = stage("s")
        for command in commands:
            act.shell(command, text.format(command), status=2)
        return act.recording()

    (finding,) = guards.find(timelines([session("git checkout -- pay.go", "git restore pay.go")]))
    assert "`Yard Keeper`" in finding.claim
    assert "`git restore`" in finding.claim
    assert "Stash it first" in finding.claim
    assert guards.find(timelines([session("git restore pay.go")])) == ()


def test_three_occasions_in_one_session_recur(stage: Any) -> None:
    """Three times apart in one session is a recurring error as well; three in a row is one occasion."""

    def session(apart: int) -> Any:
        act = stage("s")
        for _ in range(3):
            act.shell("./sync", "error: ledger page refuses checksum handshake", status=1)
            for _ in range(apart):
                act.shell("date", "now")
        return act.agent("The ledger refuses the handshake because both clocks drift apart.").recording()

    assert len(templates.find(timelines([session(12)]))) == 1
    assert templates.find(timelines([session(0)])) == ()


def test_an_absent_folder_is_told_with_the_right_one(stage: Any) -> None:
    """Two sessions guess different files of one folder that is not there and read on in the same other folder."""

    def session(name: str, guess: str) -> Any:
        act = stage(name).call(
            "Read", {"file_path": f"/home/ann/shop/internal/config/{guess}"}, "File does not exist.", is_error=True
        )
        return act.call("Read", {"file_path": "/home/ann/shop/internal/settings/load.go"}, "package settings")

    guesses = [session("s-1", "config.go").recording(), session("s-2", "defaults.go").recording()]
    (finding,) = absent_folders.find(timelines(guesses))
    assert finding.claim.startswith("There is no `internal/config` here, though 2 sessions")
    assert "`internal/settings`" in finding.claim
    there = session("s-3", "x.go").shell("cat internal/config/real.go", "package config").recording()
    assert absent_folders.find(timelines([*guesses, there])) == ()


def test_a_version_inside_a_name_keeps_step(stage: Any) -> None:
    """A version that stands inside a longer word is the same value as one that stands alone."""
    act = stage("s")
    for old, new in (("1.0.1", "1.0.2"), ("1.0.2", "1.0.3")):
        bump(act.user("next version"), old, new)
        edit = {"file_path": "get.sh", "old_string": f"shop_{old}_amd64.deb", "new_string": f"shop_{new}_amd64.deb"}
        act.call("Edit", edit, "updated")
    (finding,) = lockstep.find(timelines([act.recording()]))
    assert "4 files" in finding.claim


def suites(stage: Any, name: str, *between: str) -> Any:
    """A green ``make test``, some commands, and a red ``make test-all``."""
    act = stage(name).user("rename the parser").shell("make test", "ok")
    for command in between:
        act.shell(command, "")
    return act.shell("make test-all", "parser_test.go:9: want 2 prices, got 1", status=1).agent(
        "`make test` leaves out the slow parser tests, which want 2 prices."
    )


def test_a_green_suite_beside_a_red_one_is_told(stage: Any) -> None:
    """The same code, one suite green and the other red: the first does not cover the second."""
    (finding,) = partial_suites.find(timelines([suites(stage, "s-1").recording()]))
    assert "A green `make test` does not cover what `make test-all` runs" in finding.claim


@pytest.mark.parametrize("command", ["sed -i s/a/b/ parser.go", "git checkout main"])
def test_other_code_between_two_suites_shows_nothing(stage: Any, command: str) -> None:
    """After a change the second suite may fail for the change alone."""
    assert partial_suites.find(timelines([suites(stage, "s-1", command).recording()])) == ()


def test_a_narrowed_run_is_no_suite(stage: Any) -> None:
    """A single file or test that fails says nothing about what a green suite covers."""
    act = stage("s-1").user("go").shell("pytest tests/test_a.py", "1 passed")
    act.shell("pytest tests/test_b.py", "E   ValueError: no price", status=1)
    assert partial_suites.find(timelines([act.recording()])) == ()
