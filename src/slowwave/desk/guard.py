"""Is a person there? Decisions are asked at a controlling terminal, or carry the token that ``init`` showed once.

This stops an agent that runs ``slowwave merge`` by itself; it does not stop one that has a shell under the same user
and means to cheat (``docs/threats.md`` says so plainly).
"""

from collections.abc import Callable, Mapping
from typing import ClassVar

from slowwave.facts.refusal import SlowwaveError

AGENT_VARIABLES = (
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "OPENCODE",
    "AIDER_SESSION",
    "SLOWWAVE_RUN",
)
"""Variables that coding agents set for the commands they run."""


class NeedsPersonError(SlowwaveError):
    """A decision was asked for and nobody at a terminal could be asked."""

    code = "needs_person"
    exit_status: ClassVar[int] = 1


_HINT = "run it at your own terminal, or pass --yes-i-am-a-person TOKEN with the token that `slowwave init` showed"


def require_own_terminal(environment: Mapping[str, str], *, has_terminal: bool) -> None:
    """Make sure that a person could be asked here.

    Raises:
        NeedsPersonError: There is no terminal, or an agent runs at it.
    """
    agent = next((name for name in AGENT_VARIABLES if environment.get(name)), "")
    if agent:
        raise NeedsPersonError(f"a person must decide this, and {agent} says that an agent runs here", hint=_HINT)
    if not has_terminal:
        raise NeedsPersonError("a person must decide this, and no terminal is here to ask at", hint=_HINT)


def require_person(
    is_token: Callable[[str], bool],
    *,
    token: str,
    environment: Mapping[str, str],
    has_terminal: bool,
    ask: Callable[[str], str],
    what: str,
) -> str:
    """Make sure a person decides; the channel they were recognised by, ``token`` or ``terminal``.

    Args:
        is_token: Whether a text is the person token of this home.
        token: The token given on the command line; empty for none.
        environment: The command's environment.
        has_terminal: Whether standard input and the controlling terminal are one.
        ask: Shows a question and returns what was typed.
        what: The decision, as the end of "Really ...?".

    Raises:
        NeedsPersonError: No token, and no person at a terminal, or they did not say yes.
    """
    if token:
        if is_token(token):
            return "token"
        raise NeedsPersonError("that is not the person token of this home", hint=_HINT)
    require_own_terminal(environment, has_terminal=has_terminal)
    if ask(f"Really {what}? Type yes: ").strip().lower() != "yes":
        raise NeedsPersonError("nothing was done, since the answer was not yes", hint="type the word yes to confirm")
    return "terminal"
