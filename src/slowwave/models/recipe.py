"""A recipe: how a person's own agent is run for one batch, as values; nothing is started or written here."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from slowwave.facts.limits import MOST_COUNTED
from slowwave.facts.usage import MICRO, Usage

SERVER = "slowwave"
"""What our tools' server is called in front of an agent."""
TOOLS = ("list_sessions", "search_transcript", "read_lines", "submit_answer")
"""What that server offers; a test holds this to the turn's own tools."""

PROXIES = ("HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy")
"""The way to a provider, where a person's network has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Where an agent asks instead of its provider while it is tried: an address of ours, and a key that opens it."""

    url: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What an agent is to do.

    Attributes:
        program: The agent's file.
        model: Which model it asks; empty for its own choice.
        server: The command that serves our tools.
        variables: What that server needs to see in its environment.
        prompt: What the agent is told, on its standard input.
        turns: How often it may ask its model.
        seconds: How long it may take.
        scratch: A folder of this job's own.
        environment: What the agent gets of the person's environment.
        trial: Whom it asks instead of its provider; None for the provider.
    """

    program: str
    model: str
    server: tuple[str, ...]
    variables: Mapping[str, str]
    prompt: str
    turns: int
    seconds: float
    scratch: Path
    environment: Mapping[str, str]
    trial: Trial | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One command line with everything around it.

    Attributes:
        words: The program and its arguments.
        environment: Every variable it has.
        said: What it reads from its standard input.
        files: What is written into the scratch folder first, by name.
    """

    words: tuple[str, ...]
    environment: Mapping[str, str]
    said: bytes
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bait:
    """A call of a tool that an agent must not have: were it made, a file would stand where none may."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One agent that can be run without a screen.

    Attributes:
        name: As in ``[agent] name``, and the program's.
        folders: The variables that say where its settings lie, passed to it always.
        variables: Those that say whom it asks and with which key, passed to it but for a trial.
        spelling: How it names a tool of ours, with ``{}`` for the tool.
        logged_in_by: What a person does to log it in.
        recipe: How it is run.
        foreign: What one event it tells says of tools that are not ours: their names.
        used: What one event it tells says of all it used so far; None where it says nothing of that.
        baits: Calls that would make the file at a path, with the tools it is known to have.
    """

    name: str
    folders: tuple[str, ...]
    variables: tuple[str, ...]
    spelling: str
    logged_in_by: str
    recipe: Callable[[Job], Recipe]
    foreign: Callable[[Mapping[str, Any]], tuple[str, ...]]
    used: Callable[[Mapping[str, Any]], Usage | None]
    baits: Callable[[str], tuple[Bait, ...]]

    @property
    def ours(self) -> frozenset[str]:
        """Our tools as this agent names them."""
        return frozenset(self.spelling.format(tool) for tool in TOOLS)


def event_of(line: bytes) -> Mapping[str, Any]:
    """The event that a line of an agent's output tells; an empty one where it is none."""
    try:
        return table(json.loads(line))
    except (ValueError, RecursionError):
        return {}


def listed(value: Any) -> Sequence[Any]:
    """A list of another program's, or nothing where it is none."""
    return value if isinstance(value, list) else ()


def table(value: Any) -> Mapping[str, Any]:
    """An object of another program's, or an empty one where it is none."""
    return value if isinstance(value, dict) else {}


def count(value: Any) -> int:
    """A number of another program's, held to what can be; zero where it is no whole one."""
    return max(0, min(value, MOST_COUNTED)) if type(value) is int else 0


def micro_usd(value: Any) -> int:
    """Dollars of another program's in whole millionths, rounded up; zero where they are no amount."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        return 0
    return math.ceil(min(value, MOST_COUNTED / MICRO) * MICRO)
