"""Queued words: what a person typed while the agent worked stands up to three times in a session.

It is queued, then attached to a running turn or sent as a message of its own. While a file is read the first of them
counts. Once all is known the last one does, because it stands where the agent took it up and carries an id that copies
of the session keep.
"""

from collections.abc import Sequence
from dataclasses import replace

from slowwave.facts.evidence import Speaker
from slowwave.records.entries import Entry


def settle_queued(entries: Sequence[Entry]) -> list[Entry]:
    """The entries, with the best of each group of equal queued words as the one that counts."""
    settled = list(entries)
    groups: dict[str, list[int]] = {}
    for index, entry in enumerate(settled):
        if entry.via == "queued" and entry.speaker is Speaker.USER:
            groups.setdefault(entry.origin, []).append(index)
        elif entry.is_copy and entry.origin in groups:
            groups[entry.origin].append(index)
    for group in groups.values():
        if len(group) < 2:
            continue
        best = next((index for index in reversed(group) if not settled[index].via), group[-1])
        origin = f"{settled[best].record_id}#{settled[best].origin.rpartition('#')[2]}"
        for index in group:
            settled[index] = replace(settled[index], origin=origin, is_copy=index != best)
    return settled
