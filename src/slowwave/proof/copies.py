"""When two quotes are one observation: the same span, overlapping spans, or copies of one record.

Copies share an origin: a fork's history, an event beside its message, ``toolUseResult`` beside ``content``. Two
separate sentences of one record stay two, and so do equal words that were said twice. What the harness wrote down
beside a record (a title, the last prompt, a summary of an event) never counts beside the words it repeats.
"""

from slowwave.facts.evidence import Speaker
from slowwave.proof.places import Place
from slowwave.records.entries import EntryKind


def are_one(first: Place, second: Place) -> bool:
    """Whether two places are one piece of evidence."""
    if (first.session_id, first.string) == (second.session_id, second.string):
        return first.start < second.end and second.start < first.end
    if not share_words(first.words, second.words):
        return False
    if first.origin == second.origin or first.is_bookkeeping is not second.is_bookkeeping:
        return True
    return _is_handed_over(first, second) or _is_handed_over(second, first)


def share_words(first: str, second: str) -> bool:
    """Whether one text contains the other, or ends with what the other begins with."""
    if first in second or second in first:
        return True
    return _runs_into(first, second) or _runs_into(second, first)


def _runs_into(first: str, second: str) -> bool:
    """Whether at least two words at the end of one text begin the other; fewer is chance."""
    starts = [at + 1 for at, character in enumerate(first) if character == " "]
    return any(" " in first[at:] and second.startswith(first[at:]) for at in starts)


def _is_handed_over(inner: Place, outer: Place) -> bool:
    """Whether a text passed between an agent and its sub-agent stands here on both sides.

    A sub-agent's last words come back as the result of the call, and the call's prompt opens the sub-agent's file.
    The outer side may say more; what surrounds the quote inside must surround it outside.
    """
    if not inner.is_sidechain or outer.is_sidechain or inner.session_id != outer.session_id:
        return False
    is_answer = inner.speaker is Speaker.AGENT and outer.kind is EntryKind.TOOL_RESULT
    is_prompt = inner.speaker is Speaker.SYSTEM and outer.kind is EntryKind.TOOL_CALL
    if not (is_answer or is_prompt):
        return False
    if inner.words == outer.words:
        return outer.before.endswith(inner.before) and outer.after.startswith(inner.after)
    return True
