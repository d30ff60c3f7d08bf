"""Drafts of what stands in a message: a person's words and what was put beside them."""

from slowwave.records import injected
from slowwave.records.formats.draft import META, NOTHING, SYSTEM, TEXT, USER, Draft


def said_by_person(text: str, fields: tuple[str, ...], *, via: str = "") -> list[Draft]:
    """A text that a person is said to have typed, as the person's pieces and the injected ones."""
    drafts = []
    for start, end, reason in injected.split(text):
        piece = text if end - start == len(text) else text[start:end]
        if not reason:
            more = {"via": via} if via else NOTHING
            drafts.append(Draft(USER, TEXT, piece, fields, more=more))
        elif reason == injected.INTERRUPTION:
            drafts.append(Draft(SYSTEM, META, piece, fields, reason, more={"is_rejected": True}))
        else:
            drafts.append(Draft(SYSTEM, TEXT, piece, fields, reason))
    return drafts


def said_by_nobody(text: str, fields: tuple[str, ...], reason: str) -> list[Draft]:
    """A text that is injected as a whole; what it says of itself is the better reason."""
    if not text.strip():
        return []
    return [Draft(SYSTEM, TEXT, text, fields, injected.reason_of(text) or reason)]
