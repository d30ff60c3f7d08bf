"""Turns made for tests: sessions on disk as a batch, calls made with keywords, replies taken out of their frame."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from made_evidence import FORK, OLD, A, B, C, offered

from slowwave.facts.ids import RunId, SessionId
from slowwave.models.toolbox import ToolReply
from slowwave.proof.batch import Batch, whole_batch
from slowwave.records.secrets import Secrets
from slowwave.records.sessions import scan_folder
from slowwave.sleep.engine import Reading
from slowwave.sleep.turn import Turn

NONCE = "0123456789abcdef" * 2
SECRETS = Secrets(deep=False)
"""The own rules are enough for the one credential that these sessions hold."""
BEYOND = 10_000
"""A line behind the end of every made file."""


def scanned(root: Path, *, batch_id: str = "b-0123456789ab") -> Reading:
    """Every session below a folder as one batch, all new."""
    sessions, _ = scan_folder(root, secrets=SECRETS)
    return Reading(batch_id=batch_id, run_id=RunId("night-1"), batch=whole_batch(sessions), recordings=())


def with_context(reading: Reading, *names: str) -> Reading:
    """The same batch, in which these sessions are only context."""
    old = {SessionId(name): (BEYOND,) for name in names}
    batch = reading.batch
    return replace(reading, batch=Batch(sessions=batch.sessions, new_from={**batch.new_from, **old}, ends=batch.ends))


def evidence_reading(root: Path) -> Reading:
    """The five sessions on which fake and honest evidence is tried, the last of them only context."""
    offered(root)
    return with_context(scanned(root), OLD)


def say(**arguments: Any) -> str:
    """Arguments as a model sends them."""
    return json.dumps(arguments, ensure_ascii=False)


def read_all(turn: Turn, names: Sequence[str] = (A, B, C, FORK, OLD)) -> None:
    """An honest reading: the index, then a look into each session."""
    assert not turn.call("list_sessions", "{}").is_error
    for name in names:
        assert not turn.call("read_lines", say(sessionId=name, start=1, end=100)).is_error


def shown(reply: ToolReply) -> Any:
    """The JSON inside a reply's frame."""
    assert not reply.is_error, reply.text
    begin, content, end = reply.text.split("\n")
    assert begin.startswith("<<<recorded ")
    assert end.startswith("<<<end of recorded ")
    return json.loads(content)


def refused(reply: ToolReply) -> list[tuple[str, str]]:
    """Codes and paths of a reply that refuses."""
    assert reply.is_error
    told: Mapping[str, Any] = json.loads(reply.text)
    assert all(one["message"] for one in told["refusals"])
    return [(one["code"], one["path"]) for one in told["refusals"]]
