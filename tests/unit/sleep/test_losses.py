"""Losses of a batch are told by session and reason, and only those of new lines."""

from dataclasses import replace
from typing import Any

from slowwave.facts.ids import SessionId
from slowwave.records.lines import Loss
from slowwave.sleep.losses import lost_in

OLD, NEW = (Loss("torn", line, 0, 10) for line in (3, 8))
UNOPENED = Loss("unreadable", 0, 0, 0)


def test_only_new_lines_lose_something_again(stage: Any) -> None:
    """What was lost before the watermark was told before; a file that cannot be opened is told each time."""
    recording = replace(stage("s-1").recording(), losses=((0, OLD), (0, NEW), (1, UNOPENED)))
    lost = lost_in([recording], {SessionId("s-1"): (5, 9)})
    assert [(r.code, r.path) for r in lost.refusals] == [("lost_torn", "s-1"), ("lost_unreadable", "s-1")]
    assert lost.counts == {"losses": 2, "bytes_lost": 10}


def test_a_sound_batch_tells_nothing(stage: Any) -> None:
    """Where all was read there are neither refusals nor counts."""
    lost = lost_in([stage("s-1").recording()], {})
    assert (lost.refusals, lost.counts) == ((), {})
