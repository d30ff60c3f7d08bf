"""Failures are read, not trusted."""

from typing import Any

import pytest

from slowwave.mining import events, failures


def failure_of(stage: Any, command: str, out: str, **facts: Any) -> failures.Failure | None:
    """What one shell command's output says about its failure."""
    recording = stage("s").call("Bash", {"command": command}, out, **facts).recording()
    (line,) = events.timelines([recording])
    return line.events[0].failure


@pytest.mark.parametrize(
    ("command", "out"),
    [
        ("go test ./... | tail", "--- FAIL: TestPay (0.00s)\n    pay_test.go:9: want 3\nFAIL"),
        ("golangci-lint run | head", "pay.go:3:1: returned error is not checked (errcheck)"),
        ("cargo build | tail", "error[E0308]: mismatched types"),
        ("git push 2>&1 | tail -3", "fatal: unable to access the remote"),
        ("mise run lint | tail", "[lint] ERROR task failed"),
        ("git add dist", "The following paths are ignored by one of your .gitignore files:\ndist"),
        ("make | tail", "make: *** [all] Error 2"),
    ],
)
def test_output_tells_of_a_failure_that_the_pipe_swallowed(stage: Any, command: str, out: str) -> None:
    """Status 0 of a pipe is no success when the text says otherwise."""
    assert failure_of(stage, command, out, exit_status=0) is not None


@pytest.mark.parametrize(
    ("command", "out", "facts"),
    [
        ("cat broken.go", "panic: not here\nerror: a constant\nFAIL", {}),
        ("git log -p", "fatal: an old subject\n-error: gone", {}),
        ("grep -n nothing file", "", {"exit_status": 1, "is_error": True}),
        ("diff a b", "1c1\n< a\n---\n> b", {"exit_status": 1, "is_error": True}),
        ("go test ./...", "ok  pay 0.1s\nwarning: slow machine", {"exit_status": 0}),
        ("rm -rf /", "The user refused this call.", {"is_rejected": True, "is_error": True}),
    ],
)
def test_what_is_no_failure(stage: Any, command: str, out: str, facts: dict[str, Any]) -> None:
    """Shown text, empty searches, differences, warnings and refusals are no failures."""
    assert failure_of(stage, command, out, **facts) is None


def test_the_decisive_line_is_the_one_with_the_message(stage: Any) -> None:
    """A label or a place is not what went wrong; the message is, without its place."""
    out = "failed in sandbox Landlock with execution error\nE   ModuleNotFoundError: No module named 'shop'\nFAILED"
    failure = failure_of(stage, "pytest", out, exit_status=2, is_error=True)
    assert failure is not None
    assert failure.message == "ModuleNotFoundError: No module named 'shop'"


def test_a_flag_is_believed_without_words(stage: Any) -> None:
    """A non-zero status is a failure even when the output says nothing."""
    failure = failure_of(stage, "./run", "", exit_status=3, is_error=True)
    assert failure is not None
    assert not failure.is_worded


def test_polled_commands_are_judged_by_their_end(stage: Any) -> None:
    """A command that is still running has neither passed nor failed; its last poll says."""
    act = stage("s").call(
        "exec_command", {"cmd": "git push"}, "Process running with session ID 7\nOutput:\n[hook] syncing"
    )
    act.call(
        "write_stdin", {"session_id": 7, "chars": ""}, "Process exited with code 1\nOutput:\nfatal: no route to host"
    )
    (line,) = events.timelines([act.recording()])
    assert len(line.events) == 1
    assert line.events[0].failure is not None
    assert line.events[0].failure.message == "fatal: no route to host"
