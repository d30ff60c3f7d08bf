"""Patience: how often a provider that is busy or away is asked again, and how long we wait before we do."""

from slowwave.facts.limits import FIRST_WAIT_SECONDS, MOST_PROVIDER_TRIES, MOST_WAIT_SECONDS


def wait_before(failed: int, asked_for: float | None) -> float | None:
    """Seconds to wait before the next try; None where there is none.

    Args:
        failed: Tries of this request that failed so far, at least one.
        asked_for: Seconds the provider asked us to wait; None where it did not say.

    Waits double from ``FIRST_WAIT_SECONDS`` and are never shorter than what the provider asks for, up to
    ``MOST_WAIT_SECONDS``: a night does not stand still for a provider that asks for an hour.
    """
    if failed >= MOST_PROVIDER_TRIES:
        return None
    # Compared so that a number that is none (NaN) counts as not said.
    told = asked_for if asked_for is not None and asked_for > 0 else 0.0
    return min(MOST_WAIT_SECONDS, max(told, FIRST_WAIT_SECONDS * 2.0 ** (failed - 1)))
