"""Transcripts made for tests: a few records in a real layout, written to a folder of the test's own."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from slowwave.facts.ids import SessionId
from slowwave.records.session import Session

Record = Mapping[str, Any]


class ClaudeSession:
    """A Claude Code session under construction; each method adds one line and returns its number."""

    def __init__(self, name: str = "11111111-1111-4111-8111-111111111111") -> None:
        self.name = name
        self.lines: list[str] = []
        self.side: dict[str, list[str]] = {}

    def raw(self, line: str) -> int:
        """A line as it is."""
        self.lines.append(line)
        return len(self.lines)

    def record(self, record: Record, **changes: Any) -> int:
        """A record, wrapped in the usual envelope unless it brings its own."""
        return self.raw(json.dumps({**self.envelope(len(self.lines) + 1), **record, **changes}, ensure_ascii=False))

    def user(self, text: str, **changes: Any) -> int:
        """A prompt that a person typed."""
        return self.record({"type": "user", "message": {"role": "user", "content": text}}, **changes)

    def agent(self, text: str, **changes: Any) -> int:
        """Text that the agent said."""
        return self.blocks([{"type": "text", "text": text}], **changes)

    def thinking(self, text: str, **changes: Any) -> int:
        """A thought of the agent."""
        return self.blocks([{"type": "thinking", "thinking": text, "signature": "x"}], **changes)

    def call(self, call_id: str, tool: str, arguments: Record, **changes: Any) -> int:
        """A tool call."""
        return self.blocks([{"type": "tool_use", "id": call_id, "name": tool, "input": arguments}], **changes)

    def blocks(self, blocks: Sequence[Record], **changes: Any) -> int:
        """A record of the agent with these content blocks."""
        number = len(self.lines) + 1
        message = {"id": f"msg_{number}", "role": "assistant", "content": blocks}
        return self.record({"type": "assistant", "requestId": f"req_{number}", "message": message}, **changes)

    def result(self, call_id: str, text: str, *, beside: Any = None, **changes: Any) -> int:
        """What a tool returned; ``beside`` goes into ``toolUseResult``."""
        content = [{"type": "tool_result", "tool_use_id": call_id, "content": text}]
        record: dict[str, Any] = {"type": "user", "message": {"role": "user", "content": content}}
        if beside is not None:
            record["toolUseResult"] = beside
        return self.record(record, **changes)

    def side_record(self, agent: str, record: Record) -> int:
        """A record of a sub-agent's own file."""
        lines = self.side.setdefault(agent, [])
        envelope = {
            **self.envelope(len(lines) + 1),
            "isSidechain": True,
            "agentId": agent,
            "uuid": f"{agent}-{len(lines)}",
        }
        lines.append(json.dumps({**envelope, **record}, ensure_ascii=False))
        return len(lines)

    def envelope(self, number: int) -> dict[str, Any]:
        """What every record carries."""
        return {
            "uuid": f"{self.name[:8]}-{number}",
            "parentUuid": f"{self.name[:8]}-{number - 1}" if number > 1 else None,
            "sessionId": self.name,
            "timestamp": f"2026-01-05T10:{number // 60 % 60:02d}:{number % 60:02d}.000Z",
            "cwd": "/work/invented",
            "version": "2.1.12",
            "gitBranch": "main",
            "isSidechain": False,
            "userType": "external",
        }

    def write(self, root: Path) -> Session:
        """The session on disk."""
        root.mkdir(parents=True, exist_ok=True)
        path = root / f"{self.name}.jsonl"
        path.write_text("".join(line + "\n" for line in self.lines), "utf-8", newline="\n")
        side_files = []
        for agent, lines in sorted(self.side.items()):
            side = root / self.name / "subagents" / f"agent-{agent}.jsonl"
            side.parent.mkdir(parents=True, exist_ok=True)
            side.write_text("".join(line + "\n" for line in lines), "utf-8", newline="\n")
            side_files.append(side)
        return Session(id=SessionId(self.name), agent="claude-code", path=path, side_files=tuple(side_files), root=root)


class CodexSession:
    """A Codex rollout under construction; each method adds one line and returns its number."""

    def __init__(self, name: str = "019d0000-0000-7000-8000-000000000001") -> None:
        self.name = name
        self.lines: list[str] = []
        self.record(
            "session_meta",
            {"id": name, "timestamp": "2026-01-05T10:00:00Z", "cwd": "/work/invented", "cli_version": "0.99.0"},
        )

    def record(self, kind: str, payload: Record) -> int:
        """A line of any kind."""
        stamp = f"2026-01-05T10:{len(self.lines) // 60 % 60:02d}:{len(self.lines) % 60:02d}.000Z"
        self.lines.append(json.dumps({"timestamp": stamp, "type": kind, "payload": payload}))
        return len(self.lines)

    def user(self, text: str) -> int:
        """A prompt: the message and the event that repeats it; the message's number."""
        number = self.record(
            "response_item", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
        )
        self.record("event_msg", {"type": "user_message", "message": text, "images": []})
        return number

    def agent(self, text: str) -> int:
        """The agent's text: the event, then the message it repeats; the message's number."""
        self.record("event_msg", {"type": "agent_message", "message": text})
        return self.record(
            "response_item",
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]},
        )

    def run(self, call_id: str, command: str, output: str) -> int:
        """A call and its output; the output's number."""
        self.record(
            "response_item",
            {
                "type": "function_call",
                "name": "exec_command",
                "arguments": json.dumps({"cmd": command}),
                "call_id": call_id,
            },
        )
        return self.record("response_item", {"type": "function_call_output", "call_id": call_id, "output": output})

    def write(self, root: Path) -> Session:
        """The session on disk."""
        root.mkdir(parents=True, exist_ok=True)
        path = root / f"rollout-2026-01-05T10-00-00-{self.name}.jsonl"
        path.write_text("".join(line + "\n" for line in self.lines), "utf-8", newline="\n")
        return Session(id=SessionId(self.name), agent="codex", path=path, root=root)


def answer(*, candidates: Sequence[Record] = (), commitments: Sequence[Record] = (), read: Sequence[str] = ()) -> bytes:
    """An answer's bytes."""
    return json.dumps({"candidates": candidates, "commitments": commitments, "readSessionIds": read}).encode()


def candidate(*quotes: tuple[str, str], **changes: Any) -> dict[str, Any]:
    """A candidate that rests on quotes, each ``(session, words)``."""
    return {
        "kind": "semantic",
        "claim": "Tests of the importer need the fixture server on port 8099.",
        "gist": "Seen twice; start it before running them.",
        "entities": [{"type": "concept", "name": "fixture server"}],
        "evidence": [{"sessionId": session, "quote": words} for session, words in quotes],
        **changes,
    }


def commitment(session: str, words: str, **changes: Any) -> dict[str, Any]:
    """A commitment of the agent's."""
    return {
        "statement": "Add the missing test.",
        "actor": "agent",
        "evidence": {"sessionId": session, "quote": words},
        "confidence": 0.9,
        "resolved": False,
        **changes,
    }
