"""The desk's own check that a person decides: terminal and environment in, channel out."""

import sys
from collections.abc import Callable, Sequence
from getpass import getpass
from pathlib import Path
from typing import TypeVar

from rich.text import Text

from slowwave.desk.cli.verb import Desk
from slowwave.desk.guard import require_own_terminal, require_person
from slowwave.facts.limits import KEY_BYTES
from slowwave.facts.refusal import UsageError
from slowwave.sleep.person import is_token
from slowwave.wiring import House

Looked = TypeVar("Looked")


def has_terminal() -> bool:
    """Whether standard input is a terminal and the process has a controlling one."""
    if not sys.stdin.isatty():
        return False
    try:
        with Path("/dev/tty").open("rb"):
            return True
    except OSError:
        # Where there is no such device, as on Windows, standard input has to do.
        return sys.platform == "win32"


def ask(question: str) -> str:
    """Show a question on standard error and read a line."""
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline()


def ask_secret(question: str) -> str:
    """A line that is shown nowhere: asked for without echo at a terminal, else read from standard input."""
    if sys.stdin.isatty():
        return getpass(question)
    return sys.stdin.readline(KEY_BYTES + 1)


def require_terminal(desk: Desk) -> None:
    """Make sure that a person could be asked here.

    Raises:
        NeedsPersonError: There is no terminal, or an agent runs at it.
    """
    require_own_terminal(desk.environment, has_terminal=has_terminal())


def look_first(desk: Desk, token: str, look: Callable[[], Looked]) -> Looked:
    """Look what a decision is about before anybody is asked; that there is nothing to do is said to everybody.

    What is wrong with a name is told to a person only: without one, that a person is needed comes first.

    Raises:
        NeedsPersonError: The names cannot be used, and nobody is there who could decide.
    """
    try:
        return look()
    except UsageError:
        if not token:
            require_terminal(desk)
        raise


def channel_of(desk: Desk, house: House, token: str, what: str, lines: Sequence[Text] = ()) -> str:
    """Make sure a person decides, and say how they were recognised.

    Args:
        desk: The command's surroundings.
        house: The home decided about.
        token: The token given; empty for none.
        what: The decision, as the end of "Really ...?".
        lines: What it is about, shown before the question.

    Raises:
        NeedsPersonError: Nobody could be asked, or they did not agree.
    """

    def ask_about(question: str) -> str:
        console = desk.console(stderr=True)
        for line in lines:
            console.print(line)
        return ask(question)

    return require_person(
        lambda text: is_token(house.state, text),
        token=token,
        environment=desk.environment,
        has_terminal=has_terminal(),
        ask=ask_about,
        what=what,
    )
