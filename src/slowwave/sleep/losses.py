"""Losses: what a batch's new lines lost in reading, in numbers and in sentences, so that nothing is lost unseen."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from slowwave.facts.ids import SessionId
from slowwave.facts.refusal import Refusal
from slowwave.records.lines import Loss
from slowwave.records.recording import Recording

LOST = "lost_"
"""How the code of a loss begins; the reason follows (``docs/refusals.md``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """What could not be read, one entry a session and reason, and how much it was."""

    refusals: tuple[Refusal, ...]
    counts: Mapping[str, int]


def lost_in(recordings: Sequence[Recording], new_from: Mapping[SessionId, tuple[int, ...]]) -> Lost:
    """The losses of some sessions' new lines; those of lines read before were told before."""
    refusals: list[Refusal] = []
    counts: Counter[str] = Counter()
    for recording in recordings:
        first_new = new_from.get(recording.session.id, ())
        new = [loss for file, loss in recording.losses if _is_new(loss, first_new[file : file + 1])]
        for reason in sorted({loss.reason for loss in new}):
            sizes = [loss.length for loss in new if loss.reason == reason]
            counts["losses"] += len(sizes)
            counts["bytes_lost"] += sum(sizes)
            refusals.append(
                Refusal(
                    code=f"{LOST}{reason}",
                    path=str(recording.session.id),
                    message=f"{len(sizes):,} pieces, {sum(sizes):,} bytes, could not be read; "
                    "`slowwave transcripts doctor` says where.",
                )
            )
    return Lost(refusals=tuple(refusals), counts=dict(counts))


def _is_new(loss: Loss, first_new: tuple[int, ...]) -> bool:
    """A file that cannot be opened has no line; what it holds is lost each time it is needed."""
    return not loss.line or not first_new or loss.line >= first_new[0]
