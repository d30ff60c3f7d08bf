"""Rejects: lines of capture files that are no captures, kept once each with their reason."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.disk.durable import read_whole
from slowwave.disk.jsonl import append_lines
from slowwave.disk.places import Places
from slowwave.records.secrets import Secrets
from slowwave.wake.holding import Hold
from slowwave.wake.traits import decode_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject:
    """One line that is no capture: where it stands, why, a digest of its bytes, and its first characters."""

    file: str
    line: int
    reason: str
    sha256: str
    head: str


def keep_rejects(places: Places, hold: Hold, rejects: Sequence[Reject], secrets: Secrets) -> int:
    """Write rejects that are not written yet, secrets in their heads masked; how many were."""
    if not rejects:
        return 0
    with hold("rejected captures"):
        known = _known(places)
        lines = []
        for one in rejects:
            key = (one.file, one.line, one.sha256)
            if key not in known:
                known.add(key)
                lines.append(_line(one, secrets))
        append_lines(places.rejected, lines)
    return len(lines)


def _known(places: Places) -> set[tuple[object, object, object]]:
    rows = (decode_line(raw) for raw in (read_whole(places.rejected) or b"").split(b"\n"))
    return {(row.get("file"), row.get("line"), row.get("sha256")) for row in rows if row is not None}


def _line(one: Reject, secrets: Secrets) -> bytes:
    row = {
        "file": one.file,
        "line": one.line,
        "reason": one.reason,
        "sha256": one.sha256,
        "head": secrets.mask(one.head),
    }
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")
