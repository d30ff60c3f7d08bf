"""Classifying: what a capture is and where it goes, without writing anything; the table of seed 001 and spec 05."""

from dataclasses import dataclass
from datetime import datetime, tzinfo

from slowwave.facts.capture import SECTION_OF, Capture, FileClass, FollowUp, Section, Tag
from slowwave.wake.judging import Judge, Judged, Waits
from slowwave.wake.when import Reason, find_due, zone_of

DAILY = "scratch/daily.md"
OBSERVATIONS = "identity/observations.jsonl"
REFUSED = "identity/refused.jsonl"
COMMITMENTS = "assistant/commitments.json"
NOBODY = "none"
"""``decided_by`` of what its tag alone decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """Where a capture goes: a file below the folder of the day, with its section; or the queue of reminders."""

    file: str = ""
    section: Section | None = None
    is_queue: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Classified:
    """What a capture is.

    Attributes:
        judged: What was decided; None where its tag alone decides.
        kind: Of a follow-up what it comes to: a reminder without a time is a note.
        destination: Where it goes; None where it is left alone.
        due: When, of a reminder or a commitment.
        reason: Why it was decided so, and why there is no time.
        due_reason: Why a reminder or commitment has no time; empty where it has one, or needs none.
    """

    judged: Judged[FileClass] | Judged[bool] | Judged[FollowUp] | None
    destination: Destination | None
    kind: FollowUp | None = None
    due: datetime | None = None
    reason: str = ""
    due_reason: str = ""


def classify(capture: Capture, judge: Judge, *, zone: tzinfo) -> Classified | Waits:
    """What a capture is and where it goes.

    Args:
        capture: What was said.
        judge: Who decides.
        zone: The loop's, for captures that name none.
    """
    match capture.tag:
        case Tag.FILE_THIS:
            return _note(judge.file_this(capture))
        case Tag.OBSERVATION:
            return _trait(judge.durable(capture))
        case Tag.FOLLOW_UP:
            return _follow_up(capture, judge, zone)
        case Tag.NOTE_TO_SELF:
            return Classified(judged=None, destination=Destination(file=DAILY, section=Section.SESSION_NOTES))
        case Tag.ASK_NEXT_SESSION:
            return Classified(judged=None, destination=None)


def _note(about: Judged[FileClass] | Waits) -> Classified | Waits:
    if isinstance(about, Waits):
        return about
    place = Destination(file=DAILY, section=SECTION_OF[about.value])
    return Classified(judged=about, destination=place, reason=about.reason)


def _trait(trait: Judged[bool] | Waits) -> Classified | Waits:
    if isinstance(trait, Waits):
        return trait
    place = Destination(file=OBSERVATIONS if trait.value else REFUSED)
    return Classified(judged=trait, destination=place, reason=trait.reason)


def _follow_up(capture: Capture, judge: Judge, zone: tzinfo) -> Classified | Waits:
    asked = judge.follow_up(capture)
    if isinstance(asked, Waits):
        return asked
    note = Destination(file=DAILY, section=Section.FOLLOW_UPS)
    if asked.value is FollowUp.NOTE:
        return Classified(judged=asked, kind=FollowUp.NOTE, destination=note, reason=asked.reason)
    when = find_due(capture.text, at=capture.ts, zone=zone_of(capture, zone))
    missing = "" if when.reason is Reason.NONE else str(when.reason)
    if asked.value is FollowUp.COMMITMENT:
        return Classified(
            judged=asked,
            kind=FollowUp.COMMITMENT,
            destination=Destination(file=COMMITMENTS),
            due=when.instant,
            reason=asked.reason,
            due_reason=missing,
        )
    if when.instant is None:
        reason = f"a reminder without a time is a note ({missing}); {asked.reason}"
        return Classified(judged=asked, kind=FollowUp.NOTE, destination=note, reason=reason, due_reason=missing)
    queue = Destination(is_queue=True)
    return Classified(judged=asked, kind=FollowUp.REMINDER, destination=queue, due=when.instant, reason=asked.reason)
