"""Pace: what a recording says of how its conversation is going on: its model, its last use, its replies, its cache."""

from collections.abc import Iterator
from datetime import datetime
from itertools import islice, pairwise

from slowwave.hygiene.context import Context
from slowwave.hygiene.items import Item, Kind
from slowwave.hygiene.splice import value_at

MOST_PACE = 100  # replies of one run that are expected again: the longest runs are exceptions
_REPLY = frozenset({Kind.ASSISTANT, Kind.THINKING, Kind.CALL})
_LONG = (
    "message.usage.cache_creation.ephemeral_1h_input_tokens",
    "message.usage.cache_creation.ephemeral_5m_input_tokens",
)


def model_of(context: Context) -> str:
    """The model that wrote last, as the recording or the request around it spells it; empty where neither says so."""
    asked = context.document.envelope.get("model")
    if isinstance(asked, str):
        return asked
    return next((model for _, model in reversed(context.models) if not model.startswith("<")), "")


def idle_seconds(context: Context, now: datetime | None) -> float | None:
    """Seconds since the conversation was used last; None without a present, or without times."""
    last = max((item.at for item in context.items if item.at is not None), default=None)
    return None if now is None or last is None else max(0.0, (now - last).total_seconds())


def pace(context: Context, pause: float) -> int | None:
    """How many requests are to be expected: as many as there were since the last pause of so many seconds.

    Whoever looks at a run of work at any time finds it in its middle on average, so as much lies ahead as behind. A
    pause in which the cache goes cold ends a run, for behind it every price is another. None where fewer than two
    replies carry times.
    """
    times = list(islice(_reply_times(context), MOST_PACE + 1))
    gaps = [(later - earlier).total_seconds() for later, earlier in pairwise(times)]
    if not gaps:
        return None
    return next((count for count, gap in enumerate(gaps, start=1) if gap >= pause), min(len(times), MOST_PACE))


def is_at_boundary(context: Context) -> bool:
    """Whether nothing was sent since the last compaction, so that no cache holds what it left."""
    return context.boundary > 0 and not any(item.kind in _REPLY for item in context.items[context.boundary :])


def is_kept_long(context: Context) -> bool:
    """Whether the last reply that wrote to the cache asked for the longer time."""
    for item in _replies(context):
        record = context.record(item)
        long, short = (value_at(record, path) for path in _LONG)
        if long or short:
            return bool(long)
        if long is None and short is None:
            return False
    return False


def _reply_times(context: Context) -> Iterator[datetime]:
    """When each reply began, the newest first."""
    return (item.at for item in _replies(context) if item.at is not None)


def _replies(context: Context) -> Iterator[Item]:
    """An item of each reply of the conversation, the newest first; sub-agents' are not among them."""
    seen: set[int] = set()
    for item in reversed(context.items):
        if item.kind in _REPLY and not item.is_sidechain and item.group not in seen:
            seen.add(item.group)
            yield item
