"""Health of a day: fields of a daily summary, as watches write them, under the names of a check-in; one table."""

from collections.abc import Mapping

FIELDS: Mapping[str, tuple[tuple[str, float], ...]] = {
    "sleep_hours": (("sleepingSeconds", 1 / 3600), ("sleepTimeSeconds", 1 / 3600), ("sleep_hours", 1)),
    "resting_pulse": (("restingHeartRate", 1), ("resting_pulse", 1)),
    "hrv": (("hrvLastNightAvg", 1), ("lastNightAvg", 1), ("hrv", 1)),
    "stress": (("averageStressLevel", 1), ("stress", 1)),
    "steps": (("totalSteps", 1), ("steps", 1)),
    "body_battery": (("bodyBatteryMostRecentValue", 1), ("bodyBatteryHighestValue", 1), ("body_battery", 1)),
}
"""Each value with the names it may stand under and what makes it our unit: hours, beats a minute, milliseconds, 0 to
100, steps, 0 to 100. The names are those of Garmin's daily summary, then our own for other sources."""
_RANGES = {
    "sleep_hours": (0.0, 24.0),
    "resting_pulse": (20.0, 250.0),
    "hrv": (0.0, 400.0),
    "stress": (0.0, 100.0),
    "steps": (0.0, 200_000.0),
    "body_battery": (0.0, 100.0),
}
"""What a value can be; watches write -1 and -2 for what they did not measure."""
_NESTS = ("dailySummary", "summary", "hrvSummary", "sleep", "dailySleepDTO")
"""Objects in which exports put the same fields one level down."""


def health_of(tree: object) -> dict[str, float | None]:
    """Every value that a day's file holds; None for what it does not say, or says out of range."""
    return {name: _value(tree, name) for name in FIELDS}


def _value(tree: object, name: str) -> float | None:
    places = [tree, *(tree.get(nest) for nest in _NESTS)] if isinstance(tree, dict) else []
    least, most = _RANGES[name]
    for field, factor in FIELDS[name]:
        for place in places:
            found = place.get(field) if isinstance(place, dict) else None
            if isinstance(found, int | float) and not isinstance(found, bool) and least <= found * factor <= most:
                return round(found * factor, 2)
    return None
