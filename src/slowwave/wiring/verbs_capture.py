"""Capture verbs: words set aside by hand, tags found in a text, and what an agent left for its next session."""

from typing import Any

from slowwave.facts.capture import Capture, Tag
from slowwave.facts.ids import is_safe_session_id
from slowwave.facts.refusal import UsageError
from slowwave.records.captures import zone_named
from slowwave.records.tags import extract
from slowwave.wake.next_session import mark_shown, waiting_questions
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import zone_of
from slowwave.wiring.verbs_notify import open_book
from slowwave.wiring.verbs_scan import intake_of

BY_HAND = "cli"
"""Source of a capture that somebody typed."""


def extract_captures(text: str) -> dict[str, Any]:
    """The captures that stand in a text as tags, and how many tags were never closed; writes nothing."""
    found = extract(text)
    captures = [
        {"tag": one.tag.value, "text": one.text, "attributes": dict(one.attributes), "line": one.line}
        for one in found.captures
    ]
    return {"captures": captures, "unclosed": found.unclosed}


def add_capture(house: Premises, *, tag: str, text: str, session: str = "", zone: str = "") -> dict[str, Any]:
    """Store one capture; the capture as it stands in its file, and whether it is new.

    Raises:
        UsageError: No tag or zone is called so, or the session's id is none.
        CaptureEmptyError: It has no words.
        CaptureTooLongError: It is too long.
    """
    names = {one.value: one for one in Tag}
    chosen = names.get(tag.strip().lower())
    if chosen is None:
        raise UsageError(f"no tag is called {tag}", hint=f"tags are: {', '.join(names)}")
    if session and not is_safe_session_id(session):
        raise UsageError("--session takes a session's id", hint="`slowwave transcripts list` shows them")
    own = zone_named(zone)
    if zone and own is None:
        raise UsageError(f"--zone: no zone is called {zone!r}", hint="an IANA name, as Europe/Berlin")
    capture = Capture(
        id="",
        ts=house.clock().astimezone(own or zone_of(house)),
        tag=chosen,
        text=text,
        source=BY_HAND,
        session_id=session,
        zone=zone,
    )
    (stored,) = intake_of(house).put([capture])
    return {**described(stored.capture), "isNew": stored.is_new}


def next_session(house: Premises, *, everything: bool, peek: bool) -> dict[str, Any]:
    """What was left for the next session and not shown yet, in the order in which it was said; it is shown now.

    Args:
        house: An open home.
        everything: Also what was shown before.
        peek: Only look; what is shown will be shown again.
    """
    with open_book(house) as book:
        captures = waiting_questions(house.home.day, book, zone=zone_of(house), everything=everything)
        if captures and not peek:
            mark_shown(book, captures, house.clock())
    return {"captures": [described(capture) for capture in captures]}


def described(capture: Capture) -> dict[str, Any]:
    """A capture with the keys of its line; those that say nothing are left out."""
    more = {
        "session_id": capture.session_id,
        "line": capture.line,
        "zone": capture.zone,
        "speaker": capture.speaker,
    }
    return {
        "id": capture.id,
        "ts": capture.ts.isoformat(),
        "tag": capture.tag.value,
        "text": capture.text,
        "source": capture.source,
    } | {name: value for name, value in more.items() if value}
