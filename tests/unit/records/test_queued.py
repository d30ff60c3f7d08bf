"""Queued words: of up to three copies the best one counts."""

from dataclasses import replace

from slowwave.facts.evidence import Speaker
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.queued import settle_queued

QUEUED = Entry(
    line=1,
    speaker=Speaker.USER,
    kind=EntryKind.TEXT,
    text="stop",
    args={},
    record_id="q",
    origin="q#0",
    via="queued",
    fields=("content",),
)
ATTACHED = replace(QUEUED, line=2, record_id="a", is_copy=True, fields=("attachment.prompt",))
SENT = replace(QUEUED, line=3, record_id="m", is_copy=True, via="", fields=("message.content",))
OTHER = replace(QUEUED, line=4, record_id="x", origin="x#0", text="go", via="")


def test_message_counts_before_attachment_and_queue() -> None:
    """The message carries an id that copies of the session keep; the others repeat it."""
    found = settle_queued([QUEUED, ATTACHED, SENT, OTHER])
    assert [entry.is_copy for entry in found] == [True, True, False, False]
    assert [entry.origin for entry in found] == ["m#0", "m#0", "m#0", "x#0"]


def test_attachment_counts_before_the_queue() -> None:
    """Without a message the attachment counts, where the agent took the words up."""
    found = settle_queued([QUEUED, ATTACHED])
    assert [(entry.is_copy, entry.origin) for entry in found] == [(True, "a#0"), (False, "a#0")]


def test_words_that_stand_in_the_queue_alone_count_there() -> None:
    """Nothing to settle: nothing changes."""
    assert settle_queued([QUEUED, OTHER]) == [QUEUED, OTHER]
