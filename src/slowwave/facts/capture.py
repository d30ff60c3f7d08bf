"""A capture: a few words that somebody set aside by day, and what it may turn out to be."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Tag(StrEnum):
    """How it was set aside (seed 001); stored in lower case."""

    FILE_THIS = "file-this"
    OBSERVATION = "observation"
    FOLLOW_UP = "follow-up"
    NOTE_TO_SELF = "note-to-self"
    ASK_NEXT_SESSION = "ask-next-session"


class FileClass(StrEnum):
    """What a ``file-this`` is about (spec 05)."""

    SCHEDULE = "schedule"
    PEOPLE = "people"
    DECISION = "decision"
    EVENT = "event"
    PREFERENCE = "preference"
    HEALTH = "health"
    PROJECT = "project"


class FollowUp(StrEnum):
    """What a ``follow-up`` asks for: a signal at a time, something owed to somebody, or neither."""

    REMINDER = "reminder"
    COMMITMENT = "commitment"
    NOTE = "note"


class Section(StrEnum):
    """The sections of ``daily.md``, in their order."""

    RUNNING_SUMMARY = "Running Summary"
    EVENTS = "Events"
    DECISIONS = "Decisions"
    PEOPLE = "People"
    PROJECTS = "Projects"
    NOTES = "Notes"
    FOLLOW_UPS = "Follow-ups"
    SESSION_NOTES = "Session Notes"


SECTION_OF = {
    FileClass.SCHEDULE: Section.EVENTS,
    FileClass.EVENT: Section.EVENTS,
    FileClass.HEALTH: Section.EVENTS,
    FileClass.PEOPLE: Section.PEOPLE,
    FileClass.DECISION: Section.DECISIONS,
    FileClass.PREFERENCE: Section.NOTES,
    FileClass.PROJECT: Section.PROJECTS,
}
"""Where in ``daily.md`` a class of ``file-this`` stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """One capture as it stands in ``data/stream-captures``.

    Attributes:
        id: Stable; a content id where the producer gave none.
        ts: When it was said: aware, with the offset that it was written with.
        tag: How it was set aside.
        text: What was said, never empty; line breaks are LF.
        source: Who brought it: ``cli``, ``api``, ``telegram``, ``scan``, or any other producer's name.
        session_id: The agent session it was said in; empty for none.
        line: Its physical line in that session; None where unknown.
        zone: IANA name of the speaker's zone; empty where only the offset of ``ts`` is known.
        speaker: ``user`` or ``agent`` where it comes from a session; empty otherwise.
    """

    id: str
    ts: datetime
    tag: Tag
    text: str
    source: str
    session_id: str = ""
    line: int | None = None
    zone: str = ""
    speaker: str = ""
