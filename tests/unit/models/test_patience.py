"""Patience: waits that double, follow what is asked for, and end."""

import math

from hypothesis import given
from hypothesis import strategies as some

from slowwave.facts.limits import MOST_PROVIDER_TRIES, MOST_WAIT_SECONDS
from slowwave.models.patience import wait_before


def test_waits_double_and_end() -> None:
    """Without a word from the provider."""
    assert [wait_before(failed, None) for failed in range(1, MOST_PROVIDER_TRIES + 1)] == [2.0, 4.0, 8.0, None]


def test_what_is_asked_for_is_kept_up_to_the_bound() -> None:
    """Never earlier than told, never later than a minute."""
    assert wait_before(1, 7.5) == 7.5
    assert wait_before(3, 1.0) == 8.0
    assert wait_before(1, 86_400.0) == MOST_WAIT_SECONDS


@given(failed=some.integers(1, 10), asked=some.none() | some.floats(allow_nan=True, allow_infinity=True))
def test_whatever_is_asked_for(failed: int, asked: float | None) -> None:
    """Any number, and what is none, gives a wait that can be slept, or an end."""
    wait = wait_before(failed, asked)
    assert (wait is None) == (failed >= MOST_PROVIDER_TRIES)
    assert wait is None or (math.isfinite(wait) and 0 < wait <= MOST_WAIT_SECONDS)
