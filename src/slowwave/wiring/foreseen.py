"""What reading a batch usually uses, said before anybody is asked: for a person to decide by, never a bound."""

from collections.abc import Sequence

from slowwave.facts import limits
from slowwave.facts.usage import Usage


def usual_usage(sizes: Sequence[int], *, least_bytes: int) -> Usage | None:
    """Calls and tokens for sessions of so many bytes; None where all of them are too small to be asked about."""
    sessions = sum(size >= least_bytes for size in sizes)
    if not sessions:
        return None
    calls = limits.CALLS_A_BATCH_FORESEEN + sessions * limits.CALLS_A_SESSION_FORESEEN
    # Every call sends all that was said before it.
    said = limits.TOKENS_A_CALL_FORESEEN + limits.TOKENS_AN_ANSWER_FORESEEN
    return Usage(
        calls=calls,
        input_tokens=calls * limits.TOKENS_BEFORE_FORESEEN + said * calls * (calls - 1) // 2,
        output_tokens=calls * limits.TOKENS_AN_ANSWER_FORESEEN,
    )
