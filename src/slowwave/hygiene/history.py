"""History: a processor for agents of pydantic-ai, which keeps the messages of a long run clean while it goes on.

An agent calls it before each request. What it once stubbed stands there as the same stub ever after, so that what the
provider's cache holds stays good; more is stubbed only when that is worth what it costs there. Only contents of tools'
results change, in messages made anew; nobody's words do, and every other message and part is the very same object::

    from pydantic_ai import Agent
    from pydantic_ai.capabilities import ProcessHistory

    clean = CleanHistory(clock=lambda: datetime.now(UTC))
    agent = Agent(model, capabilities=[ProcessHistory(clean)], tools=[clean.recall])

pydantic-ai keeps what a processor gives it, so that the stubs stand in ``all_messages()`` as well, and the originals
in the processor alone. With ``Hooks(before_model_request=...)`` the request is cleaned and the history left whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from slowwave.facts.moment import Clock
from slowwave.hygiene.curate import curated_messages
from slowwave.hygiene.curation import Wish
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.operations import Change
from slowwave.hygiene.parts import (
    AsRecords,
    Place,
    as_records,
    course_of,
    may_change,
    results_of,
    with_contents,
    words_of,
)
from slowwave.hygiene.payloads import payload_text
from slowwave.hygiene.protection import Protected, Protection, Status
from slowwave.hygiene.scene import NEWEST_RESULTS

MOST_RUNS = 64  # courses of messages whose stubs are remembered at once; the one longest not seen is forgotten first
_WIRE = "anthropic-messages"
_UNKNOWN = "Nothing is kept under this digest."


@dataclass(frozen=True, slots=True, kw_only=True)
class Stubbed:
    """A result that was stubbed.

    Attributes:
        digest: By which its stub names it.
        words: What stood there.
        stub: What stands there now.
    """

    digest: str
    words: str
    stub: str


class CleanHistory:
    """Takes dead tool output out of the messages of agents' runs, the same way at every later request.

    One may serve many runs, also at once. It remembers in memory alone: a run that goes on in another process begins
    anew there, when its cache is mostly cold.

    Args:
        clock: The present, held against the times of the replies: it tells whether the provider's cache is warm.
        terms: What a rewrite is weighed by, where the messages and the tables do not say it.
        pinned: Digests or ids of results that stay.
    """

    def __init__(self, *, clock: Clock, terms: Terms | None = None, pinned: Sequence[str] = ()) -> None:
        self._clock = clock
        self._terms = terms or Terms()
        self._pinned = tuple(pinned)
        # Each course of messages has a mapping that is replaced and never changed, so that threads need no lock.
        self._runs: dict[str, Mapping[str, Stubbed]] = {}

    def __call__(self, messages: list[Any]) -> list[Any]:
        """The messages as the next request may have them.

        Raises:
            UnknownContextError: They are no messages of pydantic-ai.
        """
        name = course_of(messages)
        known = self._runs.get(name, {})
        cleaned = with_contents(messages, dict(_once_stubbed(messages, known)))
        fresh = self._decided(cleaned)
        if fresh:
            known = {**known, **{messages[at].parts[part].tool_call_id: each for (at, part), each in fresh.items()}}
            cleaned = with_contents(cleaned, {place: each.stub for place, each in fresh.items()})
        self._keep(name, known)
        return cleaned

    def recall(self, digest: str) -> str:
        """Give back what a stub stands for.

        Args:
            digest: The 16 hex digits in the stub.
        """
        kept = (each for known in list(self._runs.values()) for each in known.values())
        return next((each.words for each in kept if each.digest == digest), _UNKNOWN)

    def _decided(self, messages: Sequence[Any]) -> dict[Place, Stubbed]:
        """What is stubbed from now on, where that is worth it."""
        told = as_records(messages)
        if len(told.places) <= NEWEST_RESULTS:
            return {}
        terms = replace(
            self._terms,
            now=self._clock(),
            provider=self._terms.provider or told.provider,
            model=self._terms.model or told.model,
        )
        only_results = _all_but(told)
        wish = Wish(protect=lambda _: only_results, pinned=self._pinned, terms=terms)
        curated, _ = curated_messages(told.records, wish, wire=_WIRE)
        changes = (change for each in curated.plan.operations for change in each.changes)
        return dict(_stubbed(messages, told, change) for change in changes)

    def _keep(self, name: str, known: Mapping[str, Stubbed]) -> None:
        self._runs.pop(name, None)
        self._runs[name] = known
        for forgotten in list(self._runs)[:-MOST_RUNS]:
            self._runs.pop(forgotten, None)


def _once_stubbed(messages: Sequence[Any], known: Mapping[str, Stubbed]) -> list[tuple[Place, str]]:
    """The stubs of results that come whole again.

    Whoever goes back to an earlier message and on from there may have one among the newest results again, where it is
    what the agent works with; it is left whole there, and that changes nothing that any cache of this course holds.
    """
    results = list(results_of(messages))
    found: list[tuple[Place, str]] = []
    for place, part in results[:-NEWEST_RESULTS]:
        stubbed = known.get(part.tool_call_id)
        if stubbed is not None and may_change(part) and words_of(part) == stubbed.words:
            found.append((place, stubbed.stub))
    return found


def _stubbed(messages: Sequence[Any], told: AsRecords, change: Change) -> tuple[Place, Stubbed]:
    """What a change does, and where; a result has one value, for there are no second copies of it here."""
    number, place = told.places[change.item.index]
    value = change.edits[0].value
    stub = value if isinstance(value, str) else payload_text(value)
    return (number, place), Stubbed(digest=change.item.digest, words=words_of(messages[number].parts[place]), stub=stub)


def _all_but(told: AsRecords) -> Protection:
    """Everything but the results that may change, as ranges that may not be touched."""
    ranges: list[Protected] = []
    start = 0
    for index in (*sorted(told.places), len(told.records)):
        if start < index:
            ranges.append(Protected(start=start, end=index, status=Status.QUARANTINED))
        start = index + 1
    return Protection(ranges=tuple(ranges))
