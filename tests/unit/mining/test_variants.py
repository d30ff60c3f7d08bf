"""Fix by variant: what counts, and all that does not."""

from typing import Any

import pytest

from slowwave.mining import variants
from slowwave.mining.events import timelines

SIGNING = "    pay_test.go:9: commit: cannot sign commit without a registered signing plugin\nFAIL"


def test_an_assignment_that_cures_is_told_with_both_forms(stage: Any) -> None:
    """The claim names the failing command, the error and the form that passes."""
    act = stage("s").shell("go test ./... | tail", SIGNING).shell("GIT_CONFIG_GLOBAL=/dev/null go test ./...", "ok")
    act.agent("The failures came from the signing plugin in the global git config, not from this change.")
    (finding,) = variants.find(timelines([act.recording()]))
    assert "`go test ./...` fails here with" in finding.claim
    assert "`GIT_CONFIG_GLOBAL=/dev/null go test ./...` passes" in finding.claim
    assert [quote.quote for quote in finding.quotes][1] == "GIT_CONFIG_GLOBAL=/dev/null go test ./..."
    assert len(finding.quotes) == 3


def test_a_missing_program_is_said_to_be_off_the_path(stage: Any) -> None:
    """`command not found` and a wrapper that works read as one plain sentence."""
    act = stage("s").shell("go test ./...", "zsh:1: command not found: go", status=127)
    act.shell("mise exec -- go test ./...", "ok  shop 0.2s")
    (finding,) = variants.find(timelines([act.recording()]))
    assert finding.claim.startswith("`go` is not on the shell's PATH here")
    assert "`mise exec -- go test ./...`" in finding.claim


@pytest.mark.parametrize(
    "second",
    [
        "go test ./...",
        "go test ./... -run TestPay",
        "go test -short ./...",
        "go test ./pay",
        "timeout 60 go test ./...",
        "git push --force",
    ],
)
def test_retries_narrowing_and_other_words_are_no_fix(stage: Any, second: str) -> None:
    """A retry, a narrower run, a softer run and another command explain nothing."""
    act = stage("s").shell("go test ./...", SIGNING, status=1).shell(second, "ok")
    assert variants.find(timelines([act.recording()])) == ()


def test_an_edit_between_spoils_it(stage: Any) -> None:
    """When a file was edited or a package installed between, the edit may be the cure."""
    edit = {"file_path": "/p/a.go", "old_string": "a", "new_string": "b"}
    for between in (("Edit", edit), ("Bash", {"command": "npm ci"}), ("Bash", {"command": "sed -i 's/a/b/' pay.go"})):
        act = (
            stage("s").shell("go test ./...", SIGNING, status=1).call(*between, "done").shell("A=1 go test ./...", "ok")
        )
        assert variants.find(timelines([act.recording()])) == ()


def test_a_planned_red_is_no_failure(stage: Any) -> None:
    """A test that was meant to fail first teaches nothing when it passes."""
    act = stage("s").agent("Now run it and watch it fail before the fix.").shell("go test ./...", SIGNING, status=1)
    act.shell("A=1 go test ./...", "ok")
    assert variants.find(timelines([act.recording()])) == ()


def test_the_same_error_elsewhere_is_evidence(stage: Any) -> None:
    """Another session with the same error adds its line, though nobody cured it there."""
    one = stage("s-1").shell("go test ./...", SIGNING, status=1).shell("A=1 go test ./...", "ok").recording()
    two = stage("s-2", day=2).shell("go test ./cmd/...", SIGNING.replace("9:", "44:"), status=1).recording()
    (alone,) = variants.find(timelines([one]))
    (both,) = variants.find(timelines([one, two]))
    assert {quote.session_id for quote in both.quotes} == {"s-1", "s-2"}
    assert both.score > alone.score


def test_a_flag_counts_only_where_the_error_names_it(stage: Any) -> None:
    """A flag that the error calls unknown may be replaced; of an everyday tool only when two sessions did it."""

    def turn(name: str, program: str) -> Any:
        act = stage(name).shell(f"{program} --colour out", f"{program}: unknown option --colour given here", status=2)
        return act.shell(f"{program} out", "done").recording()

    assert len(variants.find(timelines([turn("s-1", "shopctl")]))) == 1
    assert variants.find(timelines([turn("s-1", "grep")])) == ()
    assert len(variants.find(timelines([turn("s-1", "grep"), turn("s-2", "grep")]))) == 1


def test_a_flag_with_a_value_that_the_error_names(stage: Any) -> None:
    """A flag and its value count when the error names a part of it; a value the error knows nothing of does not."""

    def turn(flag: str) -> Any:
        act = stage("s").shell("go test ./...", "shop_test.go:4: open ledger: no such module: fts5", status=1)
        return act.shell(f"go test {flag} ./...", "ok  shop 0.2s").recording()

    (finding,) = variants.find(timelines([turn("-tags sqlite_fts5")]))
    assert "`go test -tags sqlite_fts5 ./...` passes" in finding.claim
    assert variants.find(timelines([turn("-tags postgres")])) == ()


def test_a_command_that_never_ended_and_the_flag_that_ends_it(stage: Any) -> None:
    """What a timeout killed and a flag ended is told as such, though no error was printed."""
    act = stage("s").shell("timeout 60 pnpm test src", "Waiting for file changes", status=124)
    act.shell("pnpm test --run src", "2 passed")
    (finding,) = variants.find(timelines([act.recording()]))
    assert finding.claim.startswith("`pnpm test src` does not end by itself here")
    assert "`pnpm test --run src` ends and passes" in finding.claim


def test_one_cure_is_one_finding(stage: Any) -> None:
    """A setting that cures two commands with two errors is told once, with evidence of both."""
    act = stage("s").shell("pytest tests/a.py", "ConnectionRefusedError: [Errno 111] port 5432 refuses", status=1)
    act.shell("DB_URL=pg://localhost:5433 pytest tests/a.py", "3 passed")
    act.shell("pytest tests/b.py", "OperationalError: server closed the connection early", status=1)
    act.shell("DB_URL=pg://localhost:5433 pytest tests/b.py", "4 passed")
    (finding,) = variants.find(timelines([act.recording()]))
    assert any("OperationalError" in quote.quote for quote in finding.quotes)


def test_a_form_that_failed_in_the_same_way_cures_nothing(stage: Any) -> None:
    """When the form that passed once fails elsewhere with the same error, its success was chance."""
    one = stage("s-1").shell("go test ./...", SIGNING, status=1).shell("A=1 go test ./...", "ok").recording()
    two = stage("s-2", day=2).shell("A=1 go test ./...", SIGNING, status=1).recording()
    assert len(variants.find(timelines([one]))) == 1
    assert variants.find(timelines([one, two])) == ()


def test_everyday_trouble_is_no_fix(stage: Any) -> None:
    """A port in use or a lost network that is gone a moment later says nothing about the other form."""
    for error in (
        "Error: listen EADDRINUSE: address already in use :3000",
        "error: could not resolve host: example.org",
    ):
        act = stage("s").shell("npm start", error, status=1).shell("PORT=3001 npm start", "listening")
        assert variants.find(timelines([act.recording()])) == ()
