"""The zone in which a capture's words count (spec 05, Zone)."""

from datetime import UTC, timezone, tzinfo

from slowwave.facts.capture import Capture
from slowwave.records.captures import zone_named


def zone_of(capture: Capture, wake_zone: tzinfo) -> tzinfo:
    """The capture's own zone, else the loop's where its offset at that moment is the same, else the fixed offset."""
    named = zone_named(capture.zone)
    if named is not None:
        return named
    offset = capture.ts.utcoffset()
    if offset is None:
        return wake_zone
    try:
        is_same = capture.ts.astimezone(wake_zone).utcoffset() == offset
    except OverflowError:
        is_same = False
    if is_same:
        return wake_zone
    return timezone(offset) if offset else UTC
