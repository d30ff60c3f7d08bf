"""An agent of the tests' own: the SDK's client over stdio against the real command, honest unless a test says else."""

import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
from made_nights import Place
from mcp import Client, MCPError, StdioServerParameters, types

Script = Callable[["Agent"], Awaitable[Any]]


class Agent:
    """One connected agent."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> tuple[str, bool]:
        """What a tool says, and whether that is a refusal."""
        result = await self.client.call_tool(tool, arguments)
        (content,) = result.content
        assert isinstance(content, types.TextContent)
        return content.text, bool(result.is_error)

    async def read(self, sessions: Sequence[str]) -> None:
        """The index, then a look into each session."""
        assert not (await self.call("list_sessions"))[1]
        for session in sessions:
            text, is_error = await self.call("read_lines", sessionId=session, start=1, end=5)
            assert not is_error, text

    async def answer(self, answer: Mapping[str, Any]) -> tuple[str, bool]:
        """Hand an answer in."""
        return await self.call("submit_answer", **answer)


def connect(place: Place, batch: str, script: Script, *, words: Sequence[str] = (), **environment: str) -> Any:
    """What a script comes to, with an agent that is connected to ``slowwave mcp --consolidate``."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "slowwave", *mcp_words(place, batch), *words],
        env=place.environment(**environment),
    )

    async def run() -> Any:
        client = Client(server, mode="legacy", client_info=types.Implementation(name="probe", version="7"))
        async with client:
            try:
                return await script(Agent(client))
            except MCPError as refused:
                return refused

    return anyio.run(run)


def mcp_words(place: Place, batch: str) -> list[str]:
    """The command's words for a batch."""
    at = place.now.isoformat().replace("+00:00", "Z")
    return ["mcp", "--consolidate", batch, "--home", str(place.home), "--at", at]


def honest_answer(place: Place, folder: Path) -> dict[str, Any]:
    """An answer over a folder that holds: what the rules propose, in its closed form."""
    content: dict[str, Any] = place.run("consolidate", str(folder), "--answer-only").content
    assert content["candidates"]
    return content
