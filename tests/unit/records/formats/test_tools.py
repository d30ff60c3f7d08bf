"""Calls and results: commands, exit statuses and what fetches."""

import pytest

from slowwave.records.formats.tools import (
    arguments_of,
    call_text,
    embedded_command,
    exit_status,
    is_fetching,
    unwrap_output,
)


@pytest.mark.parametrize(
    ("args", "text", "key"),
    [
        ({"command": "go test ./...", "description": "a much longer description"}, "go test ./...", "command"),
        ({"command": ["bash", "-lc", "ls -la | head"]}, "ls -la | head", "command"),
        ({"command": ["git", "commit", "-m", "two words"]}, "git commit -m 'two words'", "command"),
        ({"cmd": "rg x", "workdir": "/a/very/long/folder/name"}, "rg x", "cmd"),
        ({"file_path": "/a/b.py", "limit": 10}, "/a/b.py", "file_path"),
        ({"old_string": "a", "new_string": "bbb"}, "bbb", "new_string"),
        ({"limit": 10}, '{"limit":10}', ""),
        ({}, "", ""),
    ],
)
def test_text_of_a_call_is_what_it_does(args: dict[str, object], text: str, key: str) -> None:
    """The command where there is one, else the longest text, else the arguments as JSON."""
    assert call_text(args) == (text, key)


@pytest.mark.parametrize(
    ("value", "args"),
    [
        ('{"cmd":"ls"}', {"cmd": "ls"}),
        ("*** Begin Patch", {"input": "*** Begin Patch"}),
        ("[1]", {"input": "[1]"}),
        ({"a": 1}, {"a": 1}),
        (None, {}),
        ("", {}),
    ],
)
def test_arguments_are_decoded_in_each_spelling(value: object, args: dict[str, object]) -> None:
    """A mapping, a JSON string or free text."""
    assert arguments_of(value) == args


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Exit code 1\nFAIL", 1),
        ("Error: Exit code 127\nnot found", 127),
        ("Exit code: 2\nWall time: 1 seconds\nOutput:\n", 2),
        ("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nok", 0),
        ("Command: /bin/zsh -lc ls\nChunk ID: 1\nProcess exited with code -1\nOutput:\n", -1),
        ("all is well", None),
        ("the docs say: Exit code 1 means failure", None),
        ("x" * 1000 + "\nProcess exited with code 3", None),
    ],
)
def test_exit_status_is_read_where_agents_write_it(text: str, status: int | None) -> None:
    """At the beginning or in the lines before the output; never from the output itself."""
    assert exit_status(text) == status


def test_wrapped_output_is_unwrapped_with_its_status() -> None:
    """Codex wrote output and status as JSON in a string."""
    assert unwrap_output('{"output":"no such file","metadata":{"exit_code":2,"duration_seconds":0.1}}') == (
        "no such file",
        2,
    )


@pytest.mark.parametrize("text", ['{"output": 7}', '{"output"', '{"a":1}', "plain"])
def test_other_output_stays_as_it_is(text: str) -> None:
    """Output that only looks like the wrapper is left alone."""
    assert unwrap_output(text) == (text, None)


@pytest.mark.parametrize(
    ("tool", "command", "fetches"),
    [
        ("WebFetch", "", True),
        ("WebSearch", "", True),
        ("web_search", "", True),
        ("mcp__github__get_issue", "", True),
        ("Bash", "curl -s https://example.org", True),
        ("Bash", "cd x && wget -q http://e.org/a", True),
        ("Bash", "gh pr view 12 --json body", True),
        ("Bash", "gh api repos/a/b", True),
        ("Bash", "gh pr create --title x", False),
        ("Bash", "git push", False),
        ("Bash", "rg curl src", False),
        ("Read", "", False),
        ("TodoWrite", "", False),
    ],
)
def test_what_brings_words_from_outside_is_known(tool: str, command: str, *, fetches: bool) -> None:
    """Pages, MCP servers and reading from a forge bring foreign words; own work does not."""
    assert is_fetching(tool, command) is fetches


@pytest.mark.parametrize(
    ("script", "command"),
    [
        ('const r = await tools.exec_command({"cmd":"ls -la","workdir":"/x"});\ntext(r.output);', "ls -la"),
        ('tools.exec_command({"cmd":"a"}); tools.exec_command({"cmd":"b"})', ""),
        ("tools.exec_command({cmd: 'a'})", ""),
        ('tools.exec_command({"cmd":7})', ""),
        ("text('hello')", ""),
    ],
)
def test_command_inside_a_script_is_found(script: str, command: str) -> None:
    """Newer Codex runs commands from small scripts; one command in it is the call's text."""
    assert embedded_command(script) == command
