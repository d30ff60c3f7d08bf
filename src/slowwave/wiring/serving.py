"""What the endpoints ask of a home: captures in, and how the loop stands."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from slowwave.facts.capture import Capture
from slowwave.facts.refusal import SlowwaveError
from slowwave.records.captures import Rejected, parse_line, zone_named


class BadCaptureError(SlowwaveError):
    """Something that should be stored is no capture.

    Attributes:
        number: Which one of those sent, from 0.
    """

    code = "bad_capture"

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"capture {number} is none: {reason}", hint="see docs/http.md for the form of a capture")
        self.number = number


def captures_of(sent: Sequence[Mapping[str, Any]], *, now: datetime, zone: tzinfo) -> list[Capture]:
    """Captures as they were sent, read by the very rules that lines of files are read by.

    Args:
        sent: Each as an object of such a line; one without ``ts`` was said now.
        now: The present.
        zone: The loop's.

    Raises:
        BadCaptureError: One of them is none.
    """
    said = now.astimezone(zone).isoformat()
    return [_capture(number, {"ts": said, **one}, zone) for number, one in enumerate(sent)]


def _capture(number: int, one: Mapping[str, Any], zone: tzinfo) -> Capture:
    if one.get("zone") and zone_named(one["zone"]) is None:
        raise BadCaptureError(number, "its zone has no IANA name that is known here")
    read = parse_line(json.dumps(one).encode("ascii"), zone=zone)
    if isinstance(read, Rejected):
        raise BadCaptureError(number, f"as a line it would be rejected ({read.reason})")
    return read
