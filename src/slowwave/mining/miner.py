"""The mined engine: recordings in, one answer out, with the reasons for all that was kept and dropped.

Pure and deterministic: the same recordings in any order give the same answer, byte for byte.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from slowwave.facts.answer import Answer, Candidate
from slowwave.facts.evidence import Quote, Speaker
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import (
    CANDIDATES_A_BATCH,
    CLAIM_CHARACTERS,
    FEWEST_QUOTES,
    GIST_CHARACTERS,
    MOST_CANDIDATES,
    MOST_COMMITMENTS,
    MOST_ENTITIES,
)
from slowwave.facts.text import cut
from slowwave.mining import (
    absent_folders,
    actors,
    commitments,
    guards,
    guessed_paths,
    late_refusals,
    lockstep,
    prose,
    quoting,
    refused_calls,
    slow_commands,
    templates,
    trailers,
    untracked,
    variants,
)
from slowwave.mining.events import Timeline, timelines
from slowwave.mining.finding import Finding
from slowwave.mining.select import select
from slowwave.mining.sightings import Sighting, Sightings
from slowwave.mining.telling import KEPT_FROM
from slowwave.records.recording import Recording
from slowwave.records.secrets import Secrets

Lens = Callable[[Sequence[Timeline]], tuple[Finding, ...]]

SEQUENCE_LENSES: tuple[Lens, ...] = (
    variants.find,
    refused_calls.find,
    guessed_paths.find,
    absent_folders.find,
    lockstep.find,
    late_refusals.find,
    templates.find,
    actors.find,
    untracked.find,
    trailers.find,
    guards.find,
    slow_commands.find,
)
"""Lenses over events; each says what it finds in a fixed form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mined:
    """What mining a batch gave: the answer, and every finding with its parts and reason for ``--explain``."""

    answer: Answer
    kept: tuple[Finding, ...]
    dropped: tuple[Finding, ...]


def mine(
    recordings: Sequence[Recording],
    *,
    new_from: Mapping[SessionId, tuple[int, ...]] | None = None,
    most: int = CANDIDATES_A_BATCH,
    without: frozenset[str] = frozenset(),
    secrets: Secrets | None = None,
) -> Mined:
    """Everything worth remembering in a batch, as one answer.

    Args:
        recordings: The sessions of the batch, new and context ones.
        new_from: For each session the first new line of each of its files; None when all is new.
        most: How many candidates at most; the contract's own bound holds as well.
        without: Names of lenses to leave out, for measuring what each is worth.
        secrets: Finds secrets in quotes; the built-in rules when None.
    """
    ordered = sorted(recordings, key=lambda recording: recording.session.id)
    lines = timelines(ordered)
    found = [finding for lens in SEQUENCE_LENSES for finding in lens(lines)]
    found += prose.find(ordered)
    sightings = Sightings.of(ordered, new_from)
    guard = secrets or Secrets(deep=False)
    checked = [_checked(finding, sightings, guard) for finding in found if finding.lens not in without]
    selection = select(checked, most=min(most, MOST_CANDIDATES), floor=KEPT_FROM)
    answer = Answer(
        candidates=tuple(_candidate(finding) for finding in selection.kept),
        commitments=commitments.find(ordered)[:MOST_COMMITMENTS],
        read_session_ids=tuple(recording.session.id for recording in ordered),
    )
    return Mined(answer=answer, kept=selection.kept, dropped=selection.dropped)


def _checked(finding: Finding, sightings: Sightings, secrets: Secrets) -> Finding:
    """The finding with quotes that will hold, or dropped with the reason they will not."""
    if finding.dropped:
        return finding
    seen = [(quote, sightings.best(quote)) for quote in finding.quotes if not quoting.is_trivial(quote.quote)]
    sound = [(quote, sight) for quote, sight in seen if sight and not secrets.holds_secret_or_mask(quote.quote)]
    quotes = quoting.distinct(quote for quote, _ in sound)
    kept = [sight for quote, sight in sound if quote in quotes]
    finding = replace(finding, quotes=quotes)
    return replace(finding, dropped=_fault(finding, quotes, kept, secrets))


def _fault(finding: Finding, quotes: Sequence[Quote], sights: Sequence[Sighting], secrets: Secrets) -> str:
    """Why the contract would refuse a finding; empty when it would not."""
    if len(quotes) < FEWEST_QUOTES:
        return "fewer than two quotes"
    if not any(sight.speaker in {Speaker.USER, Speaker.AGENT} for sight in sights):
        return "only tools speak in its quotes"
    if not any(sight.is_new for sight in sights):
        return "nothing new in its quotes"
    if not 0 < len(finding.claim) <= CLAIM_CHARACTERS:
        return "its claim is not one sentence"
    if secrets.holds_secret_or_mask(finding.claim) or secrets.holds_secret_or_mask(finding.gist):
        return "a secret stands in it"
    return ""


def _candidate(finding: Finding) -> Candidate:
    return Candidate(
        kind=finding.kind,
        claim=finding.claim,
        gist=cut(finding.gist, GIST_CHARACTERS),
        entities=finding.entities[:MOST_ENTITIES],
        evidence=finding.quotes,
    )
