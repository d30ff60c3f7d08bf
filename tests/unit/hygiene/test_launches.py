"""Launches: what goes on in the background keeps its first result open until its end is told."""

import pytest
from small_contexts import Beat, bash, call, claude_code, codex, notice, read, say, user

from slowwave.hygiene.document import read_document
from slowwave.hygiene.items import Kind
from slowwave.hygiene.reading import read_context

STARTED = "Command running in background with ID: bsh42. Output is being written to: /tmp/x"


def _open(beats: list[Beat], *, is_codex: bool = False) -> list[bool]:
    """Of each result, whether its group is open."""
    context = read_context(read_document((codex if is_codex else claude_code)([user("Hm."), *beats])))
    return [context.groups[item.group].is_open for item in context.items if item.kind is Kind.RESULT]


@pytest.mark.parametrize(
    "told",
    [
        STARTED,
        "Background task ID: bsh42",
        "Async agent launched successfully.\nagentId: bsh42 (internal)",
        "Process running with session ID bsh42\nOriginal token count: 0",
    ],
)
def test_a_launch_is_open_until_its_end(told: str) -> None:
    """However a program says that it goes on."""
    assert _open([bash("serve", told)]) == [True]
    assert _open([bash("serve", told), say("On.")]) == [True]
    assert _open([bash("serve", told), call("BashOutput", "exit 0", bash_id="bsh42")]) == [False, False]


def test_somebody_who_asks_and_hears_that_it_goes_on_has_not_ended_it() -> None:
    """A poll is no end: neither one that says so nor one of Codex that tells the session again."""
    going = "<retrieval_status>not_ready</retrieval_status>\n<task_id>bsh42</task_id>\n<status>running</status>"
    ended = "<retrieval_status>success</retrieval_status>\n<status>completed</status>\n<output>x</output>"
    asks = [call("TaskOutput", going, task_id="bsh42"), call("TaskOutput", '{"status": "running"}', task_id="bsh42")]
    assert _open([bash("serve", STARTED), *asks]) == [True, False, False]
    assert _open([bash("serve", STARTED), *asks, call("TaskOutput", ended, task_id="bsh42")]) == [False] * 4
    running = "Process running with session ID 7"
    polls = [call("exec_command", running, cmd="serve"), call("write_stdin", running, session_id=7, chars="")]
    assert _open(polls, is_codex=True) == [True, False]
    assert _open([*polls, call("write_stdin", "exited with code 0", session_id=7)], is_codex=True) == [False] * 3


def test_a_notice_that_names_it_ends_it() -> None:
    """The program tells the agent by itself; a notice about something else does not."""
    told = notice("Background task bsh42 completed (exit code 0).")
    assert _open([bash("serve", STARTED), notice("Nothing is due.")]) == [True]
    assert _open([bash("serve", STARTED), told]) == [False]


def test_two_launches_are_apart() -> None:
    """One ends, the other goes on."""
    other = STARTED.replace("bsh42", "bsh43")
    beats = [bash("a", STARTED), bash("b", other), call("KillShell", "killed", shell_id="bsh43")]
    assert _open(beats) == [True, False, False]


def test_words_further_down_or_in_another_place_launch_nothing() -> None:
    """An output that quotes such a line, a long way down, is an output."""
    assert _open([bash("cat log", "x" * 700 + STARTED)]) == [False]
    assert _open([say(STARTED), read("/a", "x")]) == [False]
