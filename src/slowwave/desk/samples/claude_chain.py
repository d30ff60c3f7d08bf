"""The chain of records in a Claude Code file: each names the one it follows and repeats where it was written."""

from collections.abc import Mapping
from typing import Any

from slowwave.desk.samples.dice import Dice
from slowwave.desk.samples.reel import Reel
from slowwave.desk.samples.screenplay import Screenplay

_NEW_LAYOUT = (2, 1, 100)  # from about here on attachments and modes take the place of hook progress


def session_id(name: str) -> str:
    """The id of a screenplay's session."""
    return Dice(f"{name}/id").uuid()


class Chain:
    """Writes records that hang together, for a session or for a sub-agent of it.

    Attributes:
        reel: The file.
        id: The session's id, also in a sub-agent's file.
        is_new: Whether the program's version writes the newer bookkeeping.
        parent: Id of the last record, or None at the beginning and after a compaction.
    """

    def __init__(self, play: Screenplay, reel: Reel, *, cwd: str, other: str = "") -> None:
        self.reel = reel
        self.id = session_id(play.name)
        self.is_new = tuple(int(part) for part in play.version.split(".")) >= _NEW_LAYOUT
        self.parent: str | None = None
        self._play = play
        self._cwd = cwd
        self._other = other
        self._said: dict[str, Any] = {}

    def record(self, kind: str, more: Mapping[str, Any], *, parent: str | None = None) -> str:
        """Write a record after the last one, or after a named one; returns its id."""
        reel = self.reel
        uuid = reel.dice.uuid()
        record: dict[str, Any] = {
            "parentUuid": parent or self.parent,
            "isSidechain": bool(self._other),
            "userType": "external",
            "cwd": self._cwd,
            "sessionId": self.id,
            "version": self._play.version,
            "gitBranch": self._play.branch,
        }
        if self._other:
            record["agentId"] = self._other
        if self.is_new:
            record["entrypoint"] = "cli"
        reel.add(record | {"type": kind} | dict(more) | {"uuid": uuid, "timestamp": reel.stamp})
        self.parent = uuid
        return uuid

    def loose(self, kind: str, **more: Any) -> None:
        """Write bookkeeping that belongs to the session but not to the chain."""
        self.reel.add({"type": kind} | more | {"sessionId": self.id})

    def block(self, block: Mapping[str, Any]) -> str:
        """Write one block of the model's message; blocks in a row share the message's id and usage."""
        if not self._said:
            dice = self.reel.dice
            self._said = {"id": f"msg_01{dice.letters(22)}", "request": f"req_011{dice.letters(21)}"}
            self._said["input"] = dice.number(3, 40)
            self._said["cached"] = dice.number(18_000, 96_000)
        message = {
            "model": self._play.model,
            "id": self._said["id"],
            "type": "message",
            "role": "assistant",
            "content": [block],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {
                "input_tokens": self._said["input"],
                "cache_creation_input_tokens": 1_200,
                "cache_read_input_tokens": self._said["cached"],
                "output_tokens": self.reel.dice.number(1, 480),
                "service_tier": "standard",
            },
        }
        return self.record("assistant", {"message": message, "requestId": self._said["request"]})

    def user(self, content: Any, *, parent: str | None = None, **more: Any) -> str:
        """Write a record with the role of the user; it ends the model's message."""
        self._said = {}
        return self.record("user", {"message": {"role": "user", "content": content}} | more, parent=parent)
