"""Captures that stand in their files, read for looking things up: what is no capture is stepped over uncounted."""

from collections.abc import Iterator
from datetime import tzinfo
from typing import BinaryIO

from slowwave.disk.fence import FenceError, open_beneath
from slowwave.disk.places import Places
from slowwave.facts.capture import Capture
from slowwave.facts.limits import MOST_CAPTURE_BYTES
from slowwave.records.captures import parse_line
from slowwave.wake.cursor import capture_files


def standing_captures(places: Places, *, zone: tzinfo, since: str = "", word: bytes = b"") -> Iterator[Capture]:
    """Every capture in the order of files and lines; one id may come more than once.

    Args:
        places: The files of the day.
        zone: The loop's.
        since: Leave out files of days before this one, ``YYYY-MM-DD``.
        word: Leave out lines in which these lower-case bytes do not stand.
    """
    for path in capture_files(places, since=since):
        try:
            stream = open_beneath(places.captures, path.name)
        except FenceError:
            continue
        with stream:
            for raw in _lines(stream):
                capture = parse_line(raw, zone=zone) if word in raw.lower() else None
                if isinstance(capture, Capture):
                    yield capture


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines of a file; one that is too long is left out."""
    is_inside = False
    while raw := stream.readline(MOST_CAPTURE_BYTES + 2):
        if not is_inside and len(raw) <= MOST_CAPTURE_BYTES + 1:
            yield raw
        is_inside = not raw.endswith(b"\n")
