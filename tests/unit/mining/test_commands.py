"""Shell lines taken apart."""

import pytest

from slowwave.mining import commands, programs


def test_pipes_and_folders_are_no_commands_of_their_own() -> None:
    """What is left of a line is what it runs: no ``cd``, no tail of a pipe, no redirection."""
    line = "cd /x && FOO=1 go test ./... -run 'A|B' 2>&1 | tail -20"
    (command,) = commands.first_commands(line)
    assert command.raw == "FOO=1 go test ./... -run 'A|B'"
    assert command.words == ("go", "test", "./...", "-run", "A|B")
    assert command.assignments == ("FOO=1",)
    assert commands.folder(line) == "/x"


def test_a_here_document_is_an_argument() -> None:
    """Operators inside a here-document or a substitution split nothing."""
    line = "git commit -m \"$(cat <<'EOF'\nFix && run; all\nEOF\n)\" && git push"
    assert [c.words[:2] for c in commands.first_commands(line)] == [("git", "commit"), ("git", "push")]


@pytest.mark.parametrize(
    ("words", "wrapper", "rest"),
    [
        (("mise", "exec", "--", "go", "test"), ("mise", "exec", "--"), ("go", "test")),
        (("env", "A=1", "npx", "--yes", "jest"), ("env", "A=1", "npx", "--yes"), ("jest",)),
        (("timeout", "60", "pytest"), ("timeout", "60"), ("pytest",)),
        (("command", "-v", "go"), (), ("command", "-v", "go")),
        (("env",), (), ("env",)),
    ],
)
def test_wrappers_come_off(words: tuple[str, ...], wrapper: tuple[str, ...], rest: tuple[str, ...]) -> None:
    """A wrapper is told from what it starts; what starts nothing is no wrapper."""
    assert programs.split_wrappers(words) == (wrapper, rest)


@pytest.mark.parametrize(
    ("line", "is_test", "is_lint", "is_change"),
    [
        ("mise run test:ci", True, False, False),
        ("npm run lint:fix", False, True, False),
        ("python -m pytest -q", True, False, False),
        ("ruff check .", False, True, False),
        ("sed -i 's/a/b/' notes.md", False, False, True),
        ("echo hi > notes.md", False, False, True),
        ("go vet ./... 2>/dev/null", False, False, False),
        ("git stash pop", False, False, True),
    ],
)
def test_what_a_command_is_for(line: str, *, is_test: bool, is_lint: bool, is_change: bool) -> None:
    """Tests, linters and changes are known by program or by the name of the task."""
    command = commands.first_commands(line)[0]
    assert (programs.is_test(command), programs.is_lint(command), programs.is_change(command)) == (
        is_test,
        is_lint,
        is_change,
    )


def test_deep_nesting_is_bounded() -> None:
    """A hostile line costs no recursion and no time to speak of."""
    assert commands.split("(" * 100_000) == ()
    assert commands.split("a;" * 100_000)[0].program == "a"
