"""The mined engine: recordings in, one answer out, with the reasons for all that was kept and dropped.

Pure and deterministic: the same recordings in any order give the same answer, byte for byte.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from slowwave.facts.answer import Answer
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import CANDIDATES_A_BATCH, MOST_CANDIDATES, MOST_COMMITMENTS
from slowwave.mining import (
    absent_folders,
    actors,
    commitments,
    guards,
    guessed_paths,
    late_refusals,
    lockstep,
    partial_suites,
    prose,
    refused_calls,
    templates,
    untracked,
    variants,
)
from slowwave.mining.episodes import listen
from slowwave.mining.events import Timeline, timelines
from slowwave.mining.finding import Finding
from slowwave.mining.rehearsal import Rehearsal, candidate, is_one_sentence
from slowwave.mining.select import select
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
    partial_suites.find,
    templates.find,
    actors.find,
    untracked.find,
    guards.find,
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
    lines, talk = timelines(ordered), listen(ordered)
    found = [finding for lens in SEQUENCE_LENSES for finding in lens(lines)]
    found += prose.find(talk, lines)
    rehearsal = Rehearsal(ordered, new_from, secrets or Secrets(deep=False))
    proved = [_proved(finding, rehearsal) for finding in found if finding.lens not in without]
    selection = select(proved, most=min(most, MOST_CANDIDATES), floor=KEPT_FROM)
    kept = tuple(rehearsal.prove(finding) for finding in selection.kept)
    promised = (commitment for commitment in commitments.find(talk) if rehearsal.is_sound(commitment))
    answer = Answer(
        candidates=tuple(candidate(finding) for finding in kept),
        commitments=tuple(promised)[:MOST_COMMITMENTS],
        read_session_ids=tuple(recording.session.id for recording in ordered),
    )
    return Mined(answer=answer, kept=kept, dropped=selection.dropped)


def _proved(finding: Finding, rehearsal: Rehearsal) -> Finding:
    """The finding as the contract would leave it; one under the bar is not worth the look."""
    if finding.dropped or finding.score < KEPT_FROM:
        return finding
    if not is_one_sentence(finding.claim):
        return replace(finding, dropped="its claim is not one sentence")
    return rehearsal.prove(finding)
